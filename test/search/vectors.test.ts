import { describe, expect, test } from 'vitest';
import { measureFloor } from '../../src/search/vectors/floor.ts';
import { cosines, openVectors, packVectors, quantize } from '../../src/search/vectors/quantized.ts';
import { fc } from '../support/effort.ts';

const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 63, maxLength: 63 });

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  const norm = Math.sqrt(dot(a, a) * dot(b, b));
  return norm === 0 ? 0 : dot(a, b) / norm;
}

describe('quantized vectors', () => {
  test('a cosine moves by less than two hundredths, for any vectors', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 5 }), vector, (rows, query) => {
        const packed = packVectors(
          63,
          rows.map((row) => ({ hash: new Uint8Array(16), vector: quantize(row) })),
        );
        const found = cosines(openVectors(packed), quantize(query));
        rows.forEach((row, index) => expect(Math.abs((found[index] ?? 0) - cosine(row, query))).toBeLessThan(0.02));
      }),
    );
  });

  test('a zero vector is near to nothing', () => {
    const packed = packVectors(4, [{ hash: new Uint8Array(16), vector: quantize([0, 0, 0, 0]) }]);
    expect(cosines(openVectors(packed), quantize([1, 0, 0, 0]))[0]).toBe(0);
  });

  test('a block that was cut or is of another version is refused', () => {
    const packed = packVectors(4, [{ hash: new Uint8Array(16), vector: quantize([1, 2, 3, 4]) }]);
    expect(() => openVectors(packed.subarray(0, 10))).toThrow(/cut short/u);
    expect(() => openVectors(packed.subarray(0, packed.length - 1))).toThrow(/wrong size/u);
    expect(() => openVectors(packed.map((byte, i) => (i === 4 ? byte + 1 : byte)))).toThrow(/version/u);
  });

  test('an unaligned view of the bytes is read all the same', () => {
    const packed = packVectors(4, [{ hash: new Uint8Array(16), vector: quantize([1, 2, 3, 4]) }]);
    const shifted = new Uint8Array(packed.length + 1);
    shifted.set(packed, 1);
    expect([...openVectors(shifted.subarray(1)).values]).toEqual([...openVectors(packed).values]);
  });
});

test('the floor of an unknown model lies above its unrelated pairs', () => {
  const near = Array.from({ length: 50 }, (_, i) =>
    quantize(Array.from({ length: 16 }, (_, j) => 1 + 0.2 * Math.sin(i * 13 + j * 7))),
  );
  const spread = Array.from({ length: 50 }, (_, i) =>
    quantize(Array.from({ length: 16 }, (_, j) => Math.sin(i * 13 + j * 7 * i))),
  );
  expect(measureFloor(near)).toBe(0.9);
  expect(measureFloor(spread)).toBeLessThan(0.85);
  expect(measureFloor([])).toBe(0.2);
});
