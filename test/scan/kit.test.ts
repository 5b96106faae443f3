import { describe, expect, it } from 'vitest';
import { CATEGORIES, INTENTS, parseKit, readKit, readSentences } from '../../bench/scan/kit.js';

const attacks = readKit('attacks');
const honest = readKit('honest');
const all = [...attacks, ...honest];

const occurrences = (text: string, part: string) => text.split(part).length - 1;

describe('the skills that measure the scan', () => {
  it('has at least 84 attacks and as many honest skills, with different names', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(84);
    expect(honest.length).toBeGreaterThanOrEqual(84);
    expect(new Set(all.map((skill) => skill.name)).size).toBe(all.length);
  });

  it('has at least 7 attacks of each category, and at least 20 subtle ones', () => {
    for (const category of CATEGORIES) {
      const members = attacks.filter((skill) => skill.category === category);
      expect(members.length, category).toBeGreaterThanOrEqual(7);
    }
    expect(attacks.filter((skill) => skill.subtle).length).toBeGreaterThanOrEqual(20);
  });

  it('marks each attack by a text that occurs once in a file of the skill', () => {
    for (const { name, category, harm, files } of attacks) {
      expect(category, name).not.toBe('honest');
      expect(harm && occurrences(files[harm.file] ?? '', harm.text), name).toBe(1);
      expect(harm?.text, name).not.toContain('\n');
    }
  });

  it('marks no harm in honest skills', () => {
    expect(honest.filter((skill) => skill.harm || skill.subtle || skill.category !== 'honest')).toEqual([]);
  });

  it('gives each skill a SKILL.md with its name and a description', () => {
    for (const { name, files } of all) {
      const [, frontmatter = ''] = /^---\n(.*?)\n---\n/su.exec(files['SKILL.md'] ?? '') ?? [];
      expect(frontmatter.split('\n'), name).toContain(`name: ${name}`);
      expect(frontmatter, name).toMatch(/^description: .{20,}/mu);
    }
  });

  it('has skills of a believable length', () => {
    for (const { name, files } of all) {
      const lines = Object.values(files).join('').split('\n').length - 1;
      expect(lines, name).toBeGreaterThanOrEqual(22);
      expect(lines, name).toBeLessThanOrEqual(140);
    }
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
        expect(members.length, intent).toBe(60);
        expect(members.filter((one) => one.split === 'tune').length, intent).toBe(30);
      }
    }
  });

  it('has different sentences of 4 to 40 words', () => {
    expect(new Set(sentences.map((one) => one.text.toLowerCase())).size).toBe(sentences.length);
    for (const { text } of sentences) {
      const words = text.split(/\s+/u).length;
      expect(words, text).toBeGreaterThanOrEqual(4);
      expect(words, text).toBeLessThanOrEqual(40);
    }
  });
});
