import { scanRule } from '../rule.ts';

export const blobEncoded = scanRule({
  code: 'blob-encoded',
  category: 'obfuscation',
  level: 'medium',
  nature: 'action',
  title: 'Long encoded text in a program',
  about:
    'A program that contains and decodes a long encoded text can hide anything in it. Images and fonts in data URLs are fine.',
  fix: 'Move the data to a separate file in a readable format.',
  bad: {
    'pdf/SKILL.md': 'name: pdf',
    'pdf/run.py': `import base64\nDATA = "${'Zm9ybS1kYXRhLW5vdC1hLWNvbW1hbmQt'.repeat(12)}"\nopen("out", "wb").write(base64.b64decode(DATA))`,
  },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/run.py': 'DATA = open("form.json").read()' },
  *find({ texts }) {
    for (const file of texts) {
      if (file.kind !== 'code' || !/base64|b64decode|atob\(|unhexlify|fromhex|frombase64|'hex'|"hex"/u.test(file.low))
        continue;
      for (const match of file.flat.matchAll(/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{320,1000000}={0,2}/gu)) {
        const before = file.low.slice(Math.max(0, match.index - 40), match.index);
        if (/data:(?:image|font|audio|video)\/[\w+.-]{1,20};base64,\s*$/u.test(before)) continue;
        yield {
          file,
          start: match.index,
          end: match.index + 40,
          level: 'medium',
          message: `contains ${match[0].length} characters of encoded data`,
        };
      }
    }
  },
});
