import { describe, expect, test } from 'vitest';
import type { Frontmatter, FrontmatterProblemKind } from '../../../src/core/frontmatter/plain.ts';
import { readFrontmatter } from '../../../src/core/frontmatter/read.ts';
import { fc, times } from '../../support/effort.ts';

function read(text: string): Frontmatter {
  const result = readFrontmatter(text);
  if (!result) throw new Error('a complete text must never ask for more');
  return result;
}

interface Case {
  story: string;
  text: string;
  name?: unknown;
  description?: unknown;
  problems?: FrontmatterProblemKind[];
}

const CASES: Case[] = [
  { story: 'plain keys', text: '---\nname: a\ndescription: b\n---\nbody', name: 'a', description: 'b' },
  { story: 'a byte order mark', text: '\ufeff---\nname: a\ndescription: b\n---\n', name: 'a', description: 'b' },
  { story: 'CRLF', text: '---\r\nname: a\r\ndescription: b\r\n---\r\nbody', name: 'a', description: 'b' },
  {
    story: 'byte order mark and CRLF together',
    text: '\ufeff---\r\nname: a\r\ndescription: b c\r\n---\r\n',
    name: 'a',
    description: 'b c',
  },
  { story: 'blanks after the fences', text: '---  \t\nname: a\ndescription: b\n---   \n', name: 'a', description: 'b' },
  {
    story: 'blank lines before the fence',
    text: '\n \n---\nname: a\ndescription: b\n---\n',
    name: 'a',
    description: 'b',
    problems: ['leading-blank'],
  },
  {
    story: 'fences that are indented',
    text: '  ---\n  name: a\n  description: b\n  ---\n',
    name: 'a',
    description: 'b',
  },
  { story: 'three dots as the closer', text: '---\nname: a\ndescription: b\n...\nbody', name: 'a', description: 'b' },
  {
    story: 'a language beside the fence is never run',
    text: '---js\nname: a\ndescription: b\n---\n',
    name: 'a',
    description: 'b',
  },
  { story: 'an empty file', text: '', problems: ['empty'] },
  { story: 'a file of blanks', text: ' \n\t\n', problems: ['empty'] },
  { story: 'no frontmatter', text: '# Title\n\nname: a\n', problems: ['missing'] },
  { story: 'a rule of four dashes is no fence', text: '----\nname: a\n----\n', problems: ['missing'] },
  { story: 'only the opening fence', text: '---\n', problems: ['only-fence'] },
  { story: 'no closing fence', text: '---\nname: a\ndescription: b\n# Title\n', problems: ['unclosed'] },
  { story: 'two fences with nothing between', text: '---\n---\nbody' },
  {
    story: 'a bare colon in a value',
    text: '---\nname: a\ndescription: Use when: x\n---\n',
    name: 'a',
    description: 'Use when: x',
    problems: ['repaired'],
  },
  {
    story: 'values that begin with what YAML reserves',
    text: '---\nname: a\ndescription: @team `code` here\n---\n',
    name: 'a',
    description: '@team `code` here',
    problems: ['repaired'],
  },
  {
    story: 'bold read as an alias',
    text: '---\nname: a\ndescription: **Bold** words\n---\n',
    name: 'a',
    description: '**Bold** words',
    problems: ['repaired'],
  },
  {
    story: 'an unclosed bracket',
    text: '---\nname: a\ndescription: [beta] text\n---\n',
    name: 'a',
    description: '[beta] text',
    problems: ['repaired'],
  },
  {
    story: 'an unclosed quote',
    text: '---\nname: a\ndescription: "half\n---\n',
    name: 'a',
    description: '"half',
    problems: ['repaired'],
  },
  {
    story: 'tabs as indentation',
    text: '---\nname: a\ndescription: b\nmetadata:\n\tx: y\n---\n',
    name: 'a',
    description: 'b',
    problems: ['repaired'],
  },
  {
    story: 'broken beyond repair: name and description are taken at their word',
    text: '---\nname: a\ndescription: b\n}{ ][\n- x: [\n---\n',
    name: 'a',
    description: 'b',
    problems: ['salvaged'],
  },
  {
    story: 'a literal block',
    text: '---\nname: a\ndescription: |\n  one\n  two\n---\n',
    name: 'a',
    description: 'one\ntwo\n',
  },
  {
    story: 'a folded block with chomping',
    text: '---\nname: a\ndescription: >-\n  one\n  two\n\n  three\n---\n',
    name: 'a',
    description: 'one two\nthree',
  },
  {
    story: 'a plain value over several lines',
    text: '---\nname: a\ndescription: one\n  two\n  three\n---\n',
    name: 'a',
    description: 'one two three',
  },
  {
    story: 'a fence inside a block is indented and so no fence',
    text: '---\nname: a\ndescription: |\n  one\n  ---\n  two\n---\nbody',
    name: 'a',
    description: 'one\n---\ntwo\n',
  },
  {
    story: 'a key that stands twice',
    text: '---\nname: a\nname: b\ndescription: c\n---\n',
    name: 'b',
    description: 'c',
    problems: ['duplicate-key'],
  },
  {
    story: 'a tag is ignored',
    text: '---\nname: !!js/function "a"\ndescription: b\n---\n',
    name: 'a',
    description: 'b',
    problems: ['tag'],
  },
  { story: 'a list instead of keys', text: '---\n- a\n- b\n---\n', problems: ['not-a-map'] },
  {
    story: 'numbers stay numbers for the rules to judge',
    text: '---\nname: 123\ndescription: 1e3\n---\n',
    name: 123,
    description: 1000,
  },
  {
    story: 'yes and on are text in YAML 1.2',
    text: '---\nname: on\ndescription: yes\n---\n',
    name: 'on',
    description: 'yes',
  },
  {
    story: 'a comment is no value',
    text: '---\nname: a # the name\ndescription: b\n---\n',
    name: 'a',
    description: 'b',
  },
  {
    story: 'NUL inside a value does not cut it',
    text: '---\nname: a\ndescription: "b\0c"\n---\n',
    name: 'a',
    description: 'b\0c',
  },
];

