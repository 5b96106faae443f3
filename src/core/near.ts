import { LIMITS } from './limits.ts';
import { foldName } from './text.ts';

/** Longer names are compared only by their words: the edit distance of long texts takes time and finds nothing. */
const EDIT_MAX_CHARACTERS = 64;

/**
 * The candidates that may have been meant, best first: by edit distance (swapping two neighbors is one edit, so `gti` finds
 * `git`), by a shared beginning, and by shared words. Ties are broken by the text, so the order is stable.
 */
export function nearest(asked: string, candidates: Iterable<string>, max: number = LIMITS.suggestions.value): string[] {
  const wanted = foldName(asked).trim();
  if (wanted === '') return [];
  const wantedWords = wordsOf(wanted);
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const score = nearness(wanted, wantedWords, foldName(candidate));
    if (score > 0) scored.push({ candidate, score });
  }
  scored.sort((a, b) => b.score - a.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, max).map(({ candidate }) => candidate);
}

function nearness(wanted: string, wantedWords: readonly string[], candidate: string): number {
  if (candidate === wanted) return 3;
  // If a name ends with a colon, there is no short name after it.
  const shortName = candidate.slice(candidate.lastIndexOf(':') + 1) || candidate;
  const edit = Math.max(
    editNearness(wanted, candidate),
    shortName === candidate ? 0 : editNearness(wanted, shortName) * 0.98,
  );
  const begins = wanted.length >= 2 && (shortName.startsWith(wanted) || wanted.startsWith(shortName)) ? 0.6 : 0;
  return Math.max(edit, begins, wordNearness(wantedWords, wordsOf(candidate)));
}

function editNearness(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0 || longest > EDIT_MAX_CHARACTERS) return 0;
  const allowed = longest <= 2 ? 1 : Math.max(1, Math.floor(longest / 3));
  if (Math.abs(a.length - b.length) > allowed) return 0;
  const distance = editDistance(a, b, allowed);
  return distance > allowed ? 0 : 2 - distance / (longest + 1);
}

function wordNearness(wanted: readonly string[], candidate: readonly string[]): number {
  if (wanted.length === 0 || candidate.length === 0) return 0;
  const shared = wanted.filter((word) =>
    candidate.some((other) => other === word || (word.length > 3 && other.startsWith(word))),
  ).length;
  return shared === 0 ? 0 : 0.5 * (shared / Math.max(wanted.length, candidate.length)) + 0.01;
}

function wordsOf(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}

/** Optimal string alignment distance; gives up (returns `max + 1`) as soon as it must exceed `max`. */
export function editDistance(a: string, b: string, max = a.length + b.length): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  // Arrays of integers, and only the cells near the diagonal: one misspelled name is compared with every other.
  const [first, second, third] = [0, 1, 2].map(() => new Int32Array(b.length + 2).fill(max + 1));
  let [beforePrevious, previous, current] = [first, second, third] as [Int32Array, Int32Array, Int32Array];
  for (let j = 0; j <= Math.min(max, b.length); j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - max);
    const to = Math.min(b.length, i + max);
    current[from - 1] = from === 1 ? i : max + 1;
    let best = at(current, from - 1);
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    current[to + 1] = max + 1;
    if (best > max) return max + 1;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return Math.min(at(previous, b.length), max + 1);
}

function at(row: Int32Array, index: number): number {
  return row[index] ?? 0;
}
