import type { Ranking } from './rank.ts';

/** The mean of this many top scores separates answered questions from off-topic ones better than the top score alone. */
export const WEIGHED_HITS = 3;

/**
 * An answer with a lower mean is weak. With more documents, off-topic questions score higher by chance, by about the same
 * amount per doubling. Both figures were chosen on the first two sets of questions, over their own documents and mixed with up
 * to 660 real skills, so that four of five off-topic questions are weak. `npm run bench:search` prints the whole curve.
 */
const ENOUGH = { documents: 144, score: 0.285, perDoubling: 0.0285 } as const;

/** Whether the hits may not answer the query. Vectors find something close to every question, even an off-topic one. */
export function isWeak({ scores, shares }: Ranking, found: readonly number[]): boolean {
  const [first] = found;
  // The document contains every word of the query.
  if (first !== undefined && (shares[first] ?? 0) > 0.999) return false;
  return (
    strengthOf(
      found.slice(0, WEIGHED_HITS).map((index) => scores[index] ?? 0),
      scores.length,
    ) < 0
  );
}

/** How far the top scores are above the weak threshold. */
export function strengthOf(best: readonly number[], documents: number): number {
  const mean = best.reduce((sum, score) => sum + score, 0) / WEIGHED_HITS;
  return mean - (ENOUGH.score + ENOUGH.perDoubling * Math.log2(Math.max(1, documents) / ENOUGH.documents));
}
