/** Leaves out what the evaluation would know already: pairs that share a name or a run of words with its documents or questions. */
import type { SearchDocument } from '../src/search/document.ts';
import { eachPlainWord } from '../src/search/words/terms.ts';
import { type Pairs, selectPairs, textOf } from './pairs.ts';

/** So many words in a row are no accident. */
const SHINGLE_WORDS = 8;
/** Names of one word are words of the language. */
const NAME_WORDS = 2;

export interface Cleaned {
  pairs: Pairs;
  /** How many were left out for a shared name, and for a shared run of words. */
  names: number;
  shingles: number;
}

export function withoutEvaluation(
  pairs: Pairs,
  documents: readonly SearchDocument[],
  questions: readonly string[],
): Cleaned {
  const numbers = new Map(pairs.words.map((word, index) => [word, index]));
  const idsOf = (text: string): number[] => {
    const ids: number[] = [];
    eachPlainWord(text, (word) => {
      const id = numbers.get(word);
      if (id !== undefined) ids.push(id);
    });
    return ids;
  };
  const names = new Set(
    documents
      .flatMap((document) => document.names.map(idsOf))
      .filter(({ length }) => length >= NAME_WORDS)
      .map((ids) => ids.join(' ')),
  );
  const texts = [...documents.flatMap((each) => [...each.names, each.description, each.body()]), ...questions];
  const shingles = new Set<number>();
  for (const text of texts) {
    const ids = idsOf(text);
    for (let at = 0; at + SHINGLE_WORDS <= ids.length; at++) shingles.add(shingleAt(ids, at));
  }
  const sharesShingle = (ids: Uint16Array): boolean => {
    for (let at = 0; at + SHINGLE_WORDS <= ids.length; at++) if (shingles.has(shingleAt(ids, at))) return true;
    return false;
  };
  const kept: number[] = [];
  let [sharedNames, sharedShingles] = [0, 0];
  for (const index of pairs.types.keys()) {
    const sides = [textOf(pairs.left, index), textOf(pairs.right, index)];
    if (sides.some((side) => names.has(side.join(' ')))) sharedNames += 1;
    else if (sides.some(sharesShingle)) sharedShingles += 1;
    else kept.push(index);
  }
  return { pairs: selectPairs(pairs, kept), names: sharedNames, shingles: sharedShingles };
}

/** 53 bits of the words from there on: that two runs meet by chance is next to impossible. */
function shingleAt(ids: ArrayLike<number>, at: number): number {
  let [low, high] = [0x81_1c_9d_c5, 0x9e_37_79_b9];
  for (let i = at; i < at + SHINGLE_WORDS; i++) {
    low = Math.imul(low ^ (ids[i] ?? 0), 0x01_00_01_93);
    high = Math.imul(high + (ids[i] ?? 0), 0x85_eb_ca_6b) ^ (high >>> 13);
  }
  return (low >>> 0) + ((high >>> 0) % 2 ** 21) * 2 ** 32;
}
