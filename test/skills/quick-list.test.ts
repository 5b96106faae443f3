/** One-shot commands read headers through a fast lane; they must find what any other scan finds. */
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { readFrontmatter } from '../../src/core/frontmatter/read.ts';
import { type Header, parseHeader } from '../../src/skills/parse.ts';
import { matchHeader } from '../../src/skills/quick-list/header-pattern.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { fc, times } from '../support/effort.ts';

const ROOT = `${PROJECT}/.claude/skills`;

function facts({ snapshot }: Workspace) {
  return {
    skills: snapshot.all.skills.map((skill) => ({
      name: skill.name,
      key: skill.key,
      folder: skill.folder,
      description: skill.description,
      provider: skill.provider,
      location: skill.location,
      dir: skill.dir,
      file: skill.file,
      realFile: skill.realFile,
      disabled: skill.disabled,
      rank: skill.rank,
      frontmatter: { ...skill.frontmatter },
      bodyLine: skill.bodyLine,
      diagnostics: skill.diagnostics,
      alsoAt: skill.alsoAt,
    })),
    diagnostics: snapshot.diagnostics(),
    roots: snapshot.roots,
    folders: [...new Set(snapshot.discovery.folders().map(({ dir }) => dir))].sort(),
  };
}

const line = fc.constantFrom(
  'name: NAME',
  'name: other',
  'description: d',
  'description: Reads files. Use when a file is mentioned.',
  'description: "Use when: quoted"',
  'description: >-\n  Folded over\n  two lines',
  'description: Use when: it is not quoted',
  'description: été — 日本語',
  'description: true',
  'license: MIT',
  'license: MIT',
  'metadata:\n  author: somebody\n  version: "1.0"',
  'paths: [a, b]',
  '# a comment',
  '',
);
/** Around the size of the part that is read of each file, where a header may be cut anywhere. */
const filling = fc.oneof(fc.constant(0), fc.integer({ min: 380, max: 540 }), fc.integer({ min: 1_900, max: 2_200 }));
const content = fc
  .tuple(
    fc.array(line, { maxLength: 5 }),
    filling,
    fc.constantFrom('---\n', '---', '', '\n---\nname: evil\ndescription: evil\n---\n'),
    fc.string(),
  )
  .map(
    ([lines, length, end, body]) =>
      `---\n${lines.join('\n')}\n${length > 0 ? `long: ${'x'.repeat(length)}\n` : ''}${end}${body}`,
  );

