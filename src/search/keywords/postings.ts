import { type Numbers, numbersUpTo } from '../numbers.ts';
import type { WordsFile } from '../segments/words-file.ts';

export interface Keywords {
  /** Writes 1 to `into` for each document that contains one of these runs, starting at `at`. `isWanted` holds 1 for each run. */
  mark(wanted: Uint32Array, isWanted: Uint8Array, into: Uint8Array, at: number): void;
}

/** For each run of a segment, the documents that contain it. */
export class KeywordPostings implements Keywords {
  /** Numbers of the runs in the shared table, ascending. */
  readonly #runs: Uint32Array;
  /** Position of each run in the file, whose order differs. */
  readonly #places: Numbers;
  readonly #starts: Numbers;
  readonly #documents: Numbers;

  constructor({ runStarts, runDocuments }: WordsFile, numbers: readonly number[]) {
    const pairs = new Uint32Array(2 * numbers.length);
    for (let place = 0; place < numbers.length; place++) {
      pairs[2 * place] = place;
      pairs[2 * place + 1] = numbers[place] ?? 0;
    }
    // Sorted as 64-bit numbers with the run first, which needs no comparison callback.
    new BigUint64Array(pairs.buffer).sort();
    this.#runs = new Uint32Array(numbers.length);
    this.#places = numbersUpTo(numbers.length, numbers.length);
    for (let index = 0; index < numbers.length; index++) {
      this.#places[index] = pairs[2 * index] ?? 0;
      this.#runs[index] = pairs[2 * index + 1] ?? 0;
    }
    this.#starts = runStarts;
    this.#documents = runDocuments;
  }

  mark(wanted: Uint32Array, isWanted: Uint8Array, into: Uint8Array, at: number): void {
    // Few runs are looked up one by one; for many, all runs of the segment are scanned.
    if (wanted.length * 8 < this.#runs.length) {
      for (let index = 0, from = 0; index < wanted.length && from < this.#runs.length; index++) {
        from = this.#firstFrom(from, wanted[index] ?? 0);
        if (this.#runs[from] === wanted[index]) this.#markAll(from, into, at);
      }
      return;
    }
    for (let place = 0; place < this.#runs.length; place++)
      if (isWanted[this.#runs[place] ?? 0] === 1) this.#markAll(place, into, at);
  }

  #markAll(index: number, into: Uint8Array, at: number): void {
    const place = this.#places[index] ?? 0;
    const end = this.#starts[place + 1] ?? 0;
    for (let each = this.#starts[place] ?? 0; each < end; each++) into[at + (this.#documents[each] ?? 0)] = 1;
  }

  /** First position from `from` whose run is not less than this one. */
  #firstFrom(from: number, run: number): number {
    let low = from;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#runs[middle] ?? 0) < run) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
