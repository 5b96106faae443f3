import { expect, test } from 'vitest';
import { dotsOf } from '../../src/search/dots.ts';
import { dot } from '../../src/search/vector.ts';
import { fc, times } from '../support/effort.ts';

test('the products of one vector with many are those of one with each, whatever their number and dimensions', () => {
  const byte = fc.oneof(fc.integer({ min: -128, max: 127 }), fc.constantFrom(-128, 127));
  const shape = fc.record({ dimensions: fc.constantFrom(1, 7, 15, 16, 17, 32, 96, 768), count: fc.nat(40) });
  fc.assert(
    fc.property(
      shape.chain(({ dimensions, count }) =>
        fc.record({
          query: fc.array(byte, { minLength: dimensions, maxLength: dimensions }),
          values: fc.array(byte, { minLength: dimensions * count, maxLength: dimensions * count }),
        }),
      ),
      ({ query, values }) => {
        const [one, many] = [Int8Array.from(query), Int8Array.from(values)];
        const expected = Array.from({ length: many.length / one.length }, (_, at) => dot(many, at * one.length, one));
        expect([...dotsOf(many, one)]).toEqual(expected);
      },
    ),
    { numRuns: times(60) },
  );
});

test('many vectors fit, and few after them', () => {
  const query = Int8Array.from({ length: 96 }, (_, at) => at - 48);
  for (const count of [5_000, 3]) {
    const values = Int8Array.from({ length: 96 * count }, (_, at) => (at * 31) % 127);
    const expected = Array.from({ length: count }, (_, at) => dot(values, at * 96, query));
    expect([...dotsOf(values, query)]).toEqual(expected);
  }
});
