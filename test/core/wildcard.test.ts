import { expect, test } from 'vitest';
import { wildcard } from '../../src/core/wildcard.ts';
import { fc, times } from '../support/effort.ts';

test('wildcards agree with a regular expression', () => {
  const letters = fc.constantFrom('a', 'b', '*', '?', '.', '[', '\\', 'é', '😀');
  const pattern = fc.array(letters, { maxLength: 6 }).map((parts) => parts.join(''));
  const text = fc
    .array(fc.constantFrom('a', 'b', '.', '[', '\\', 'é', '😀'), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, text, fc.constantFrom(0, 29, 62), (wanted, given, more) => {
      const escaped = wanted
        .replace(/[.[\]\\^$+(){}|]/gu, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.');
      const matches = new RegExp(`^${escaped}$`, 'su').test(given);
      expect(wildcard(wanted)(given)).toBe(matches);
      // Longer patterns take more than one machine word.
      expect(wildcard(`?${'a'.repeat(more)}${wanted}`)(`b${'a'.repeat(more)}${given}`)).toBe(matches);
    }),
    { numRuns: times(2_000) },
  );
});

test('a pattern of many stars costs no more than one of letters', () => {
  const name = 'a'.repeat(1_000);
  for (let time = 0; time < 100; time++) {
    expect(wildcard(`${'*a'.repeat(500)}*b`)(name)).toBe(false);
    expect(wildcard(`${'*a'.repeat(500)}*b*`)(name)).toBe(false);
    expect(wildcard(`*${'a'.repeat(500)}?b*`)(name)).toBe(false);
    expect(wildcard(`*${'a'.repeat(500)}*a?*`)(name)).toBe(true);
  }
});

test('names longer than the limit match themselves and patterns with one star', () => {
  const name = `a${'b'.repeat(100_000)}c`;
  expect([name, '*', 'a*', '*c', 'a*c', 'a**c'].map((pattern) => wildcard(pattern)(name))).not.toContain(false);
  expect(['b*', '*b', 'a?*', '*b*'].map((pattern) => wildcard(pattern)(name))).not.toContain(true);
  expect(wildcard(`a${'?'.repeat(100_000)}c`)(name)).toBe(false);
  expect(
    wildcard(`${String.fromCodePoint(...Array.from({ length: 50_000 }, (_, index) => 0x1_0000 + index))}?`)('a'),
  ).toBe(false);
});
