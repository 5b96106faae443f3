import { expect, test } from 'vitest';
import {
  anything,
  choice,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  optional,
  text,
} from '../../../src/core/fields/field.ts';
import { received } from '../../../src/core/fields/received.ts';
import { fc, times } from '../../support/effort.ts';

const FIELDS = {
  name: text(),
  size: integer(),
  score: optional(number()),
  mode: choice(['auto', 'keyword']),
  plain: flag(),
  only: optional({ type: 'flag', always: true }),
  items: list(object({ id: text() })),
  counts: optional(map(integer())),
  model: nullable(text()),
  extra: optional(anything()),
} as const;

const GOOD = { name: 'x', size: 1, mode: 'auto', plain: false, items: [{ id: 'a' }], model: null };

test('keeps the fields in the table and drops all others', () => {
  const said = { ...GOOD, more: 1, items: [{ id: 'a', hidden: true }], counts: { a: 1 }, score: 0.5, extra: { b: [] } };
  expect(received(FIELDS, said)).toEqual({
    ...GOOD,
    items: [{ id: 'a' }],
    counts: { a: 1 },
    score: 0.5,
    extra: { b: [] },
  });
});

test.each([
  ['no object', []],
  ['nothing', null],
  ['a missing field', { ...GOOD, name: undefined }],
  ['a number for a text', { ...GOOD, name: 1 }],
  ['a fraction for a whole number', { ...GOOD, size: 1.5 }],
  ['a number that is none', { ...GOOD, score: Number.NaN }],
  ['a choice that there is not', { ...GOOD, mode: 'magic' }],
  ['null where it is not allowed', { ...GOOD, plain: null }],
  ['another value than the only one', { ...GOOD, only: false }],
  ['an item that does not fit', { ...GOOD, items: [{ id: 'a' }, {}] }],
  ['an object for a list', { ...GOOD, items: { 0: { id: 'a' }, length: 1 } }],
  ['a map with another value', { ...GOOD, counts: { a: '1' } }],
])('%s does not fit', (_what, value) => {
  expect(received(FIELDS, value)).toBeUndefined();
});

test('whatever is received, it has the keys of the table or is nothing', () => {
  const near = fc.record(
    { name: fc.anything(), size: fc.anything(), mode: fc.constantFrom('auto', 'x'), plain: fc.boolean() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything(), near), (value) => {
      const keys = Object.keys(received(FIELDS, value) ?? {});
      expect(keys.filter((key) => !Object.hasOwn(FIELDS, key))).toEqual([]);
    }),
    { numRuns: times(200) },
  );
});

test('a key that every object has is none of the sender', () => {
  expect(received({ constructor: optional(anything()) }, {})).toEqual({});
  expect(received({ toString: anything() }, {})).toBeUndefined();
});
