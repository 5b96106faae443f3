import { expect, test } from 'vitest';
import { readQuery } from '../../src/search/query.ts';
import { hashTerm } from '../../src/search/words/terms.ts';
import { stem } from '../../src/search/words/stem.ts';

function read(query: string, documentWords: readonly string[], known: readonly string[] = [], correctionsLeft = 4) {
  const hashes = new Set(documentWords.map((word) => hashTerm(stem(word))));
  return readQuery(query, {
    occurs: (hash) => hashes.has(hash),
    correctionsLeft,
    knows: (word) => known.includes(word),
    words: () => [...known, ...documentWords],
  });
}

test('a misspelled word that no document has is corrected to the nearest one that a document has', () => {
  expect(read('deploy to kuberntes', ['kubernetes', 'deploy']).corrections).toEqual([
    { typed: 'kuberntes', meant: 'kubernetes' },
  ]);
  expect(read('spreadhseet', ['spreadsheet']).corrections).toEqual([{ typed: 'spreadhseet', meant: 'spreadsheet' }]);
});

test('a word that a document has, that the model knows, or that is short or a number is left alone', () => {
  expect(read('kuberntes', ['kuberntes', 'kubernetes']).corrections).toEqual([]);
  expect(read('forming', ['farming'], ['forming']).corrections).toEqual([]);
  expect(read('gti 20250 a1b2c3', ['git', '20251']).corrections).toEqual([]);
  expect(read('quantum', ['kubernetes']).corrections).toEqual([]);
});

test('an abbreviation and its long form match each other, and the model gets the long form', () => {
  const forms = (query: string): readonly (readonly number[])[] => read(query, [], ['kubernetes']).words[0] ?? [];
  expect(forms('k8s')).toContainEqual([hashTerm(stem('kubernetes'))]);
  expect(forms('Kubernetes')).toContainEqual([hashTerm(stem('k8s'))]);
  expect(forms('PR')).toContainEqual([hashTerm(stem('pull')), hashTerm(stem('request'))]);
  expect(read('k8s pods', [], ['kubernetes', 'pods']).text).toBe('k8s pods kubernetes');
});

test('a word counts once, however often it is typed', () => {
  expect(read('test tests testing the', ['test']).words).toHaveLength(1);
});

test('only so many words are corrected, because each is compared with every word there is', () => {
  const typed = 'spreadhseet kuberntes containre deploymnet';
  const words = ['spreadsheet', 'kubernetes', 'container', 'deployment'];
  expect(read(typed, words).corrections).toHaveLength(4);
  expect(read(typed, words, [], 2).corrections).toHaveLength(2);
});
