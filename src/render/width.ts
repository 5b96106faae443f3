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

/** Ends a line of a command that continues on the next one. */
const CONTINUED = ' \\';

/** Returns the words of a shell command, each with the spaces after it. Spaces in single quotes belong to the word. */
function commandWords(command: string): string[] {
  const words: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < command.length; at++) {
    const character = command[at];
    if (character === "'") isQuoted = !isQuoted;
    else if (character === '\\' && !isQuoted) at += 1;
    else if (character === ' ' && !isQuoted && command[at + 1] !== ' ') {
      words.push(command.slice(start, at + 1));
      start = at + 1;
    }
  }
  return [...words, command.slice(start)].filter((word) => word !== '');
}

/** Splits a line where it may be broken. A command after the mark is broken like a shell command, so that it can be copied. */
function piecesOf(line: string): { pieces: readonly string[]; end: string } {
  const at = line.indexOf(VERBATIM);
  // Spaces after a word belong to it, so that columns inside a line are preserved.
  if (at === -1) return { pieces: line.match(/[^ ]+ */gu) ?? [], end: '' };
  const [first = '', ...more] = commandWords(line.slice(at + 1));
  return { pieces: [line.slice(0, at) + first, ...more], end: CONTINUED };
}

function reflowLine(line: string, width: number): string {
  const indent = /^ */u.exec(line)?.[0] ?? '';
  const further = `${indent}  `;
  const lines: string[] = [];
  let current = '';
  let columns = 0;
  const { pieces, end } = piecesOf(line.slice(indent.length));
  for (const [index, piece] of pieces.entries()) {
    const size = widthOf(piece.trimEnd().replace(COLORS, ''));
    const used = (lines.length === 0 ? indent : further).length + columns;
    const room = index === pieces.length - 1 ? width : width - end.length;
    if (current !== '' && used + size > room) {
      lines.push(current.trimEnd() + end);
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
