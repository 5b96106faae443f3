/** If the event loop is blocked for longer, a server's callers notice. */
const SLICE_MS = 12;

/**
 * Returns a function that long synchronous work awaits between items. Most calls return at once; when a slice of time is used
 * up, the event loop gets a turn.
 */
export function breather(): () => Promise<void> | undefined {
  let started = Date.now();
  return () => {
    if (Date.now() - started < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        started = Date.now();
        resolve();
      });
    });
  };
}
