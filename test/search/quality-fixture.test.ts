import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFixture } from '../../bench/search/fixture.ts';
import { pairedBootstrap, scoreRanking } from '../../bench/search/metrics.ts';
import { queryTerms } from '../../src/search/words/terms.ts';

const { documents, questions, heldOut } = readFixture(path.resolve(import.meta.dirname, '../fixtures/search'));
const wordsById = new Map(
  documents.map((document) => [
    document.id,
    new Set(queryTerms(`${document.name} ${document.description} ${document.body()}`)),
  ]),
);

function sharedWords(query: string, id: string): string[] {
  return queryTerms(query).filter((term) => wordsById.get(id)?.has(term));
}

/** The part of the words of either query that both have. */
function overlap(one: string, other: string): number {
  const [a, b] = [queryTerms(one), queryTerms(other)];
  return a.filter((term) => b.includes(term)).length / Math.max(1, new Set([...a, ...b]).size);
}

test('the quality fixture has many documents, each with a unique id', () => {
  expect(documents.length).toBeGreaterThanOrEqual(120);
  expect(wordsById.size).toBe(documents.length);
});

describe.each([
  { name: 'the queries the weights were chosen on', set: questions, emptyWords: ['make', 'two'] },
  { name: 'the held-out queries', set: heldOut, emptyWords: [] },
])('$name', ({ set, emptyWords }) => {
  test('are enough to distinguish modes', () => {
    expect(set.paraphrase.length).toBeGreaterThanOrEqual(60);
    expect(set.keyword.length).toBeGreaterThanOrEqual(30);
    expect(set['off-topic'].length).toBeGreaterThanOrEqual(20);
  });

  test('name documents that exist, and none when off-topic', () => {
    const answered = [...set.paraphrase, ...set.keyword];
    expect(answered.filter(({ expected }) => expected.length === 0)).toEqual([]);
    expect(answered.flatMap(({ expected }) => expected).filter((id) => !wordsById.has(id))).toEqual([]);
    expect(set['off-topic'].filter(({ expected }) => expected.length > 0)).toEqual([]);
  });

  test('share no content word with their answer when they are paraphrases', () => {
    const shared = set.paraphrase.flatMap(({ query, expected }) =>
      expected.flatMap((id) =>
        sharedWords(query, id)
          .filter((term) => !emptyWords.includes(term))
          .map((term) => `${id}: ${term} (${query})`),
      ),
    );
    expect(shared).toEqual([]);
  });

  test('share a word with their answer when they are keyword queries', () => {
    const foreign = set.keyword.filter(({ query, expected }) =>
      expected.every((id) => sharedWords(query, id).length === 0),
    );
    expect(foreign).toEqual([]);
  });
});

test('a held-out query is not one of the first set in other clothes', () => {
  const known = Object.values(questions).flat();
  const alike = Object.values(heldOut)
    .flat()
    .flatMap(({ query }) =>
      known.filter((other) => overlap(query, other.query) >= 0.5).map((other) => `${query} | ${other.query}`),
    );
  expect(alike).toEqual([]);
});

describe('the measures', () => {
  test('the first place is worth one, the third a half, the eleventh nothing', () => {
    expect(scoreRanking(['a'], ['a'])).toEqual({ ndcg10: 1, reciprocalRank: 1, recall5: 1, recall10: 1 });
    expect(scoreRanking(['x', 'y', 'a'], ['a'])).toMatchObject({ ndcg10: 0.5, recall5: 1 });
    expect(scoreRanking([...'0123456789', 'a'], ['a'])).toMatchObject({ ndcg10: 0, recall5: 0 });
  });

  test('the bootstrap finds a difference where there is one, and none where there is none', () => {
    const a = Array.from({ length: 50 }, (_, i) => (i % 3 === 0 ? 1 : 0.5));
    expect(
      pairedBootstrap(
        a,
        a.map((value) => value - 0.2),
      ).better,
    ).toBe(1);
    expect(pairedBootstrap(a, a)).toMatchObject({ better: 0, low: 0, high: 0 });
  });
});
