import { describe, expect, test } from 'vitest';
import { checkFields } from '../../../src/core/fields/check.ts';
import { flag, list, map, nullable, integer, object, optional, text } from '../../../src/core/fields/field.ts';

const FIELDS = {
  name: text(),
  note: optional(text()),
  model: nullable(text()),
  items: list(object({ id: text() })),
  counts: optional(map(integer())),
  only: optional({ type: 'flag', always: true }),
  shown: { ...flag(), default: true },
} as const;
const GOOD = { name: 'x', model: null, items: [{ id: 'a' }], shown: false };

describe('a result', () => {
  const check = (raw: unknown) => checkFields(FIELDS, raw, { isResult: true });

  test('fits its table', () => {
    expect(check(GOOD)).toEqual({ value: GOOD });
    const long = { ...GOOD, name: 'x'.repeat(1_000_000) };
    expect(check(long)).toEqual({ value: long });
  });

  test.each([
    ['a missing field', { ...GOOD, name: undefined }, 'name', 'missing'],
    ['a missing field with a default', { ...GOOD, shown: undefined }, 'shown', 'missing'],
    ['a missing field of an item', { ...GOOD, items: [{}] }, 'items.id', 'missing'],
    ['null', { ...GOOD, name: null }, 'name', 'wrong'],
    ['a wrong value in a map', { ...GOOD, counts: { a: '1' } }, 'counts.a', 'wrong'],
    ['a value other than the only one', { ...GOOD, only: false }, 'only', 'wrong'],
    ['an unknown key', { ...GOOD, more: 1 }, 'more', 'unknown'],
    ['an unknown key of an item', { ...GOOD, items: [{ id: 'a', more: 1 }] }, 'items.more', 'unknown'],
  ])('does not fit with %s', (_case, raw, place, kind) => {
    expect(check(raw)).toMatchObject({ mismatch: { place, kind } });
  });

  test('of a newer version is read without the keys that the table does not have', () => {
    const raw = { ...GOOD, more: 1, items: [{ id: 'a', more: 1 }] };
    expect(checkFields(FIELDS, raw, { isResult: true, unknown: 'drop' })).toEqual({ value: GOOD });
  });
});