describe('readFrontmatter', () => {
  test.each(CASES)('$story', ({ text, name, description, problems = [] }) => {
    const { data, problems: found } = read(text);
    expect({ name: data['name'], description: data['description'], problems: found.map(({ kind }) => kind) }).toEqual({
      name,
      description,
      problems,
    });
  });

  test('lines are those of the file, also after a byte order mark and blank lines', () => {
    const { lines, bodyLine } = read('\ufeff\n\n---\nname: a\n\ndescription: b\n---\nbody');
    expect([lines.get('name'), lines.get('description'), bodyLine]).toEqual([4, 6, 8]);
  });

  test('the body starts right after the closing fence, byte for byte', () => {
    const text = '---\r\nname: a\r\ndescription: b\r\n---  \r\n\r\n body\t\n';
    expect(text.slice(read(text).bodyStart)).toBe('\r\n body\t\n');
  });

  test('keeps the source text of a value that is not a string', () => {
    const { sources } = read('---\nname: 0x10\ndescription: 2026-01-01\nversion: 1.10\n---\n');
    expect([sources.get('name'), sources.get('version')]).toEqual(['0x10', '1.10']);
  });

  test('keys named after parts of JavaScript are only keys', () => {
    const { data } = read(
      '---\nname: a\ndescription: b\n__proto__:\n  polluted: yes\nconstructor:\n  prototype:\n    polluted: yes\n---\n',
    );
    expect(Object.getPrototypeOf(data)).toBeNull();
    expect(Object.hasOwn(data, '__proto__')).toBe(true);
    expect('polluted' in {}).toBe(false);
  });

  test('frontmatter over 64 KiB is refused before it is parsed, counted in bytes', () => {
    const long = (character: string, bytes: number): string =>
      `---\nname: a\ndescription: ${character.repeat(Math.ceil(bytes / Buffer.byteLength(character)))}\n---\n`;
    expect(read(long('x', 64 * 1024)).problems.map(({ kind }) => kind)).toEqual(['too-large']);
    expect(read(long('語', 64 * 1024)).problems.map(({ kind }) => kind)).toEqual(['too-large']);
    expect(read(long('語', 60 * 1024)).problems).toEqual([]);
  });

  test('the beginning of a file needs more text only while the fence is open', () => {
    const beginning = (text: string): boolean => readFrontmatter(text, { complete: false }) === undefined;
    expect(beginning('---\nname: a\ndescr')).toBe(true);
    expect(beginning('--')).toBe(true);
    expect(beginning('')).toBe(true);
    expect(beginning('---\nname: a\n---\nbody')).toBe(false);
    expect(beginning('# no frontmatter\nat all')).toBe(false);
  });

  test('a problem names the line it stands on', () => {
    const { problems } = read('---\nname: a\ndescription: b\nname: c\n---\n');
    expect(problems).toEqual([expect.objectContaining({ kind: 'duplicate-key', line: 4 })]);
  });
});