describe('a one-shot scan', () => {
  test('finds the same skills in any catalog as every other scan', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(content, fc.string(), fc.uint8Array({ maxLength: 20 })), { maxLength: 12 }),
        async (contents) => {
          const files = Object.fromEntries(
            contents.map((text, index) => [
              `${ROOT}/s${index}/${index % 5 === 4 ? '.SKILL.md' : 'SKILL.md'}`,
              typeof text === 'string' ? text.replace('NAME', `s${index}`) : text,
            ]),
          );
          expect(facts(await project(files).open({ oneShot: true }))).toEqual(facts(await project(files).open()));
        },
      ),
      { numRuns: times(80) },
    );
  });

  test('finds more skills than are decoded together', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1_300 }, (_, index) => [
        `${ROOT}/s${index}/SKILL.md`,
        index % 100 === 99
          ? '# no header'
          : skillText({ name: `s${index}`, description: `Number ${index}. ${'word '.repeat(index % 90)}end` }),
      ]),
    );
    const oneShot = facts(await project(files).open({ oneShot: true }));
    expect(oneShot).toEqual(facts(await project(files).open()));
    expect(oneShot.skills).toHaveLength(1_287);
  });

  test('a header that ends where the next file begins is not mistaken for a whole one', async () => {
    // Whatever stands behind the bytes of this file in the same block, it is not the end of its header.
    const open = `---\nname: a\ndescription: ${'x'.repeat(512 - '---\nname: a\ndescription: \n'.length)}\n`;
    expect(open).toHaveLength(512);
    const files = {
      [`${ROOT}/0/SKILL.md`]: skillText({ name: 'first' }),
      [`${ROOT}/a/SKILL.md`]: open,
      [`${ROOT}/b/SKILL.md`]: skillText({ name: 'b' }),
    };
    const { skills, diagnostics } = facts(await project(files).open({ oneShot: true }));
    expect(skills.map(({ name }) => name)).toEqual(['first', 'b']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['frontmatter-unclosed']);
  });

  test.each([512, 2_048])(
    'a line that begins like a fence where a read of %d bytes ends is not taken for one',
    async (size) => {
      const upTo = (head: string): string => `${head}${'p'.repeat(size - '\n---'.length - head.length)}\n`;
      const files = {
        [`${ROOT}/0/SKILL.md`]: skillText({ name: 'first' }),
        [`${ROOT}/cut/SKILL.md`]: `${upTo('---\nname: cut\nlicense: ')}...more: x\ndescription: Real.\n---\nBody\n`,
        [`${ROOT}/open/SKILL.md`]: `${upTo('---\nname: open\ndescription: d\nlicense: ')}----\nNever closed.\n`,
      };
      for (const oneShot of [true, false]) {
        const { skills, diagnostics } = facts(await project(files).open({ oneShot }));
        expect(skills.map(({ name, description }) => [name, description]).slice(1)).toEqual([['cut', 'Real.']]);
        expect(diagnostics.map(({ code }) => code)).toEqual(['frontmatter-unclosed']);
      }
    },
  );

  test('sees through links, copies behind them and roots inside others', async () => {
    const files = {
      [`${ROOT}/real/SKILL.md`]: skillText({ name: 'real' }),
      [`${PROJECT}/.agents/skills/real`]: { link: '../../.claude/skills/real' },
      [`${ROOT}/linked/SKILL.md`]: { link: '../real/SKILL.md' },
      [`${ROOT}/outside/SKILL.md`]: { link: '/elsewhere/SKILL.md' },
      '/elsewhere/SKILL.md': skillText({ name: 'secret' }),
      [`${ROOT}/group/inner/SKILL.md`]: skillText({ name: 'inner' }),
      [`${ROOT}/lower/skill.md`]: skillText({ name: 'lower' }),
    };
    for (const skillDir of [[], [`${ROOT}/group`]]) {
      const oneShot = facts(await project(files).open({ oneShot: true, skillDir }));
      expect(oneShot).toEqual(facts(await project(files).open({ skillDir })));
      expect(oneShot.skills.find(({ name }) => name === 'real')?.alsoAt).toHaveLength(2);
    }
  });

  test('finds the same in real files', async () => {
    using folder = tempFolder({
      '.claude/skills/plain/SKILL.md': skillText({ name: 'plain' }),
      '.claude/skills/short/SKILL.md': '---\nname: short\ndescription: d\n---\n',
      '.claude/skills/empty/SKILL.md': '',
      '.claude/skills/large/SKILL.md': skillText({ name: 'large', body: 'x'.repeat(1024 * 1024) }),
      '.claude/skills/to-plain': { link: 'plain' },
      '.claude/skills/nowhere/SKILL.md': { link: 'gone' },
      '.claude/skills/folder/SKILL.md/x': 'a folder of that name',
    });
    const options = { projectDir: folder.dir, userDir: undefined };
    expect(facts(await Workspace.open({ ...options, oneShot: true }))).toEqual(facts(await Workspace.open(options)));
  });
});

test('nothing of a body is read to list a skill, or to find it', async () => {
  using folder = tempFolder(
    Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `.claude/skills/s${index}/SKILL.md`,
        skillText({ name: `s${index}`, body: 'x'.repeat(50_000) }),
      ]),
    ),
  );
  let bytes = 0;
  const counting: Disk = {
    ...nodeDisk,
    readStart: (file, into, ...space) => {
      const length = nodeDisk.readStart(file, into, ...space);
      bytes += length;
      return length;
    },
    read: (file, maxBytes) => {
      const read = nodeDisk.read(file, maxBytes);
      bytes += read.bytes.length;
      return read;
    },
  };
  for (const oneShot of [true, false]) {
    bytes = 0;
    const workspace = await Workspace.open({ projectDir: folder.dir, userDir: undefined, oneShot }, counting);
    expect(workspace.snapshot.all.skills).toHaveLength(20);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(20 * 2_048);
  }
});

test('a catalog without files is empty either way', async () => {
  const workspace = await Workspace.open({ projectDir: PROJECT, userDir: undefined, oneShot: true }, memoryDisk({}));
  expect(facts(workspace).skills).toEqual([]);
});

/** What the general reader makes of the same bytes. */
function readGenerally(head: string): Header | undefined {
  const header = parseHeader('/x/SKILL.md', Buffer.from(head), { complete: true, read: readFrontmatter });
  if (!header) return undefined;
  const { name, description, frontmatter, bodyLine, diagnostics, facts: ofAgents } = header;
  return { name, description, frontmatter, bodyLine, diagnostics, ...(ofAgents && { facts: ofAgents }) };
}

