import type { Mark } from './excerpt.ts';

/** Finds the positions of words in a text, ignoring case, in order and without overlap. The words must be in lower case. */
export function marksOf(text: string, words: readonly string[]): Mark[] {
  const lower = text.toLowerCase();
  // A few letters (İ) become longer in lower case. Then the positions in the two texts differ.
  const { folded, startOf } =
    lower.length === text.length ? { folded: lower, startOf: (at: number) => at } : foldedWithPositions(text);
  const places: Mark[] = [];
  for (const word of words) {
    if (word === '') continue;
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
      places.push([startOf(at), startOf(at + word.length)]);
  }
  return withoutOverlap(places);
}

function foldedWithPositions(text: string): { folded: string; startOf: (at: number) => number } {
  const starts: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const lower = character.toLowerCase();
    // A match that ends inside a letter ends after it.
    for (let unit = 0; unit < lower.length; unit++) starts.push(unit === 0 ? at : at + character.length);
    folded += lower;
    at += character.length;
  }
  return { folded, startOf: (place) => starts[place] ?? text.length };
}

function withoutOverlap(places: Mark[]): Mark[] {
  places.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const kept: Mark[] = [];
  let end = 0;
  for (const place of places) {
    if (place[0] < end || place[1] === place[0]) continue;
    kept.push(place);
    end = place[1];
  }
  return kept;
}
