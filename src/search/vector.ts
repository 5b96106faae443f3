/** A vector with one signed byte per dimension, a quarter of the size of floats. Rounding changes a cosine in its third decimal. */
export interface Quantized {
  values: Int8Array;
  /** One divided by the length of the bytes; 0 for a vector of zeros. In single precision, as it is kept. */
  norm: number;
}

const LARGEST = 127;

export function quantize(vector: ArrayLike<number>): Quantized {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  const values = new Int8Array(vector.length);
  if (largest === 0) return { values, norm: 0 };
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = Math.round(((vector[i] ?? 0) / largest) * LARGEST);
    values[i] = value;
    squares += value * value;
  }
  return { values, norm: Math.fround(1 / Math.sqrt(squares)) };
}

/**
 * The sum of products of `y` with the values of `x` from `at` on. This runs some fifty thousand times per query at ten thousand
 * documents: four parallel sums of integers take less than half the time of the plain loop. Every index is within bounds, where
 * `?? 0` costs nothing.
 */
export function dot(x: Int8Array, at: number, y: Int8Array): number {
  const even = y.length - (y.length % 4);
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  for (let i = 0; i < even; i += 4) {
    s = (s + Math.imul(x[at + i] ?? 0, y[i] ?? 0)) | 0;
    t = (t + Math.imul(x[at + i + 1] ?? 0, y[i + 1] ?? 0)) | 0;
    u = (u + Math.imul(x[at + i + 2] ?? 0, y[i + 2] ?? 0)) | 0;
    v = (v + Math.imul(x[at + i + 3] ?? 0, y[i + 3] ?? 0)) | 0;
  }
  for (let i = even; i < y.length; i++) s = (s + Math.imul(x[at + i] ?? 0, y[i] ?? 0)) | 0;
  return s + t + u + v;
}

/** Normalized sum of vectors; undefined if there are none. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors;
  if (!first) return undefined;
  return normalized(first.map((_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0)));
}

/** Scales a vector to unit length. Returns undefined for a zero vector. */
export function normalized(vector: ArrayLike<number>): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) * (vector[i] ?? 0);
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  const scaled = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) scaled[i] = (vector[i] ?? 0) / length;
  return scaled;
}
