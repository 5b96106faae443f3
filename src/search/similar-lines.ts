/**
 * Finds lines of a list that answer the same requests. The similarity of two lines depends on these lines alone: the weights of words
 * come from the bundled table.
 *
 *   words       = 2 · Σ min(weight in a, weight in b) / (Σ weights of a + Σ weights of b), with weight = rarity² · saturated count
 *   similarity  = (cosine + words) / 2, or words alone if the model has no vector for one of the lines
 */
import { compareText } from '../core/text.ts';
import { cosine, NAME_WEIGHT, saturated, TEXT_WEIGHT, vectorOfLine } from './line.ts';
import type { StaticModel } from './model/static-model.ts';
import type { Quantized } from './vector.ts';
import { stem } from './words/stem.ts';
import { eachPlainWord } from './words/terms.ts';

/**
 * Lines that are at least this similar answer the same requests. Chosen by reading the pairs of two collections with 660 skills: four
 * of five listed pairs compete.
 */
export const COMPETING = 0.62;

interface LineWord {
  /** As written in the line, in lower case. */
  word: string;
  weight: number;
  inName: boolean;
  inText: boolean;
}

export interface ComparedLine {
  name: string;
  text: string;
  /** Words by stem. */
  words: ReadonlyMap<string, LineWord>;
  /** Sum of the weights. */
  sum: number;
  /** Stems of each word of the name, in order. */
  nameParts: readonly (readonly string[])[];
  vector: Quantized | undefined;
}

/** A part of the line’s name, such as `pdf` in `merge-pdf`. */
const NAME_PART = /[\p{L}\p{M}\p{N}]+/gu;

export function readComparedLine(model: StaticModel, name: string, text: string): ComparedLine {
  const counts = new Map<string, Omit<LineWord, 'weight'> & { count: number }>();
  const add = (part: string, weight: number, inName: boolean): void =>
    eachPlainWord(part, (word) => {
      const key = stem(word);
      const known = counts.get(key);
      if (known) {
        known.count += weight;
        known.inText ||= !inName;
      } else counts.set(key, { word, count: weight, inName, inText: !inName });
    });
  add(name, NAME_WEIGHT, true);
  add(text, TEXT_WEIGHT, false);
  const words = new Map<string, LineWord>();
  let sum = 0;
  for (const [key, { word, count, inName, inText }] of counts) {
    const weight = model.rarity(word) ** 2 * saturated(count);
    words.set(key, { word, weight, inName, inText });
    sum += weight;
  }
  const nameParts = (name.match(NAME_PART) ?? []).map((part) => {
    const stems: string[] = [];
    eachPlainWord(part, (word) => stems.push(stem(word)));
    return stems;
  });
  return {
    name,
    text,
    words,
    sum,
    nameParts: nameParts.filter(({ length }) => length > 0),
    vector: vectorOfLine(model, name, text),
  };
}

/** From 0 to 1, and the same in both directions. */
export function similarityOf(a: ComparedLine, b: ComparedLine): number {
  const words = sharedWeight(a, b);
  if (!a.vector || !b.vector) return words;
  return (cosine(a.vector, b.vector) + words) / 2;
}

function sharedWeight(a: ComparedLine, b: ComparedLine): number {
  // In a fixed order, so that rounding is the same in both directions.
  const [few, many] = (a.words.size - b.words.size || compareLines(a, b)) < 0 ? [a, b] : [b, a];
  let shared = 0;
  for (const [key, { weight }] of few.words) {
    const other = many.words.get(key);
    if (other) shared += Math.min(weight, other.weight);
  }
  return a.sum + b.sum === 0 ? 0 : Math.min(1, (2 * shared) / (a.sum + b.sum));
}

export interface SimilarPair {
  /** Positions of the lines, the smaller one first. */
  a: number;
  b: number;
  similarity: number;
}

export interface SimilarPairs {
  pairs: SimilarPair[];
  /** Number of lines that were not compared with all others, because the list has too many similar lines. */
  notCompared: number;
}

/** Work that a search for pairs may take, in words looked up in the index: about two seconds. */
const MAX_WORK = 400_000_000;

/** Work to compare one word of two lines. */
const COMPARISON_WORK = 30;

/** The share of the required common weight that may be missing in the index. */
const UNINDEXED_SHARE = 0.2;

