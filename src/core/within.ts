import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a promise, at most `ms` milliseconds. Then it returns undefined, while the promise itself keeps running. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, wait(ms, undefined, { signal: over.signal }).catch(() => undefined)]);
  } finally {
    over.abort();
  }
}
