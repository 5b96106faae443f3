/** Ranking data of one document: its words with their weights, and its vectors. Contains no names or paths. */
import { createHash } from 'node:crypto';
import { LIMITS } from '../core/limits.ts';
import { runsOfTexts } from './keywords/runs.ts';
import { type Text, textsOf, type WeightedText } from './texts.ts';
import { meanOf, quantize, type Quantized } from './vector.ts';
import { eachTermHash } from './words/terms.ts';

export interface Entry {
  /** Length of the document in weighted words. */
  length: number;
  /** The hashes of its words, ascending. */
  terms: Uint32Array;
  /** Weight of each word, in half steps. */
  weights: Uint8Array;
  head: Quantized | undefined;
  mean: Quantized | undefined;
  chunks: readonly Quantized[];
  /** Runs for keyword search: each run of the document once, one per line. Undefined if keyword search reads the document. */
  runs?: Uint8Array | undefined;
}

/** Returns a vector of unit length, or undefined if the model knows no word of the text. */
export type EmbedText = (text: string) => Float32Array | undefined;

export function makeEntry(document: Omit<Text, 'body'>, body: string, embed: EmbedText | undefined): Entry {
  const { weighted, head, chunks } = textsOf(document, body);
  return { ...wordsOf(weighted), ...vectorsOf(embed && embed(head), embed ? chunks.map(embed) : []) };
}

/** An entry with its runs, so that keyword search need not read the document. */
export function makeFullEntry({ body, ...document }: Text, embed: EmbedText | undefined): Entry {
  const entry = makeEntry(document, body.slice(0, LIMITS.searchedCharacters.value), embed);
  return { ...entry, runs: runsOfTexts([...document.names, document.description, body]) };
}

/** Combines the vectors of the texts of a document. */
export function vectorsOf(
  head: Float32Array | undefined,
  chunks: readonly (Float32Array | undefined)[],
): Pick<Entry, 'head' | 'mean' | 'chunks'> {
  const known = chunks.filter((vector) => vector !== undefined);
  const mean = meanOf(head ? [head, ...known] : known);
  return { head: head && quantize(head), mean: mean && quantize(mean), chunks: known.map(quantize) };
}

function wordsOf(texts: readonly WeightedText[]): Pick<Entry, 'length' | 'terms' | 'weights'> {
  // Keyed by the hash as a signed number, which V8 stores without allocating an object.
  const weights = new Map<number, number>();
  let length = 0;
  for (const { text, weight } of texts) {
    eachTermHash(text, (hash) => {
      weights.set(hash | 0, (weights.get(hash | 0) ?? 0) + weight);
      length += weight;
    });
  }
  const terms = Uint32Array.from(weights.keys()).sort();
  return { length, terms, weights: Uint8Array.from(terms, (term) => Math.min(255, weights.get(term | 0) ?? 0)) };
}

export const KEY_BYTES = 16;

/**
 * Identifies the complete input of an entry: 16 bytes as a string of 16 characters. A text without a context has the same key as
 * before contexts existed.
 */
export function textKey({ names, description, context }: Omit<Text, 'body'>, body: string): string {
  const parts = context === undefined ? [names, description] : [names, description, context];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  return hash.update(body).digest().toString('latin1', 0, KEY_BYTES);
}

/** A text key in hexadecimal, for file names. */
export function hexKey(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * KEY_BYTES);
}

export function keyOfText(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, KEY_BYTES);
}
