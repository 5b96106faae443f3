/** Measures and cuts text in terminal columns. */
import { eastAsianWidth } from 'get-east-asian-width';

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): string[] {
  // Created on first use: its tables take longer to load than most commands take to run.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  if (/^[\p{Control}\p{Format}\p{Mark}\p{Surrogate}]+$/u.test(grapheme)) return 0;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0x20);
}

/** The width of a text without colors. */
export function widthOf(text: string): number {
  return /^[\u0020-\u007e]*$/u.test(text)
    ? text.length
    : graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** Cuts by display width, on character boundaries. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  let used = 0;
  let result = '';
  for (const segment of graphemes(text)) {
    const next = widthOf(segment);
    if (used + next > columns - 1) break;
    used += next;
    result += segment;
  }
  return `${result.trimEnd()}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** Breaks a paragraph into indented lines. */
export function wrap(text: string, indent: string, width: number | undefined): string {
  if (width === undefined) return indent + text;
  const columns = Math.max(10, width - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.map((each) => indent + each).join('\n');
}
