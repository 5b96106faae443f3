import type { Quantized } from './quantized.ts';

/** Enough pairs for two decimals, few enough to cost nothing. */
const PAIRS = 2_000;

/** Two unrelated texts reach mean plus this many deviations rarely. */
const DEVIATIONS = 2;

const LOWEST = 0.2;
const HIGHEST = 0.9;

/**
 * The cosine below which a model's answers mean nothing, for a model nobody measured: some put unrelated texts at 0.1,
 * some at 0.7. Pairs of indexed texts, nearly all unrelated, show where this one does. Pairs are chosen by a fixed stride,
 * so the same index has the same floor.
 */
export function measureFloor(vectors: readonly Quantized[]): number {
  if (vectors.length < 2) return LOWEST;
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < PAIRS; i++) {
    const a = vectors[(i * 7919) % vectors.length];
    const b = vectors[(i * 104_729 + 1) % vectors.length];
    if (!a || !b || a === b || a.norm === 0 || b.norm === 0) continue;
    const cosine = cosineOf(a, b);
    count += 1;
    sum += cosine;
    squares += cosine * cosine;
  }
  if (count === 0) return LOWEST;
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  return Math.min(HIGHEST, Math.max(LOWEST, mean + DEVIATIONS * deviation));
}

function cosineOf(a: Quantized, b: Quantized): number {
  let sum = 0;
  for (let i = 0; i < a.values.length; i++) sum += (a.values[i] ?? 0) * (b.values[i] ?? 0);
  return sum * a.norm * b.norm;
}
