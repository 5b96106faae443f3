/**
 * Ranking data of one document: its words with their weights, and its vectors. Built once per text and cached, so it contains no
 * names or paths.
 *
 *   header   uint32 length, uint16 words, uint16 dimensions, uint8 chunks, uint8 flags (1: head, 2: mean, 4: runs), uint16 0
 *   norms    float32 per vector, in the order head, mean, chunks
 *   terms    uint32 per word: its hash, ascending
 *   weights  uint8 per word, in half steps
 *   values   int8 per vector and dimension
 *   runs     if flag 4 is set: the rest, UTF-8, one run per line; padded with line feeds
 */
import { createHash } from 'node:crypto';
import { LIMITS } from '../core/limits.ts';
import { LINE_FEED, runsOfTexts } from './keywords/runs.ts';
import { textsOf, type WeightedText } from './texts.ts';
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

const HEADER_BYTES = 12;
const HAS_HEAD = 1;
const HAS_MEAN = 2;
const HAS_RUNS = 4;

/** Returns a vector of unit length, or undefined if the model knows no word of the text. */
export type EmbedText = (text: string) => Float32Array | undefined;

/** The texts of a document. */
export interface Text {
  names: readonly string[];
  description: string;
  body: string;
}

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

/** The weight of a word in the document; 0 if it does not occur. */
export function weightOf({ terms, weights }: Entry, hash: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const term = terms[middle] as number;
    if (term === hash) return weights[middle] as number;
    if (term < hash) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

export const KEY_BYTES = 16;

/** Identifies the complete input of an entry: 16 bytes as a string of 16 characters. */
export function textKey({ names, description }: Omit<Text, 'body'>, body: string): string {
  const hash = createHash('sha256').update(JSON.stringify([names, description]));
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

export function encodeEntry({ length, terms, weights, head, mean, chunks, runs }: Entry): Uint8Array {
  const vectors = [...(head ? [head] : []), ...(mean ? [mean] : []), ...chunks];
  const dimensions = vectors[0]?.values.length ?? 0;
  const runsAt = HEADER_BYTES + 4 * vectors.length + 5 * terms.length + dimensions * vectors.length;
  const size = runsAt + (runs?.length ?? 0);
  const bytes = new Uint8Array(size + ((4 - (size % 4)) % 4));
  if (runs) bytes.fill(LINE_FEED, runsAt).set(runs, runsAt);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length, true);
  view.setUint16(4, terms.length, true);
  view.setUint16(6, dimensions, true);
  view.setUint8(8, chunks.length);
  view.setUint8(9, (head ? HAS_HEAD : 0) | (mean ? HAS_MEAN : 0) | (runs ? HAS_RUNS : 0));
  new Float32Array(bytes.buffer, HEADER_BYTES, vectors.length).set(vectors.map(({ norm }) => norm));
  let at = HEADER_BYTES + 4 * vectors.length;
  new Uint32Array(bytes.buffer, at, terms.length).set(terms);
  at += 4 * terms.length;
  bytes.set(weights, at);
  at += terms.length;
  for (const { values } of vectors) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, dimensions), at);
    at += dimensions;
  }
  return bytes;
}

/** Decodes an entry as views of the bytes, which must start at a multiple of four. */
export function decodeEntry({ buffer, byteOffset, byteLength }: Uint8Array): Entry {
  const view = new DataView(buffer, byteOffset, byteLength);
  const [count, dimensions, chunkCount, flags] = [
    view.getUint16(4, true),
    view.getUint16(6, true),
    view.getUint8(8),
    view.getUint8(9),
  ];
  const vectorCount = chunkCount + (flags & HAS_HEAD ? 1 : 0) + (flags & HAS_MEAN ? 1 : 0);
  const norms = new Float32Array(buffer, byteOffset + HEADER_BYTES, vectorCount);
  const termsAt = HEADER_BYTES + 4 * vectorCount;
  const weightsAt = termsAt + 4 * count;
  let at = byteOffset + weightsAt + count;
  const vectors = Array.from(norms, (norm): Quantized => {
    const values = new Int8Array(buffer, at, dimensions);
    at += dimensions;
    return { values, norm };
  });
  const head = flags & HAS_HEAD ? vectors.shift() : undefined;
  const mean = flags & HAS_MEAN ? vectors.shift() : undefined;
  return {
    length: view.getUint32(0, true),
    terms: new Uint32Array(buffer, byteOffset + termsAt, count),
    weights: new Uint8Array(buffer, byteOffset + weightsAt, count),
    head,
    mean,
    chunks: vectors,
    runs: flags & HAS_RUNS ? new Uint8Array(buffer, at, byteOffset + byteLength - at) : undefined,
  };
}
