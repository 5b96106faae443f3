/** Measures how many terminal columns a text takes up. */
import { eastAsianWidth } from 'get-east-asian-width';

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into characters as a reader counts them. */
export function graphemes(text: string): string[] {
  // Created on first use: its tables take longer to load than most commands take to run.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns the longest beginning of a text with at most that many UTF-16 units that splits no character. */
export function beginningOf(text: string, most: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, most));
  let end = 0;
  for (const { length } of graphemes(text)) {
    if (end + length > most) break;
    end += length;
  }
  return text.slice(0, end);
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  if (/^[\p{Control}\p{Format}\p{Mark}\p{Surrogate}]+$/u.test(grapheme)) return 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0x20);
}

/** Letters and punctuation of one column that never join with the next character. They need no segmenter, which takes 10 ms to load. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/u;

/** The width of a text without colors. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}