const odd = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      'a',
      'Z',
      '0',
      ':',
      '#',
      '-',
      '"',
      "'",
      ',',
      '[',
      '{',
      '&',
      '*',
      '!',
      '|',
      '>',
      '%',
      '@',
      '`',
      'é',
      '—',
      '日',
    ),
    maxLength: 6,
  }),
  fc.constantFrom(
    'true',
    'False',
    'null',
    'NULL',
    'yes',
    'no',
    '1',
    '1.5',
    '0x10',
    '~',
    'a:',
    ':a',
    'a:b',
    '#a',
    'a#',
    '---',
    '...',
    '',
    ' ',
    '\t',
    '\r',
    '\0',
  ),
  fc.constantFrom(
    '\u00a0',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u2014',
    '\u2028',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\ufffd',
    '\u{e0041}',
    '\u{1f600}',
    '\ud800',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const word = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('Read', 'files', 'a', 'x:y', 'true', 'Use', 'whenever', 'it-is') },
  odd,
);
const key = fc.constantFrom(
  'license',
  'version',
  'allowed-tools',
  'a_b',
  'name',
  'description',
  'constructor',
  '__proto__',
  'toString',
  'x.y',
  '1',
  'K',
);
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const written = fc.oneof(
  text,
  text.map((words) => `"${words}"`),
);
const entry = fc.tuple(key, written).map(([its, value]) => `${its}: ${value}\n`);
const nested = fc
  .tuple(key, fc.array(entry, { minLength: 1, maxLength: 2 }))
  .map(([its, entries]) => `${its}:\n${entries.map((each) => `  ${each}`).join('')}`);
const others = fc.array(fc.oneof(entry, nested), { maxLength: 3 }).map((entries) => entries.join(''));
const value = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));

const described = fc.oneof(
  value,
  value.map((words) => `"${words}"`),
  fc
    .tuple(
      fc.constantFrom('>', '>-', '>+', '|', '|-'),
      fc.array(value, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('  ', '  ', ' ', '    '),
    )
    .map(([style, rows, indent]) => `${style}\n${rows.map((row) => indent + row).join('\n')}`),
);

test('the fast lane agrees with the general reader whenever it returns a result', () => {
  let answered = 0;
  let withOthers = 0;
  let withInner = 0;
  let folded = 0;
  fc.assert(
    fc.property(value, described, others, (name, description, rows) => {
      const head = `---\nname: ${name}\ndescription: ${description}\n${rows}---\n`;
      const quick = matchHeader(Buffer.from(head).toString('latin1'), 0, head.length);
      if (!quick) return;
      answered += 1;
      if (rows !== '') withOthers += 1;
      if (description.startsWith('>')) folded += 1;
      if (rows.includes(':\n')) withInner += 1;
      expect(quick).toEqual(readGenerally(head));
    }),
    { numRuns: times(2_000) },
  );
  // A reader that never answers would agree with everything.
  expect(answered).toBeGreaterThan(times(30));
  expect(withOthers).toBeGreaterThan(times(10));
  expect(withInner).toBeGreaterThan(times(3));
  expect(folded).toBeGreaterThan(times(3));
});

test.each([
  ['plain words', 'name: pdf\ndescription: Read, fill and sign PDF files. Use when a PDF is mentioned.'],
  ['quotes', 'name: pdf\ndescription: "Use when: a PDF # is mentioned"'],
  ['a colon inside a word', 'name: pdf\ndescription: Runs git:status and http://localhost'],
])('the fast lane answers for headers as most people write them: %s', (_, yaml) => {
  const text = `---\n${yaml}\n---\n`;
  expect(matchHeader(text, 0, text.length)).toMatchObject({ name: 'pdf', bodyLine: 5 });
  expect(matchHeader(`before${text}`, 'before'.length, 'before'.length + text.length)).toMatchObject({ name: 'pdf' });
  expect(matchHeader(text, 0, text.length - 1)).toBeUndefined();
});

// A pattern that took quadratic time would not finish these.
test.each([
  ['a plain value', (length: number) => `description: ab:cd ${'a:b '.repeat(length)}:\n`],
  ['a quoted value', (length: number) => `description: "${'a "b '.repeat(length)}\n`],
  ['folded lines', (length: number) => `description: >-\n${'  some words here\n'.repeat(length)}   x\n`],
  [
    'many keys',
    (length: number) => `description: d\n${Array.from({ length }, (_, index) => `k${index}: v w\n`).join('')}: x\n`,
  ],
  [
    'nested keys',
    (length: number) =>
      `description: d\nm:\n${Array.from({ length }, (_, index) => `  k${index}: "v w"\n`).join('')}   x\n`,
  ],
])('%s: a mistake at the very end of a huge header is found in linear time', (_, tail) => {
  const text = `---\nname: a\n${tail(100_000)}---\n`;
  expect(matchHeader(text, 0, text.length)).toBeUndefined();
});
