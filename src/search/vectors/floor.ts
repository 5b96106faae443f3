import type { Quantized } from './quantized.ts';

/** Enough pairs for two decimals, and few enough to be cheap. */
const PAIRS = 2_000;

/** Unrelated texts rarely reach the mean plus this many deviations. */
const DEVIATIONS = 2;

const LOWEST = 0.2;
const HIGHEST = 0.9;

/**
 * The cosine below which answers mean nothing, for a model with no known floor: for unrelated texts some models give 0.1 and
 * others 0.7. It is measured on pairs of indexed texts, nearly all of them unrelated. Pairs are chosen with a fixed stride, so
 * the same index always has the same floor.
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
