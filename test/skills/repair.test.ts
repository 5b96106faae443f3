import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../src/core/frontmatter/split.ts';
import { readFrontmatter } from '../../src/core/frontmatter/read.ts';
import { type ParsedHeader, parseHeader } from '../../src/skills/parse.ts';
import { repairsOf, withName } from '../../src/skills/repair.ts';
import { fc, times } from '../support/effort.ts';

const BODY = '\n# PDF\n\nRun fill.py: it needs the form.\n';
const file = (...header: string[]): string => ['---', ...header, '---', BODY].join('\n');

function headerOf(text: string): ParsedHeader {
  const header = parseHeader('SKILL.md', Buffer.from(text), { complete: true, read: readFrontmatter });
  if (!header) throw new Error('more bytes wanted');
  return header;
}

function codesOf(text: string): string[] {
  return headerOf(text).diagnostics.map(({ code }) => code);
}

/** The text after all repairs. */
function repaired(text: string): string {
  return repairsOf(text).repairs.at(-1)?.after ?? text;
}

describe('a repair', () => {
  test.each<[string, string, string, string]>([
    [
      'quotes a value with a colon',
      'frontmatter-repaired',
      file('name: pdf', 'description: Use when: a form has fields'),
      file('name: pdf', 'description: "Use when: a form has fields"'),
    ],
    [
      'uses single quotes around double quotes',
      'frontmatter-repaired',
      file('name: pdf', `description: Use when: a "form" isn't empty`),
      file('name: pdf', `description: 'Use when: a "form" isn''t empty'`),
    ],
    [
      'quotes a value that starts with a bracket',
      'frontmatter-repaired',
      file('name: pdf', 'description: [Beta] Fills in forms'),
      file('name: pdf', 'description: "[Beta] Fills in forms"'),
    ],
    [
      'leaves folded and block values as they are',
      'frontmatter-repaired',
      file('name: pdf', 'description: Fills in', '  forms', 'license: MIT: see LICENSE', 'notes: |', '  a: b: c'),
      file('name: pdf', 'description: Fills in', '  forms', 'license: "MIT: see LICENSE"', 'notes: |', '  a: b: c'),
    ],
    [
      'quotes patterns that look like aliases',
      'frontmatter-repaired',
      file('name: pdf', 'description: Forms', 'paths:', '  - *.pdf', '  - docs/*.md'),
      file('name: pdf', 'description: Forms', 'paths:', '  - "*.pdf"', '  - docs/*.md'),
    ],
    [
      'turns tabs at the start of lines into spaces',
      'frontmatter-repaired',
      file('name: pdf', 'description: Forms', 'metadata:', '\tauthor: Ann'),
      file('name: pdf', 'description: Forms', 'metadata:', '  author: Ann'),
    ],
    [
      'quotes a nested value, so that the other keys can be read',
      'frontmatter-salvaged',
      file('name: pdf', 'description: Forms', 'metadata:', '  note: a: b'),
      file('name: pdf', 'description: Forms', 'metadata:', '  note: "a: b"'),
    ],
    [
      'quotes a number where text is due, and keeps the comment',
      'value-type',
      file('name: 2026 # the year', 'description: Forms'),
      file('name: "2026" # the year', 'description: Forms'),
    ],
    [
      'removes a byte order mark',
      'byte-order-mark',
      `\ufeff${file('name: pdf', 'description: Forms')}`,
      file('name: pdf', 'description: Forms'),
    ],
    [
      'removes blank lines above',
      'frontmatter-late',
      `\n \n${file('name: pdf', 'description: Forms')}`,
      file('name: pdf', 'description: Forms'),
    ],
    [
      'closes the frontmatter before the first paragraph',
      'frontmatter-unclosed',
      `---\nname: pdf\ndescription: >\n  Fills in\n\n  forms\n${BODY}`,
      `---\nname: pdf\ndescription: >\n  Fills in\n\n  forms\n---\n${BODY}`,
    ],
    [
      'closes the frontmatter at the end of the file',
      'frontmatter-unclosed',
      '---\nname: pdf\ndescription: Forms',
      '---\nname: pdf\ndescription: Forms\n---\n',
    ],
  ])('%s', (_, code, before, after) => {
    expect(repairsOf(before)).toEqual({ repairs: [{ code, before, after }], refused: [] });
    expect(codesOf(before)).toContain(code);
    expect(codesOf(after)).not.toContain(code);
  });

  test('keeps Windows line endings', () => {
    const before = '---\r\nname: pdf\r\ndescription: Use when: asked\r\n\r\nBody\r\n';
    expect(repaired(before)).toBe('---\r\nname: pdf\r\ndescription: "Use when: asked"\r\n---\r\n\r\nBody\r\n');
  });

  test.each([
    ['a value that continues after the colon', file('name: pdf', 'description: Use when: a form', '  has fields')],
    ['a key in the paragraph below', '---\nname: pdf\ndescription: Forms\n\nlicense: MIT\n'],
    ['a line that may be a key or text', '---\nname: pdf\ndescription: Forms\nNote: run fill.py\n'],
    ['a key below a comment', '---\nname: pdf\ndescription: Forms\n# Legal\nlicense: MIT\n\nBody\n'],
    ['an indented paragraph that may belong to the value', '---\nname: pdf\ndescription: Forms\n\n    fill.py\n'],
    ['no description above the text', '---\nname: pdf\n\nRun fill.py.\n'],
  ])('is refused rather than guessed: %s', (_, text) => {
    const { repairs, refused } = repairsOf(text);
    expect(repairs).toEqual([]);
    expect(refused).toHaveLength(1);
  });

  test.each([
    ['a valid file', file('name: pdf', 'description: "Use when: asked"')],
    ['a file without frontmatter', '\ufeff# PDF\n'],
    ['a key that appears twice', file('name: pdf', 'description: Forms', 'license: MIT', 'license: Apache-2.0')],
    ['a tab inside a block value', file('name: pdf', 'description: |', '  a', '  \tb')],
    ['a list where text is due', file('name: pdf', 'description: [a, b]')],
  ])('does not touch %s', (_, text) => {
    expect(repairsOf(text)).toEqual({ repairs: [], refused: [] });
  });

  test('never changes what is read, removes its code, and leaves nothing for a second run', () => {
    const word = fc.constantFrom(
      'forms',
      'Use when:',
      'a: b',
      '[x]',
      '"quoted"',
      "it's",
      '#5',
      '*.ts',
      'C:\\dir',
      '🙂',
      '- x',
      '&a',
      '!tag',
      '%',
      '@you',
      '`code`',
      '{a}',
      '> x',
      '|',
    );
    const value = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const key = fc.constantFrom('license', 'compatibility', 'model', 'notes');
    const row = fc.oneof(
      fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`),
      value.map((text) => `metadata:\n  note: ${text}`),
      value.map((text) => `metadata:\n\tnote: ${text}`),
      value.map((text) => `paths:\n  - ${text}`),
      value.map((text) => `notes: |\n  ${text}\n  \t${text}`),
    );
    const broken = fc
      .record({
        start: fc.constantFrom('', '\ufeff', '\n', '\ufeff\n\n', ' \n'),
        name: fc.constantFrom('pdf', '2026', '"pdf"', 'true', 'a: b'),
        description: value,
        rows: fc.uniqueArray(row, { maxLength: 3, selector: (text) => text.split(':', 1)[0] }),
        close: fc.constantFrom('---\n', '---\n', '--- \n', ''),
        body: fc.constantFrom(BODY, '', '\n    code\n', 'Text: x\n'),
        crlf: fc.boolean(),
      })
      .map(({ start, name, description, rows, close, body, crlf }) => {
        const header = [`name: ${name}`, `description: ${description}`, ...rows].map((text) => `${text}\n`).join('');
        const text = `${start}---\n${header}${close}${body}`;
        return crlf ? text.replaceAll('\n', '\r\n') : text;
      });
    let made = 0;
    fc.assert(
      fc.property(broken, (text) => {
        const { repairs } = repairsOf(text);
        made += repairs.length;
        for (const { code, before, after } of repairs) {
          // A number may be repaired while a list of the same code stays.
          const countIn = (each: string): number => codesOf(each).filter((found) => found === code).length;
          expect(countIn(after)).toBeLessThan(countIn(before));
          if (code === 'frontmatter-unclosed') continue;
          const [was, is] = [headerOf(before), headerOf(after)];
          expect([is.name, is.description]).toEqual([was.name, was.description]);
          expect(bodyOf(after)).toBe(bodyOf(before));
        }
        expect(repairsOf(repaired(text)).repairs).toEqual([]);
      }),
      { numRuns: times(200) },
    );
    expect(made).toBeGreaterThan(100);
  });
});

describe('setting the name', () => {
  test.each([
    ['plain', file('name: old', 'description: Forms'), file('name: pdf', 'description: Forms')],
    [
      'quoted, with a comment',
      file('name: "old #1" # was new', 'description: Forms'),
      file('name: pdf # was new', 'description: Forms'),
    ],
    [
      'with Windows line endings',
      '---\r\nname: old\r\ndescription: x\r\n---\r\nBody',
      '---\r\nname: pdf\r\ndescription: x\r\n---\r\nBody',
    ],
  ])('replaces a name that is %s', (_, before, after) => {
    expect(withName(before, 'pdf')).toBe(after);
  });

  test('quotes a name that YAML would read as a number', () => {
    expect(withName(file('name: old', 'description: x'), '2026')).toBe(file('name: "2026"', 'description: x'));
  });

  test('is refused if the name is not on the line of its key', () => {
    expect(withName(file('name: >', '  old', 'description: x'), 'pdf')).toBeUndefined();
  });
});
