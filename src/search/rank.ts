/**
 * One score for words and meaning together. Both parts are absolute, so the scores of several queries can be averaged.
 *
 *   cos    = (2 (q·head) + max over chunks (q·chunk) + (q·mean)) / 4
 *   words  = Σ idf · saturated weight / Σ idf      how much the query's words say in this document
 *   share  = Σ idf of the words that occur / Σ idf
 *   score  = cos + 1.5 · words · share
 */
import { breather } from '../core/breathe.ts';
import type { Segment, WordForms } from './segment.ts';
import type { Quantized } from './vector.ts';

/** The usual BM25 constants: how soon repetition stops counting, and how much long documents lose. */
const K1 = 1.2;
const B = 0.75;
/** Weights are stored in half steps. */
const WEIGHT_UNIT = 0.5;

const WORDS_WEIGHT = 1.5;

export interface RankedQuery {
  /**
   * For each word, what counts as that word: its stem, an abbreviation, a corrected spelling. A form of several words counts as
   * much as the least of them.
   */
  words: readonly WordForms[];
  /** Undefined if only words count. */
  vector: Quantized | undefined;
  /** Its vector by an endpoint's model, for the segments that have such vectors. */
  further?: Quantized | undefined;
}

export interface Ranking {
  /** By document: the mean of the scores of all queries; at most 2.5. */
  scores: Float64Array;
  /** By document: the best cosine of all queries. */
  cosines: Float64Array;
  /** By document: the best share of a query's words, by their information. */
  shares: Float64Array;
}

/** Lets other work run between words: a query of many words over thousands of documents takes a while. */
export async function rank(segments: readonly Segment[], queries: readonly RankedQuery[]): Promise<Ranking> {
  const size = segments.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const ranking = {
    scores: new Float64Array(size),
    cosines: new Float64Array(size),
    shares: new Float64Array(size),
  };
  const breathe = breather();
  for (const query of queries) {
    const words = await scoreWords(segments, size, query.words, breathe);
    await breathe();
    const hasMeaning = query.vector !== undefined || query.further !== undefined;
    const near = new Float64Array(hasMeaning ? size : 0);
    let at = 0;
    for (const segment of hasMeaning ? segments : []) {
      const pause = breathe();
      if (pause) await pause;
      if (query.further && segment.further) segment.further.compare(query.further, near, at);
      else if (query.vector) segment.compare(query.vector, near, at);
      at += segment.lengths.length;
    }
    for (let index = 0; index < size; index++) {
      const cosine = hasMeaning ? (near[index] as number) : 0;
      const share = words.shares[index] as number;
      const score = cosine + WORDS_WEIGHT * (words.scores[index] as number) * share;
      ranking.scores[index] = (ranking.scores[index] as number) + score / queries.length;
      ranking.cosines[index] = Math.max(ranking.cosines[index] as number, cosine);
      ranking.shares[index] = Math.max(ranking.shares[index] as number, share);
    }
  }
  return ranking;
}

async function scoreWords(
  segments: readonly Segment[],
  size: number,
  words: RankedQuery['words'],
  breathe: () => Promise<void> | undefined,
): Promise<{ scores: Float64Array; shares: Float64Array }> {
  const scores = new Float64Array(size);
  const shares = new Float64Array(size);
  const weights = new Uint8Array(size);
  const averageLength = averageOf(segments, size);
  let information = 0;
  for (const forms of words) {
    await breathe();
    let found = 0;
    let start = 0;
    // Most segments do not have a rare word.
    const having: { segment: Segment; start: number }[] = [];
    for (const segment of segments) {
      const count = segment.weigh(forms, weights, start);
      if (count > 0) having.push({ segment, start });
      found += count;
      start += segment.lengths.length;
    }
    const idf = inverseFrequency(size, found);
    information += idf;
    for (const { segment, start: first } of having) {
      const { lengths } = segment;
      for (let index = 0; index < lengths.length; index++) {
        const at = first + index;
        const weight = weights[at] as number;
        if (weight === 0) continue;
        const frequency = weight * WEIGHT_UNIT;
        const norm = K1 * (1 - B + (B * (lengths[index] as number)) / averageLength);
        scores[at] = (scores[at] as number) + (idf * frequency) / (frequency + norm);
        shares[at] = (shares[at] as number) + idf;
      }
    }
  }
  if (information === 0) return { scores, shares };
  for (let index = 0; index < size; index++) {
    scores[index] = (scores[index] as number) / information;
    shares[index] = (shares[index] as number) / information;
  }
  return { scores, shares };
}

function averageOf(segments: readonly Segment[], size: number): number {
  let sum = 0;
  for (const { lengths } of segments)
    for (let index = 0; index < lengths.length; index++) sum += lengths[index] as number;
  return sum / Math.max(1, size);
}

/** How much information a word has. A word that no document has, has the most. */
function inverseFrequency(documents: number, found: number): number {
  return Math.log(1 + (documents - found + 0.5) / (found + 0.5));
}
