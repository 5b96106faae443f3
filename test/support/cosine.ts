import { dot, type Quantized } from '../../src/search/vector.ts';

/** Cosine of two vectors, computed one pair at a time. */
export function cosine(a: Quantized, b: Quantized): number {
  return dot(a.values, 0, b.values) * a.norm * b.norm;
}
