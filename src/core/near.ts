import { LIMITS } from './limits.ts';
import { foldName } from './text.ts';

/** Longer names are compared only by their words: the edit distance of long texts is slow to compute and rarely finds a match. */
const EDIT_MAX_CHARACTERS = 64;

/**
 * Returns the candidates that were probably meant, best first: by edit distance (swapping two neighbors is one edit, so `gti`
 * finds `git`), by a shared beginning, and by shared words. The prefix before a colon is a location. It has to be nearly the
 * same to count, because all names of one location share its words. Ties are broken alphabetically, so the order is stable.
 */
export function nearest(asked: string, candidates: Iterable<string>, max: number = LIMITS.suggestions.value): string[] {
  const name = foldName(asked).trim();
  if (name === '') return [];
  const short = shortOf(name);
  const wanted: Wanted = {
    name,
    words: wordsOf(short),
    letters: lettersOf(name),
    ...(short === name ? {} : { short: { name: short, letters: lettersOf(short) } }),
  };
  // The best candidates so far, in order. Nearly all of a hundred thousand candidates are ruled out without comparing every
  // letter.
  const best: Scored[] = [];
  for (const candidate of candidates) {
    const least = best.length < max ? 0 : (best.at(-1)?.score ?? 0);
    const score = nearness(wanted, foldName(candidate), least);
    if (score === 0 || score < least) continue;
    let place = best.length;
    while (place > 0 && isBefore({ candidate, score }, best[place - 1])) place -= 1;
    if (best[place - 1]?.candidate === candidate) continue;
    best.splice(place, 0, { candidate, score });
    if (best.length > max) best.pop();
  }
  return best.map(({ candidate }) => candidate);
}

/** Whether a suggestion is close enough to show without more context: a typo, a shared beginning, or the same words. */
export function isClose(asked: string, candidate: string): boolean {
  const name = foldName(asked).trim();
  const short = shortOf(name);
  const other = foldName(candidate);
  return [name, short].some((each) => {
    const wanted = { name: each, words: wordsOf(short), letters: lettersOf(each) };
    return each !== '' && nearness(wanted, other, 0) >= CLOSE;
  });
}

/** Below this, only some of the words are the same. */
const CLOSE = 0.5;

interface Scored {
  candidate: string;
  score: number;
}

function isBefore(a: Scored, b: Scored | undefined): boolean {
  if (!b) return false;
  return a.score === b.score ? a.candidate < b.candidate : a.score > b.score;
}

interface Spelled {
  name: string;
  /** Number of occurrences of each letter. Letters of other alphabets share slots with ASCII. */
  letters: Int32Array;
}

interface Wanted extends Spelled {
  /** The name without its location, if it has one. */
  short?: Spelled;
  /** The words of the short name. */
  words: readonly string[];
}

/** Returns the part after the last colon. A name that ends with a colon is returned unchanged. */
function shortOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1) || name;
}

/** Scores below `least` may be returned as 0. */
function nearness(wanted: Wanted, candidate: string, least: number): number {
  if (candidate === wanted.name) return 3;
  const shortName = shortOf(candidate);
  const elsewhere = wanted.short ? editNearness(wanted.short, shortName, 0) : 0;
  // A long location in common would make any two short names similar.
  const isOther = wanted.short !== undefined && shortName !== candidate && elsewhere === 0;
  const edit = Math.max(
    isOther ? 0 : editNearness(wanted, candidate, least),
    shortName === candidate ? 0 : editNearness(wanted, shortName, least) * 0.98,
    // The same name in another location ranks below a similar name in this one.
    elsewhere * 0.9,
  );
  const begins =
    wanted.name.length >= 2 && (shortName.startsWith(wanted.name) || wanted.name.startsWith(shortName)) ? 0.6 : 0;
  // Shared words never score higher than this.
  return least > 0.6 ? Math.max(edit, begins) : Math.max(edit, begins, wordNearness(wanted.words, shortName));
}

function editNearness({ name: a, letters }: Spelled, b: string, least: number): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0 || longest > EDIT_MAX_CHARACTERS) return 0;
  const tolerated = longest <= 2 ? 1 : Math.max(1, Math.floor(longest / 3));
  // More edits than this would not reach `least`.
  const allowed = Math.min(tolerated, Math.ceil((2 - least) * (longest + 1)));
  if (Math.abs(a.length - b.length) > allowed || differingLetters(letters, a.length, b) > allowed) return 0;
  const distance = editDistance(a, b, allowed);
  return distance > allowed ? 0 : 2 - distance / (longest + 1);
}

function lettersOf(text: string): Int32Array {
  const counts = new Int32Array(0x80);
  for (let at = 0; at < text.length; at++) bump(counts, text.charCodeAt(at), 1);
  return counts;
}

/** Returns a lower bound of the edit distance, ignoring the order of letters. It is much cheaper to compute than the distance. */
function differingLetters(letters: Int32Array, length: number, other: string): number {
  let extra = 0;
  for (let at = 0; at < other.length; at++) if (bump(letters, other.charCodeAt(at), -1) < 0) extra += 1;
  for (let at = 0; at < other.length; at++) bump(letters, other.charCodeAt(at), 1);
  return Math.max(extra, length - other.length + extra);
}

function bump(counts: Int32Array, unit: number, by: number): number {
  return (counts[unit & 0x7f] = (counts[unit & 0x7f] ?? 0) + by);
}

function wordNearness(wanted: readonly string[], name: string): number {
  // Splitting is slower than searching.
  if (!wanted.some((word) => name.includes(word))) return 0;
  const candidate = wordsOf(name);
  if (candidate.length === 0) return 0;
  const shared = wanted.filter((word) =>
    candidate.some((other) => other === word || (word.length > 3 && other.startsWith(word))),
  ).length;
  return shared === 0 ? 0 : 0.5 * (shared / Math.max(wanted.length, candidate.length)) + 0.01;
}

function wordsOf(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}

/** Optimal string alignment distance. Returns `max + 1` as soon as the distance must exceed `max`. */
export function editDistance(a: string, b: string, max = a.length + b.length): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  // Uses integer arrays and only the cells near the diagonal, because one misspelled name is compared with all others.
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
