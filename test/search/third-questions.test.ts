import path from 'node:path';
import { expect, test } from 'vitest';
import { readCorpus, readQuestions } from '../../bench/search/fixture.ts';

const third = path.resolve(import.meta.dirname, '../../bench/search/third');

const ids = new Set(readCorpus(third).map(({ id }) => id));

const questions = readQuestions(`${third}/questions/questions.txt`);

const answered = [...questions.paraphrase, ...questions.keyword];

test('the third corpus has enough questions of every kind', () => {
  expect(questions.paraphrase.length).toBeGreaterThanOrEqual(120);
  expect(questions.keyword.length).toBeGreaterThanOrEqual(40);
  expect(questions['off-topic'].length).toBeGreaterThanOrEqual(40);
});

test('every paraphrase expects one to three documents of the third corpus, every keyword one', () => {
  const unknown = answered.flatMap(({ expected }) => expected.filter((id) => !ids.has(id)));
  expect(unknown).toEqual([]);
  const { paraphrase, keyword } = questions;
  expect(paraphrase.filter(({ expected }) => expected.length < 1 || expected.length > 3)).toEqual([]);
  expect(keyword.filter(({ expected }) => expected.length !== 1)).toEqual([]);
});

test('an off-topic question of the third corpus expects nothing', () => {
  expect(questions['off-topic'].filter(({ expected }) => expected.length > 0)).toEqual([]);
});

test('no question of the third corpus occurs twice', () => {
  const queries = [...answered, ...questions['off-topic']].map(({ query }) => query.toLowerCase());
  expect(queries.filter((query, at) => queries.indexOf(query) !== at)).toEqual([]);
});

test('no question of the third corpus is the title of an expected document', () => {
  const copied = answered.filter(({ query, expected }) => {
    const words = query.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
    return expected.some((id) => id.slice(id.indexOf('/') + 1) === words);
  });
  expect(copied).toEqual([]);
});
