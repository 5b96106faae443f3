import { floorBelow, isWeak, WEIGHED_HITS } from './confidence.ts';
import { ALL_KINDS, type DocumentKind } from './document.ts';
import type { Ranking } from './rank.ts';

/** Minimum cosine for a document without any word of the query. Below it, similarity is no better than chance. */
const NEAR = 0.15;

export interface Selected {
  total: number;
  totals: Record<DocumentKind, number>;
  /** Best documents in order; more than requested in case of ties. */
  best: number[];
  isWeak: boolean;
}

interface SelectOptions {
  /** Minimum score. By default it depends on the best one. */
  least?: number | undefined;
  limit: number;
  /** Considers only documents of this kind. */
  only?: DocumentKind | undefined;
  compare(a: number, b: number): number;
}

/**
 * Counts the hits and selects the best ones. At 100,000 documents this takes longer than ranking a rare word, so only the best are
 * collected, and documents are not accessed: `kinds` holds the index of their kind.
 */
export function selectBest(
  ranking: Ranking,
  kinds: Uint8Array,
  { least, limit, only, compare }: SelectOptions,
): Selected {
  const { scores, shares, cosines } = ranking;
  const wanted = only === undefined ? undefined : ALL_KINDS.indexOf(only);
  const isNear = (index: number): boolean => (shares[index] ?? 0) > 0 || (cosines[index] ?? 0) >= NEAR;
  const floor = least ?? floorBelow(bestOf(scores, isNear));
  const isFound = (index: number): boolean =>
    (wanted === undefined || kinds[index] === wanted) && isNear(index) && (scores[index] ?? 0) >= floor;
  const counts = new Uint32Array(ALL_KINDS.length);
  // Min-heap of the best scores. Most documents score below its top.
  const heap = new Float64Array(Math.max(limit, WEIGHED_HITS)).fill(-Infinity);
  const reached: number[] = [];
  for (let index = 0; index < kinds.length; index++) {
    if (!isFound(index)) continue;
    counts[kinds[index] ?? 0] = (counts[kinds[index] ?? 0] ?? 0) + 1;
    const score = scores[index] ?? 0;
    if (score < (heap[0] ?? 0)) continue;
    reached.push(index);
    if (score > (heap[0] ?? 0)) replaceLowest(heap, score);
  }
  const best = reached.filter((index) => (scores[index] ?? 0) >= (heap[0] ?? 0));
  best.sort(compare);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const totals = Object.fromEntries(ALL_KINDS.map((kind, place) => [kind, counts[place] ?? 0]));
  return { total, totals: totals as Selected['totals'], best, isWeak: total > 0 && isWeak(ranking, best) };
}

/** The best score of all kinds, so that the results of one kind are the same in a list of all kinds. */
function bestOf(scores: Float64Array, isNear: (index: number) => boolean): number {
  let best = 0;
  for (let index = 0; index < scores.length; index++)
    if ((scores[index] ?? 0) > best && isNear(index)) best = scores[index] ?? 0;
  return best;
}

function replaceLowest(heap: Float64Array, score: number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    if ((heap[child] ?? 0) >= score) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = score;
}
