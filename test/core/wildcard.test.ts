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
  const name = 'a'.repeat(20_000);
  expect(wildcard(`${'*a'.repeat(5_000)}*b`)(name)).toBe(false);
  expect(wildcard(`${'*a'.repeat(5_000)}*b*`)(name)).toBe(false);
  expect(wildcard(`*${'a'.repeat(5_000)}?b*`)(name)).toBe(false);
});
