import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { encodeCursor, startAfter } from '../core/cursor.ts';
import { LIMITS } from '../core/limits.ts';
import { jsonBytes, leading } from './fit-reply.ts';

/** Leaves room in the reply for JSON overhead. */
export const PAGE_BYTES = LIMITS.replyTotalBytes.value - 100_000;

/**
 * Returns one page of items, which must be sorted by key: at most `size`, and only as many as fit into a reply. Only the items of
 * the page are described.
 */
export function pageAfter<T, Described>(
  items: readonly T[],
  cursor: string | undefined,
  size: number,
  keyOf: (item: T) => string,
  describe: (item: T) => Described,
): { items: Described[]; nextCursor?: string } {
  const start = startAfter(items, cursor, keyOf);
  if (start === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  const described = items.slice(start, start + size).map(describe);
  const fitting = leading(described, PAGE_BYTES, jsonBytes);
  // An empty page would end the list.
  const page = fitting.length > 0 ? fitting : described.slice(0, 1);
  const last = items[start + page.length - 1];
  return last !== undefined && page.length > 0 && start + page.length < items.length
    ? { items: page, nextCursor: encodeCursor(keyOf(last)) }
    : { items: page };
}
