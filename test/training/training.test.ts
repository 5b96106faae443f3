/** The recipe of the word vectors, on a tiny set of pairs that is made up here. */
import { describe, expect, test } from 'vitest';
import type { SearchDocument } from '../../src/search/document.ts';
import { readStaticModel } from '../../src/search/model/static-model.ts';
import { drawBatches } from '../../training/batches.ts';
import { withoutEvaluation } from '../../training/contamination.ts';
import { addProduct, multiplyByRows } from '../../training/matrix.ts';
import { readPairs, selectPairs, textOf } from '../../training/pairs.ts';
import { seeded } from '../../training/random.ts';
import { center, readStartVectors } from '../../training/start-vectors.ts';
import { averageTables, train, type TrainOptions } from '../../training/train.ts';
import { writeModel } from '../../training/write-model.ts';

interface Written {
  type: number;
  left: string[];
  right: string[];
}

/** The file that `readPairs` reads. */
function pairsFile(words: readonly string[], pairs: readonly Written[], frequencies = words.map(() => 3)): Buffer {
  const ids = (side: 'left' | 'right') => pairs.flatMap((pair) => pair[side].map((word) => words.indexOf(word)));
  const numbers = (values: readonly number[], bytes: 2 | 4): Buffer => {
    const buffer = Buffer.alloc(values.length * bytes);
    values.forEach((value, i) => buffer.writeUIntLE(value, i * bytes, bytes));
    return buffer;
  };
  const [left, right] = [ids('left'), ids('right')];
  return Buffer.concat([
    numbers([0x31_50_58_4c, 1, pairs.length, words.length, left.length, right.length], 4),
    Buffer.from(pairs.map(({ type }) => type)),
    numbers([...pairs.map((pair) => pair.left.length), ...pairs.map((pair) => pair.right.length)], 2),
    numbers([...left, ...right], 2),
    numbers(frequencies, 4),
    Buffer.from(words.join('\n')),
  ]);
}

const TOPICS = 12;
const WORDS_PER_TOPIC = 6;
const topicOf = (word: number): number => Math.floor(word / WORDS_PER_TOPIC);

/** Words of a topic appear together, never with those of another topic. */
const words = Array.from({ length: TOPICS * WORDS_PER_TOPIC }, (_, index) => `w${letters(index)}`);
const wordAt = (topic: number, index: number): string =>
  words[topic * WORDS_PER_TOPIC + (index % WORDS_PER_TOPIC)] ?? '';
const tiny = readPairs(
  pairsFile(
    words,
    Array.from({ length: 240 }, (_, index) => {
      const [topic, first] = [index % TOPICS, Math.floor(index / TOPICS)];
      const at = (offset: number): string => wordAt(topic, first + offset);
      return { type: 1, left: [at(0), at(1)], right: [at(2), at(3), at(4)] };
    }),
  ),
);
const START = 20;
const random = seeded(7);
const rows = Float32Array.from({ length: words.length * START }, () => random() - 0.5);
center(rows, START);
const start = { dimensions: START, rows };
const OPTIONS: TrainOptions = {
  seed: 1,
  steps: 150,
  dimensions: 16,
  size: 12,
  typeWeights: { 1: 1 },
  overlapDropout: 0.6,
  wordDropout: 0.35,
};

/** Letters only: digits would be split from them. */
function letters(index: number): string {
  return String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26), 120);
}

/** How much nearer the words of one topic are than those of two. */
function separation(file: Uint8Array): number {
  const model = readStaticModel(file, '');
  const vectors = words.map((word) => model.embed(word) ?? new Float32Array(model.dimensions));
  const count = { same: { sum: 0, pairs: 0 }, other: { sum: 0, pairs: 0 } };
  vectors.forEach((a, i) =>
    vectors.slice(i + 1).forEach((b, j) => {
      const kind = topicOf(i) === topicOf(i + 1 + j) ? 'same' : 'other';
      count[kind].sum += a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
      count[kind].pairs += 1;
    }),
  );
  return count.same.sum / count.same.pairs - count.other.sum / count.other.pairs;
}

