import { BEST_SCORE, type Ranking } from './rank.ts';

/** The mean of this many top scores separates answered questions from off-topic ones better than the top score alone. */
export const WEIGHED_HITS = 3;

/**
 * An answer with a lower mean is weak. With more documents, off-topic questions score higher by chance, by about the same
 * amount per doubling. Both figures were chosen on the first two sets of questions and on the questions about requirements, over
 * their own documents and mixed with up to 660 real skills, so that about four of five off-topic questions are weak.
 * `npm run bench:search` prints the whole curve.
 */
const ENOUGH = { documents: 144, score: 0.33, perDoubling: 0.045 } as const;

/**
 * Documents with a lower score are not counted as results, unless they reach half of the best score: a weak answer has low scores.
 * On every set of questions, this leaves out at most one in fifty of the right documents among the first ten.
 */
export function floorBelow(best: number): number {
  return Math.min(NEGLIGIBLE, best / 2);
}

/** A share of `BEST_SCORE`. */
const NEGLIGIBLE = 0.1 * BEST_SCORE;

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
