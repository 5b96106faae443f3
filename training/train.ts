/**
 * Trains word vectors, so that texts which belong together come near each other.
 *
 *   vector of a word   start[word] * map + own[word]      the start is frozen; words without pairs move with the map
 *   weight of a word   softplus(raw[word])                frequent words begin with less
 *   vector of a text   the weighted sum of its words' vectors, scaled to unit length
 *   loss               symmetric InfoNCE: each text must find its partner among all of the batch, by cosine / temperature
 *
 * `own` and `raw` learn by row-wise Adagrad, the map and the temperature by Adam. The result is the mean of the parameters over the
 * last steps, which is better than the last ones.
 */
import { type Batch, type BatchOptions, drawBatches } from './batches.ts';
import { addProduct, multiplyByRows } from './matrix.ts';
import type { Pairs } from './pairs.ts';
import { seeded } from './random.ts';
import type { StartVectors } from './start-vectors.ts';

export interface TrainOptions extends BatchOptions {
  seed: number;
  steps: number;
  dimensions: number;
  onStep?: (step: number, loss: number) => void;
}

/** What each word adds to the vector of a text. */
export interface WordTable {
  dimensions: number;
  rows: Float32Array;
}

const RATE = { words: 0.02, map: 0.003 } as const;
const FIRST_TEMPERATURE = 0.06;
/** The share of the steps in which the rates grow, and from which on parameters are averaged. */
const WARM_UP = 0.05;
const AVERAGED_FROM = 0.4;
const AVERAGED_EVERY = 10;
const TINY = 1e-8;

/** One side of a batch on its way through the model. */
interface Side {
  texts: readonly Uint16Array[];
  /** Per text: the sum of its words' start vectors, by weight. */
  starts: Float32Array;
  /** Per text: its vector of unit length. */
  vectors: Float32Array;
  lengths: Float32Array;
}

class Parameters {
  readonly size: number;
  readonly startSize: number;
  readonly own: Float32Array;
  readonly raw: Float32Array;
  readonly map: Float32Array;
  logTemperature = Math.log(FIRST_TEMPERATURE);

  constructor(words: number, { dimensions }: StartVectors, size: number, frequencies: Uint32Array) {
    this.size = size;
    this.startSize = dimensions;
    this.own = new Float32Array(words * size);
    this.raw = Float32Array.from(firstWeights(frequencies), inverseSoftplus);
    this.map = new Float32Array(dimensions * size);
    for (let i = 0; i < Math.min(dimensions, size); i++) this.map[i * size + i] = 1;
  }
}

export function train(pairs: Pairs, start: StartVectors, options: TrainOptions): WordTable {
  const { steps, dimensions, seed, onStep } = options;
  const now = new Parameters(pairs.words.length, start, dimensions, pairs.frequencies);
  const mean = new RunningMean(now);
  const nextBatch = drawBatches(pairs, options, seeded(seed));
  const learner = new Learner(now, start);
  const warmUp = Math.max(1, Math.round(steps * WARM_UP));
  for (let step = 0; step < steps; step++) {
    const rate = Math.min((step + 1) / warmUp, (steps - step) / Math.max(1, steps - warmUp));
    const loss = learner.learn(nextBatch(), rate);
    onStep?.(step, loss);
    if (step >= AVERAGED_FROM * steps && step % AVERAGED_EVERY === 0) mean.add(now);
  }
  mean.add(now);
  return tableOf(mean.result(), start);
}

/** The mean of several tables, each scaled to the same mean length of a row. */
export function averageTables(tables: readonly WordTable[]): WordTable {
  const [first] = tables;
  if (!first) throw new Error('there is no table');
  const rows = new Float32Array(first.rows.length);
  for (const table of tables) {
    let squares = 0;
    for (const value of table.rows) squares += value * value;
    const scale = 1 / Math.sqrt(squares / table.rows.length || 1) / tables.length;
    for (let i = 0; i < rows.length; i++) rows[i] = (rows[i] as number) + scale * (table.rows[i] as number);
  }
  return { dimensions: first.dimensions, rows };
}

/** One step after the other on one set of parameters. */
class Learner {
  readonly #parameters: Parameters;
  readonly #start: StartVectors;
  readonly #weights: Float32Array;
  /** Sums of squares for Adagrad: per row of `own`, and per word. */
  readonly #ownSquares: Float32Array;
  readonly #rawSquares: Float32Array;
  readonly #map: Adam;
  readonly #temperature = new Adam(1);
  /** By word: its row in the gradients of this step, plus one. */
  readonly #slots: Uint32Array;

  constructor(parameters: Parameters, start: StartVectors) {
    const { raw, map } = parameters;
    this.#parameters = parameters;
    this.#start = start;
    this.#weights = raw.map(softplus);
    this.#ownSquares = new Float32Array(raw.length);
    this.#rawSquares = new Float32Array(raw.length);
    this.#map = new Adam(map.length);
    this.#slots = new Uint32Array(raw.length);
  }

