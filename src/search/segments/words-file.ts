/**
 * Stored words of a segment: the documents that contain each word and run. Everything is sorted, so that equal documents give equal
 * bytes, regardless of the order or machine that built them.
 */
import { type Entry, KEY_BYTES } from '../entry.ts';
import { LINE_FEED } from '../keywords/runs.ts';
import { WordTable } from '../keywords/word-table.ts';
import { narrow, type Numbers, numbersUpTo } from '../numbers.ts';
import { encodeFlat, FlatFile } from './flat-file.ts';

const MAGIC = 0x31_53_57_4c;

export interface WordsFile {
  /** Identifies the documents. */
  id: string;
  /** Concatenated text keys of the documents. */
  keys: string;
  lengths: Uint32Array;
  /** Word hashes, ascending. The documents of each word are between its start and the next one, with their weights. */
  terms: Uint32Array;
  starts: Numbers;
  documents: Numbers;
  weights: Uint8Array;
  /** Runs in UTF-8, one per line, with the same layout. */
  runs: Uint8Array;
  runStarts: Numbers;
  runDocuments: Numbers;
}

export function encodeWords(
  { id, keys }: { id: string; keys: readonly string[] },
  entries: readonly Entry[],
): Uint8Array {
  const words = wordPostings(entries);
  const runs = runPostings(entries);
  const counts = [entries.length, words.terms.length, words.documents.length];
  return encodeFlat(
    MAGIC,
    [...counts, runs.list.length, runs.starts.length - 1, runs.documents.length],
    [
      Buffer.from(id + keys.join(''), 'latin1'),
      Uint32Array.from(entries, ({ length }) => length),
      words.terms,
      words.starts,
      words.documents,
      words.weights,
      runs.list,
      runs.starts,
      runs.documents,
    ],
  );
}

