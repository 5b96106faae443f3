import { lineForTerminal, oneLine } from '../../core/text.ts';

/** Untrusted text inside our own markup: one line, without characters that could open or close an element. */
export function inMarkup(text: string): string {
  return escapeMarkup(oneLine(text));
}

export function escapeMarkup(text: string): string {
  return /[&<>]/u.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
}

/** A path or a name on a line of its own: unchanged unless it contains characters that would end the line. */
export const onOneLine = lineForTerminal;

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
