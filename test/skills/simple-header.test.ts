import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrontmatter } from '../../src/core/frontmatter/read.ts';
import { parseHeader } from '../../src/skills/parse.ts';
import { readAsciiHeader, readSimpleHeader } from '../../src/skills/simple-header.ts';
import { plainHeader } from '../plain-header.ts';

/** The general reader's word on the same header: a comment line keeps the simple one away and changes nothing else. */
function readGenerally(head: string) {
  const commented = head.replace(/\n---\n$/u, '\n# a comment\n---\n');
  expect(readSimpleHeader(commented)).toBeUndefined();
  const header = parseHeader('/x/SKILL.md', Buffer.from(commented), { complete: true, read: readFrontmatter });
  return header && { ...header, bodyLine: header.bodyLine - 1 };
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
  { weight: 8, arbitrary: fc.constantFrom('Read', 'files', 'a', 'é', 'x:y', 'true', 'Use', 'when—ever', 'it’s') },
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

test('where the simple reader answers, it answers what the general one does', () => {
  let answered = 0;
  let withOthers = 0;
  let withInner = 0;
  let folded = 0;
  fc.assert(
    fc.property(value, described, others, (name, description, rows) => {
      const head = Buffer.from(`---\nname: ${name}\ndescription: ${description}\n${rows}---\n`).toString('utf8');
      const simple = plainHeader(readSimpleHeader(head));
      const ascii = readAsciiHeader(Buffer.from(head).toString('latin1'));
      expect(plainHeader(ascii)).toEqual(/^[\0-\x7f]*$/u.test(head) ? simple : undefined);
      if (!simple) return;
      answered += 1;
      if (rows !== '') withOthers += 1;
      if (description.startsWith('>')) folded += 1;
      if (rows.includes(':\n')) withInner += 1;
      expect(simple).toEqual(plainHeader(readGenerally(head)));
    }),
    { numRuns: 20_000 },
  );
  // A reader that never answers would agree with everything.
  expect(answered).toBeGreaterThan(300);
  expect(withOthers).toBeGreaterThan(100);
  expect(withInner).toBeGreaterThan(30);
  expect(folded).toBeGreaterThan(30);
});

test.each([
  ['plain words', 'name: pdf\ndescription: Read, fill and sign PDF files. Use when a PDF is mentioned.'],
  [
    'a dash and an apostrophe of print',
    'name: pdf\ndescription: Fill forms \u2014 the user\u2019s own, in any language: no colon at the end'.replace(
      ': no',
      ' no',
    ),
  ],
  ['quotes', 'name: pdf\ndescription: "Use when: a PDF # is mentioned"'],
  ['a colon inside a word', 'name: pdf\ndescription: Runs git:status and http://localhost'],
])('headers as most people write them are recognized at once: %s', (_, yaml) => {
  expect(readSimpleHeader(`---\n${yaml}\n---\n`)).toMatchObject({ name: 'pdf', bodyLine: 5 });
});

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
])('%s: what goes wrong at its very end takes no longer than its length', (_, tail) => {
  const time = (length: number): number => {
    const text = `---\nname: a\n${tail(length)}---\n`;
    expect(readSimpleHeader(text)).toBeUndefined();
    const started = process.cpuUsage();
    for (let round = 0; round < 20; round++) readSimpleHeader(text);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  time(1_000);
  // Sixteen times the text: a quadratic reader would take 256 times as long.
  expect(time(16_000)).toBeLessThan(64 * Math.max(time(1_000), 2_000));
});
