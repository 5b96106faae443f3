import { eachWord, termsOfWord } from '../words/terms.ts';
import { type Postings, PostingsWriter } from './postings.ts';
import { type IndexedText, weightedTexts } from './weighted-texts.ts';

/** A document's number and its weight share one uint32. */
const WEIGHT_BITS = 8;
const MAX_WEIGHT = 2 ** WEIGHT_BITS - 1;
const MAX_DOCUMENTS = 2 ** (32 - WEIGHT_BITS);

/** The same words occur again and again. The cache is cleared when it has this many. */
const REMEMBERED_WORDS = 200_000;

export interface OldIndex {
  postings: Postings;
  /** For every document of the old index its new number, or -1 if it is gone. New numbers keep the old order. */
  renumbered: Int32Array;
}

/**
 * Collects documents and writes the block. With an old index its lists are copied and only the documents added here are read:
 * one changed file among ten thousand costs one reading.
 */
export class LexicalBuilder {
  #old: OldIndex | undefined;
  #firstNew: number;
  #terms = new Map<string, number>();
  #lengths: number[] = [];
  #entryTerms = new Uint32Array(1 << 16);
  #entries = new Uint32Array(1 << 16);
  #used = 0;
  #termsOfWords = new Map<string, readonly number[]>();
  /** The weights of one document's terms, by term. Reset to zero after each document. */
  #weights = new Uint32Array(1 << 16);

  constructor(old?: OldIndex) {
    this.#old = old;
    this.#firstNew = old ? old.renumbered.reduce((count, number) => (number === -1 ? count : count + 1), 0) : 0;
  }

  /** Adds the next document. Numbers are assigned in order. */
  add(document: IndexedText): void {
    const number = this.#firstNew + this.#lengths.length;
    if (number >= MAX_DOCUMENTS) throw new RangeError('too many documents for one index');
    const touched: number[] = [];
    for (const { text, weight } of weightedTexts(document)) {
      eachWord(text, (word) => {
        for (const term of this.#numbersOf(word)) {
          const before = this.#weights[term] as number;
          if (before === 0) touched.push(term);
          this.#weights[term] = before + weight;
        }
      });
    }
    let length = 0;
    for (const term of touched) {
      const weight = Math.min(MAX_WEIGHT, this.#weights[term] as number);
      this.#weights[term] = 0;
      this.#push(term, number, weight);
      length += weight;
    }
    this.#lengths.push(length);
  }

  #numbersOf(word: string): readonly number[] {
    let numbers = this.#termsOfWords.get(word);
    if (numbers === undefined) {
      if (this.#termsOfWords.size >= REMEMBERED_WORDS) this.#termsOfWords.clear();
      numbers = termsOfWord(word).map((term) => this.#numberOf(term));
      this.#termsOfWords.set(word, numbers);
    }
    return numbers;
  }

  #numberOf(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.size;
    this.#terms.set(term, number);
    if (number >= this.#weights.length) this.#weights = doubled(this.#weights);
    return number;
  }

  #push(term: number, document: number, weight: number): void {
    if (this.#used === this.#entries.length) {
      this.#entryTerms = doubled(this.#entryTerms);
      this.#entries = doubled(this.#entries);
    }
    this.#entryTerms[this.#used] = term;
    this.#entries[this.#used] = ((document << WEIGHT_BITS) | weight) >>> 0;
    this.#used += 1;
  }

  finish(): Uint8Array {
    const { starts, sorted } = this.#byTerm();
    const fresh = [...this.#terms].sort((a, b) => (a[0] < b[0] ? -1 : 1));
    const writer = new PostingsWriter();
    const addFresh = (index: number): void => {
      for (let at = starts[index] ?? 0; at < (starts[index + 1] ?? 0); at++) {
        const entry = sorted[at] ?? 0;
        writer.add(entry >>> WEIGHT_BITS, entry & MAX_WEIGHT);
      }
    };
    // Both dictionaries are sorted, so one pass merges them.
    let next = 0;
    const old = this.#old;
    for (let index = 0; index < (old?.postings.termCount ?? 0); index++) {
      const term = old?.postings.term(index) ?? '';
      for (let item = fresh[next]; item !== undefined && item[0] < term; item = fresh[++next]) {
        addFresh(item[1]);
        writer.endTerm(item[0]);
      }
      old?.postings.each(index, (document, weight) => {
        const number = old.renumbered[document] ?? -1;
        if (number !== -1) writer.add(number, weight);
      });
      const same = fresh[next];
      if (same?.[0] === term) {
        addFresh(same[1]);
        next += 1;
      }
      writer.endTerm(term);
    }
    for (let item = fresh[next]; item !== undefined; item = fresh[++next]) {
      addFresh(item[1]);
      writer.endTerm(item[0]);
    }
    return writer.finish(this.#allLengths());
  }

  #allLengths(): Uint32Array {
    const lengths = new Uint32Array(this.#firstNew + this.#lengths.length);
    this.#old?.renumbered.forEach((number, index) => {
      if (number !== -1) lengths[number] = this.#old?.postings.lengths[index] ?? 0;
    });
    lengths.set(this.#lengths, this.#firstNew);
    return lengths;
  }

  /** A counting sort. Entries were added in document order, so each term's list is ascending. */
  #byTerm(): { starts: Uint32Array; sorted: Uint32Array } {
    const starts = new Uint32Array(this.#terms.size + 1);
    for (let at = 0; at < this.#used; at++) {
      const slot = (this.#entryTerms[at] ?? 0) + 1;
      starts[slot] = (starts[slot] ?? 0) + 1;
    }
    for (let index = 1; index < starts.length; index++) starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0);
    const cursor = starts.slice();
    const sorted = new Uint32Array(this.#used);
    for (let at = 0; at < this.#used; at++) {
      const index = this.#entryTerms[at] ?? 0;
      const place = cursor[index] ?? 0;
      sorted[place] = this.#entries[at] ?? 0;
      cursor[index] = place + 1;
    }
    return { starts, sorted };
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
