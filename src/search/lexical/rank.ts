import { bestFirst } from '../order.ts';
import { queryTerms } from '../words/terms.ts';
import type { Postings } from './postings.ts';

/** The usual BM25 constants: how soon repetition stops counting, and how much long documents lose. */
const K1 = 1.2;
const B = 0.75;
/** Weights are stored in half steps. */
const WEIGHT_UNIT = 0.5;

export interface LexicalRanking {
  /** The documents with at least one term, best first. */
  documents: Uint32Array;
  /** By document number: the score, as a share (0..1) of the highest possible one. */
  scores: Float32Array;
  /** By document number: how much of the query's information the document has, 0..1. */
  coverage: Float32Array;
}

/** How much information a term has. A term that is in no document has the most. */
function inverseFrequency(documentCount: number, count: number): number {
  return Math.log(1 + (documentCount - count + 0.5) / (count + 0.5));
}

export function rankLexically(
  postings: Postings,
  query: string,
  admit?: (document: number) => boolean,
): LexicalRanking {
  const { documentCount, lengths, averageLength, counts } = postings;
  const scores = new Float32Array(documentCount);
  const coverage = new Float32Array(documentCount);
  let information = 0;
  for (const term of queryTerms(query)) {
    const index = postings.find(term);
    const idf = inverseFrequency(documentCount, index === -1 ? 0 : (counts[index] ?? 0));
    information += idf;
    if (index === -1) continue;
    postings.each(index, (document, weight) => {
      const frequency = weight * WEIGHT_UNIT;
      const norm = K1 * (1 - B + (B * (lengths[document] ?? 0)) / averageLength);
      scores[document] = (scores[document] ?? 0) + (idf * frequency) / (frequency + norm);
      coverage[document] = (coverage[document] ?? 0) + idf;
    });
  }
  const found: number[] = [];
  for (let document = 0; document < documentCount; document++) {
    const score = scores[document] ?? 0;
    if (score === 0) continue;
    scores[document] = score / information;
    coverage[document] = Math.min(1, (coverage[document] ?? 0) / information);
    if (admit === undefined || admit(document)) found.push(document);
  }
  return { documents: bestFirst(found, (document) => scores[document] ?? 0), scores, coverage };
}
