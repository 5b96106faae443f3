import { expect, test } from 'vitest';
import { type Entry, makeEntry } from '../../src/search/entry.ts';
import { rank } from '../../src/search/rank.ts';
import { openSegment, type Segment } from '../../src/search/segment.ts';
import { decodeVectors, encodeVectors } from '../../src/search/segments/vectors-file.ts';
import { decodeWords, encodeWords } from '../../src/search/segments/words-file.ts';
import { quantize } from '../../src/search/vector.ts';
import { hashTerm } from '../../src/search/words/terms.ts';
import { cosine } from '../support/cosine.ts';
import { doc } from '../support/documents.ts';
import { fc, times } from '../support/effort.ts';

const word = fc.constantFrom('git', 'form', 'tabl', 'imag', 'queue', 'cach', 'rout');
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 });

const ID = 'x'.repeat(16);

function indexed(entries: readonly Entry[]): Segment {
  const words = decodeWords(encodeWords({ id: ID, keys: entries.map(() => ID) }, entries));
  if (!words) throw new Error('cannot be decoded');
  return openSegment(words, decodeVectors(encodeVectors(ID, entries)));
}

/** The formula, word by word. */
function scoreOf(documents: readonly string[][], at: number, query: readonly string[]): number {
  const lengths = documents.map((words) => 2 * words.length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  let [information, words] = [0, 0];
  for (const term of query) {
    const found = documents.filter((each) => each.includes(term)).length;
    const idf = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5));
    information += idf;
    const weight = (2 * (documents[at] ?? []).filter((each) => each === term).length) / 2;
    if (weight === 0) continue;
    words += (idf * weight) / (weight + 1.2 * (0.25 + (0.75 * (lengths[at] ?? 0)) / average));
  }
  return information === 0 ? 0 : words / information;
}

test('words are scored by the formula', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 6 }),
      fc.uniqueArray(word, { maxLength: 4 }),
      async (bodies, query) => {
        const entries = bodies.map((body) => makeEntry(doc('', { names: [''] }), body, undefined));
        const { scores } = await rank(
          [indexed(entries)],
          [{ words: query.map((term) => [[hashTerm(term)]]), vector: undefined }],
        );
        const split = bodies.map((body) => body.split(' ').filter((each) => each !== ''));
        scores.forEach((score, index) => expect(score).toBeCloseTo(scoreOf(split, index, query), 6));
      },
    ),
    { numRuns: times(200) },
  );
});

test('meaning is the head twice, the nearest chunk and the mean; several queries count by the mean of their scores', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(numbers, numbers, numbers, numbers),
      numbers,
      numbers,
      async ([head, mean, one, two], first, second) => {
        const [h, m, a, b] = [head, mean, one, two].map(quantize);
        if (!h || !m || !a || !b) return;
        const entry = {
          length: 0,
          terms: new Uint32Array(0),
          weights: new Uint8Array(0),
          head: h,
          mean: m,
          chunks: [a, b],
        };
        const expected = [first, second].map(quantize).map((query) => {
          return (2 * cosine(h, query) + Math.max(cosine(a, query), cosine(b, query)) + cosine(m, query)) / 4;
        });
        const queries = [first, second].map((query) => ({ words: [], vector: quantize(query) }));
        const { scores } = await rank([indexed([entry])], queries);
        expect(scores[0]).toBeCloseTo(((expected[0] ?? 0) + (expected[1] ?? 0)) / 2, 9);
      },
    ),
    { numRuns: times(200) },
  );
});

test('any form of a word counts, and a form of several words only if all of them occur', async () => {
  const entries = ['kubernet', 'pull', 'pull request'].map((body) =>
    makeEntry(doc('', { names: [''] }), body, undefined),
  );
  const found = async (forms: string[][]): Promise<number[]> => {
    const words = [forms.map((form) => form.map(hashTerm))];
    return [...(await rank([indexed(entries)], [{ words, vector: undefined }])).shares];
  };
  expect(await found([['k8'], ['kubernet']])).toEqual([1, 0, 0]);
  expect(await found([['pr'], ['pull', 'request']])).toEqual([0, 0, 1]);
});

test('documents in several indexed segments get the scores that they have in one', async () => {
  const vector = fc.option(numbers, { nil: undefined });
  const document = fc.record({ body: text, head: vector });
  const form = fc.array(word, { minLength: 1, maxLength: 2 });
  const query = fc.record({
    words: fc.array(fc.array(form, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
    vector,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(document, { maxLength: 5 }), { maxLength: 4 }),
      fc.array(query, { minLength: 1, maxLength: 3 }),
      async (groups, asked) => {
        const entries = groups.map((group) =>
          group.map(({ body, head }) =>
            makeEntry(doc('', { names: [''] }), body, head && (() => Float32Array.from(head))),
          ),
        );
        const queries = asked.map(({ words, vector: of }) => ({
          words: words.map((forms) => forms.map((terms) => terms.map(hashTerm))),
          vector: of && quantize(Float32Array.from(of)),
        }));
        const one = await rank([indexed(entries.flat())], queries);
        const several = await rank(
          entries.map((group) => indexed(group)),
          queries,
        );
        for (const part of ['scores', 'cosines', 'shares'] as const) {
          expect(several[part]).toHaveLength(one[part].length);
          several[part].forEach((value, index) => expect(value).toBeCloseTo(one[part][index] ?? Number.NaN, 9));
        }
        for (const hash of asked.flatMap(({ words }) => words.flat(2)).map(hashTerm))
          expect(entries.map((group) => indexed(group)).some((segment) => segment.has(hash))).toBe(
            entries.flat().some(({ terms }) => terms.includes(hash)),
          );
      },
    ),
    { numRuns: times(200) },
  );
});
