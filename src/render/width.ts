/** Text measured in the columns of a terminal. Apart from the style, because the tables behind it take time to load. */
import stringWidth from 'string-width';

/** Columns that a text without colours takes up. */
export function widthOf(text: string): number {
  return /^[\u0020-\u007e]*$/u.test(text) ? text.length : stringWidth(text);
}

/** Cuts by display width, on character boundaries. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  let used = 0;
  let result = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
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

/** Words of a paragraph over lines of at most so many columns, each after the indent. */
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
