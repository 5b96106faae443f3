/**
 * Pages a list that is sorted by a key. A cursor means "after this key", so items that are added or removed between two pages
 * never make a reader skip or repeat others.
 */
import { LIMITS } from './limits.ts';
import { codePointStart, compareText } from './text.ts';

const PREFIX = 'after:';

/** Returns the cursor for the items after a key. */
export function encodeCursor(key: string): string {
  return Buffer.from(PREFIX + key).toString('base64url');
}

/** Returns the start of the page after a cursor, or undefined if the cursor is invalid. */
export function startAfter<T>(
  items: readonly T[],
  cursor: string | undefined,
  keyOf: (item: T) => string,
): number | undefined {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const key = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || encodeCursor(key) !== cursor) return undefined;
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(keyOf(items[middle] as T), key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Pages a list in its given order. The cursor is a number, so items that are added or removed in between shift it. With
 * `characters`, the page ends before its JSON becomes longer, but it has at least one item.
 */
export function pageFrom<T>(
  items: readonly T[],
  {
    limit,
    cursor,
    characters,
  }: { limit?: number | undefined; cursor?: string | undefined; characters?: number | undefined },
): { page: T[]; nextCursor?: string } {
  const start = Number(cursor ?? 0);
  let end = limit === undefined ? items.length : start + limit;
  if (characters !== undefined) {
    let left = characters;
    const over = items.slice(start, end).findIndex((item) => (left -= replyCost(item)) < 0);
    if (over !== -1) end = start + Math.max(1, over);
  }
  return { page: items.slice(start, end), ...(end < items.length ? { nextCursor: String(end) } : {}) };
}

/** Counts the characters of a value in a reply. Characters with many bytes count for more: see `LIMITS.replyBytes`. */
export function replyCost(value: unknown): number {
  const json = `${JSON.stringify(value)},`;
  return Math.max(json.length, (Buffer.byteLength(json) * LIMITS.replyCharacters.value) / LIMITS.replyBytes.value);
}

/** Returns the beginning of a text, costing at most `characters` in a reply. */
export function fitText(text: string, characters: number): string {
  let kept = text;
  // Each round drops a tenth, because the cost of the rest is known only afterwards.
  while (kept !== '' && replyCost(kept) > characters)
    kept = kept.slice(0, codePointStart(kept, Math.floor(kept.length * 0.9)));
  return kept;
}
