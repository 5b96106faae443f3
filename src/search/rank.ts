import { rankLexically } from './lexical/rank.ts';
import { bestFirst } from './order.ts';
import { type IndexContent, NO_VECTOR } from './store/content.ts';
import { cosines, type Quantized } from './vectors/quantized.ts';

export type RankedMode = 'lexical' | 'semantic' | 'hybrid';

export interface RankedQuery {
  text: string;
  /** Undefined if only words count. */
  vector: Quantized | undefined;
}

export interface Ranked {
  /** Number in the index. */
  document: number;
  /** 0..1; comparable within one answer, not between modes. */
  score: number;
}

/**
 * A document counts as found by words if it has this share of the query's information: one rare word is enough if the others
 * are common, but one common word among rare ones is not.
 */
const ENOUGH_COVERAGE = 1 / 3;

/** The body says less about a document's subject than its name and description do. */
const CHUNK_WEIGHT = 0.5;

/** A document with all words of a query is better evidence than the nearest vector. Squaring reduces chance matches. */
const WORDS_WEIGHT = 1.5;
const MEANING_WEIGHT = 1;

/**
 * How far down a list still counts in reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). Smaller than the usual
 * 60, because the lists here are short and good at the top.
 */
const FUSION_K = 10;

/**
 * Ranks every document that has enough evidence in this mode: a cosine above the model's floor, or enough of the words. The
 * order comes from reciprocal rank fusion. A fused rank is never compared with a threshold: it says which document is better,
 * not whether it is good.
 */
export function rankDocuments(
  content: IndexContent,
  queries: readonly RankedQuery[],
  mode: RankedMode,
  accept: (document: number) => boolean,
): Ranked[] {
  const size = content.documents.length;
  const scores = new Float64Array(size);
  for (const query of queries) {
    const words =
      mode === 'semantic' ? new Float64Array(size) : scoreByWords(content, query.text, accept, mode === 'hybrid');
    const meaning =
      mode === 'lexical' ? new Float64Array(size) : scoreByMeaning(content, query.vector, accept, mode === 'hybrid');
    for (let document = 0; document < size; document++) {
      const score = (words[document] ?? 0) + (meaning[document] ?? 0);
      // Fused ranks of rephrasings are averaged. Other scores are comparable, so the best one counts.
      if (mode === 'hybrid') scores[document] = (scores[document] ?? 0) + score / queries.length;
      else scores[document] = Math.max(scores[document] ?? 0, score);
    }
  }
  const found: number[] = [];
  for (let document = 0; document < size; document++) if ((scores[document] ?? 0) > 0) found.push(document);
  return Array.from(
    bestFirst(found, (document) => scores[document] ?? 0),
    (document) => ({ document, score: Math.min(1, scores[document] ?? 0) }),
  );
}

/** What a place in one list adds to a fused score. The first place in both lists adds up to one. */
function shareOf(weight: number, rank: number): number {
  return ((weight / (WORDS_WEIGHT + MEANING_WEIGHT)) * (FUSION_K + 1)) / (FUSION_K + rank + 1);
}

function scoreByWords(
  content: IndexContent,
  query: string,
  accept: (document: number) => boolean,
  fused: boolean,
): Float64Array {
  const { documents, scores, coverage } = rankLexically(content.postings, query, accept);
  const result = new Float64Array(content.documents.length);
  documents.forEach((document, rank) => {
    const covered = coverage[document] ?? 0;
    if (covered < ENOUGH_COVERAGE) return;
    result[document] = fused ? covered * covered * shareOf(WORDS_WEIGHT, rank) : (scores[document] ?? 0);
  });
  return result;
}

function scoreByMeaning(
  content: IndexContent,
  query: Quantized | undefined,
  accept: (document: number) => boolean,
  fused: boolean,
): Float64Array {
  const result = new Float64Array(content.documents.length);
  const { vectors } = content;
  const floor = content.manifest.model?.floor ?? 1;
  if (!query || !vectors || query.norm === 0) return result;
  const nearness = cosines(vectors, query);
  const found: number[] = [];
  const cosineOf = new Float64Array(content.documents.length);
  content.documents.forEach(({ units }, document) => {
    const cosine = documentCosine(units, nearness);
    cosineOf[document] = cosine;
    if (cosine >= floor && accept(document)) found.push(document);
  });
  bestFirst(found, (document) => (1 + (cosineOf[document] ?? 0)) / 2).forEach((document, rank) => {
    result[document] = fused ? shareOf(MEANING_WEIGHT, rank) : (cosineOf[document] ?? 0);
  });
  return result;
}

/** The head and the best chunk, which has half the weight. Without chunks only the head counts. */
function documentCosine(units: readonly number[], nearness: Float32Array): number {
  const headRow = units[0] ?? NO_VECTOR;
  const head = headRow === NO_VECTOR ? undefined : nearness[headRow];
  let chunk: number | undefined;
  for (let index = 1; index < units.length; index++) {
    const row = units[index] ?? NO_VECTOR;
    if (row !== NO_VECTOR) chunk = Math.max(chunk ?? -1, nearness[row] ?? -1);
  }
  const main = head ?? chunk ?? 0;
  return (main + CHUNK_WEIGHT * (chunk ?? main)) / (1 + CHUNK_WEIGHT);
}
