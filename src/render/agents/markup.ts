import { lineForTerminal, oneLine } from '../../core/text.ts';

/** Escapes untrusted text for our own markup: one line, without characters that could open or close an element. */
export function inMarkup(text: string): string {
  const line = oneLine(text);
  return /[&<>]/u.test(line) ? line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : line;
}

/** Keeps a path or name on one line: unchanged unless it contains characters that would end the line. */
export const onOneLine = lineForTerminal;
