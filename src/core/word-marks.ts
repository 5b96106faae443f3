/** Finds the words that differ between two versions of a text. */
import { editsBetween } from './edits.ts';

export interface Marked {
  text: string;
  /** Start and end of each difference, in UTF-16 units. */
  marks: [start: number, end: number][];
}

/**
 * Each edit takes a step through all the words so far. With more edits, the texts have little in common, and the whole middle is
 * marked.
 */
const MAX_EDITS = 400;

/** If a smaller share of the letters is the same, common words are a coincidence. */
const SHARED_MIN = 0.25;

/** Equal words with at most this many letters between two marks, such as `the`, are marked too, to avoid splitting the marks. */
const BRIDGED_LETTERS = 3;

/** Languages without blanks between words are compared character by character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+(?:['’-][\p{L}\p{M}\p{N}_]+)*|[^\s]/gu;

interface Word {
  text: string;
  start: number;
  end: number;
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}

/** Marks the words that differ. Blanks and line ends do not count, so a text that was only rewrapped has no marks. */
export function markWords(before: string, after: string): { before: Marked; after: Marked } {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const [isOldSame, isFreshSame] = sameWords(old, fresh);
  return {
    before: { text: before, marks: marksOf(old, isOldSame) },
    after: { text: after, marks: marksOf(fresh, isFreshSame) },
  };
}

/** Returns for each word of both texts whether it is kept. */
function sameWords(old: readonly Word[], fresh: readonly Word[]): [boolean[], boolean[]] {
  const isOldSame: boolean[] = [];
  const isFreshSame: boolean[] = [];
  const bridge = { letters: 0, words: 0, isOpen: false };
  let shared = 0;
  const texts = (words: readonly Word[]): string[] => words.map(({ text }) => text);
  for (const { kind, text } of editsBetween(texts(old), texts(fresh), MAX_EDITS)) {
    if (kind === ' ') {
      isOldSame.push(true);
      isFreshSame.push(true);
      shared += lettersIn(text);
      bridge.words += 1;
      bridge.letters += lettersIn(text);
      continue;
    }
    if (bridge.isOpen && bridge.words > 0 && bridge.letters <= BRIDGED_LETTERS) {
      isOldSame.fill(false, isOldSame.length - bridge.words);
      isFreshSame.fill(false, isFreshSame.length - bridge.words);
    }
    Object.assign(bridge, { letters: 0, words: 0, isOpen: true });
    (kind === '-' ? isOldSame : isFreshSame).push(false);
  }
  const least = Math.min(...[old, fresh].map((words) => words.reduce((sum, { text }) => sum + lettersIn(text), 0)));
  if (shared < SHARED_MIN * least) {
    isOldSame.fill(false);
    isFreshSame.fill(false);
  }
  return [isOldSame, isFreshSame];
}

function lettersIn(word: string): number {
  return /^[\p{L}\p{M}\p{N}]/u.test(word) ? word.length : 0;
}

function marksOf(words: readonly Word[], isSame: readonly boolean[]): Marked['marks'] {
  const marks: Marked['marks'] = [];
  words.forEach(({ start, end }, index) => {
    if (isSame[index]) return;
    const last = marks.at(-1);
    if (last && index > 0 && !isSame[index - 1]) last[1] = end;
    else marks.push([start, end]);
  });
  return marks;
}

/** The words of a text, regardless of order: how often each occurs, and the total. */
export interface WordCounts {
  counts: ReadonlyMap<string, number>;
  size: number;
}

export function countWords(text: string): WordCounts {
  const counts = new Map<string, number>();
  const words = wordsOf(text.toLowerCase());
  for (const { text: word } of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, size: words.length };
}

/** Returns the share of words that two texts have in common, from 0 to 1. */
export function likeness(a: WordCounts, b: WordCounts): number {
  if (a.size + b.size === 0) return 1;
  const [few, many] = a.counts.size < b.counts.size ? [a.counts, b.counts] : [b.counts, a.counts];
  let shared = 0;
  for (const [word, count] of few) shared += Math.min(count, many.get(word) ?? 0);
  return (2 * shared) / (a.size + b.size);
}
