import { expect, test } from 'vitest';
import { readFullYaml } from '../../../src/core/frontmatter/full-yaml.ts';
import { readPlainYaml } from '../../../src/core/frontmatter/plain-yaml.ts';
import { fc, times } from '../../support/effort.ts';

/** Frontmatter as people write it, with the odd piece that they should not have written. */
const scalar = fc.oneof(
  fc.constantFrom(
    'text',
    'two words',
    'a-b',
    '1',
    '-1',
    '-0',
    '0',
    '007',
    '1.50',
    '1e3',
    '0x1f',
    '0o17',
    '.5',
    '+1',
    '.inf',
    '-.inf',
    '.nan',
    '1_000',
    '12:30',
    '2026-01-01',
    'true',
    'false',
    'True',
    'null',
    'Null',
    '~',
    'yes',
    'on',
    '"quoted"',
    "'single'",
    "'it''s'",
    '"a\\nb"',
    '""',
    "''",
    '"open',
    "'open",
    '"a" b',
    "'a'b'",
    'a: b',
    'a:',
    'a :b',
    'x #y',
    'x#y',
    '# z',
    '[a]',
    '[a, b]',
    '{a: b}',
    '- x',
    '-x',
    '-',
    '--',
    '? x',
    '&a x',
    '*a',
    '!t x',
    '|',
    '>',
    '>-',
    '|+',
    '|2',
    '>1-',
    '@x',
    '`x`',
    '%x',
    ', x',
    'x, y',
    'é',
    '語',
    '😀',
    'a\u3000',
    '\u3000b',
    'a\u2003',
    'a\u00a0',
    'a\tb',
    'a\t',
    '\u200b',
    '=',
    '<<',
    '...',
    '---',
    '..',
    'C:\\x',
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const key = fc.constantFrom(
  'name',
  'description',
  'a.b',
  'a-b',
  '_x',
  'true',
  'null',
  'y',
  '__proto__',
  'constructor',
  'metadata',
  '"q"',
  '1',
  '<<',
);
const blanks = fc.constantFrom('', ' ', '  ', '   ', '    ', '\t');
const row = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(key, fc.constantFrom(': ', ':', ':  ', ' : '), scalar, fc.constantFrom('', ' ', '  '))
      .map((parts) => parts.join('')),
  },
  { weight: 3, arbitrary: fc.tuple(blanks, scalar).map((parts) => parts.join('')) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('  ', ' ', '    '), key, fc.constant(': '), scalar)
      .map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('  ', '', ' '), fc.constant('- '), scalar).map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: blanks },
  { weight: 1, arbitrary: fc.constantFrom('# comment', '  # comment', '---', '...', '%YAML 1.2', '\u3000', '\u2003') },
);
const yaml = fc
  .tuple(fc.array(row, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([rows, end, closed]) => rows.join(end) + (closed ? end : ''));

/** Every line a sound key, the values mostly sound: here the quick reader nearly always answers. */
const calmKeys = ['name', 'description', 'license', 'a-b', 'a.b'];
const calmValue = fc.oneof(
  fc.constantFrom(
    'text',
    'Use when: x',
    'a: b: c',
    'see http://x.example/a: b',
    "it's: so",
    '1: 2',
    'true: no',
    '-1: x',
    'a:b',
    'x: y #z',
    'x #y: z',
    'a: ',
    'a: "b"',
    "b: 'c",
    'c: [d',
    'e: {f}',
    'a : b',
  ),
  fc.string({ unit: fc.constantFrom('a', ':', ' ', '#', '"', "'", '1', ','), maxLength: 8 }),
);
const calmYaml = fc
  .array(calmValue, { minLength: 1, maxLength: calmKeys.length })
  .map((values) => values.map((value, index) => `${calmKeys[index] ?? ''}: ${value}`).join('\n'));

test('the quick reader agrees with the full parser whenever it returns a result', () => {
  let answered = 0;
  let repaired = 0;
  fc.assert(
    fc.property(fc.oneof(yaml, calmYaml), (text) => {
      const plain = readPlainYaml(text);
      if (!plain) return;
      answered += 1;
      const { colonAt, ...read } = plain;
      if (colonAt === undefined) {
        expect({ ...read, problems: [] }).toEqual(readFullYaml(text));
        return;
      }
      // A bare colon is no YAML; with such lines quoted, it is what the quick reader took it for.
      repaired += 1;
      expect(readFullYaml(text).problems).toMatchObject([{ kind: 'syntax' }]);
      const rows = text.split(/\r?\n/u);
      for (const [name, line] of read.lines) {
        const value = read.data[name];
        if (typeof value === 'string' && /: |:$/u.test(value) && rows[line]?.trimEnd().endsWith(value))
          rows[line] = `${name}: ${JSON.stringify(value)}`;
      }
      expect({ ...read, problems: [] }).toEqual(readFullYaml(rows.join('\n')));
    }),
    { numRuns: times(2_000) },
  );
  // A reader that never answers would agree with everything.
  expect(answered).toBeGreaterThan(times(100));
  expect(repaired).toBeGreaterThan(times(10));
});

test('common frontmatter never needs the full parser', () => {
  const text =
    'name: pdf\ndescription: Read, fill and sign PDF files. Use when a PDF is mentioned.\nlicense: MIT\nmetadata:\n  author: someone\nallowed-tools: Read Grep\n';
  expect(readPlainYaml(text)?.data['description']).toBe('Read, fill and sign PDF files. Use when a PDF is mentioned.');
});
