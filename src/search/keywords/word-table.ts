import { breather } from '../../core/breathe.ts';
import { FIRST_HASH, nextHash, slotOf } from '../words/secret-hash.ts';
import { LINE_FEED } from './runs.ts';

const SLICE_BYTES = 1 << 16;

/** Required position of a token's run in a run of the text. */
export interface Place {
  /** The run of the text begins with it. */
  starts: boolean;
  /** The run of the text ends with it. */
  ends: boolean;
}

/**
 * Numbers the runs of all documents, shared by all segments. 100,000 skills have a million different runs, so they are not stored
 * as strings: a hash table over their bytes takes a fifth of the memory. Numbers are never removed.
 */
export class WordTable {
  /** A line feed before each run, and one at the end. */
  #bytes = Buffer.alloc(1 << 16, LINE_FEED);
  #starts = new Uint32Array(1 << 12);
  /** Open-addressing hash table: numbers plus one. */
  #slots = new Uint32Array(1 << 13);
  #end = 1;
  size = 0;

  /** The numbers of the runs in a list, one per line. */
  numbers(list: Uint8Array): number[] {
    const numbers: number[] = [];
    for (let start = 0, at = 0, hash = FIRST_HASH; at <= list.length; at++) {
      const byte = at === list.length ? LINE_FEED : (list[at] ?? 0);
      if (byte !== LINE_FEED) {
        hash = nextHash(hash, byte);
        continue;
      }
      if (at > start) numbers.push(this.#add(list, start, at, hash));
      start = at + 1;
      hash = FIRST_HASH;
    }
    return numbers;
  }

  /** Like `numbers` for a list of any length. Yields to other work, which may add runs too. */
  async numbersInSlices(list: Uint8Array): Promise<number[]> {
    const breathe = breather();
    const numbers: number[] = [];
    for (let start = 0; start < list.length;) {
      const lineEnd = list.indexOf(LINE_FEED, start + SLICE_BYTES);
      const end = lineEnd === -1 ? list.length : lineEnd;
      for (const number of this.numbers(list.subarray(start, end))) numbers.push(number);
      start = end + 1;
      const pause = breathe();
      if (pause) await pause;
    }
    return numbers;
  }

  /** All runs in the order of their numbers, one per line. */
  list(): Buffer {
    return this.#bytes.subarray(1, this.#end);
  }

  /** Numbers of the runs that contain this one, ascending. */
  find(run: string, { starts, ends }: Place): Uint32Array {
    const needle = Buffer.from(`${starts ? '\n' : ''}${run}${ends ? '\n' : ''}`);
    const text = this.#bytes.subarray(0, this.#end);
    const found: number[] = [];
    for (let at = text.indexOf(needle); at !== -1;) {
      const number = this.#numberAt(starts ? at + 1 : at);
      found.push(number);
      // Continues at the line feed that separates it from the next run.
      const next = number + 1 < this.size ? (this.#starts[number + 1] ?? 0) - 1 : this.#end;
      at = text.indexOf(needle, next);
    }
    return Uint32Array.from(found);
  }

  #add(list: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start;
    let slot = slotOf(hash, this.#slots.length);
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & (this.#slots.length - 1)) {
      const number = (this.#slots[slot] ?? 0) - 1;
      const known = this.#starts[number] ?? 0;
      if (this.#bytes[known + length] !== LINE_FEED) continue;
      let same = 0;
      while (same < length && this.#bytes[known + same] === list[start + same]) same += 1;
      if (same === length) return number;
    }
    const number = this.size;
    this.#grow(length);
    this.#starts[number] = this.#end;
    this.#bytes.set(list.subarray(start, end), this.#end);
    this.#end += length + 1;
    this.size += 1;
    if (2 * this.size > this.#slots.length) this.#rehash();
    else this.#slots[slot] = this.size;
    return number;
  }

  #grow(length: number): void {
    if (this.#end + length + 1 > this.#bytes.length) {
      const larger = Buffer.alloc(2 * this.#bytes.length + length, LINE_FEED);
      larger.set(this.#bytes.subarray(0, this.#end));
      this.#bytes = larger;
    }
    if (this.size === this.#starts.length) {
      const larger = new Uint32Array(2 * this.size);
      larger.set(this.#starts);
      this.#starts = larger;
    }
  }

  #rehash(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    for (let number = 0; number < this.size; number++) {
      let hash = FIRST_HASH;
      for (let at = this.#starts[number] ?? 0; this.#bytes[at] !== LINE_FEED; at++)
        hash = nextHash(hash, this.#bytes[at] ?? 0);
      let slot = slotOf(hash, slots.length);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }

  /** Number of the run that contains this byte. */
  #numberAt(at: number): number {
    let low = 0;
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
