/**
 * Computes one score for words and meaning together. Both parts are absolute, so the scores of several queries can be averaged.
 *
 *   cos    = (2 (q·head) + max over chunks (q·chunk) + (q·mean)) / 4
 *   words  = Σ idf · saturated weight / Σ idf      how strongly the document matches the words
 *   score  = cos + words
 *
 * The share of a query's words that occur does not count. It ignores length, so a long text with every small word of a long
 * question would win.
 */
import { breather } from '../core/breathe.ts';
import { memo } from '../core/memo.ts';
import type { Postings, Segment, WordForms } from './segment.ts';
import type { Quantized } from './vector.ts';

/** The usual BM25 constants: saturation of repeated words, and penalty for long documents. */
const K1 = 1.2;
const B = 0.75;
/** Weights are stored in half steps. */
const WEIGHT_UNIT = 0.5;

/** The highest score that words and meaning can reach together. */
export const BEST_SCORE = 2;

export interface RankedQuery {
  /**
   * The accepted forms of each word: its stem, an abbreviation, a corrected spelling. A form of several words has the weight of
   * its rarest word in the document.
   */
  words: readonly WordForms[];
  /** Undefined if only words are ranked. */
  vector: Quantized | undefined;
}

export interface Ranking {
  /** By document: mean score of all queries, at most `BEST_SCORE`. */
  scores: Float64Array;
  /** By document: best cosine of all queries. */
  cosines: Float64Array;
  /** By document: largest share of a query's words, weighted by information. */
  shares: Float64Array;
}

/** Yields to other work between words: a long query over thousands of documents takes a while. */
export async function rank(segments: readonly Segment[], queries: readonly RankedQuery[]): Promise<Ranking> {
  const size = segments.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const breathe = breather();
  let ranking: Ranking | undefined;
  for (const query of queries) {
    const next = await rankOne(segments, size, query, breathe);
    if (ranking) join(ranking, next);
    else ranking = next;
  }
  ranking ??= { scores: new Float64Array(size), cosines: new Float64Array(size), shares: new Float64Array(size) };
  // Most searches have one query, which needs no mean.
  if (queries.length > 1)
    for (let index = 0; index < size; index++) ranking.scores[index] = (ranking.scores[index] ?? 0) / queries.length;
  return ranking;
}

/** Sums the scores and keeps the maximum of cosines and shares. */
function join({ scores, cosines, shares }: Ranking, other: Ranking): void {
  for (let index = 0; index < scores.length; index++) {
    scores[index] = (scores[index] ?? 0) + (other.scores[index] ?? 0);
    cosines[index] = Math.max(cosines[index] ?? 0, other.cosines[index] ?? 0);
    shares[index] = Math.max(shares[index] ?? 0, other.shares[index] ?? 0);
  }
}

async function rankOne(
  segments: readonly Segment[],
  size: number,
  { words, vector }: RankedQuery,
  breathe: () => Promise<void> | undefined,
): Promise<Ranking> {
  const { scores, shares, information } = await scoreWords(segments, size, words, breathe);
  await breathe();
  const cosines = new Float64Array(size);
  let at = 0;
  for (const segment of vector ? segments : []) {
    const pause = breathe();
    if (pause) await pause;
    if (vector) segment.compare(vector, cosines, at);
    at += segment.lengths.length;
  }
  const most = information === 0 ? 1 : information;
  for (let index = 0; index < size; index++) {
    const cosine = cosines[index] ?? 0;
    scores[index] = cosine + (scores[index] ?? 0) / most;
    shares[index] = (shares[index] ?? 0) / most;
    if (cosine < 0) cosines[index] = 0;
  }
  return { scores, cosines, shares };
}

/** Returns sums, to be divided by the information of all words. */
async function scoreWords(
  segments: readonly Segment[],
  size: number,
  words: RankedQuery['words'],
  breathe: () => Promise<void> | undefined,
): Promise<{ scores: Float64Array; shares: Float64Array; information: number }> {
  const scores = new Float64Array(size);
  const shares = new Float64Array(size);
  const averageLength = segments.reduce((sum, segment) => sum + lengthOf(segment), 0) / Math.max(1, size);
  let information = 0;
  for (const forms of words) {
    await breathe();
    let found = 0;
    let start = 0;
    // Most segments do not contain a rare word.
    const having: { postings: Postings; lengths: Uint32Array; start: number }[] = [];
    for (const segment of segments) {
      const { lengths } = segment;
      const postings = segment.find(forms);
      const count = postings.to - postings.from;
      if (count > 0) having.push({ postings, lengths, start });
      found += count;
      start += lengths.length;
    }
    const idf = inverseFrequency(size, found);
    information += idf;
    for (const { postings, lengths, start: first } of having) {
      const { documents, weights, from, to } = postings;
      for (let place = from; place < to; place++) {
        const document = documents[place] ?? 0;
        const at = first + document;
        const frequency = (weights[place] ?? 0) * WEIGHT_UNIT;
        const norm = K1 * (1 - B + (B * (lengths[document] ?? 0)) / averageLength);
        scores[at] = (scores[at] ?? 0) + (idf * frequency) / (frequency + norm);
        shares[at] = (shares[at] ?? 0) + idf;
      }
    }
  }
  return { scores, shares, information };
}

/** Total length of a segment. Cached, because a segment never changes and is ranked often. */
const lengthOf = memo(({ lengths }: Segment) => {
  let sum = 0;
  for (let index = 0; index < lengths.length; index++) sum += lengths[index] ?? 0;
  return sum;
});

/** Inverse document frequency. It is highest for a word that occurs in no document. */
function inverseFrequency(documents: number, found: number): number {
  return Math.log(1 + (documents - found + 0.5) / (found + 0.5));
}
