/** Cuts and wraps text in terminal columns. */
import { graphemes, widthOf } from '../core/columns.ts';
import { VERBATIM } from './style.ts';

export { widthOf };

/** Cuts text to a display width, at character boundaries. */
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

// oxlint-disable-next-line no-control-regex -- Colors are control characters.
const COLORS = /\u001b\[\d+m/gu;

/** Wraps lines longer than the terminal between words and keeps their indentation. Words are never broken. */
export function reflow(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const isShort = widthOf(line.replace(COLORS, '')) <= width;
      return isShort || line.startsWith(VERBATIM) ? line : reflowLine(line, width);
    })
    .join('\n');
}

function reflowLine(line: string, width: number): string {
  const indent = /^ */u.exec(line)?.[0] ?? '';
  const further = `${indent}  `;
  const lines: string[] = [];
  let current = '';
  let columns = 0;
  // Spaces after a word belong to it, so that columns inside a line are preserved.
  for (const piece of line.slice(indent.length).match(/[^ ]+ */gu) ?? []) {
    const size = widthOf(piece.trimEnd().replace(COLORS, ''));
    const used = (lines.length === 0 ? indent : further).length + columns;
    if (current !== '' && used + size > width) {
      lines.push(current.trimEnd());
      current = '';
      columns = 0;
    }
    current += piece;
    columns += widthOf(piece.replace(COLORS, ''));
  }
  lines.push(current.trimEnd());
  return lines.map((each, index) => (index === 0 ? indent : further) + each).join('\n');
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
