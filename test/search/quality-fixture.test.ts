import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFixture } from '../../bench/search/fixture.js';
import { pairedBootstrap, scoreRanking } from '../../bench/search/metrics.js';
import { queryTerms } from '../../src/search/words/terms.js';

const { documents, questions } = readFixture(path.resolve(import.meta.dirname, '../fixtures/search'));

describe('the quality fixture', () => {
  test('is large enough to tell modes apart', () => {
    expect(documents.length).toBeGreaterThanOrEqual(120);
    expect(questions.paraphrase.length).toBeGreaterThanOrEqual(60);
    expect(questions.keyword.length).toBeGreaterThanOrEqual(30);
    expect(questions['off-topic'].length).toBeGreaterThanOrEqual(20);
  });

  test('names documents that exist, each with an id of its own', () => {
    const ids = documents.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const asked = [...questions.paraphrase, ...questions.keyword].flatMap(({ expected }) => expected);
    expect(asked.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('a paraphrase shares no content word with its answer', () => {
    const empty = new Set(['make', 'two']);
    const byId = new Map(
      documents.map((document) => [document.id, new Set(queryTerms(`${document.name} ${document.description} ${document.body()}`))]),
    );
    const shared = questions.paraphrase.flatMap(({ query, expected }) =>
      expected.flatMap((id) =>
        queryTerms(query)
          .filter((term) => !empty.has(term) && byId.get(id)?.has(term))
          .map((term) => `${id}: ${term} (${query})`),
      ),
    );
    expect(shared).toEqual([]);
  });
});

describe('the measures', () => {
  test('the first place is worth one, the third a half, the eleventh nothing', () => {
    expect(scoreRanking(['a'], ['a'])).toEqual({ ndcg10: 1, reciprocalRank: 1, recall5: 1 });
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
