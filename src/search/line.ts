/**
 * Scores one line of an agent's list for a request. The weights of words come from the bundled table and the length of a line does
 * not count, so no score depends on another line.
 *
 *   cos    = request · line, or 0 if it is negative
 *   words  = Σ rarity · saturated weight in the line / Σ rarity
 *   score  = (cos + words) / 2
 */
import type { StaticModel } from './model/static-model.ts';
import { readQuery } from './query.ts';
import { dot, quantize, type Quantized } from './vector.ts';
import { eachTermHash } from './words/terms.ts';

/** Weights of a word in the name and in the text of a line, as in the ranking of documents. */
export const NAME_WEIGHT = 3;
export const TEXT_WEIGHT = 2;

/** Saturation: repeating a word adds less and less. */
const SATURATION = 1.2;

/** From 0 to 1. */
export function saturated(weight: number): number {
  return weight / (weight + SATURATION);
}

export interface Line {
  /** Weight of each word, by the hash of its stem. */
  weights: ReadonlyMap<number, number>;
  /** Undefined if the model knows no word of the line. */
  vector: Quantized | undefined;
}

export interface TriedRequest {
  words: readonly { typed: string; forms: readonly (readonly number[])[]; rarity: number }[];
  vector: Quantized | undefined;
}

export interface LineScore {
  /** From 0 to 1. */
  score: number;
  /** Words of the request that the line contains, as typed. */
  words: string[];
}

export function readLine(model: StaticModel, name: string, text: string): Line {
  const weights = new Map<number, number>();
  const add = (part: string, weight: number): void =>
    eachTermHash(part, (hash) => {
      weights.set(hash, (weights.get(hash) ?? 0) + weight);
    });
  add(name, NAME_WEIGHT);
  add(text, TEXT_WEIGHT);
  return { weights, vector: vectorOfLine(model, name, text) };
}

export function vectorOfLine(model: StaticModel, name: string, text: string): Quantized | undefined {
  return vectorOf(model, `${name}. ${text}`);
}

/** Spelling is not corrected: a correction would depend on the words of the other lines. */
export function readRequest(model: StaticModel, request: string): TriedRequest {
  const { words, typed, text } = readQuery(request, {
    occurs: () => true,
    knows: (word) => model.has(word),
    correctionsLeft: 0,
    words: () => [],
  });
  return {
    words: typed.map((word, index) => ({ typed: word, forms: words[index] ?? [], rarity: model.rarity(word) })),
    vector: vectorOf(model, text),
  };
}

export function scoreLine({ words, vector }: TriedRequest, line: Line): LineScore {
  const matching: string[] = [];
  let [sum, most] = [0, 0];
  for (const { typed, forms, rarity } of words) {
    most += rarity;
    const weight = Math.max(0, ...forms.map((form) => weightIn(line, form)));
    if (weight === 0) continue;
    matching.push(typed);
    sum += rarity * saturated(weight);
  }
  return { score: (cosine(vector, line.vector) + (most === 0 ? 0 : sum / most)) / 2, words: matching };
}

/** How much two lines have in common, from 0 to 1. */
export function cosine(a: Quantized | undefined, b: Quantized | undefined): number {
  if (!a || !b) return 0;
  return Math.min(1, Math.max(0, dot(a.values, 0, b.values) * a.norm * b.norm));
}

/** A form of several words has the weight of its rarest word in the line. */
function weightIn({ weights }: Line, form: readonly number[]): number {
  return form.length === 0 ? 0 : Math.min(...form.map((hash) => weights.get(hash) ?? 0));
}

function vectorOf(model: StaticModel, text: string): Quantized | undefined {
  const vector = model.embed(text);
  return vector && quantize(vector);
}
