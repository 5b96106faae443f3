/**
 * Documents that are weighed together. A ranking goes over any number of segments, with their counts summed, so its scores are
 * those of one segment with all the documents.
 */
import { type Entry, weightOf } from './entry.ts';
import { KeywordPostings, type Keywords } from './keywords/postings.ts';
import { narrow, type Numbers, numbersUpTo } from './numbers.ts';
import type { WordTable } from './keywords/word-table.ts';
import { cosine, dot, type Quantized } from './vector.ts';

/** What counts as one word: each form is the hashes of one or more words that must all occur. */
export type WordForms = readonly (readonly number[])[];

export interface Segment {
  /** How many words each document has, by weight. */
  readonly lengths: Uint32Array;
  /** 1 for each document that has vectors. */
  readonly hasVectors: Uint8Array;
  readonly dimensions: number;
  /** Which documents have which words as they are written, if that was indexed. */
  readonly keywords?: Keywords | undefined;
  /** Writes the weight of a word in each document to `into`, from `at` on, and returns how many documents have it. */
  weigh(forms: WordForms, into: Uint8Array, at: number): number;
  /** How much a document says of a word: 0 if it does not have it. */
  weightIn(document: number, forms: WordForms): number;
  /** Whether a document has the word. */
  has(hash: number): boolean;
  /** Writes how near each document is to the query to `into`, from `at` on. */
  compare(query: Quantized, into: Float64Array, at: number): void;
}

/** Looks into every document: nothing has to be built first, for documents that are searched once or twice. */
export function scanned(entries: readonly Entry[]): Segment {
  const weightIn = (document: number, forms: WordForms): number => weightOfWord(entries[document] as Entry, forms);
  return {
    lengths: Uint32Array.from(entries, ({ length }) => length),
    hasVectors: Uint8Array.from(entries, ({ mean }) => (mean ? 1 : 0)),
    dimensions: dimensionsOf(entries),
    weigh(forms, into, at) {
      let found = 0;
      for (let index = 0; index < entries.length; index++) {
        const weight = weightIn(index, forms);
        into[at + index] = weight;
        if (weight > 0) found += 1;
      }
      return found;
    },
    weightIn,
    has: (hash) => entries.some((entry) => weightOf(entry, hash) > 0),
    compare(query, into, at) {
      for (const [index, { head, mean, chunks }] of entries.entries()) {
        const near = (vector: Quantized): number => cosine(vector, query);
        into[at + index] = mean ? nearness(head && near(head), near(mean), chunks.map(near)) : 0;
      }
    },
  };
}

/**
 * Lists, for each word, the documents that have it; at most 65,536 of them. A search then costs what its words occur, not what
 * there is. Everything is in a few flat arrays: an object for each of a hundred thousand documents would take more than its content.
 */
export function indexed(entries: readonly Entry[], table?: WordTable): Segment {
  const { terms, starts, documents, weights } = postingsOf(entries);
  // The functions below must not hold on to the entries.
  const lengths = Uint32Array.from(entries, ({ length }) => length);
  const weightAt = (hash: number, document: number): number => {
    const at = indexIn(terms, hash);
    if (at === -1) return 0;
    const place = indexIn(documents, document, starts[at] as number, (starts[at + 1] as number) - 1);
    return place === -1 ? 0 : (weights[place] as number);
  };
  return {
    lengths,
    ...flatVectors(entries),
    keywords: table && new KeywordPostings(entries, table),
    weigh(forms, into, start) {
      into.fill(0, start, start + lengths.length);
      let found = 0;
      for (const form of forms) {
        const [first, ...others] = form;
        const at = first === undefined ? -1 : indexIn(terms, first);
        if (at === -1) continue;
        const end = starts[at + 1] as number;
        for (let place = starts[at] as number; place < end; place++) {
          const document = documents[place] as number;
          let weight = weights[place] as number;
          for (const hash of others) weight = Math.min(weight, weightAt(hash, document));
          const before = into[start + document] as number;
          if (weight <= before) continue;
          if (before === 0) found += 1;
          into[start + document] = weight;
        }
      }
      return found;
    },
    weightIn: (document, forms) => mostOf(forms, (hash) => weightAt(hash, document)),
    has: (hash) => indexIn(terms, hash) !== -1,
  };
}

