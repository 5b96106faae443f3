/**
 * Documents that are weighed together. A ranking goes over any number of segments, with their counts summed, so its scores are
 * those of one segment with all the documents.
 */
import { type Entry, weightOf } from './entry.ts';

/** What counts as one word: each form is the hashes of one or more words that must all occur. */
export type WordForms = readonly (readonly number[])[];

export interface Segment {
  readonly entries: readonly Entry[];
  /** Writes the weight of a word in each document to `into`, and returns how many documents have it. */
  weigh(forms: WordForms, into: Uint8Array): number;
  /** Whether a document has the word. */
  has(hash: number): boolean;
}

/** Looks into every document: nothing has to be built first, for documents that are searched once or twice. */
export function scanned(entries: readonly Entry[]): Segment {
  return {
    entries,
    weigh(forms, into) {
      let found = 0;
      for (const [index, entry] of entries.entries()) {
        const weight = weightOfWord(entry, forms);
        into[index] = weight;
        if (weight > 0) found += 1;
      }
      return found;
    },
    has: (hash) => entries.some((entry) => weightOf(entry, hash) > 0),
  };
}

/** Lists, for each word, the documents that have it; at most 65,536 of them. A search then costs what its words occur, not what there is. */
export function indexed(entries: readonly Entry[]): Segment {
  const counts = new Map<number, number>();
  for (const { terms } of entries) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms = Uint32Array.from(counts.keys()).sort();
  const starts = new Uint32Array(terms.length + 1);
  for (const [index, term] of terms.entries()) starts[index + 1] = (starts[index] ?? 0) + (counts.get(term) ?? 0);
  const places = new Map<number, number>();
  for (const [index, term] of terms.entries()) places.set(term, starts[index] ?? 0);
  const documents = new Uint16Array(starts[terms.length] ?? 0);
  const weights = new Uint8Array(documents.length);
  for (const [document, entry] of entries.entries()) {
    for (const [index, term] of entry.terms.entries()) {
      const place = places.get(term) ?? 0;
      documents[place] = document;
      weights[place] = entry.weights[index] ?? 0;
      places.set(term, place + 1);
    }
  }
  const weigh = (forms: WordForms, into: Uint8Array): number => {
    into.fill(0);
    let found = 0;
    for (const form of forms) {
      const [first, ...others] = form;
      const at = first === undefined ? -1 : indexIn(terms, first);
      if (at === -1) continue;
      for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place++) {
        const document = documents[place] ?? 0;
        let weight = weights[place] ?? 0;
        for (const hash of others) weight = Math.min(weight, weightOf(entries[document] as Entry, hash));
        const before = into[document] ?? 0;
        if (weight <= before) continue;
        if (before === 0) found += 1;
        into[document] = weight;
      }
    }
    return found;
  };
  return { entries, weigh, has: (hash) => indexIn(terms, hash) !== -1 };
}

/** How much a document says of a word: 0 if it does not have it. */
export function weightOfWord(entry: Entry, forms: WordForms): number {
  let most = 0;
  for (const form of forms) {
    let least = 255;
    for (const hash of form) least = Math.min(least, weightOf(entry, hash));
    most = Math.max(most, least);
  }
  return most;
}

/** Where a number is in an ascending list; -1 if it is not. */
function indexIn(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] as number;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
