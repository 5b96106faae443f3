import path from 'node:path';
import { expect, test } from 'vitest';
import { readQuestions, readRequirements } from '../../bench/search/fixture.ts';

const dir = path.resolve(import.meta.dirname, '../../bench/search/requirements');
const ids = new Set(readRequirements(dir).map(({ id }) => id));
const questions = readQuestions(`${dir}/questions/questions.txt`);
const otherLanguages = readQuestions(`${dir}/questions/other-languages.txt`);
const answered = [...questions.paraphrase, ...questions.keyword, ...otherLanguages.paraphrase];

test('there are 60 natural questions over the requirements, and off-topic ones', () => {
  expect(ids.size).toBeGreaterThanOrEqual(100);
  expect(questions.paraphrase).toHaveLength(60);
  expect(questions['off-topic'].length).toBeGreaterThanOrEqual(20);
});

test('every question expects requirements that exist, and off-topic ones expect nothing', () => {
  expect(answered.flatMap(({ expected }) => expected.filter((id) => !ids.has(id)))).toEqual([]);
  expect(answered.filter(({ expected }) => expected.length === 0)).toEqual([]);
  expect(questions['off-topic'].filter(({ expected }) => expected.length > 0)).toEqual([]);
});
