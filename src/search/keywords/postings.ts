import type { Entry } from '../entry.ts';
import { narrow, type Numbers, numbersUpTo } from '../numbers.ts';
import type { WordTable } from './word-table.ts';

export interface Keywords {
  /** Sets a 1 for each document that has one of these runs, from `at` on. `isWanted` has a 1 for each run. */
  mark(wanted: Uint32Array, isWanted: Uint8Array, into: Uint8Array, at: number): void;
}

/** For each run of a segment, the documents that have it. */
export class KeywordPostings implements Keywords {
  /** The numbers of the runs, ascending. */
  readonly #runs: Uint32Array;
  readonly #starts: Numbers;
  readonly #documents: Numbers;

  constructor(entries: readonly Pick<Entry, 'runs'>[], table: WordTable) {
    const places: number[] = [];
    for (const [document, { runs }] of entries.entries())
      if (runs) for (const number of table.numbers(runs)) places.push(document, number);
    const sorted = Uint32Array.from(places);
    // As 64-bit numbers, run first, which the engine sorts without calling back.
    new BigUint64Array(sorted.buffer).sort();
    const count = sorted.length / 2;
    const runs: number[] = [];
    const starts: number[] = [];
    this.#documents = numbersUpTo(entries.length, count);
    for (let place = 0; place < count; place++) {
      this.#documents[place] = sorted[2 * place] as number;
      const run = sorted[2 * place + 1] as number;
      if (runs.length > 0 && runs.at(-1) === run) continue;
      runs.push(run);
      starts.push(place);
    }
    this.#runs = Uint32Array.from(runs);
    this.#starts = narrow([...starts, count], count);
  }

  mark(wanted: Uint32Array, isWanted: Uint8Array, into: Uint8Array, at: number): void {
    // Few runs are looked up, and for many, all of the segment are looked at.
    if (wanted.length * 8 < this.#runs.length) {
      for (let index = 0, from = 0; index < wanted.length && from < this.#runs.length; index++) {
        from = this.#firstFrom(from, wanted[index] as number);
        if (this.#runs[from] === wanted[index]) this.#markAll(from, into, at);
      }
      return;
    }
    for (let place = 0; place < this.#runs.length; place++)
      if (isWanted[this.#runs[place] as number] === 1) this.#markAll(place, into, at);
  }

  #markAll(place: number, into: Uint8Array, at: number): void {
    const end = this.#starts[place + 1] as number;
    for (let each = this.#starts[place] as number; each < end; each++) into[at + (this.#documents[each] as number)] = 1;
  }

  /** The first place from there on whose run is not before this one. */
  #firstFrom(from: number, run: number): number {
    let low = from;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#runs[middle] as number) < run) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
