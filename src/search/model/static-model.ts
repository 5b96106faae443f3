/**
 * Word vectors trained for skills and specs. The vector of a text is the weighted sum of the rows of its words, so no inference is
 * needed: embedding a text takes microseconds.
 *
 *   header   6 x uint32: magic, version, words, dimensions, bytes of the word list, 0
 *   scales   float32 per word: scale of the row; frequent words weigh less
 *   rows     int8 per word and dimension
 *   words    UTF-8, one per line, most frequent first, padded with line feeds
 */
import { sha256Of } from '../../core/sha256.ts';
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
  /** All known words, most frequent first. */
  readonly words: readonly string[];
  has(word: string): boolean;
  /** How much a word distinguishes texts, from near 0 for the most frequent word to 1 for an unknown one. */
  rarity(word: string): number;
  /** Returns a vector of unit length, or undefined if the model knows no word of the text. */
  embed(text: string): Float32Array | undefined;
}

/** Fails unless the bytes have this hash. */
export function openStaticModel(bytes: Uint8Array, sha256: string): StaticModel {
  const actual = sha256Of(bytes);
  if (actual !== sha256) throw damaged(`its SHA-256 is ${actual.slice(0, 12)}…, not ${sha256.slice(0, 12)}…`);
  return readStaticModel(bytes, sha256);
}

/** Reads a model without checking the hash. */
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
  const list = Buffer.from(buffer, byteOffset + listAt, listBytes);
  const table = new WordList(list, count);
  return {
    sha256,
    dimensions,
    get words() {
      return table.words;
    },
    has: (word) => table.find(word) !== -1,
    // By Zipf's law, the logarithm of the rank grows like the information of a word.
    rarity: (word) => {
      const row = table.find(word);
      return Math.log(2 + (row === -1 ? count : row)) / Math.log(2 + count);
    },
    embed(text) {
      const sum = new Float64Array(dimensions);
      let found = false;
      eachPlainWord(text, (word) => {
        const row = table.find(word);
        if (row === -1) return;
        found = true;
        const scale = scales[row] ?? 0;
        const at = row * dimensions;
        for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + scale * (rows[at + i] ?? 0);
      });
      return found ? normalized(sum) : undefined;
    },
  };
}

/**
 * Finds the row of a word. Every search command opens the list, so it is not converted to 35,000 strings: a hash table over its
 * bytes takes a tenth of the time.
 */
class WordList {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  /** Open-addressing hash table: rows plus one. */
  readonly #slots: Uint32Array;
  /** Linked lists of rows by the first letters of the word. */
  #families: { first: Map<number, number>; next: Int32Array } | undefined;
  /** Rows by stem, grouped by the first letters of the word. */
  readonly #stems = new Map<number, Map<string, number>>();
  /** Caches unknown words, which repeat. */
  readonly #unknown = new Map<string, number>();
  #words: readonly string[] | undefined;

  constructor(bytes: Buffer, count: number) {
    this.#bytes = bytes;
    this.#starts = new Uint32Array(count + 1);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    let at = 0;
    for (let row = 0; row < count; row++) {
      let hash = FIRST_HASH;
      while (at < bytes.length && bytes[at] !== LINE_FEED) hash = nextHash(hash, bytes[at++] ?? 0);
      at += 1;
      this.#starts[row + 1] = at;
      this.#slots[this.#freeSlot(hash)] = row + 1;
    }
  }

  get words(): readonly string[] {
    const count = this.#starts.length - 1;
    return (this.#words ??= this.#bytes.toString('utf8').split('\n', count));
  }

  /** Returns the row of a word, or of the most frequent word with the same stem; -1 if there is none. */
  find(word: string): number {
    const row = this.#exact(word);
    if (row !== -1) return row;
    const known = this.#unknown.get(word);
    if (known !== undefined) return known;
    const found = this.#stemsLike(word).get(stem(word)) ?? -1;
    if (this.#unknown.size < REMEMBERED_UNKNOWN) this.#unknown.set(word, found);
    return found;
  }

  #exact(word: string): number {
    let hash = FIRST_HASH;
    for (let i = 0; i < word.length; i++) {
      const unit = word.charCodeAt(i);
      if (unit > 127) return this.#exactBytes(Buffer.from(word));
      hash = nextHash(hash, unit);
    }
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = (this.#slots[slot] ?? 0) - 1;
      const start = this.#starts[row] ?? 0;
      if ((this.#starts[row + 1] ?? 0) - start - 1 !== word.length) continue;
      let i = 0;
      while (i < word.length && this.#bytes[start + i] === word.charCodeAt(i)) i += 1;
      if (i === word.length) return row;
    }
    return -1;
  }

  #exactBytes(word: Buffer): number {
    const mask = this.#slots.length - 1;
    for (let slot = word.reduce(nextHash, FIRST_HASH) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = (this.#slots[slot] ?? 0) - 1;
      if (this.#bytes.subarray(this.#starts[row], (this.#starts[row + 1] ?? 0) - 1).equals(word)) return row;
    }
    return -1;
  }

  #freeSlot(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    return slot;
  }

  /** Stems of words with the same beginning. Stemming all words would take longer than embedding many texts. */
  #stemsLike(word: string): ReadonlyMap<string, number> {
    const family = familyOf(Buffer.from(word), 0);
    let stems = this.#stems.get(family);
    if (!stems) {
      stems = new Map();
      this.#families ??= this.#linkFamilies();
      const { first, next } = this.#families;
      for (let row = first.get(family) ?? -1; row !== -1; row = next[row] ?? 0) {
        const stemmed = stem(this.#bytes.toString('utf8', this.#starts[row], (this.#starts[row + 1] ?? 0) - 1));
        if (!stems.has(stemmed)) stems.set(stemmed, row);
      }
      this.#stems.set(family, stems);
    }
    return stems;
  }

  #linkFamilies(): { first: Map<number, number>; next: Int32Array } {
    const count = this.#starts.length - 1;
    const first = new Map<number, number>();
    const next = new Int32Array(count);
    // In reverse, so that the most frequent word of a family comes first.
    for (let row = count - 1; row >= 0; row--) {
      const family = familyOf(this.#bytes, this.#starts[row] ?? 0);
      next[row] = first.get(family) ?? -1;
      first.set(family, row);
    }
    return { first, next };
  }
}

const LINE_FEED = 10;
const [LETTER_I, LETTER_Y] = [105, 121];
const FIRST_HASH = 0x81_1c_9d_c5 | 0;
const REMEMBERED_UNKNOWN = 50_000;

function nextHash(hash: number, byte: number): number {
  const mixed = Math.imul(hash ^ byte, 0x01_00_01_93);
  return mixed ^ (mixed >>> 15);
}

/** The first three bytes of a word as a number. A stem begins like its word, except for a final `y`. */
function familyOf(bytes: Uint8Array, at: number): number {
  let family = 0;
  for (let i = at; i < at + 3; i++) {
    const byte = bytes[i] ?? LINE_FEED;
    if (byte === LINE_FEED) break;
    family = (family << 8) | (byte === LETTER_Y ? LETTER_I : byte);
  }
  return family;
}

function damaged(problem: string): Failure {
  return new Failure('MODEL_UNAVAILABLE', `The bundled search model cannot be used: ${problem}.`, {
    hint: 'Install Lectern again.',
  });
}
