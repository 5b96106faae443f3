/** What real SKILL.md files look like: which load, which are skipped, and what is said about each. */
import { describe, expect, test } from 'vitest';
import * as codes from '../../src/skills/codes.ts';
import { readFrontmatter } from '../../src/core/frontmatter/read.ts';
import { parseHeader } from '../../src/skills/parse.ts';
import { project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { fc, times } from '../support/effort.ts';

const FILE = `${PROJECT}/.claude/skills/odd/SKILL.md`;
const front = (...lines: string[]): string => ['---', ...lines, '---', '', 'Body.', ''].join('\n');

const READER_CODES = Object.values(codes);

interface Odd {
  story: string;
  content: string | Uint8Array;
  /** Undefined where the file is skipped. */
  loads?: { name?: string; description?: string };
  codes?: string[];
}

const ODDITIES: Odd[] = [
  { story: 'nothing odd', content: front('name: odd', 'description: d'), loads: { name: 'odd', description: 'd' } },
  {
    story: 'a byte order mark',
    content: `\ufeff${front('name: odd', 'description: d')}`,
    loads: { name: 'odd' },
    codes: ['byte-order-mark'],
  },
  {
    story: 'CRLF',
    content: front('name: odd', 'description: d').replaceAll('\n', '\r\n'),
    loads: { name: 'odd', description: 'd' },
  },
  { story: 'blanks around the fences', content: '---  \nname: odd\ndescription: d\n--- \t\n', loads: { name: 'odd' } },
  {
    story: 'blank lines before the fence',
    content: `\n\n${front('name: odd', 'description: d')}`,
    loads: { name: 'odd' },
    codes: ['frontmatter-late'],
  },
  {
    story: 'kilobytes of blank lines before the fence',
    content: `${'\n'.repeat(70_000)}${front('name: odd', 'description: d')}`,
    loads: { name: 'odd' },
    codes: ['frontmatter-late'],
  },
  { story: 'an unclosed fence', content: '---\nname: odd\ndescription: d\n\nBody.\n', codes: ['frontmatter-unclosed'] },
  { story: 'an empty file', content: '', codes: ['file-empty'] },
  { story: 'only a fence', content: '---\n', codes: ['frontmatter-empty'] },
  { story: 'no frontmatter', content: '# Odd\n\nBody.\n', codes: ['frontmatter-missing'] },
  { story: 'no name', content: front('description: d'), codes: ['name-missing'] },
  { story: 'an empty name', content: front('name: ""', 'description: d'), codes: ['name-missing'] },
  {
    story: 'a name of blanks and invisible characters',
    content: front('name: " \u{e0041} "', 'description: d'),
    codes: ['name-missing'],
  },
  { story: 'no description', content: front('name: odd'), codes: ['description-missing'] },
  { story: 'neither', content: front('license: MIT'), codes: ['description-missing', 'name-missing'] },
  { story: 'empty frontmatter', content: '---\n---\nBody', codes: ['description-missing', 'name-missing'] },
  {
    story: 'a bare colon',
    content: front('name: odd', 'description: Use when: x'),
    loads: { description: 'Use when: x' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'a bare colon and more that is odd',
    content: front('name: odd', 'description: Use when: x', 'tags: [a, b'),
    loads: { description: 'Use when: x' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'a value that begins with @',
    content: front('name: odd', 'description: @team does it'),
    loads: { description: '@team does it' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'a value that begins with a backtick',
    content: front('name: odd', 'description: `x` does it'),
    loads: { description: '`x` does it' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'a value that begins with %',
    content: front('name: odd', 'description: %d of it'),
    loads: { description: '%d of it' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'a value that begins with a comma',
    content: front('name: odd', 'description: , then'),
    loads: { description: ', then' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'bold text',
    content: front('name: odd', 'description: **Bold** text'),
    loads: { description: '**Bold** text' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'an unclosed quote',
    content: front('name: odd', 'description: "open'),
    loads: { description: '"open' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'hopeless YAML',
    content: front('name: odd', 'description: d', '}{', ' - [ :'),
    loads: { name: 'odd', description: 'd' },
    codes: ['frontmatter-salvaged'],
  },
  { story: 'YAML without a single key', content: front('just words'), codes: ['frontmatter-invalid'] },
  { story: 'a list', content: front('- a', '- b'), codes: ['frontmatter-invalid'] },
  {
    story: 'a folded block',
    content: front('name: odd', 'description: >', '  one', '  two'),
    loads: { description: 'one two' },
  },
  {
    story: 'a literal block with keeping',
    content: front('name: odd', 'description: |+', '  one', '  two', ''),
    loads: { description: 'one two' },
  },
  {
    story: 'a block with an indentation of its own',
    content: front('name: odd', 'description: |2', '    one', '   two'),
    loads: { description: 'one two' },
  },
  {
    story: 'a name that stands twice',
    content: front('name: first', 'description: d', 'name: second'),
    loads: { name: 'second' },
    codes: ['frontmatter-duplicate-key'],
  },
  {
    story: 'tabs as indentation',
    content: front('name: odd', 'description: d', 'metadata:', '\ta: b'),
    loads: { name: 'odd' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'a name that is a number',
    content: front('name: 123', 'description: d'),
    loads: { name: '123' },
    codes: ['value-type'],
  },
  {
    story: 'a number with a zero in front',
    content: front('name: 007', 'description: 1.10'),
    loads: { name: '007', description: '1.10' },
    codes: ['value-type', 'value-type'],
  },
  {
    story: 'a number written in another base',
    content: front('name: 0x10', 'description: 1e3'),
    loads: { name: '0x10', description: '1e3' },
    codes: ['value-type', 'value-type'],
  },
  { story: 'infinity', content: front('name: .inf', 'description: d'), loads: { name: '.inf' } },
  { story: 'a date is text', content: front('name: 2026-01-01', 'description: d'), loads: { name: '2026-01-01' } },
  { story: 'on is text', content: front('name: on', 'description: yes'), loads: { name: 'on', description: 'yes' } },
  { story: 'true', content: front('name: true', 'description: d'), loads: { name: 'true' }, codes: ['value-type'] },
  {
    story: 'a list as description',
    content: front('name: odd', 'description: [a, b]'),
    loads: { description: 'a, b' },
    codes: ['value-type'],
  },
  {
    story: 'a list of maps as description',
    content: front('name: odd', 'description: [{a: b}]'),
    codes: ['description-missing', 'value-type'],
  },
  {
    story: 'an empty map as description',
    content: front('name: odd', 'description: {}'),
    codes: ['description-missing', 'value-type'],
  },
  { story: 'null', content: front('name: null', 'description: d'), codes: ['name-missing', 'value-type'] },
  {
    story: 'NUL in the description',
    content: front('name: odd', 'description: a\0b'),
    loads: { description: 'a b' },
    codes: ['nul-byte'],
  },
  { story: 'NUL in the body only', content: `${front('name: odd', 'description: d')}\0`, loads: { name: 'odd' } },
  {
    story: 'bytes that are not UTF-8',
    content: Buffer.concat([
      Buffer.from('---\nname: odd\ndescription: caf'),
      Buffer.from([0xe9]),
      Buffer.from('\n---\n'),
    ]),
    loads: { description: 'caf\ufffd' },
    codes: ['not-utf8'],
  },
  {
    story: 'a replacement character that was written is only text',
    content: front('name: odd', 'description: a \ufffd b'),
    loads: { description: 'a \ufffd b' },
  },
  {
    story: 'half a surrogate pair in UTF-8',
    content: Buffer.concat([
      Buffer.from('---\nname: odd\ndescription: a'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('\n---\n'),
    ]),
    loads: { name: 'odd' },
    codes: ['not-utf8'],
  },
  {
    story: 'UTF-16 with a byte order mark',
    content: Buffer.from(`\ufeff${front('name: odd', 'description: d')}`, 'utf16le'),
    codes: ['not-utf8'],
  },
  {
    story: 'UTF-16 without one',
    content: Buffer.from(front('name: odd', 'description: d'), 'utf16le'),
    codes: ['not-utf8'],
  },
  {
    story: 'a name with spaces and capitals',
    content: front('name: My Odd Skill', 'description: d'),
    loads: { name: 'My Odd Skill' },
  },
  {
    story: 'a Chinese name',
    content: front('name: 处理文档', 'description: 处理 PDF 文件'),
    loads: { name: '处理文档', description: '处理 PDF 文件' },
  },
  {
    story: 'a name with a colon and a slash',
    content: front('name: "a:b/c"', 'description: d'),
    loads: { name: 'a:b/c' },
  },
  {
    story: 'a name over several lines',
    content: front('name: "a\\nb"', 'description: "c\\u2028d"'),
    loads: { name: 'a b', description: 'c d' },
  },
  {
    story: 'escape sequences',
    content: front('name: "a\\e[31mb"', 'description: "c\\u009bd"'),
    loads: { name: 'a [31mb', description: 'c d' },
  },
  {
    story: 'hidden tag characters',
    content: front('name: odd', 'description: vis\u{e0041}\u{e0042}ible'),
    loads: { description: 'visible' },
  },
  {
    story: 'a tag that asks for an object',
    content: front('name: odd', 'description: !!js/function "function(){}"'),
    loads: { description: 'function(){}' },
    codes: ['frontmatter-tag'],
  },
  {
    story: 'a tag that asks for a command',
    content: front('name: odd', 'description: !!python/object/apply:os.system ["touch x"]'),
    loads: { description: 'touch x' },
    codes: ['frontmatter-tag', 'value-type'],
  },
  {
    story: 'a language beside the fence',
    content: '---js\nmodule.exports = { name: "odd" }\n---\n',
    codes: ['frontmatter-invalid'],
  },
  {
    story: 'a YAML directive',
    content: front('%YAML 1.1', 'name: odd', 'description: d'),
    loads: { name: 'odd' },
    codes: ['frontmatter-salvaged'],
  },
  {
    story: 'a second document is the body',
    content: '---\nname: odd\ndescription: d\n---\nname: other\n---\n',
    loads: { name: 'odd' },
  },
  { story: 'a closer of dots', content: '---\nname: odd\ndescription: d\n...\nBody', loads: { name: 'odd' } },
  {
    story: 'an alias bomb',
    content: front(
      'name: odd',
      'description: d',
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...[...'bcdefghi'].map(
        (letter, index) =>
          `${letter}: &${letter} [${Array.from({ length: 10 }, () => `*${'abcdefgh'[index] ?? ''}`).join(',')}]`,
      ),
    ),
    codes: ['frontmatter-too-big'],
  },
  {
    story: 'an alias that leads to itself',
    content: front('name: odd', 'description: d', 'a: &a [*a]'),
    codes: ['frontmatter-too-deep'],
  },
  {
    story: 'an alias of nothing',
    content: front('name: odd', 'description: *nothing'),
    loads: { description: '*nothing' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: 'patterns that look like aliases',
    content: front('name: odd', 'description: d', 'paths:', '  - *.ts', '  - *.md'),
    loads: { name: 'odd' },
    codes: ['frontmatter-repaired'],
  },
  {
    story: '20,000 nested brackets',
    content: front('name: odd', 'description: d', `x: ${'['.repeat(20_000)}`),
    codes: ['frontmatter-too-deep'],
  },
  {
    story: 'frontmatter of 70 KB',
    content: front('name: odd', `description: ${'x'.repeat(70_000)}`),
    codes: ['frontmatter-too-large'],
  },
  {
    story: 'frontmatter of 70 KB in Chinese',
    content: front('name: odd', `description: ${'語'.repeat(24_000)}`),
    codes: ['frontmatter-too-large'],
  },
  {
    story: 'a file of over a megabyte',
    content: front('name: odd', 'description: d') + 'x'.repeat(1024 * 1024),
    codes: ['file-too-large'],
  },
  {
    story: 'a description of 20,000 characters',
    content: front('name: odd', `description: ${'x'.repeat(20_000)}`),
    loads: { description: `${'x'.repeat(16_383)}…` },
    codes: ['description-cut'],
  },
];

describe('a SKILL.md with', () => {
  test.each(ODDITIES)('$story', async ({ content, loads, codes = [] }) => {
    const { snapshot } = await project({
      [FILE]: content,
      [`${PROJECT}/.claude/skills/good/SKILL.md`]: skillText({ name: 'good' }),
    }).open();
    const odd = snapshot.all.skills.find(({ file }) => file === FILE);
    const problems = snapshot.diagnostics();
    expect(problems.map(({ code }) => code).sort()).toEqual([...codes].sort());
    if (loads) expect(odd).toMatchObject(loads);
    else expect(odd).toBeUndefined();
    // A file that is skipped says so with an error; one that loads has none.
    expect(problems.some(({ severity }) => severity === 'error')).toBe(!loads);
    for (const problem of problems) {
      expect(problem).toMatchObject({
        path: FILE,
        message: expect.stringMatching(/\S/u),
        fix: expect.stringMatching(/\S/u),
      });
      expect(problem.message).not.toMatch(/undefined|\[object|\n/u);
    }
    expect(snapshot.all.skills.some(({ name }) => name === 'good')).toBe(true);
  });
});

describe('the header of a file', () => {
  const header = (bytes: Uint8Array) => parseHeader('/x/SKILL.md', bytes, { complete: true, read: readFrontmatter });

  test('no bytes make the reader throw, and its results are safe to list', () => {
    const piece = fc.constantFrom(
      '---',
      '\n',
      '\r\n',
      'name: a',
      'description: b',
      'description: |',
      '  x',
      ': ',
      '\0',
      '\ufeff',
      '\u001b[31m',
      '\u{e0041}',
      'é',
      '[',
      '*',
      '\u2028',
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(piece).map((parts) => new TextEncoder().encode(parts.join(''))),
      fc.array(piece).map((parts) => new TextEncoder().encode(`---\n${parts.join('')}\n---\n`)),
    );
    fc.assert(
      fc.property(bytes, (given) => {
        const read = header(given);
        const loads = read?.name !== undefined && read.description !== undefined;
        expect(loads || (read?.diagnostics ?? []).some(({ severity }) => severity === 'error')).toBe(true);
        for (const text of [read?.name ?? '', read?.description ?? '']) {
          expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u);
          expect(text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: times(2_000) },
    );
  });

  test('the body never affects the header', () => {
    const front = fc.constantFrom(
      '---\nname: a\ndescription: b\n---\n',
      '---\r\nname: a\r\ndescription: b: c\r\n---\r\n',
      '---\nname: a\ndescription: |\n  x\n...\n',
      '\ufeff---\nname: a\ndescription: b\n---\n',
    );
    const body = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('---\n', '\n---\nname: evil\n---\n', '...\n', 'name: evil\n'),
    );
    fc.assert(
      fc.property(front, body, (head, rest) => {
        const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
        const [whole, bare] = [header(encode(head + rest)), header(encode(head))];
        expect({ ...whole, facts: undefined }).toEqual({ ...bare, facts: undefined });
        // Only the first line of the body, which some agents show, depends on it.
        expect(whole?.facts?.flaws).toEqual(bare?.facts?.flaws);
      }),
    );
  });
});

test('every code is unique and has a title, a reason and a fix', () => {
  expect(new Set(READER_CODES.map(({ code }) => code)).size).toBe(READER_CODES.length);
  for (const { code, title, about, fix } of READER_CODES) {
    expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/u);
    for (const text of [title, about, fix]) expect(text).toMatch(/^\S.*\S$/u);
  }
});

test('the codes that scripts rely on', () => {
  expect(READER_CODES.map(({ code }) => code).sort()).toEqual([
    'byte-order-mark',
    'description-collides',
    'description-cut',
    'description-missing',
    'file-empty',
    'file-name-case',
    'file-too-large',
    'file-unreadable',
    'filter-no-match',
    'filter-too-long',
    'folder-ignored',
    'frontmatter-duplicate-key',
    'frontmatter-empty',
    'frontmatter-invalid',
    'frontmatter-late',
    'frontmatter-missing',
    'frontmatter-repaired',
    'frontmatter-salvaged',
    'frontmatter-tag',
    'frontmatter-too-big',
    'frontmatter-too-deep',
    'frontmatter-too-large',
    'frontmatter-unclosed',
    'link-dangling',
    'link-without-skills',
    'name-ambiguous',
    'name-collision',
    'name-missing',
    'name-shadowed',
    'not-a-regular-file',
    'not-utf8',
    'nul-byte',
    'plugin-marketplace-unknown',
    'plugin-missing',
    'plugin-path-outside',
    'plugins-file-invalid',
    'root-entry-limit',
    'root-missing',
    'root-not-a-folder',
    'skill-too-deep',
    'symlink-outside',
    'value-type',
  ]);
});
