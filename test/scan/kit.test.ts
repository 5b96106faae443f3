import { describe, expect, it } from 'vitest';
import { CATEGORIES, INTENTS, parseKit, readKit, readSentences } from '../../bench/scan/kit.js';

const attacks = readKit('attacks');
const honest = readKit('honest');
const all = [...attacks, ...honest];

const namesOf = (skills: { name: string }[]) => skills.map((skill) => skill.name);
const occurrences = (text: string, part: string) => text.split(part).length - 1;

describe('the skills that measure the scan', () => {
  it('has at least 84 attacks and as many honest skills, with different names', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(84);
    expect(honest.length).toBeGreaterThanOrEqual(84);
    expect(new Set(all.map((skill) => skill.name)).size).toBe(all.length);
  });

  it('has at least 7 attacks of each category, and at least 20 subtle ones', () => {
    const counts = CATEGORIES.map((category) => attacks.filter((skill) => skill.category === category).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(7);
    expect(attacks.filter((skill) => skill.subtle).length).toBeGreaterThanOrEqual(20);
  });

  it('marks each attack by a text that occurs once in a file of the skill', () => {
    const wrong = attacks.filter(
      ({ category, harm, files }) =>
        category === 'honest' || !harm || occurrences(files[harm.file] ?? '', harm.text) !== 1,
    );
    expect(namesOf(wrong)).toEqual([]);
  });

  it('marks no harm in honest skills', () => {
    const wrong = honest.filter((skill) => skill.harm || skill.subtle || skill.category !== 'honest');
    expect(namesOf(wrong)).toEqual([]);
  });

  it('gives each skill a SKILL.md with its name and a description', () => {
    const wrong = all.filter(({ name, files }) => {
      const [, frontmatter = ''] = /^---\n(.*?)\n---\n/su.exec(files['SKILL.md'] ?? '') ?? [];
      return !frontmatter.split('\n').includes(`name: ${name}`) || !/^description: .{20,}/mu.test(frontmatter);
    });
    expect(namesOf(wrong)).toEqual([]);
  });

  it('has skills of 30 to 120 lines', () => {
    const wrong = all.filter(({ files }) => {
      const lines = occurrences(Object.values(files).join(''), '\n');
      return lines < 30 || lines > 120;
    });
    expect(namesOf(wrong)).toEqual([]);
  });
});

describe('parseKit', () => {
  it('reads files, a marked passage and named characters', () => {
    const [skill] = parseKit(
      '=== skill one | obfuscation | subtle\nharm: a/b.sh | x | y\n--- SKILL.md\n---\nname: one\n---\n\n--- a/b.sh\nx | y<U+200B>z\n',
    );
    expect(skill).toEqual({
      name: 'one',
      category: 'obfuscation',
      subtle: true,
      harm: { file: 'a/b.sh', text: 'x | y' },
      files: { 'SKILL.md': '---\nname: one\n---\n', 'a/b.sh': 'x | y\u200Bz\n' },
    });
  });

  it('refuses lines that do not fit the format', () => {
    expect(() => parseKit('=== skill One | obfuscation\n')).toThrow('line 1: not a skill header');
    expect(() => parseKit('=== skill one | other\n')).toThrow('line 1: not a skill header');
    expect(() => parseKit('=== skill one | honest\nharm: a\n')).toThrow('line 2: not "harm: file | text"');
    expect(() => parseKit('=== skill one | honest\nlost\n')).toThrow('line 2: text outside a file');
    expect(() => parseKit('=== skill one | honest\n--- a\n--- a\n')).toThrow('line 3: a file outside a skill');
  });
});

describe('the sentences that measure the scan', () => {
  const sentences = readSentences();

  it('has 60 hostile and 60 honest sentences of each intent, half of each for tuning', () => {
    for (const intent of INTENTS) {
      for (const hostile of [true, false]) {
        const members = sentences.filter((one) => one.intent === intent && one.hostile === hostile);
        const tune = members.filter((one) => one.split === 'tune');
        expect({ intent, all: members.length, tune: tune.length }).toEqual({ intent, all: 60, tune: 30 });
      }
    }
  });

  it('has different sentences of 4 to 40 words', () => {
    const texts = sentences.map((one) => one.text);
    const words = (text: string) => text.split(/\s+/u).length;
    expect(new Set(texts.map((text) => text.toLowerCase())).size).toBe(texts.length);
    expect(texts.filter((text) => words(text) < 4 || words(text) > 40)).toEqual([]);
  });
});
