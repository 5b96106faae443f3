/**
 * One score for words and meaning together. Both parts are absolute, so the scores of several queries can be averaged.
 *
 *   cos    = (2 (q·head) + max over chunks (q·chunk) + (q·mean)) / 4
 *   words  = Σ idf · saturated weight / Σ idf      how much the query's words say in this document
 *   share  = Σ idf of the words that occur / Σ idf
 *   score  = cos + 1.5 · words · share
 */
import { breather } from '../core/breathe.ts';
import type { Entry } from './entry.ts';
import type { Segment, WordForms } from './segment.ts';
import { cosine, type Quantized } from './vector.ts';

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
  const entries =
    segments.length === 1 ? (segments[0] as Segment).entries : segments.flatMap((segment) => segment.entries);
  const size = entries.length;
  const ranking = {
    scores: new Float64Array(size),
    cosines: new Float64Array(size),
    shares: new Float64Array(size),
  };
  const averageLength = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, size);
  const breathe = breather();
  for (const query of queries) {
    const words = await scoreWords(segments, entries, query.words, averageLength, breathe);
    await breathe();
    for (let index = 0; index < size; index++) {
      const near = query.vector ? documentCosine(entries[index] as Entry, query.vector) : 0;
      const share = words.shares[index] as number;
      const score = near + WORDS_WEIGHT * (words.scores[index] as number) * share;
      ranking.scores[index] = (ranking.scores[index] as number) + score / queries.length;
      ranking.cosines[index] = Math.max(ranking.cosines[index] as number, near);
      ranking.shares[index] = Math.max(ranking.shares[index] as number, share);
    }
  }
  return ranking;
}

async function scoreWords(
  segments: readonly Segment[],
  entries: readonly Entry[],
  words: RankedQuery['words'],
  averageLength: number,
  breathe: () => Promise<void> | undefined,
): Promise<{ scores: Float64Array; shares: Float64Array }> {
  const size = entries.length;
  const scores = new Float64Array(size);
  const shares = new Float64Array(size);
  const weights = new Uint8Array(size);
  let information = 0;
  for (const forms of words) {
    await breathe();
    let found = 0;
    let start = 0;
    for (const segment of segments) {
      const end = start + segment.entries.length;
      found += segment.weigh(forms, weights.subarray(start, end));
      start = end;
    }
    const idf = inverseFrequency(size, found);
    information += idf;
    if (found === 0) continue;
    for (let index = 0; index < size; index++) {
      const weight = weights[index] as number;
      if (weight === 0) continue;
      const frequency = weight * WEIGHT_UNIT;
      const norm = K1 * (1 - B + (B * (entries[index] as Entry).length) / averageLength);
      scores[index] = (scores[index] as number) + (idf * frequency) / (frequency + norm);
      shares[index] = (shares[index] as number) + idf;
    }
  }
  if (information === 0) return { scores, shares };
  return { scores: scores.map((score) => score / information), shares: shares.map((share) => share / information) };
}

/** How much information a word has. A word that no document has, has the most. */
function inverseFrequency(documents: number, found: number): number {
  return Math.log(1 + (documents - found + 0.5) / (found + 0.5));
}

function documentCosine({ head, mean, chunks }: Entry, query: Quantized): number {
  if (!mean) return 0;
  const nearMean = cosine(mean, query);
  let nearest = -1;
  for (const chunk of chunks) nearest = Math.max(nearest, cosine(chunk, query));
  const nearHead = head ? cosine(head, query) : nearMean;
  return (2 * nearHead + (chunks.length === 0 ? nearHead : nearest) + nearMean) / 4;
}
