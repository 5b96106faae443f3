import type { Ranking } from './rank.ts';

/** The mean of so many of the best scores separates answered questions from foreign ones better than the best one alone. */
export const WEIGHED_HITS = 3;

/**
 * A lower mean is weak. Foreign questions come nearer by chance if there are more documents, by about the same amount each time
 * their number doubles. Both figures were chosen on the first two sets of questions, over their own documents and over these
 * among up to 660 real skills, so that four of five foreign questions are weak. `npm run bench:search` prints the whole curve.
 */
const ENOUGH = { documents: 144, score: 0.285, perDoubling: 0.0285 } as const;

/** Whether the hits may not answer the query: vectors find something near for every question, also for foreign ones. */
export function isWeak({ scores, shares }: Ranking, found: readonly number[]): boolean {
  const [first] = found;
  // All words of the query are there.
  if (first !== undefined && (shares[first] ?? 0) > 0.999) return false;
  return (
    strengthOf(
      found.slice(0, WEIGHED_HITS).map((index) => scores[index] ?? 0),
      scores.length,
    ) < 0
  );
}

/** How far the best scores are above what is weak. */
export function strengthOf(best: readonly number[], documents: number): number {
  const mean = best.reduce((sum, score) => sum + score, 0) / WEIGHED_HITS;
  return mean - (ENOUGH.score + ENOUGH.perDoubling * Math.log2(Math.max(1, documents) / ENOUGH.documents));
}