describe('no text makes the reader throw', () => {
  const fragment = fc.constantFrom(
    '---',
    '\n',
    '\r\n',
    '...',
    'name',
    'description',
    ':',
    ': ',
    ' ',
    '  ',
    '\t',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '|',
    '>',
    '>-',
    '|+',
    '&a',
    '*a',
    '!!js/function',
    '!',
    '<<',
    '#',
    ' #',
    '%YAML 1.1',
    '%',
    '@',
    '`',
    '\\',
    '\0',
    '\ufeff',
    '\u2028',
    'é',
    '語',
    '\ud800',
    '__proto__',
    '1',
    '~',
  );
  const yamlish = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(''));

  test('any string', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          yamlish,
          yamlish.map((text) => `---\n${text}\n---\n`),
        ),
        fc.boolean(),
        (text, complete) => {
          const result = readFrontmatter(text, { complete });
          expect(complete && result === undefined).toBe(false);
          if (result) expect(result.bodyStart).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: times(3_000) },
    );
  });

  test('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        read(`---\n${Buffer.from(bytes).toString('utf8')}\n---\n`);
        read(Buffer.from(bytes).toString('utf8'));
      }),
    );
  });

  test('reading a file in pieces gives the same data as reading it whole', () => {
    fc.assert(
      fc.property(yamlish, fc.string({ unit: 'grapheme', maxLength: 20 }), fc.nat(80), (yaml, body, cut) => {
        const whole = `---\n${yaml}\n---\n${body}`;
        const first = readFrontmatter(whole.slice(0, cut), { complete: cut >= whole.length });
        // An early answer may only differ in where the text ended.
        if (first && first.problems.every(({ kind }) => kind !== 'empty')) expect(first.data).toEqual(read(whole).data);
      }),
      { numRuns: times(1_000) },
    );
  });
});

describe('how deep a value is', () => {
  const keys = Array.from({ length: 400 }, (_, index) => `k${index}: ${index}`);

  test.each([
    ['a map of 400 keys on one line', `x: {${keys.join(', ')}}`],
    ['a list of 400 maps on one line', `x: [${keys.map((key) => `{${key}}`).join(', ')}]`],
    ['400 colons and dashes in quotes', `x: ["${keys.join(' - ')}"]`],
    ['400 brackets in quotes', `x: ["${'['.repeat(400)}", '${'{'.repeat(400)}']`],
  ])('%s is flat', (_, line) => {
    expect(readFrontmatter(`---\nname: a\n${line}\n---\n`, { complete: true })?.problems).toEqual([]);
  });

  test.each([
    ['brackets', `x: ${'['.repeat(80)}${']'.repeat(80)}`],
    ['maps in maps', `x: ${'{a: '.repeat(80)}1${'}'.repeat(80)}`],
    ['dashes in a row', `x:\n  ${'- '.repeat(300)}a`],
    ['brackets after a quoted one', `x: ["[", ${'['.repeat(80)}${']'.repeat(80)}]`],
  ])('%s are deep', (_, line) => {
    expect(readFrontmatter(`---\nname: a\n${line}\n---\n`, { complete: true })?.problems).toMatchObject([
      { kind: 'too-deep' },
    ]);
  });
});
