import path from 'node:path';
import { expect, test } from 'vitest';
import { readCorpus, readFixture } from '../../bench/search/fixture.ts';

const documents = readCorpus(path.resolve(import.meta.dirname, '../../bench/search/third'));

const first = readFixture(path.resolve(import.meta.dirname, '../fixtures/search')).documents;

/** Two texts that share this many words in a row were copied, or made from one template. */
const SHINGLE_WORDS = 8;

/** Markdown around a word is not part of it. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['.-][\p{L}\p{N}]+)*/gu) ?? [];
}

function shinglesOf(text: string): Set<string> {
  const words = wordsOf(text);
  return new Set(
    Array.from({ length: Math.max(0, words.length - SHINGLE_WORDS + 1) }, (_, at) =>
      words.slice(at, at + SHINGLE_WORDS).join(' '),
    ),
  );
}

test('the third corpus has at least 400 documents, skills and requirements', () => {
  expect(documents.length).toBeGreaterThanOrEqual(400);
  expect(documents.filter(({ kind }) => kind === 'skill').length).toBeGreaterThanOrEqual(320);
  expect(documents.filter(({ kind }) => kind === 'requirement').length).toBeGreaterThanOrEqual(70);
});

test('every document of the third corpus has a unique id and name, with ids in kebab case', () => {
  expect(new Set(documents.map(({ name }) => name.toLowerCase())).size).toBe(documents.length);
  expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  expect(documents.map(({ id }) => id).filter((id) => first.some((other) => other.id === id))).toEqual([]);
  const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)?$/u;
  expect(documents.map(({ id }) => id).filter((id) => !kebab.test(id))).toEqual([]);
});

test('every description of the third corpus is one or two sentences on one line', () => {
  const wrong = documents.filter(({ description }) => {
    const ends = description.match(/[.!?](?=\s|$)/gu) ?? [];
    return !/^\S.*[.!?]$/u.test(description) || ends.length > 2;
  });
  expect(wrong.map(({ id, description }) => `${id}: ${description}`)).toEqual([]);
});

test('every body of the third corpus has 60 to 150 words', () => {
  const counts = documents.map(({ id, body }) => ({ id, words: wordsOf(body()).length }));
  expect(counts.filter(({ words }) => words < 60 || words > 150)).toEqual([]);
});

test('every requirement of the third corpus contains SHALL and has a scenario', () => {
  const requirements = documents.filter(({ kind }) => kind === 'requirement');
  const wrong = requirements.filter(
    ({ description, body }) => !description.includes('SHALL') || !/Scenario: .+\bWHEN\b.+\bTHEN\b/su.test(body()),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('no two bodies of the third corpus share eight words in a row', () => {
  const owners = new Map<string, string>();
  const shared: string[] = [];
  for (const { id, body } of documents) {
    for (const shingle of shinglesOf(body())) {
      const owner = owners.get(shingle);
      if (owner === undefined) owners.set(shingle, id);
      else shared.push(`${owner} and ${id}: ${shingle}`);
    }
  }
  expect(shared).toEqual([]);
});
