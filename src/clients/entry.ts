/** When an entry that is already there means the same, and what it becomes when it is replaced. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../core/json-file.ts';
import type { Entry } from './client.ts';

/** Keys that say how the server is reached. All others (env, timeouts, tool lists, …) belong to the user. */
const CONNECTION_KEYS = ['type', 'command', 'args', 'url', 'httpUrl', 'serverUrl', 'enabled'] as const;

export function isSameEntry(existing: unknown, wanted: Entry): boolean {
  return (
    isRecord(existing) &&
    CONNECTION_KEYS.every((key) => isDeepStrictEqual(meaning(key, existing[key]), meaning(key, wanted[key])))
  );
}

/** The new entry, with everything of the old one that does not say how the server is reached. */
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

/** Clients fill in what is missing; an entry that spells it out is no different. */
function meaning(key: (typeof CONNECTION_KEYS)[number], value: unknown): unknown {
  if (key === 'type' && (value === 'stdio' || value === 'local')) return undefined;
  if (key === 'enabled' && value === true) return undefined;
  if (key === 'args' && Array.isArray(value) && value.length === 0) return undefined;
  return value;
}
