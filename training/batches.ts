import { stem } from '../src/search/words/stem.ts';
import { type Pairs, textOf } from './pairs.ts';
import type { Random } from './random.ts';

/** How often each type of pair is drawn, in proportion. A type that is not here is not used. */
export type TypeWeights = Readonly<Record<number, number>>;

export interface BatchOptions {
  size: number;
  typeWeights: TypeWeights;
  /** How often the right side loses every word that is also on the left: finding the same words is the work of words, not of vectors. */
  overlapDropout: number;
  /** How many of the words each side loses, so that no single one is relied upon. */
  wordDropout: number;
}

/** The same number of texts on both sides; those at the same place belong together. */
export interface Batch {
  left: readonly Uint16Array[];
  right: readonly Uint16Array[];
}

/** Draws batches of one type each. */
export function drawBatches(pairs: Pairs, options: BatchOptions, random: Random): () => Batch {
  const { size, typeWeights, overlapDropout, wordDropout } = options;
  const types = [...new Set(pairs.types)].filter((type) => (typeWeights[type] ?? 0) > 0);
  const byType = new Map(types.map((type) => [type, dealer(pairsOfType(pairs, type), random)]));
  if (types.length === 0) throw new Error('no pair has a type that is used');
  const whole = types.reduce((sum, type) => sum + (typeWeights[type] ?? 0), 0);
  const stems = stemNumbers(pairs.words);
  const drawType = (): number => {
    let left = random() * whole;
    return types.find((type) => (left -= typeWeights[type] ?? 0) < 0) ?? (types[0] as number);
  };
  const dropWords = (text: Uint16Array): Uint16Array => {
    const kept = text.filter(() => random() >= wordDropout);
    return kept.length > 0 ? kept : text.subarray(0, 1);
  };
  const withoutOverlap = (text: Uint16Array, other: Uint16Array): Uint16Array => {
    const known = new Set(Array.from(other, (id) => stems[id]));
    const kept = text.filter((id) => !known.has(stems[id]));
    return kept.length > 0 ? kept : text;
  };
  return () => {
    const left: Uint16Array[] = [];
    const right: Uint16Array[] = [];
    for (const index of byType.get(drawType())?.(size) ?? []) {
      const [from, to] = [textOf(pairs.left, index), textOf(pairs.right, index)];
      left.push(dropWords(from));
      right.push(dropWords(random() < overlapDropout ? withoutOverlap(to, from) : to));
    }
    return { left, right };
  };
}

function pairsOfType({ types, left, right }: Pairs, wanted: number): number[] {
  const isFilled = (index: number): boolean => textOf(left, index).length > 0 && textOf(right, index).length > 0;
  return [...types.keys()].filter((index) => types[index] === wanted && isFilled(index));
}

/** Deals so many at a time, each once before any comes again: a pair must not meet itself in a batch. */
function dealer(all: number[], random: Random): (count: number) => number[] {
  let left: number[] = [];
  return (count) => {
    if (left.length < Math.min(count, all.length)) left = shuffled(all, random);
    return left.splice(-count);
  };
}

function shuffled(items: readonly number[], random: Random): number[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [result[i], result[other]] = [result[other] as number, result[i] as number];
  }
  return result;
}

/** A number per word; words with the same stem have the same. */
function stemNumbers(words: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(words, (word) => {
    const stemmed = stem(word);
    const number = numbers.get(stemmed) ?? numbers.size;
    numbers.set(stemmed, number);
    return number;
  });
}