/** Returns undefined for bytes of another format. */
export function decodeWords(bytes: Uint8Array): WordsFile | undefined {
  const file = FlatFile.open(bytes, MAGIC);
  if (file?.counts.length !== 6) return undefined;
  const [size = 0, terms = 0, places = 0, runBytes = 0, runs = 0, runPlaces = 0] = file.counts;
  try {
    const names = Buffer.from(file.uint8(KEY_BYTES * (size + 1))).toString('latin1');
    const words: WordsFile = {
      id: names.slice(0, KEY_BYTES),
      keys: names.slice(KEY_BYTES),
      lengths: file.uint32(size),
      terms: file.uint32(terms),
      starts: file.numbers(places, terms + 1),
      documents: file.numbers(size, places),
      weights: file.uint8(places),
      runs: file.uint8(runBytes),
      runStarts: file.numbers(runPlaces, runs + 1),
      runDocuments: file.numbers(size, runPlaces),
    };
    return file.isAtEnd ? words : undefined;
  } catch (error) {
    // An array would extend beyond the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function wordPostings(entries: readonly Entry[]) {
  const count = entries.reduce((sum, { terms }) => sum + terms.length, 0);
  const places = new Uint32Array(2 * count);
  let at = 0;
  for (const [document, { terms, weights }] of entries.entries()) {
    for (let index = 0; index < terms.length; index++, at += 2) {
      places[at] = (document << 8) | (weights[index] ?? 0);
      places[at + 1] = terms[index] ?? 0;
    }
  }
  const { firsts, starts } = sortByWord(places);
  const documents = numbersUpTo(entries.length, count);
  const weights = new Uint8Array(count);
  for (let place = 0; place < count; place++) {
    const packed = places[2 * place] ?? 0;
    documents[place] = packed >>> 8;
    weights[place] = packed & 0xff;
  }
  return { terms: Uint32Array.from(firsts), starts, documents, weights };
}

function runPostings(entries: readonly Pick<Entry, 'runs'>[]) {
  const table = new WordTable();
  const numbered: number[] = [];
  for (const [document, { runs }] of entries.entries())
    if (runs) for (const number of table.numbers(runs)) numbered.push(document, number);
  // Latin-1 keeps the byte order when sorting strings.
  const runs = table.list().toString('latin1').split('\n').slice(0, table.size);
  const order = Uint32Array.from(runs.keys()).sort((a, b) => ((runs[a] as string) < (runs[b] as string) ? -1 : 1));
  const rankOf = new Uint32Array(runs.length);
  for (const [rank, number] of order.entries()) rankOf[number] = rank;
  const places = Uint32Array.from(numbered);
  for (let at = 1; at < places.length; at += 2) places[at] = rankOf[places[at] ?? 0] ?? 0;
  const { starts } = sortByWord(places);
  const documents = numbersUpTo(entries.length, places.length / 2);
  for (let place = 0; place < documents.length; place++) documents[place] = places[2 * place] ?? 0;
  const list = Buffer.from(Array.from(order, (number) => runs[number]).join('\n'), 'latin1');
  return { list, starts, documents };
}

/** Sorts pairs of a position and a word by word. Returns each word once, with the start of its pairs. */
function sortByWord(places: Uint32Array): { firsts: number[]; starts: Numbers } {
  // Sorted as 64-bit numbers with the word in the upper half, which needs no comparison callback.
  new BigUint64Array(places.buffer).sort();
  const count = places.length / 2;
  const firsts: number[] = [];
  const starts: number[] = [];
  for (let place = 0; place < count; place++) {
    const word = places[2 * place + 1] ?? 0;
    if (firsts.length > 0 && firsts.at(-1) === word) continue;
    firsts.push(word);
    starts.push(place);
  }
  return { firsts, starts: narrow([...starts, count], count) };
}

/** Decodes the words of each document. Runs are in ascending order. */
export function wordsOfDocuments(file: WordsFile): Pick<Entry, 'length' | 'terms' | 'weights' | 'runs'>[] {
  const size = file.lengths.length;
  const terms = placesOf(size, file.starts, file.documents);
  const runs = placesOf(size, file.runStarts, file.runDocuments);
  const bounds = linesOf(file.runs);
  return Array.from(file.lengths, (length, document) => {
    const [from, to] = [terms.starts[document] ?? 0, terms.starts[document + 1] ?? 0];
    return {
      length,
      terms: Uint32Array.from(terms.words.subarray(from, to), (word) => file.terms[word] ?? 0),
      weights: Uint8Array.from(terms.places.subarray(from, to), (place) => file.weights[place] ?? 0),
      runs: joinLines(file.runs, bounds, runs.words.subarray(runs.starts[document], runs.starts[document + 1] ?? 0)),
    };
  });
}

/** Inverts the index: for each document, the numbers of its words, ascending, and their positions. */
function placesOf(size: number, wordStarts: Numbers, documents: Numbers) {
  const starts = new Uint32Array(size + 1);
  for (const document of documents) starts[document + 1] = (starts[document + 1] ?? 0) + 1;
  for (let at = 0; at < size; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const next = starts.slice();
  const words = new Uint32Array(documents.length);
  const places = new Uint32Array(documents.length);
  for (let word = 0; word + 1 < wordStarts.length; word++) {
    const end = wordStarts[word + 1] ?? 0;
    for (let place = wordStarts[word] ?? 0; place < end; place++) {
      const document = documents[place] ?? 0;
      const at = next[document] ?? 0;
      next[document] = at + 1;
      words[at] = word;
      places[at] = place;
    }
  }
  return { starts, words, places };
}

/** Start of each line, followed by the end of the text. */
function linesOf(text: Uint8Array): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf(LINE_FEED); at !== -1; at = text.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
  return Uint32Array.from([...starts, text.length + 1]);
}

function joinLines(text: Uint8Array, bounds: Uint32Array, lines: Uint32Array): Uint8Array {
  let size = 0;
  for (const line of lines) size += (bounds[line + 1] ?? 0) - (bounds[line] ?? 0);
  const joined = new Uint8Array(Math.max(0, size - 1));
  let at = 0;
  for (const line of lines) {
    const [from, to] = [bounds[line] ?? 0, (bounds[line + 1] ?? 0) - 1];
    if (at > 0) joined[at - 1] = LINE_FEED;
    joined.set(text.subarray(from, to), at);
    at += to - from + 1;
  }
  return joined;
}
