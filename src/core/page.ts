import { LIMITS } from './limits.ts';
import { codePointStart } from './text.ts';

export interface Page {
  text: string;
  /** Offset of the next page. Undefined at the end. */
  nextOffset: number | undefined;
}

/**
 * Returns a part of a long text that fits into one reply. Offsets count UTF-16 units, as JavaScript and JSON strings do, but a
 * page always begins and ends between code points and has at least one. Both characters and bytes are bounded, because the size
 * of a character differs between scripts.
 */
export function pageOf(text: string, offset: number, limit: number = LIMITS.replyCharacters.value): Page {
  const start = codePointStart(text, Math.min(offset, text.length));
  let end = Math.min(text.length, start + Math.min(limit, LIMITS.replyCharacters.value));
  while (end > start && Buffer.byteLength(text.slice(start, end)) > LIMITS.replyBytes.value) {
    // Each round drops at least a sixteenth, so even the worst text takes only a few rounds.
    end =
      start +
      Math.floor((end - start) * Math.min(0.9375, LIMITS.replyBytes.value / Buffer.byteLength(text.slice(start, end))));
  }
  end = codePointStart(text, end);
  if (end === start && start < text.length) end += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  return { text: text.slice(start, end), nextOffset: end < text.length ? end : undefined };
}
