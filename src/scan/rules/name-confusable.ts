import { type Hit, matchesIn, type ScannedSkill, scanRule } from '../rule.ts';
import { isSkillPath } from '../../skills/skill.ts';

export const nameConfusable = scanRule({
  code: 'name-confusable',
  category: 'impersonation',
  level: 'high',
  nature: 'fact',
  title: 'Name that looks like another name',
  about:
    'Letters from other scripts that look like Latin letters make a skill, a file or a URL look like a known one. Names written in one script are fine.',
  fix: 'Spell the name in one script.',
  bad: 'name: "p\u0430ypal"',
  good: 'name: "paypal"',
  *find(skill) {
    yield* findNames(skill);
    // The same few hosts occur many times.
    const known = new Map<string, string | undefined>();
    for (const file of skill.texts) {
      for (const place of matchesIn(file, ADDRESS)) {
        const host = place.match[1] ?? '';
        const real = known.has(host) ? known.get(host) : imitated(host);
        known.set(host, real);
        if (real !== undefined)
          yield { ...place, level: 'high', message: `the URL looks like ${real} but is a different one` };
      }
    }
  },
});

/** Cyrillic, Greek and Armenian letters that look like Latin ones. */
const LOOK_ALIKE =
  /[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03b1\u03b9\u03bd\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0585\u0570\u0578]/u;

function isMixed(word: string): boolean {
  return /[A-Za-z]/u.test(word) && LOOK_ALIKE.test(word);
}

function* findNames({ texts, binaries }: ScannedSkill): Iterable<Hit> {
  for (const { path, frontmatter } of texts) {
    if (!isSkillPath(path) || !frontmatter) continue;
    const { name, description } = frontmatter.data;
    if (
      typeof name === 'string' &&
      LOOK_ALIKE.test(name) &&
      (isMixed(name) || name.split(/[-\s]/u).every((word) => [...word].every((letter) => LOOK_ALIKE.test(letter))))
    )
      yield {
        path,
        line: frontmatter.lines.get('name'),
        level: 'high',
        message: 'the name mixes scripts to look like another name',
        evidence: name.slice(0, 80),
      };
    const word = typeof description === 'string' ? description.split(/[\s,.;:()/"'`]+/u).find(isMixed) : undefined;
    if (word !== undefined)
      yield {
        path,
        line: frontmatter.lines.get('description'),
        level: 'medium',
        message: 'a word in the description mixes scripts',
        evidence: word.slice(0, 80),
      };
  }
  for (const { path } of [...texts, ...binaries]) {
    if (path.split(/[/.\s_-]/u).some(isMixed))
      yield { path, level: 'high', message: 'the file name mixes scripts', evidence: path.slice(-80) };
  }
}

const ADDRESS = /\bhttps?:\/\/(?:[^\s/@"'`<>]{1,80}@)?([\p{L}\d.-]{4,120})/gu;
const KNOWN = [
  'github.com',
  'githubusercontent.com',
  'gitlab.com',
  'npmjs.com',
  'npmjs.org',
  'pypi.org',
  'anthropic.com',
  'openai.com',
  'google.com',
  'microsoft.com',
  'paypal.com',
  'amazonaws.com',
  'cloudflare.com',
  'docker.com',
  'stripe.com',
  'claude.ai',
  'slack.com',
  'apple.com',
];

/** Detects a known host as a prefix of another host, in other letters, or with two letters swapped or replaced. */
function imitated(host: string): string | undefined {
  if (isMixed(host)) return 'a URL in Latin letters';
  for (const real of KNOWN) {
    if (host === real || host.endsWith(`.${real}`)) return undefined;
    if (host.includes(`${real}.`) && !host.endsWith('.example') && !/\.(?:internal|local|proxy|cn)$/u.test(host))
      return real;
    const own = host.split('.').slice(-2).join('.');
    if (own !== real && own.length === real.length && digits(own) === real) return real;
    if (isSwapped(own, real)) return real;
  }
  return undefined;
}

function digits(host: string): string {
  return host.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('3', 'e').replaceAll('rn', 'm');
}

/** Whether two neighboring letters are swapped. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  let at = 0;
  while (a.charAt(at) === b.charAt(at)) at += 1;
  return a.charAt(at) === b.charAt(at + 1) && a.charAt(at + 1) === b.charAt(at) && a.slice(at + 2) === b.slice(at + 2);
}