/** Some documents of a segment, in the order of `rows`, for those who do not see all of it. */
export function subsetOf(segment: Segment, rows: Uint16Array): Segment {
  const { lengths, hasVectors, dimensions, keywords } = segment;
  const gather = <A extends Uint8Array | Float64Array>(from: A, into: A, at: number): void => {
    for (let index = 0; index < rows.length; index++) into[at + index] = from[rows[index] as number] as number;
  };
  const weigh: Segment['weigh'] = (forms, into, at) => {
    const all = new Uint8Array(lengths.length);
    segment.weigh(forms, all, 0);
    gather(all, into, at);
    let found = 0;
    for (let index = at; index < at + rows.length; index++) if (into[index] !== 0) found += 1;
    return found;
  };
  return {
    lengths: Uint32Array.from(rows, (row) => lengths[row] as number),
    hasVectors: Uint8Array.from(rows, (row) => hasVectors[row] as number),
    dimensions,
    keywords: keywords && {
      mark(wanted, isWanted, into, at) {
        const all = new Uint8Array(lengths.length);
        keywords.mark(wanted, isWanted, all, 0);
        gather(all, into, at);
      },
    },
    weigh,
    weightIn: (document, forms) => segment.weightIn(rows[document] as number, forms),
    has: (hash) => weigh([[hash]], new Uint8Array(rows.length), 0) > 0,
    compare(query, into, at) {
      const all = new Float64Array(lengths.length);
      segment.compare(query, all, 0);
      gather(all, into, at);
    },
  };
}

/** How much a document says of a word: 0 if it does not have it. */
function weightOfWord(entry: Entry, forms: WordForms): number {
  return mostOf(forms, (hash) => weightOf(entry, hash));
}

function mostOf(forms: WordForms, weightOfHash: (hash: number) => number): number {
  let most = 0;
  for (const form of forms) {
    let least = 255;
    for (const hash of form) least = Math.min(least, weightOfHash(hash));
    most = Math.max(most, least);
  }
  return most;
}

/** Names and description count twice, then the nearest piece of the body, then all of it. */
function nearness(head: number | undefined, mean: number, chunks: readonly number[]): number {
  const nearHead = head ?? mean;
  return (2 * nearHead + (chunks.length === 0 ? nearHead : Math.max(...chunks)) + mean) / 4;
}

function postingsOf(entries: readonly Entry[]) {
  const count = entries.reduce((sum, { terms }) => sum + terms.length, 0);
  // As 64-bit numbers, word first, which the engine sorts without calling back.
  const places = new Uint32Array(2 * count);
  let at = 0;
  for (const [document, { terms, weights }] of entries.entries()) {
    for (let index = 0; index < terms.length; index++, at += 2) {
      places[at] = (document << 8) | (weights[index] as number);
      places[at + 1] = terms[index] as number;
    }
  }
  new BigUint64Array(places.buffer).sort();
  const documents = numbersUpTo(entries.length, count);
  const weights = new Uint8Array(count);
  const starts: number[] = [];
  const terms: number[] = [];
  for (let place = 0; place < count; place++) {
    const packed = places[2 * place] as number;
    const term = places[2 * place + 1] as number;
    documents[place] = packed >>> 8;
    weights[place] = packed & 0xff;
    if (terms.length > 0 && terms.at(-1) === term) continue;
    terms.push(term);
    starts.push(place);
  }
  return { documents, weights, terms: Uint32Array.from(terms), starts: narrow([...starts, count], count) };
}

/** The vectors of all documents one after the other: mean, head, chunks. */
function flatVectors(entries: readonly Entry[]): Pick<Segment, 'hasVectors' | 'dimensions' | 'compare'> {
  const dimensions = dimensionsOf(entries);
  const all: Quantized[] = [];
  const firsts = new Uint32Array(entries.length + 1);
  const hasHead = new Uint8Array(entries.length);
  for (const [index, { head, mean, chunks }] of entries.entries()) {
    if (mean) {
      all.push(mean, ...(head ? [head] : []), ...chunks);
      hasHead[index] = head ? 1 : 0;
    }
    firsts[index + 1] = all.length;
  }
  const values = new Int8Array(all.length * dimensions);
  const norms = new Float32Array(all.length);
  for (const [index, vector] of all.entries()) {
    values.set(vector.values, index * dimensions);
    norms[index] = vector.norm;
  }
  return {
    hasVectors: Uint8Array.from(entries, ({ mean }) => (mean ? 1 : 0)),
    dimensions,
    compare(query, into, at) {
      for (let document = 0; document < hasHead.length; document++) {
        const first = firsts[document] as number;
        const end = firsts[document + 1] as number;
        if (first === end) {
          into[at + document] = 0;
          continue;
        }
        const near = (place: number): number =>
          dot(values, place * dimensions, query.values) * (norms[place] as number) * query.norm;
        const mean = near(first);
        const head = hasHead[document] === 1 ? near(first + 1) : mean;
        const chunks = first + 1 + (hasHead[document] as number);
        let nearest = chunks === end ? head : -1;
        for (let chunk = chunks; chunk < end; chunk++) nearest = Math.max(nearest, near(chunk));
        into[at + document] = (2 * head + nearest + mean) / 4;
      }
    },
  };
}

function dimensionsOf(entries: readonly Entry[]): number {
  return entries.find(({ mean }) => mean)?.mean?.values.length ?? 0;
}

/** Where a number is in an ascending list; -1 if it is not. */
function indexIn(sorted: Numbers, wanted: number, from = 0, to = sorted.length - 1): number {
  let low = from;
  let high = to;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] as number;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
