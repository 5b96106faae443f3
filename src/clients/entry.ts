/** Compares an entry with an existing one, and replaces it. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../core/json-file.ts';
import type { Entry, EntryValue } from './client.ts';

/** Keys that say how to reach the server. All others (env, timeouts, tool lists, …) belong to the user. */
const CONNECTION_KEYS = ['type', 'command', 'args', 'url', 'httpUrl', 'serverUrl', 'enabled'] as const;

/** Keys that say who calls. An entry that does not ask for a token leaves them to the user. */
const AUTH_KEYS = ['headers', 'bearer_token_env_var', 'oauth'] as const;

export function isSameEntry(existing: unknown, wanted: Entry): boolean {
  return (
    isRecord(existing) &&
    AUTH_KEYS.every((key) => isDeepStrictEqual(withAuth(existing[key], wanted[key]), existing[key])) &&
    CONNECTION_KEYS.every((key) =>
      isDeepStrictEqual(withoutDefault(key, existing[key]), withoutDefault(key, wanted[key])),
    )
  );
}

/** The new entry, plus what the old one has besides connection keys. */
export function replacedEntry(existing: unknown, wanted: Entry): Record<string, unknown> {
  if (!isRecord(existing)) return { ...wanted };
  const kept = Object.entries(existing).filter(([key]) => key in wanted || !isConnectionKey(key, wanted));
  const merged = ([key, value]: [string, unknown]): [string, unknown] => {
    if (isConnectionKey(key, wanted)) return [key, wanted[key]];
    return [key, isAuthKey(key) ? withAuth(value, wanted[key]) : value];
  };
  return { ...wanted, ...Object.fromEntries(kept.map(merged)) };
}

/** Other headers stay. */
function withAuth(existing: unknown, wanted: EntryValue | undefined): unknown {
  if (wanted === undefined) return existing;
  return isRecord(wanted) && isRecord(existing) ? { ...existing, ...wanted } : wanted;
}

/** Whether the key goes with the way to the server. A command that is started takes no headers, and Codex refuses both together. */
export function isConnectionKey(key: string, wanted: Entry): boolean {
  return CONNECTION_KEYS.some((each) => each === key) || ('command' in wanted && isAuthKey(key));
}

function isAuthKey(key: string): boolean {
  return AUTH_KEYS.some((each) => each === key);
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
