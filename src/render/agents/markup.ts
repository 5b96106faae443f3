import { lineForTerminal, oneLine } from '../../core/text.ts';

/** Untrusted text inside our own markup: one line, without characters that could open or close an element. */
export function inMarkup(text: string): string {
  const line = oneLine(text);
  return /[&<>]/u.test(line) ? line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : line;
}

/** A path or a name on a line of its own: unchanged unless it contains characters that would end the line. */
export const onOneLine = lineForTerminal;