describe('training', () => {
  test('brings words that belong together nearer, as the search reads them', () => {
    const before = separation(writeModel(words, train(tiny, start, { ...OPTIONS, steps: 0 })));
    const losses: number[] = [];
    const table = train(tiny, start, { ...OPTIONS, onStep: (_, loss) => void losses.push(loss) });
    expect(before).toBeLessThan(0.1);
    expect(separation(writeModel(words, table))).toBeGreaterThan(before + 0.25);
    expect(losses.at(-1)).toBeLessThan(losses[0] ?? 0);
  });

  test('gives the same for the same seed, and something else for another', () => {
    const short = { ...OPTIONS, steps: 5 };
    expect(train(tiny, start, short)).toEqual(train(tiny, start, short));
    expect(train(tiny, start, { ...short, seed: 2 })).not.toEqual(train(tiny, start, short));
  });

  test('the slopes it follows are those of the loss', () => {
    // Always the same batch, so every step against the slope must lower the loss.
    const losses: number[] = [];
    const options = { ...OPTIONS, steps: 30, overlapDropout: 0, wordDropout: 0, size: 1_000 };
    const one = selectPairs(tiny, [...Array(TOPICS).keys()]);
    train(one, start, { ...options, onStep: (_, loss) => void losses.push(loss) });
    expect(losses.slice(1).filter((loss, index) => loss > (losses[index] ?? 0))).toEqual([]);
    expect(losses.at(-1)).toBeLessThan(0.1 * (losses[0] ?? 0));
  });

  test('the average of tables of different sizes counts each the same', () => {
    const table = { dimensions: 2, rows: Float32Array.of(1, 0, 0, 1) };
    const large = { dimensions: 2, rows: Float32Array.of(0, 100, 100, 0) };
    const [a = 0, b = 0, c = 0, d = 0] = averageTables([table, large]).rows;
    expect([a - b, c - d]).toEqual([0, 0]);
  });
});

describe('batches', () => {
  const pairs = readPairs(
    pairsFile(
      ['connect', 'connected', 'server', 'port', 'other'],
      [
        { type: 1, left: ['connect', 'server'], right: ['connected', 'port'] },
        { type: 2, left: ['other'], right: ['port'] },
        { type: 3, left: [], right: ['port'] },
      ],
    ),
  );
  const draw = (more: Partial<TrainOptions>) =>
    drawBatches(pairs, { ...OPTIONS, wordDropout: 0, ...more }, seeded(3))();

  test('without the words that both sides share, by their stems', () => {
    expect(draw({ overlapDropout: 1 }).right).toEqual([Uint16Array.of(3)]);
    expect(draw({ overlapDropout: 0 }).right).toEqual([Uint16Array.of(1, 3)]);
  });

  test('never have an empty text, and only the types that are wanted', () => {
    for (let round = 0; round < 50; round++) {
      const { left, right } = draw({ wordDropout: 0.99, typeWeights: { 1: 1, 2: 1, 3: 0 } });
      for (const text of [...left, ...right]) expect(text.length).toBeGreaterThan(0);
    }
    expect(draw({ typeWeights: { 2: 1 } }).left).toEqual([Uint16Array.of(4)]);
    expect(() => draw({ typeWeights: {} })).toThrow(/no pair/u);
  });
});

