import { LIMITS } from './limits.ts';

export interface Page {
  text: string;
  /** Where the next page starts; undefined at the end. */
  nextOffset: number | undefined;
}

/**
 * A part of a long text that fits into one reply. Offsets count UTF-16 units, as JavaScript and JSON strings do; a pair of
 * surrogates is never cut. Both the characters and the bytes are bounded, because scripts differ in what a character costs.
 */
export function pageOf(text: string, offset: number, limit: number = LIMITS.replyCharacters.value): Page {
  const start = Math.min(offset, text.length);
  let end = Math.min(text.length, start + Math.min(limit, LIMITS.replyCharacters.value));
  while (end > start && Buffer.byteLength(text.slice(start, end)) > LIMITS.replyBytes.value) {
    // Every round drops at least a sixteenth, so that even the worst text takes few of them.
    end =
      start +
      Math.floor((end - start) * Math.min(0.9375, LIMITS.replyBytes.value / Buffer.byteLength(text.slice(start, end))));
  }
  if (end < text.length && isLowSurrogate(text.charCodeAt(end)) && end - 1 > start) end -= 1;
  return { text: text.slice(start, end), nextOffset: end < text.length ? end : undefined };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
