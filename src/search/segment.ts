/**
 * Index of a group of documents. Ranking sums the counts of any number of segments, so its scores equal those of a single segment
 * with all the documents.
 */
import { dotsOf } from './dots.ts';
import { KeywordPostings, type Keywords } from './keywords/postings.ts';
import type { Numbers } from './numbers.ts';
import type { VectorsFile } from './segments/vectors-file.ts';
import type { WordsFile } from './segments/words-file.ts';
import type { Quantized } from './vector.ts';

/** Accepted forms of one word. Each form consists of the hashes of one or more words that must all occur. */
export type WordForms = readonly (readonly number[])[];

/** The vectors of one model. */
export interface SegmentVectors {
  /** 1 for each document that has vectors. */
  readonly hasVectors: Uint8Array;
  readonly dimensions: number;
  /** Writes the similarity of each document to the query into `into`, starting at `at`. */
  compare(query: Quantized, into: Float64Array, at: number): void;
}

/** Ascending documents and their weights for a word: positions `from` to `to` of both lists. */
export interface Postings {
  documents: Numbers;
  weights: Uint8Array;
  from: number;
  to: number;
}

const NONE: Postings = { documents: new Uint8Array(), weights: new Uint8Array(), from: 0, to: 0 };

export interface Segment extends SegmentVectors {
  /** Length of each document in weighted words. */
  readonly lengths: Uint32Array;
  /** Postings of literal words, if they were indexed. */
  readonly keywords?: Keywords | undefined;
  /** Documents that contain a word. */
  find(forms: WordForms): Postings;
  /** Weight of a word in a document; 0 if it does not occur. */
  weightIn(document: number, forms: WordForms): number;
  /** Whether any document contains the word. */
  has(hash: number): boolean;
}

/**
 * Inverted index: for each word, the documents that contain it, at most 65,536. The cost of a search depends on the occurrences of
 * its words, not on the size of the index. Everything is in a few flat arrays, because one object for each of 100,000 documents
 * would take more memory than its content. `runNumbers` are the numbers of its runs in the shared table.
 */
export function openSegment(
  words: WordsFile,
  vectors: VectorsFile | undefined,
  runNumbers?: readonly number[],
): Segment {
  // Destructured, so that the functions below do not keep the keys alive.
  const { lengths, terms, starts, documents, weights } = words;
  const weightAt = (hash: number, document: number): number => {
    const at = indexIn(terms, hash);
    if (at === -1) return 0;
    const place = indexIn(documents, document, starts[at] ?? 0, (starts[at + 1] ?? 0) - 1);
    return place === -1 ? 0 : (weights[place] ?? 0);
  };
  return {
    lengths,
    ...(vectors ? flatVectors(vectors) : noVectors(lengths.length)),
    keywords: runNumbers && new KeywordPostings(words, runNumbers),
    find(forms) {
      const [only] = forms;
      // The common case: the list of a single word is used directly.
      if (forms.length === 1 && only?.length === 1) {
        const at = indexIn(terms, only[0] ?? 0);
        return at === -1 ? NONE : { documents, weights, from: starts[at] ?? 0, to: starts[at + 1] ?? 0 };
      }
      const most = new Uint8Array(lengths.length);
      for (const [first, ...others] of forms) {
        const at = first === undefined ? -1 : indexIn(terms, first);
        if (at === -1) continue;
        const end = starts[at + 1] ?? 0;
        for (let place = starts[at] ?? 0; place < end; place++) {
          const document = documents[place] ?? 0;
          let weight = weights[place] ?? 0;
          for (const hash of others) weight = Math.min(weight, weightAt(hash, document));
          most[document] = Math.max(most[document] ?? 0, weight);
        }
      }
      return listed(most);
    },
    weightIn: (document, forms) => mostOf(forms, (hash) => weightAt(hash, document)),
    has: (hash) => indexIn(terms, hash) !== -1,
  };
}

/** A segment with only these rows, in this order, for callers who cannot see all documents. */
export function subsetOf(segment: Segment, rows: Uint16Array): Segment {
  const { lengths, keywords } = segment;
  const gather = <A extends Uint8Array | Float64Array>(from: A, into: A, at: number): void => {
    for (let index = 0; index < rows.length; index++) into[at + index] = from[rows[index] ?? 0] ?? 0;
  };
  const chosenVectors = ({ hasVectors, dimensions, compare }: SegmentVectors): SegmentVectors => ({
    hasVectors: Uint8Array.from(rows, (row) => hasVectors[row] ?? 0),
    dimensions,
    compare(query, into, at) {
      const all = new Float64Array(lengths.length);
      compare(query, all, 0);
      gather(all, into, at);
    },
  });
  const find: Segment['find'] = (forms) => {
    const { documents, weights, from, to } = segment.find(forms);
    const all = new Uint8Array(lengths.length);
    for (let place = from; place < to; place++) all[documents[place] ?? 0] = weights[place] ?? 0;
    return listed(Uint8Array.from(rows, (row) => all[row] ?? 0));
  };
  return {
    lengths: Uint32Array.from(rows, (row) => lengths[row] ?? 0),
    ...chosenVectors(segment),
    keywords: keywords && {
      mark(wanted, isWanted, into, at) {
        const all = new Uint8Array(lengths.length);
        keywords.mark(wanted, isWanted, all, 0);
        gather(all, into, at);
      },
    },
    find,
    weightIn: (document, forms) => segment.weightIn(rows[document] ?? 0, forms),
    has: (hash) => find([[hash]]).to > 0,
  };
}

/** Converts the weights of all documents to postings. */
function listed(all: Uint8Array): Postings {
  const documents = new Uint32Array(all.length);
  const weights = new Uint8Array(all.length);
  let to = 0;
  for (let document = 0; document < all.length; document++) {
    if (all[document] === 0) continue;
    documents[to] = document;
    weights[to++] = all[document] ?? 0;
  }
  return { documents, weights, from: 0, to };
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

/** Combines names and description (weight 2), the nearest chunk of the body, and the mean of all. */
function flatVectors({ dimensions, firsts, hasHead, norms, values }: VectorsFile): SegmentVectors {
  return {
    hasVectors: Uint8Array.from(hasHead, (_, index) => (firsts[index] === firsts[index + 1] ? 0 : 1)),
    dimensions,
    compare(query, into, at) {
      const dots = dotsOf(values, query.values);
      const near = (place: number): number => (dots[place] ?? 0) * (norms[place] ?? 0) * query.norm;
      for (let document = 0; document < hasHead.length; document++) {
        const first = firsts[document] ?? 0;
        const end = firsts[document + 1] ?? 0;
        if (first === end) {
          into[at + document] = 0;
          continue;
        }
        const mean = near(first);
        const head = hasHead[document] === 1 ? near(first + 1) : mean;
        const chunks = first + 1 + (hasHead[document] ?? 0);
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

/** Index of a number in an ascending list; -1 if it is missing. */
function indexIn(sorted: Numbers, wanted: number, from = 0, to = sorted.length - 1): number {
  let low = from;
  let high = to;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
