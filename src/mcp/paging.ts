import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { compareText } from '../core/text.ts';

const PREFIX = 'after:';

/**
 * One page of items, which must be sorted by their key. A cursor means "after this key". Items that are added or removed
 * between two pages therefore never make a client skip or repeat others.
 */
export function pageAfter<T>(
  items: readonly T[],
  cursor: string | undefined,
  size: number,
  keyOf: (item: T) => string,
): { items: T[]; nextCursor?: string } {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const start = after === undefined ? 0 : items.findIndex((item) => compareText(keyOf(item), after) > 0);
  const page = start === -1 ? [] : items.slice(start, start + size);
  const last = page.at(-1);
  return last !== undefined && start + size < items.length
    ? { items: page, nextCursor: encodeCursor(keyOf(last)) }
    : { items: page };
}

function encodeCursor(key: string): string {
  return Buffer.from(PREFIX + key).toString('base64url');
}

function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith(PREFIX) || encodeCursor(text.slice(PREFIX.length)) !== cursor) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  }
  return text.slice(PREFIX.length);
}
