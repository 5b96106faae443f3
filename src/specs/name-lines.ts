/** Names lines of a file in messages. */
import { clip, count, oneLine } from '../core/text.ts';

const NAMED_LINES = 3;
const NAMED_CHARACTERS = 60;

/** Quotes the first lines with their numbers, and counts the rest. */
export function nameLines(lines: readonly { line: number; text: string }[], most = NAMED_LINES): string {
  const named = lines
    .slice(0, most)
    .map(({ line, text }) => `line ${line + 1} "${clip(oneLine(text), NAMED_CHARACTERS)}"`);
  const rest = lines.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${count(rest, 'more line')}` : ''}`;
}
