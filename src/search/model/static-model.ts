/**
 * Word vectors trained for skills and specs. A text's vector is the weighted sum of its words' rows, so there is nothing to
 * run: embedding a text costs microseconds.
 *
 *   header   6 x uint32: magic, version, words, dimensions, bytes of the word list, 0
 *   scales   float32 per word: what a row's bytes are worth; frequent words weigh less
 *   rows     int8 per word and dimension
 *   words    UTF-8, one per line, most frequent first, padded with line feeds
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import { normalized } from '../vector.ts';
import { stem } from '../words/stem.ts';
import { eachPlainWord } from '../words/terms.ts';

const MAGIC = 0x31_56_58_4c;
const VERSION = 1;
const HEADER_BYTES = 24;

export interface StaticModel {
  /** The SHA-256 of the file. Only vectors of one model may be compared. */
  readonly sha256: string;
  readonly dimensions: number;
  /** Every word it knows, most frequent first. */
  readonly words: readonly string[];
  has(word: string): boolean;
  /** A vector of unit length; undefined if it knows no word of the text. */
  embed(text: string): Float32Array | undefined;
}

/** Fails if the bytes are not the file with this hash. */
export function openStaticModel(bytes: Uint8Array, sha256: string): StaticModel {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) throw damaged(`its SHA-256 is ${actual.slice(0, 12)}…, not ${sha256.slice(0, 12)}…`);
  return readStaticModel(bytes, sha256);
}

/** The model in these bytes, whatever their hash. */
export function readStaticModel(bytes: Uint8Array, sha256: string): StaticModel {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, byteLength } = aligned;
  if (byteLength < HEADER_BYTES) throw damaged('it is cut short');
  const [magic, version, count = 0, dimensions = 0, listBytes = 0] = new Uint32Array(buffer, byteOffset, 6);
  if (magic !== MAGIC || version !== VERSION) throw damaged('it has another format');
  const rowsAt = HEADER_BYTES + 4 * count;
  const listAt = rowsAt + count * dimensions;
  if (byteLength !== listAt + listBytes) throw damaged('it has the wrong size');
  const scales = new Float32Array(buffer, byteOffset + HEADER_BYTES, count);
  const rows = new Int8Array(buffer, byteOffset + rowsAt, count * dimensions);
  const words = Buffer.from(buffer, byteOffset + listAt, listBytes)
    .toString('utf8')
    .split('\n', count);
  const rowOf = new Map<string, number>();
  for (const [row, word] of words.entries()) rowOf.set(word, row);
  let rowOfStem: Map<string, number> | undefined;
  /** The row of an unknown word is that of the most frequent word with the same stem. Remembered, because unknown words repeat. */
  const find = (word: string): number => {
    const known = rowOf.get(word);
    if (known !== undefined) return known;
    rowOfStem ??= stemsOf(words);
    const row = rowOfStem.get(stem(word)) ?? -1;
    if (rowOf.size < 2 * count) rowOf.set(word, row);
    return row;
  };
  return {
    sha256,
    dimensions,
    words,
    has: (word) => find(word) !== -1,
    embed(text) {
      const sum = new Float64Array(dimensions);
      let found = false;
      eachPlainWord(text, (word) => {
        const row = find(word);
        if (row === -1) return;
        found = true;
        const scale = scales[row] ?? 0;
        const at = row * dimensions;
        for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] as number) + scale * (rows[at + i] as number);
      });
      return found ? normalized(sum) : undefined;
    },
  };
}

function stemsOf(words: readonly string[]): Map<string, number> {
  const rows = new Map<string, number>();
  words.forEach((word, row) => {
    const stemmed = stem(word);
    if (!rows.has(stemmed)) rows.set(stemmed, row);
  });
  return rows;
}

function damaged(problem: string): Failure {
  return new Failure('MODEL_UNAVAILABLE', `The bundled search model cannot be used: ${problem}.`, {
    hint: 'Install Lectern again.',
  });
}
