/** Longer than this without a turn of the event loop, and a server's callers would notice. */
const SLICE_MS = 12;

/**
 * Long synchronous work calls `await breathe()` between items. Most calls return at once; when a slice of time is used
 * up, other work gets its turn. A program with nobody waiting passes `neverBreathe`.
 */
export function breather(now: () => number = Date.now): () => Promise<void> | undefined {
  let started = now();
  return () => {
    if (now() - started < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        started = now();
        resolve();
      });
    });
  };
}