/**
 * Finds all pairs with at least this similarity. A pair needs common words with a weight of `2 · least - 1`, so an index of words
 * finds the candidates. The most common words of each line are left out of the index, because they add little weight and most of the
 * work. Lines are taken in the order of their texts, so the result does not depend on the order of the list.
 */
export function similarPairs(lines: readonly ComparedLine[], least: number): SimilarPairs {
  const order = lines.map((_, index) => index).sort((x, y) => compareLines(lines[x], lines[y]));
  const neededWords = Math.max(0, 2 * least - 1);
  const index = new WordIndex(lines.length);
  const pairs: SimilarPair[] = [];
  let done = 0;
  let compared = 0;
  for (const at of order) {
    const line = lines[at];
    if (!line || index.work + compared > MAX_WORK) break;
    done += 1;
    const indexed = indexedWords(line, UNINDEXED_SHARE * neededWords);
    for (const { other, weight } of index.add(at, indexed)) {
      const partner = lines[other];
      if (!partner || 2 * weight < neededWords * (line.sum + partner.sum)) continue;
      compared += COMPARISON_WORK * Math.min(line.words.size, partner.words.size);
      const similarity = similarityOf(line, partner);
      if (similarity >= least) pairs.push({ a: Math.min(at, other), b: Math.max(at, other), similarity });
    }
  }
  return { pairs, notCompared: lines.length - done };
}

interface IndexedWords {
  words: readonly (readonly [key: string, weight: number])[];
  /** Weight of the words that are left out. */
  left: number;
}

class WordIndex {
  /** Number of looked-up words so far. */
  work = 0;
  readonly #postings = new Map<string, { at: number[]; weights: number[] }>();
  readonly #shared: Float64Array;
  readonly #left: Float64Array;

  constructor(size: number) {
    this.#shared = new Float64Array(size);
    this.#left = new Float64Array(size);
  }

  /** Adds a line. Returns the earlier lines with a common word, and the greatest weight that the common words can have. */
  *add(line: number, { words, left }: IndexedWords): Generator<{ other: number; weight: number }> {
    const touched: number[] = [];
    this.#left[line] = left;
    for (const [key, weight] of words) {
      const posting = this.#postings.get(key);
      if (posting) {
        this.#addShared(posting, weight, touched);
        posting.at.push(line);
        posting.weights.push(weight);
      } else this.#postings.set(key, { at: [line], weights: [weight] });
    }
    for (const other of touched) {
      const weight = (this.#shared[other] ?? 0) + left + (this.#left[other] ?? 0);
      this.#shared[other] = 0;
      yield { other, weight };
    }
  }

  #addShared(
    { at, weights }: { at: readonly number[]; weights: readonly number[] },
    weight: number,
    touched: number[],
  ): void {
    const shared = this.#shared;
    this.work += at.length;
    for (let i = 0; i < at.length; i++) {
      const other = at[i] ?? 0;
      const known = shared[other] ?? 0;
      if (known === 0) touched.push(other);
      shared[other] = known + Math.min(weight, weights[i] ?? 0);
    }
  }
}

/** Leaves out the most common words, up to this share of the line's weight. */
function indexedWords({ words, sum }: ComparedLine, share: number): IndexedWords {
  const indexed = [...words].map(([key, { weight }]) => [key, weight] as const).sort((x, y) => y[1] - x[1]);
  let left = 0;
  for (let last = indexed.at(-1); last && left + last[1] <= share * sum; last = indexed.at(-1)) {
    left += last[1];
    indexed.pop();
  }
  return { words: indexed, left };
}

function compareLines(a: ComparedLine | undefined, b: ComparedLine | undefined): number {
  return compareText(a?.name ?? '', b?.name ?? '') || compareText(a?.text ?? '', b?.text ?? '');
}

/**
 * Whether a request can tell two similar lines apart: one of them refers to the other by name, or the names and the texts differ in
 * words that the other line does not contain, as those of `convert-pdf` and `convert-word` do.
 */
export function areDistinguished(a: ComparedLine, b: ComparedLine): boolean {
  return refersTo(a.text, b.name) || refersTo(b.text, a.name) || areVariants(a, b);
}