describe('files', () => {
  test('pairs come back as they were written; damaged files are refused', () => {
    const file = pairsFile(['a', 'b', 'c'], [{ type: 4, left: ['b'], right: ['c', 'a'] }], [9, 5, 1]);
    const read = readPairs(file);
    expect([read.words, [...read.frequencies], [...read.types]]).toEqual([['a', 'b', 'c'], [9, 5, 1], [4]]);
    expect([[...textOf(read.left, 0)], [...textOf(read.right, 0)]]).toEqual([[1], [2, 0]]);
    expect(() => readPairs(file.subarray(0, 30))).toThrow(/cut short/u);
    expect(() => readPairs(Buffer.from(file).fill(1, 0, 4))).toThrow(/not a file of pairs/u);
  });

  test('start vectors are read from 16-bit floats, centered and scaled; unknown words stay unknown', () => {
    const half = (value: number): number => ({ 0: 0, 1: 0x3c_00, 3: 0x42_00, [-2]: 0xc0_00 })[value] ?? Number.NaN;
    const bytes = new Uint8Array(Uint16Array.of(...[1, 1, 3, 1, 0, 0].map(half)).buffer);
    const read = readStartVectors(bytes, 3);
    expect(read.dimensions).toBe(2);
    expect([...read.rows]).toEqual([-1, 0, 1, 0, 0, 0]);
    expect(() => readStartVectors(bytes, 5)).toThrow(/rows for 5 words/u);
  });

  test('the model has the first words only, as near to the table as a byte allows', () => {
    const table = { dimensions: 4, rows: Float32Array.of(1, 0.5, 0, -1, 0.1, 0.2, 0.3, 0.4, 1, 1, 1, 1) };
    const model = readStaticModel(writeModel(['alpha', 'bravo', 'charlie'], table, 2), '');
    expect(model.words).toEqual(['alpha', 'bravo']);
    const [first = 0, second = 0, third = 0, fourth = 0] = model.embed('bravo') ?? [];
    for (const [value, wanted] of [
      [second / first, 2],
      [third / first, 3],
      [fourth / first, 4],
    ])
      expect(value).toBeCloseTo(wanted ?? 0, 1);
    expect(model.embed('charlie')).toBeUndefined();
  });
});

test('pairs that share a name or eight words in a row with the evaluation are left out and counted', () => {
  const vocabulary = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliet'];
  const pair = (left: string[], right: string[]): Written => ({ type: 1, left, right });
  const pairs = readPairs(
    pairsFile(vocabulary, [
      pair(['alpha', 'bravo'], ['juliet']),
      pair(['juliet'], vocabulary.slice(1, 10)),
      pair(['juliet'], vocabulary.slice(1, 8)),
      pair(['alpha'], ['bravo']),
    ]),
  );
  const document: SearchDocument = {
    kind: 'skill',
    id: 'x',
    name: 'alpha-bravo',
    names: ['alpha-bravo', 'alpha'],
    path: 'x',
    description: '',
    body: () => 'Bravo, charlie: delta the echo! Foxtrot golf, hotel india.',
  };
  const cleaned = withoutEvaluation(pairs, [document], []);
  expect([cleaned.names, cleaned.shingles, cleaned.pairs.types.length]).toEqual([1, 1, 2]);
  expect([...textOf(cleaned.pairs.right, 0)]).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(withoutEvaluation(pairs, [], [vocabulary.join(' ')]).shingles).toBe(1);
});

test('matrix products match the plain loops', () => {
  const next = seeded(5);
  const filled = (size: number): Float32Array => Float32Array.from({ length: size }, () => next() - 0.5);
  const [n, m, width] = [5, 7, 6];
  const [a, b, c] = [filled(n * width), filled(m * width), filled(n * m)];
  const products = new Float32Array(n * m);
  multiplyByRows(a, b, products, [n, m, width]);
  const sums = new Float32Array(n * width);
  addProduct(c, b, sums, [n, m, width]);
  const across = new Float32Array(m * width);
  addProduct(c, a, across, [m, n, width], true);
  const at = (values: Float32Array, index: number): number => values[index] ?? 0;
  const total = (count: number, term: (index: number) => number): number =>
    Array.from({ length: count }, (_, index) => term(index)).reduce((sum, value) => sum + value, 0);
  products.forEach((value, index) => {
    const [i, j] = [Math.floor(index / m), index % m];
    expect(value).toBeCloseTo(
      total(width, (k) => at(a, i * width + k) * at(b, j * width + k)),
      5,
    );
  });
  sums.forEach((value, index) => {
    const [i, k] = [Math.floor(index / width), index % width];
    expect(value).toBeCloseTo(
      total(m, (j) => at(c, i * m + j) * at(b, j * width + k)),
      5,
    );
  });
  across.forEach((value, index) => {
    const [j, k] = [Math.floor(index / width), index % width];
    expect(value).toBeCloseTo(
      total(n, (i) => at(c, i * m + j) * at(a, i * width + k)),
      5,
    );
  });
});
