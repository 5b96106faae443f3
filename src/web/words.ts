/** Formats lists and sizes. */

export { inWords } from '../core/text.ts';

/** Keeps a number and its unit on one line. */
const NO_BREAK = '\u00a0';

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes}${NO_BREAK}B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)}${NO_BREAK}KB`;
  return `${(bytes / 1_000_000).toFixed(1)}${NO_BREAK}MB`;
}
