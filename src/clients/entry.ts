/** Compares and replaces entries. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../core/json-file.ts';
import type { Entry, EntryValue } from './client.ts';

/** Keys that define the connection. All others (env, timeouts, tool lists, …) belong to the user. */
const CONNECTION_KEYS = ['type', 'command', 'args', 'url', 'httpUrl', 'serverUrl', 'enabled'] as const;

/** Keys that define authentication. They belong to the user if the wanted entry has no token. */
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

/** Returns the new entry with the user's additional keys from the old one. */
export function replacedEntry(existing: unknown, wanted: Entry): Record<string, unknown> {
  if (!isRecord(existing)) return { ...wanted };
  const kept = Object.entries(existing).filter(([key]) => key in wanted || !isConnectionKey(key, wanted));
  const merged = ([key, value]: [string, unknown]): [string, unknown] => {
    if (isConnectionKey(key, wanted)) return [key, wanted[key]];
    return [key, isAuthKey(key) ? withAuth(value, wanted[key]) : value];
  };
  return { ...wanted, ...Object.fromEntries(kept.map(merged)) };
}

/** Keeps unrelated headers. */
function withAuth(existing: unknown, wanted: EntryValue | undefined): unknown {
  if (wanted === undefined) return existing;
  return isRecord(wanted) && isRecord(existing) ? { ...existing, ...wanted } : wanted;
}

/**
 * Whether the key is replaced together with the connection. A started command takes no headers, and Codex rejects
 * entries with both.
 */
export function isConnectionKey(key: string, wanted: Entry): boolean {
  return CONNECTION_KEYS.some((each) => each === key) || ('command' in wanted && isAuthKey(key));
}

function isAuthKey(key: string): boolean {
  return AUTH_KEYS.some((each) => each === key);
}

/** Clients have defaults for these keys, so an entry with the default value is equivalent to one without. */
function withoutDefault(key: (typeof CONNECTION_KEYS)[number], value: unknown): unknown {
  if (key === 'type' && (value === 'stdio' || value === 'local')) return undefined;
  if (key === 'enabled' && value === true) return undefined;
  if (key === 'args' && Array.isArray(value) && value.length === 0) return undefined;
  return value;
}
