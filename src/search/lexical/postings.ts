/**
 * The lexical index as one block of bytes. It is used as it is: opening it parses nothing.
 *
 *   header    8 x uint32: magic, version, documents, terms, bytes of terms, bytes of postings, total weight, reserved
 *   lengths   uint32 per document: the sum of its terms' weights
 *   counts    uint32 per term: in how many documents it occurs
 *   textEnds  uint32 per term: where its text ends in `texts`
 *   listEnds  uint32 per term: where its list ends in `lists`
 *   texts     the terms in UTF-8, sorted by UTF-16 units, padded to four bytes
 *   lists     per term and document: the distance to the previous document (variable length) and the weight (one byte)
 */
const MAGIC = 0x4c_58_31_00;
export const POSTINGS_VERSION = 1;
const HEADER_FIELDS = 8;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export interface Postings {
  documentCount: number;
  termCount: number;
  averageLength: number;
  lengths: Uint32Array;
  /** In how many documents a term occurs. */
  counts: Uint32Array;
  term(index: number): string;
  /** The number of a term, or -1. */
  find(term: string): number;
  /** Walks one term's list. */
  each(index: number, use: (document: number, weight: number) => void): void;
}

/** The bytes are not a lexical index of this version. */
export class DamagedPostings extends Error {}

export function openPostings(bytes: Uint8Array): Postings {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / 4));
  const [magic, version, documentCount = 0, termCount = 0, textBytes = 0, listBytes = 0, totalWeight = 0] = words;
  if (magic !== MAGIC || version !== POSTINGS_VERSION) throw new DamagedPostings('not a lexical index of this version');
  const fixedWords = HEADER_FIELDS + documentCount + 3 * termCount;
  const textStart = fixedWords * 4;
  const listStart = textStart + padded(textBytes);
  if (aligned.byteLength !== listStart + listBytes) throw new DamagedPostings('the lexical index has the wrong size');
  let at = HEADER_FIELDS;
  const take = (length: number): Uint32Array => words.subarray(at, (at += length));
  const lengths = take(documentCount);
  const counts = take(termCount);
  const textEnds = take(termCount);
  const listEnds = take(termCount);
  const texts = aligned.subarray(textStart, textStart + textBytes);
  const lists = aligned.subarray(listStart);
  // Offsets outside the block would be read as up to four gigabytes of zeros.
  if (!isAscending(textEnds, textBytes) || !isAscending(listEnds, listBytes))
    throw new DamagedPostings('the lexical index is in disorder');

  const term = (index: number): string => decoder.decode(texts.subarray(textEnds[index - 1] ?? 0, textEnds[index]));
  return {
    documentCount,
    termCount,
    averageLength: documentCount === 0 ? 0 : totalWeight / documentCount,
    lengths,
    counts,
    term,
    find(wanted) {
      let low = 0;
      let high = termCount - 1;
      while (low <= high) {
        const middle = (low + high) >>> 1;
        const found = term(middle);
        if (found === wanted) return middle;
        if (found < wanted) low = middle + 1;
        else high = middle - 1;
      }
      return -1;
    },
    each(index, use) {
      const end = listEnds[index] ?? 0;
      let position = listEnds[index - 1] ?? 0;
      let document = -1;
      while (position < end) {
        let distance = 0;
        let shift = 0;
        let byte = 0;
        do {
          byte = lists[position++] ?? 0;
          distance |= (byte & 0x7f) << shift;
          shift += 7;
        } while (byte > 0x7f);
        document += distance;
        const weight = lists[position++] ?? 0;
        if (document >= 0 && document < documentCount) use(document, weight);
      }
    },
  };
}

function isAscending(ends: Uint32Array, last: number): boolean {
  let previous = 0;
  for (const end of ends) {
    if (end < previous) return false;
    previous = end;
  }
  return previous === last;
}

/** Writes the block term by term. Terms must be sorted, and their documents ascending. */
export class PostingsWriter {
  #texts = new GrowingBytes();
  #lists = new GrowingBytes();
  #counts: number[] = [];
  #textEnds: number[] = [];
  #listEnds: number[] = [];
  #previous = -1;
  #count = 0;

  add(document: number, weight: number): void {
    let distance = document - this.#previous;
    this.#previous = document;
    this.#count += 1;
    while (distance > 0x7f) {
      this.#lists.push((distance & 0x7f) | 0x80);
      distance >>>= 7;
    }
    this.#lists.push(distance);
    this.#lists.push(weight);
  }

  /** Closes the list of the documents added since the last term. */
  endTerm(term: string): void {
    if (this.#count === 0) return;
    this.#texts.append(encoder.encode(term));
    this.#counts.push(this.#count);
    this.#textEnds.push(this.#texts.length);
    this.#listEnds.push(this.#lists.length);
    this.#previous = -1;
    this.#count = 0;
  }

  finish(lengths: Uint32Array): Uint8Array {
    const terms = this.#counts.length;
    const textStart = (HEADER_FIELDS + lengths.length + 3 * terms) * 4;
    const listStart = textStart + padded(this.#texts.length);
    const bytes = new Uint8Array(listStart + this.#lists.length);
    const words = new Uint32Array(bytes.buffer, 0, textStart / 4);
    const totalWeight = lengths.reduce((sum, length) => sum + length, 0);
    words.set([MAGIC, POSTINGS_VERSION, lengths.length, terms, this.#texts.length, this.#lists.length, totalWeight]);
    let at = HEADER_FIELDS;
    for (const section of [lengths, this.#counts, this.#textEnds, this.#listEnds]) {
      words.set(section, at);
      at += section.length;
    }
    bytes.set(this.#texts.view(), textStart);
    bytes.set(this.#lists.view(), listStart);
    return bytes;
  }
}

class GrowingBytes {
  #bytes = new Uint8Array(1 << 16);
  length = 0;

  push(byte: number): void {
    if (this.length === this.#bytes.length) this.#grow(this.length + 1);
    this.#bytes[this.length++] = byte;
  }

  append(more: Uint8Array): void {
    if (this.length + more.length > this.#bytes.length) this.#grow(this.length + more.length);
    this.#bytes.set(more, this.length);
    this.length += more.length;
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
