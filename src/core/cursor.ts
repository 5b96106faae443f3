/**
 * Pages of a list that is sorted by a key. A cursor means "after this key", so items that are added or removed between two pages
 * never make a reader skip or repeat others.
 */
import { compareText } from './text.ts';

const PREFIX = 'after:';

/** The cursor for what comes after a key. */
export function encodeCursor(key: string): string {
  return Buffer.from(PREFIX + key).toString('base64url');
}

/** Where the page after a cursor starts; undefined if the cursor is not one of ours. */
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

/** A part of a list whose order is its own: the cursor is a number, and what changes in between may shift it. */
export function pageFrom<T>(
  items: readonly T[],
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): { page: T[]; nextCursor?: string } {
  const start = Number(cursor ?? 0);
  const end = limit === undefined ? items.length : start + limit;
  return { page: items.slice(start, end), ...(end < items.length ? { nextCursor: String(end) } : {}) };
}
