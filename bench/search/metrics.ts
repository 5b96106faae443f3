export interface Scores {
  ndcg10: number;
  reciprocalRank: number;
  recall5: number;
  recall10: number;
}

/** Scores one ranking against its expected ids; each expected id is worth the same. */
export function scoreRanking(ranking: readonly string[], expected: readonly string[]): Scores {
  const gains = ranking.slice(0, 10).map((id) => (expected.includes(id) ? 1 : 0));
  const discounted = (items: readonly number[]): number =>
    items.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
  const ideal = discounted(Array.from({ length: Math.min(10, expected.length) }, () => 1));
  const first = ranking.findIndex((id) => expected.includes(id));
  return {
    ndcg10: ideal === 0 ? 0 : discounted(gains) / ideal,
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
    recall5: recall(ranking.slice(0, 5), expected),
    recall10: recall(ranking.slice(0, 10), expected),
  };
}

function recall(found: readonly string[], expected: readonly string[]): number {
  return expected.length === 0 ? 0 : expected.filter((id) => found.includes(id)).length / expected.length;
}

export function meanScores(scores: readonly Scores[]): Scores {
  const mean = (key: keyof Scores): number =>
    scores.reduce((sum, item) => sum + item[key], 0) / Math.max(1, scores.length);
  return {
    ndcg10: mean('ndcg10'),
    reciprocalRank: mean('reciprocalRank'),
    recall5: mean('recall5'),
    recall10: mean('recall10'),
  };
}

/**
 * Paired bootstrap: how often the mean difference stays above zero when the questions are drawn again, and the middle 95 %
 * of that difference. The draws come from a fixed seed, so the table is the same each time.
 */
export function pairedBootstrap(
  a: readonly number[],
  b: readonly number[],
  draws = 10_000,
): { better: number; low: number; high: number } {
  const differences = a.map((value, index) => value - (b[index] ?? 0));
  let state = 0x9e_37_79_b9;
  const random = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const means = Array.from({ length: draws }, () => {
    let sum = 0;
    for (let i = 0; i < differences.length; i++) sum += differences[Math.floor(random() * differences.length)] ?? 0;
    return sum / differences.length;
  }).sort((x, y) => x - y);
  return {
    better: means.filter((mean) => mean > 0).length / draws,
    low: means[Math.floor(draws * 0.025)] ?? 0,
    high: means[Math.floor(draws * 0.975)] ?? 0,
  };
}