  /** Returns the loss before the step. */
  learn(batch: Batch, rate: number): number {
    const { size, map, logTemperature } = this.#parameters;
    const count = batch.left.length;
    const [left, right] = [this.#encode(batch.left), this.#encode(batch.right)];
    const logits = new Float32Array(count * count);
    multiplyByRows(left.vectors, right.vectors, logits, [count, count, size]);
    const sharpness = Math.exp(-logTemperature);
    const { loss, slope } = contrast(logits, count, sharpness);
    const leftSlopes = new Float32Array(count * size);
    const rightSlopes = new Float32Array(count * size);
    addProduct(logits, right.vectors, leftSlopes, [count, count, size]);
    addProduct(logits, left.vectors, rightSlopes, [count, count, size], true);
    const gradients = new Gradients(batch, this.#slots, size, map.length);
    this.#backward(left, leftSlopes, gradients);
    this.#backward(right, rightSlopes, gradients);
    this.#update(gradients, rate);
    const temperature = Float32Array.of(logTemperature);
    this.#temperature.step(temperature, Float32Array.of(slope), rate * RATE.map);
    this.#parameters.logTemperature = Math.min(0, Math.max(Math.log(0.01), temperature[0] ?? 0));
    return loss;
  }

  #encode(texts: readonly Uint16Array[]): Side {
    const { size, startSize, own, map } = this.#parameters;
    const starts = new Float32Array(texts.length * startSize);
    const vectors = new Float32Array(texts.length * size);
    const lengths = new Float32Array(texts.length);
    texts.forEach((text, index) => {
      for (const word of text) {
        const weight = this.#weights[word] as number;
        addScaled(starts, index * startSize, this.#start.rows, word * startSize, startSize, weight);
        addScaled(vectors, index * size, own, word * size, size, weight);
      }
    });
    addProduct(starts, map, vectors, [texts.length, startSize, size]);
    texts.forEach((_, index) => {
      const at = index * size;
      const length = Math.sqrt(dot(vectors, at, vectors, at, size)) + TINY;
      for (let i = 0; i < size; i++) vectors[at + i] = (vectors[at + i] as number) / length;
      lengths[index] = length;
    });
    return { texts, starts, vectors, lengths };
  }

  /** From the slopes of the loss by the texts' vectors to those by the parameters. */
  #backward({ texts, starts, vectors, lengths }: Side, slopes: Float32Array, gradients: Gradients): void {
    const { size, startSize, own, raw, map } = this.#parameters;
    texts.forEach((_, index) => {
      const at = index * size;
      const along = dot(vectors, at, slopes, at, size);
      const length = lengths[index] as number;
      for (let i = 0; i < size; i++)
        slopes[at + i] = ((slopes[at + i] as number) - along * (vectors[at + i] as number)) / length;
    });
    addProduct(starts, slopes, gradients.map, [startSize, texts.length, size], true);
    const startSlopes = new Float32Array(texts.length * startSize);
    multiplyByRows(slopes, map, startSlopes, [texts.length, startSize, size]);
    texts.forEach((text, index) => {
      for (const word of text) {
        const slot = (this.#slots[word] as number) - 1;
        addScaled(gradients.own, slot * size, slopes, index * size, size, this.#weights[word] as number);
        const slope =
          dot(this.#start.rows, word * startSize, startSlopes, index * startSize, startSize) +
          dot(own, word * size, slopes, index * size, size);
        gradients.raw[slot] = (gradients.raw[slot] as number) + slope * sigmoid(raw[word] as number);
      }
    });
  }

  #update(gradients: Gradients, rate: number): void {
    const { size, own, raw, map } = this.#parameters;
    gradients.words.forEach((word, slot) => {
      const at = slot * size;
      const squares = (this.#ownSquares[word] as number) + dot(gradients.own, at, gradients.own, at, size) / size;
      this.#ownSquares[word] = squares;
      addScaled(own, word * size, gradients.own, at, size, (-rate * RATE.words) / (Math.sqrt(squares) + TINY));
      const slope = gradients.raw[slot] as number;
      const rawSquares = (this.#rawSquares[word] as number) + slope * slope;
      this.#rawSquares[word] = rawSquares;
      raw[word] = (raw[word] as number) - (rate * RATE.words * slope) / (Math.sqrt(rawSquares) + TINY);
      this.#weights[word] = softplus(raw[word] as number);
      this.#slots[word] = 0;
    });
    this.#map.step(map, gradients.map, rate * RATE.map);
  }
}

/** Only for the words of one batch: most words are in none. */
class Gradients {
  readonly words: number[] = [];
  readonly own: Float32Array;
  readonly raw: Float32Array;
  readonly map: Float32Array;

  constructor({ left, right }: Batch, slots: Uint32Array, size: number, mapSize: number) {
    for (const text of [...left, ...right])
      for (const word of text) if (slots[word] === 0) slots[word] = this.words.push(word);
    this.own = new Float32Array(this.words.length * size);
    this.raw = new Float32Array(this.words.length);
    this.map = new Float32Array(mapSize);
  }
}

class Adam {
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  #steps = 0;

  constructor(size: number) {
    this.#first = new Float32Array(size);
    this.#second = new Float32Array(size);
  }

  step(values: Float32Array, slopes: Float32Array, rate: number): void {
    this.#steps += 1;
    const [decay, squareDecay] = [0.9, 0.999];
    const [bias, squareBias] = [1 - decay ** this.#steps, 1 - squareDecay ** this.#steps];
    for (let i = 0; i < values.length; i++) {
      const slope = slopes[i] as number;
      const first = decay * (this.#first[i] as number) + (1 - decay) * slope;
      const second = squareDecay * (this.#second[i] as number) + (1 - squareDecay) * slope * slope;
      this.#first[i] = first;
      this.#second[i] = second;
      values[i] = (values[i] as number) - (rate * first) / bias / (Math.sqrt(second / squareBias) + TINY);
    }
  }
}

/** Replaces the cosines by the slopes of the loss. Returns the loss, and its slope by the logarithm of the temperature. */
function contrast(cosines: Float32Array, count: number, sharpness: number): { loss: number; slope: number } {
  const slopes = new Float32Array(cosines.length);
  let loss = 0;
  const along = (from: number, stride: number, partner: number): void => {
    let largest = -1;
    for (let j = 0; j < count; j++) largest = Math.max(largest, cosines[from + j * stride] as number);
    let sum = 0;
    for (let j = 0; j < count; j++) sum += Math.exp(sharpness * ((cosines[from + j * stride] as number) - largest));
    for (let j = 0; j < count; j++) {
      const at = from + j * stride;
      const share = Math.exp(sharpness * ((cosines[at] as number) - largest)) / sum;
      slopes[at] = (slopes[at] as number) + share / (2 * count);
    }
    const right = from + partner * stride;
    slopes[right] = (slopes[right] as number) - 1 / (2 * count);
    loss += (Math.log(sum) - sharpness * ((cosines[right] as number) - largest)) / (2 * count);
  };
  for (let i = 0; i < count; i++) {
    along(i * count, 1, i);
    along(i, count, i);
  }
  let slope = 0;
  for (let i = 0; i < slopes.length; i++) {
    slope -= (slopes[i] as number) * (cosines[i] as number) * sharpness;
    cosines[i] = (slopes[i] as number) * sharpness;
  }
  return { loss, slope };
}

/** The mean of the parameters at several steps. */
class RunningMean {
  readonly #sum: { own: Float64Array; raw: Float64Array; map: Float64Array };
  readonly #of: Parameters;
  #count = 0;

  constructor(parameters: Parameters) {
    const { own, raw, map } = parameters;
    this.#of = parameters;
    this.#sum = {
      own: new Float64Array(own.length),
      raw: new Float64Array(raw.length),
      map: new Float64Array(map.length),
    };
  }

  add(parameters: Parameters): void {
    this.#count += 1;
    for (const key of ['own', 'raw', 'map'] as const) {
      const [sum, values] = [this.#sum[key], parameters[key]];
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (values[i] as number);
    }
  }

  result(): Pick<Parameters, 'own' | 'raw' | 'map' | 'size' | 'startSize'> {
    const mean = (sum: Float64Array): Float32Array => Float32Array.from(sum, (value) => value / this.#count);
    const { size, startSize } = this.#of;
    return { own: mean(this.#sum.own), raw: mean(this.#sum.raw), map: mean(this.#sum.map), size, startSize };
  }
}

function tableOf(
  { own, raw, map, size, startSize }: ReturnType<RunningMean['result']>,
  start: StartVectors,
): WordTable {
  const rows = Float32Array.from(own);
  addProduct(start.rows, map, rows, [raw.length, startSize, size]);
  raw.forEach((value, word) => {
    const weight = softplus(value);
    for (let i = word * size; i < (word + 1) * size; i++) rows[i] = (rows[i] as number) * weight;
  });
  return { dimensions: size, rows };
}

/** A fifth of the information of each word. */
function firstWeights(frequencies: Uint32Array): Float32Array {
  const most = frequencies.reduce((largest, value) => Math.max(largest, value), 1);
  return Float32Array.from(frequencies, (value) => (1 + Math.log((most + 1) / (value + 1))) / 5);
}

function addScaled(
  to: Float32Array,
  toAt: number,
  from: Float32Array,
  fromAt: number,
  size: number,
  scale: number,
): void {
  for (let i = 0; i < size; i++) to[toAt + i] = (to[toAt + i] as number) + scale * (from[fromAt + i] as number);
}

function dot(a: Float32Array, aAt: number, b: Float32Array, bAt: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (a[aAt + i] as number) * (b[bAt + i] as number);
  return sum;
}

function softplus(value: number): number {
  return value > 20 ? value : Math.log1p(Math.exp(value));
}

function inverseSoftplus(value: number): number {
  return value > 20 ? value : Math.log(Math.expm1(Math.max(value, 1e-3)));
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
