/** Pairs of texts as the file that `pairs.ts` reads: each word as its number. */
import { eachPlainWord } from '../src/search/words/terms.ts';
import type { TextPair } from './make-pairs.ts';
import { MAGIC, VERSION } from './pairs.ts';

/** A word that fewer texts have is a name or a typing error. */
const WORD_MIN_TEXTS = 3;
/** Numbers have 16 bits. */
const WORDS_MAX = 65_535;
const SIDE_MAX_WORDS = 200;

export interface WrittenPairs {
  bytes: Uint8Array;
  words: readonly string[];
  /** Pairs with a side that has no known word. */
  dropped: number;
}

export function writePairs(pairs: readonly TextPair[]): WrittenPairs {
  const split = pairs.map(({ type, left, right }) => ({ type, left: plainWords(left), right: plainWords(right) }));
  const counts = new Map<string, number>();
  for (const { left, right } of split)
    for (const word of new Set([...left, ...right])) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = [...counts]
    .filter(([, count]) => count >= WORD_MIN_TEXTS)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, WORDS_MAX);
  const numbers = new Map(known.map(([word], index) => [word, index]));
  const idsOf = (words: readonly string[]): number[] =>
    words.flatMap((word) => numbers.get(word) ?? []).slice(0, SIDE_MAX_WORDS);
  const coded = split
    .map(({ type, left, right }) => ({ type, left: idsOf(left), right: idsOf(right) }))
    .filter(({ left, right }) => left.length > 0 && right.length > 0);
  const left = coded.flatMap((pair) => pair.left);
  const right = coded.flatMap((pair) => pair.right);
  const words = known.map(([word]) => word);
  const bytes = Buffer.concat([
    numbersOf(Uint32Array.of(MAGIC, VERSION, coded.length, words.length, left.length, right.length)),
    Uint8Array.from(coded, ({ type }) => type),
    numbersOf(Uint16Array.from([...coded.map((pair) => pair.left.length), ...coded.map((pair) => pair.right.length)])),
    numbersOf(Uint16Array.from(left)),
    numbersOf(Uint16Array.from(right)),
    numbersOf(Uint32Array.from(known, ([, count]) => count)),
    Buffer.from(words.join('\n')),
  ]);
  return { bytes, words, dropped: pairs.length - coded.length };
}

/** Machines that run Node.js are little endian, as the file is. */
function numbersOf({ buffer }: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer);
}

function plainWords(text: string): string[] {
  const words: string[] = [];
  eachPlainWord(text, (word) => words.push(word));
  return words;
}
