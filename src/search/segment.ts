/**
 * Documents that are weighed together. A ranking goes over any number of segments, with their counts summed, so its scores are
 * those of one segment with all the documents.
 */
import { dotsOf } from './dots.ts';
import { type Entry, weightOf } from './entry.ts';
import { KeywordPostings, type Keywords } from './keywords/postings.ts';
import type { WordTable } from './keywords/word-table.ts';
import type { Numbers } from './numbers.ts';
import type { VectorsFile } from './segments/vectors-file.ts';
import type { WordsFile } from './segments/words-file.ts';
import { cosine, type Quantized } from './vector.ts';

/** What counts as one word: each form is the hashes of one or more words that must all occur. */
export type WordForms = readonly (readonly number[])[];

/** The vectors of one model. */
export interface SegmentVectors {
  /** 1 for each document that has vectors. */
  readonly hasVectors: Uint8Array;
  readonly dimensions: number;
  /** Writes how near each document is to the query to `into`, from `at` on. */
  compare(query: Quantized, into: Float64Array, at: number): void;
}

export interface Segment extends SegmentVectors {
  /** How many words each document has, by weight. */
  readonly lengths: Uint32Array;
  /** The vectors of an endpoint's model, which count instead if the query has one too. */
  readonly further?: SegmentVectors | undefined;
  /** Which documents have which words as they are written, if that was indexed. */
  readonly keywords?: Keywords | undefined;
  /** Writes the weight of a word in each document to `into`, from `at` on, and returns how many documents have it. */
  weigh(forms: WordForms, into: Uint8Array, at: number): number;
  /** How much a document says of a word: 0 if it does not have it. */
  weightIn(document: number, forms: WordForms): number;
  /** Whether a document has the word. */
  has(hash: number): boolean;
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
export function openSegment(
  words: WordsFile,
  vectors: VectorsFile | undefined,
  table?: WordTable,
  further?: VectorsFile,
): Segment {
  // The functions below must not hold on to the keys.
  const { lengths, terms, starts, documents, weights } = words;
  const weightAt = (hash: number, document: number): number => {
    const at = indexIn(terms, hash);
    if (at === -1) return 0;
    const place = indexIn(documents, document, starts[at] as number, (starts[at + 1] as number) - 1);
    return place === -1 ? 0 : (weights[place] as number);
  };
  return {
    lengths,
    ...(vectors ? flatVectors(vectors) : noVectors(lengths.length)),
    further: further && flatVectors(further),
    keywords: table && new KeywordPostings(words, table),
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
  const { lengths, keywords, further } = segment;
  const gather = <A extends Uint8Array | Float64Array>(from: A, into: A, at: number): void => {
    for (let index = 0; index < rows.length; index++) into[at + index] = from[rows[index] as number] as number;
  };
  const chosenVectors = ({ hasVectors, dimensions, compare }: SegmentVectors): SegmentVectors => ({
    hasVectors: Uint8Array.from(rows, (row) => hasVectors[row] as number),
    dimensions,
    compare(query, into, at) {
      const all = new Float64Array(lengths.length);
      compare(query, all, 0);
      gather(all, into, at);
    },
  });
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
    ...chosenVectors(segment),
    further: further && chosenVectors(further),
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

function flatVectors({ dimensions, firsts, hasHead, norms, values }: VectorsFile): SegmentVectors {
  return {
    hasVectors: Uint8Array.from(hasHead, (_, index) => (firsts[index] === firsts[index + 1] ? 0 : 1)),
    dimensions,
    compare(query, into, at) {
      const dots = dotsOf(values, query.values);
      const near = (place: number): number => (dots[place] as number) * (norms[place] as number) * query.norm;
      for (let document = 0; document < hasHead.length; document++) {
        const first = firsts[document] as number;
        const end = firsts[document + 1] as number;
        if (first === end) {
          into[at + document] = 0;
          continue;
        }
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

function noVectors(size: number): SegmentVectors {
  return {
    hasVectors: new Uint8Array(size),
    dimensions: 0,
    compare: (_query, into, at) => void into.fill(0, at, at + size),
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
