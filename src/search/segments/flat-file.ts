/**
 * Number arrays in one block of bytes: a magic number, a few counts, then the arrays, each aligned to four bytes. Opening creates
 * a view per array, so a large file is usable as soon as it is read. Callers detect damage by the hash.
 */
import { type Numbers, numbersUpTo } from '../numbers.ts';

type FlatArray = Uint8Array | Int8Array | Uint16Array | Uint32Array | Float32Array;

export function encodeFlat(magic: number, counts: readonly number[], arrays: readonly FlatArray[]): Uint8Array {
  const head = Uint32Array.from([magic, counts.length, ...counts]);
  const parts = [head, ...arrays];
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + padded(byteLength), 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padded(byteLength);
  }
  return bytes;
}

export class FlatFile {
  readonly counts: readonly number[];
  readonly #bytes: Uint8Array;
  #at: number;

  private constructor(bytes: Uint8Array, counts: readonly number[]) {
    this.#bytes = bytes;
    this.counts = counts;
    this.#at = 8 + 4 * counts.length;
  }

  /** Returns undefined for bytes of another format. */
  static open(given: Uint8Array, magic: number): FlatFile | undefined {
    const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
    if (bytes.byteLength < 8 || bytes.byteLength % 4 !== 0) return undefined;
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const count = words[1] ?? 0;
    if (words[0] !== magic || words.length < 2 + count) return undefined;
    return new FlatFile(bytes, [...words.subarray(2, 2 + count)]);
  }

  uint8 = (count: number): Uint8Array => this.#take(Uint8Array, count);
  int8 = (count: number): Int8Array => this.#take(Int8Array, count);
  uint32 = (count: number): Uint32Array => this.#take(Uint32Array, count);
  float32 = (count: number): Float32Array => this.#take(Float32Array, count);

  /** Reads an array created by `numbersUpTo`. */
  numbers(largest: number, count: number): Numbers {
    return this.#take(numbersUpTo(largest, 0).constructor as new (...where: Where) => Numbers, count);
  }

  /** Whether all bytes were read. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.byteLength;
  }

  #take<A extends { byteLength: number }>(Kind: new (...where: Where) => A, count: number): A {
    const { buffer, byteOffset } = this.#bytes;
    const taken = new Kind(buffer, byteOffset + this.#at, count);
    this.#at += padded(taken.byteLength);
    return taken;
  }
}

type Where = [buffer: ArrayBufferLike, byteOffset: number, length: number];

function padded(size: number): number {
  return size + ((4 - (size % 4)) % 4);
}
