/** Keeps results within the maximum length of a reply. Clients disconnect if a message is too long. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { grouped } from '../core/text.ts';

/** Protocol overhead of a result. */
export const ENVELOPE_BYTES = 1_000;

/** Additional key of a cut result, with the omitted amount by field. */
export const LEFT_OUT_KEY = 'left_out';

/**
 * Cuts the longest lists and texts of a result until its JSON has at most `maxBytes`. Fields of a fixed size are kept. The omitted
 * amounts are counted, including those of an earlier cut.
 */
export function fitResult(result: Readonly<Record<string, unknown>>, maxBytes: number): Record<string, unknown> {
  const { [LEFT_OUT_KEY]: earlier, ...rest } = result;
  const fitted: Record<string, unknown> = { ...rest };
  const before = isRecord(earlier) ? earlier : {};
  const leftOut: Record<string, unknown> = { ...before };
  const sizes = new Map(Object.entries(fitted).map(([key, value]) => [key, jsonBytes(value)]));
  const longestFirst = [...sizes].sort(([, a], [, b]) => b - a);
  // Leaves room for the counts.
  let excess = jsonBytes(result) - maxBytes + 200;
  for (const [key, bytes] of longestFirst) {
    if (excess <= 0) break;
    const cut = cutValue(result[key], Math.max(0, bytes - excess));
    if (!cut) continue;
    fitted[key] = cut.value;
    leftOut[key] = cut.leftOut + Number(before[key] ?? 0);
    excess -= bytes - jsonBytes(cut.value);
  }
  return { ...fitted, [LEFT_OUT_KEY]: leftOut };
}

/** Returns the beginning of a list, text or object with many keys. Returns undefined for other values. */
function cutValue(value: unknown, maxBytes: number): { value: unknown; leftOut: number } | undefined {
  if (typeof value === 'string') {
    // A character takes at most six bytes of JSON (three in UTF-8, more if it is escaped).
    const kept = value.slice(0, Math.floor(maxBytes / 6)).toWellFormed();
    return { value: kept, leftOut: value.length - kept.length };
  }
  if (Array.isArray(value)) {
    const kept = leading(value, maxBytes, jsonBytes);
    return { value: kept, leftOut: value.length - kept.length };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const kept = leading(entries, maxBytes, ([key, item]) => jsonBytes(key) + jsonBytes(item));
  return { value: Object.fromEntries(kept), leftOut: entries.length - kept.length };
}

/** Returns the first items that fit together. */
export function leading<T>(items: readonly T[], maxBytes: number, bytesOf: (item: T) => number): T[] {
  let left = maxBytes;
  const end = items.findIndex((item) => (left -= bytesOf(item)) < 0);
  return end === -1 ? [...items] : items.slice(0, end);
}

/** Fails if a resource is too long. Resources cannot be cut, so the error explains how to read it in parts. */
export function requireFits(content: string, how: string): void {
  const bytes = jsonBytes(content);
  if (bytes <= LIMITS.replyTotalBytes.value - ENVELOPE_BYTES) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The resource is too long for one reply: ${grouped(bytes)} bytes of JSON. ${how}`,
  );
}

/** Returns the size as JSON, including the comma or colon after it. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '') + 1;
}
