import { memo } from '../core/memo.ts';
import type { TextFile } from './text-file.ts';

/** Bits for the parts of three characters that a text has. Most texts have few thousands of them. */
const BITS = 1 << 16;

const partsOf = memo(({ low }: Pick<TextFile, 'low'>): Uint8Array => {
  const bits = new Uint8Array(BITS / 8);
  for (let at = 0; at + 2 < low.length; at++) {
    const part = partAt(low, at);
    bits[part >> 3] = (bits[part >> 3] ?? 0) | (1 << (part & 7));
  }
  return bits;
});

function partAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 1_021 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) % BITS;
}

/**
 * Whether a text contains one of the hints. There are hundreds, and a text with all the parts of a hint is rare, so the parts are
 * compared first. This takes a tenth of the time of searching for each hint.
 */
export function hasHint(file: Pick<TextFile, 'low'>, hints: readonly string[]): boolean {
  const bits = partsOf(file);
  return hints.some((hint) => {
    for (let at = 0; at + 2 < hint.length; at++) {
      const part = partAt(hint, at);
      if (((bits[part >> 3] ?? 0) & (1 << (part & 7))) === 0) return false;
    }
    return file.low.includes(hint);
  });
}
