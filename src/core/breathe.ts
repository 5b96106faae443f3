/** Blocking the event loop for longer is noticeable to the callers of a server. */
const SLICE_MS = 12;

/**
 * Returns a function that long synchronous work awaits between items. Most calls return immediately. When a time slice is used
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

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a separate turn of the event loop. Otherwise, all requests that wait for the same result would continue in one turn
 * and block other requests until the last one is done.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return lastTurn;
}

/** Collects the items of a generator, with turns for the event loop in between. */
export async function inSlices<T>(items: Iterable<T>): Promise<T[]> {
  const breathe = breather();
  const collected: T[] = [];
  for (const item of items) {
    collected.push(item);
    await breathe();
  }
  return collected;
}