function areVariants(a: ComparedLine, b: ComparedLine): boolean {
  const same = (x: readonly string[] | undefined, y: readonly string[] | undefined): boolean =>
    x !== undefined && y !== undefined && x[0] === y[0];
  const [x, y] = [[...a.nameParts], [...b.nameParts]];
  const areSingle = x.length === 1 && y.length === 1;
  const before = Math.min(x.length, y.length);
  while (x.length > 0 && same(x[0], y[0])) {
    x.shift();
    y.shift();
  }
  while (x.length > 0 && same(x.at(-1), y.at(-1))) {
    x.pop();
    y.pop();
  }
  const isNew = (parts: ComparedLine['nameParts'], own: ComparedLine, other: ComparedLine): boolean =>
    parts.some(
      (stems) => stems.some((each) => own.words.get(each)?.inText) && !stems.some((each) => other.words.has(each)),
    );
  return (areSingle || Math.min(x.length, y.length) < before) && isNew(x, a, b) && isNew(y, b, a);
}

/** Words and marks before a name of one word that make it a reference. */
const REFERENCES: readonly string[] = ['use ', 'see ', 'to ', 'the ', '`', '"', "'", '/', ':', '$', '@'];

/** Text after such a name. */
const ENDS_REFERENCE = /^(?:[`"')]| skill| instead|[.;,]? ?$)/u;

/** Whether the text mentions a skill by name. A name of one word is often an ordinary word. */
export function refersTo(text: string, name: string): boolean {
  const [inText, wanted] = [text.toLowerCase(), name.toLowerCase()];
  if (wanted === '') return false;
  for (let at = inText.indexOf(wanted); at !== -1; at = inText.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (isPartOfName(inText[at - 1]) || isPartOfName(inText[end])) continue;
    if (/[-_]/u.test(wanted)) return true;
    const before = inText.slice(Math.max(0, at - 4), at);
    const after = inText.slice(end, end + 10);
    if (REFERENCES.some((mark) => before.endsWith(mark)) && ENDS_REFERENCE.test(after)) return true;
  }
  return false;
}

function isPartOfName(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_-]/u.test(character);
}

interface ShownWord {
  word: string;
  weight: number;
}

/** Words that both lines contain, those with the most weight first. */
export function sharedWords(a: ComparedLine, b: ComparedLine, max: number): string[] {
  const both = [...a.words].flatMap(([key, own]) => {
    const other = b.words.get(key);
    if (!other) return [];
    // The shorter of two forms reads better, and the result is the same in both directions.
    const [word = own.word] = [own.word, other.word].sort((x, y) => x.length - y.length || compareText(x, y));
    return { word, weight: Math.min(own.weight, other.weight) };
  });
  return readable(both, [a, b], max).map(({ word }) => word);
}

/** Words of a name describe a skill better than those of its text. */
const NAME_PREFERENCE = 1.5;

/** A word with a smaller share of the weight of the first one is too common to distinguish a line. */
const DISTINCTIVE_SHARE = 0.4;

/** Words of the line that the other one does not contain, most distinctive first. */
export function ownWords(line: ComparedLine, other: ComparedLine, max: number): ShownWord[] {
  const own = [...line.words].flatMap(([key, { word, weight, inName }]) =>
    other.words.has(key) ? [] : { word, weight: weight * (inName ? NAME_PREFERENCE : 1) },
  );
  const found = readable(own, [line], max);
  return found.filter(({ weight }) => weight >= DISTINCTIVE_SHARE * (found[0]?.weight ?? 0));
}

/** Minimum length of a word that is shown. Shorter ones are mostly parts of identifiers. */
const SHOWN_CHARACTERS = 3;

function readable(words: readonly ShownWord[], lines: readonly ComparedLine[], max: number): ShownWord[] {
  const known = lines.flatMap((line) => [...line.words.values()].map(({ word }) => word));
  // An identifier is indexed as a whole too, without its joints.
  const isJoined = (word: string): boolean =>
    known.some((part) => {
      if (part.length >= word.length || !word.startsWith(part)) return false;
      const rest = word.slice(part.length);
      return known.some((next) => next.length > 1 && (rest.startsWith(next) || next.startsWith(rest)));
    });
  const shown = words.filter(({ word }) => word.length >= SHOWN_CHARACTERS && !/^\p{N}/u.test(word));
  shown.sort((x, y) => y.weight - x.weight || compareText(x.word, y.word));
  const found: ShownWord[] = [];
  for (const each of shown) {
    if (found.length === max) break;
    if (!isJoined(each.word)) found.push(each);
  }
  return found;
}
