/** Compares an entry with an existing one, and replaces it. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../core/json-file.ts';
import type { Entry } from './client.ts';

/** Keys that say how to reach the server. All others (env, timeouts, tool lists, …) belong to the user. */
const CONNECTION_KEYS = ['type', 'command', 'args', 'url', 'httpUrl', 'serverUrl', 'enabled'] as const;

export function isSameEntry(existing: unknown, wanted: Entry): boolean {
  return (
    isRecord(existing) &&
    CONNECTION_KEYS.every((key) =>
      isDeepStrictEqual(withoutDefault(key, existing[key]), withoutDefault(key, wanted[key])),
    )
  );
}

/** The new entry, plus what the old one has besides connection keys. */
export function replacedEntry(existing: unknown, wanted: Entry): Record<string, unknown> {
  if (!isRecord(existing)) return { ...wanted };
  const kept = Object.entries(existing).filter(([key]) => key in wanted || !isConnectionKey(key));
  return {
    ...wanted,
    ...Object.fromEntries(kept.map(([key, value]) => [key, isConnectionKey(key) ? wanted[key] : value])),
  };
}

export function isConnectionKey(key: string): boolean {
  return CONNECTION_KEYS.some((each) => each === key);
}

/** Clients have defaults for these keys, so an entry that spells them out means the same. */
function withoutDefault(key: (typeof CONNECTION_KEYS)[number], value: unknown): unknown {
  if (key === 'type' && (value === 'stdio' || value === 'local')) return undefined;
  if (key === 'enabled' && value === true) return undefined;
  if (key === 'args' && Array.isArray(value) && value.length === 0) return undefined;
  return value;
}

/** `{ a: { b: value } }` for the keys `a` and `b`. */
export function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** The value that the keys lead to, if any. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}
