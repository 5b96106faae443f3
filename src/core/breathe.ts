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

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop of its own. Requests that wait for the same thing would otherwise all go on in one turn,
 * and nobody else would be served until the last of them is done.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return lastTurn;
}

/** Collects what a generator yields, with turns for the event loop in between. */
export async function inSlices<T>(items: Iterable<T>): Promise<T[]> {
  const breathe = breather();
  const collected: T[] = [];
  for (const item of items) {
    collected.push(item);
    await breathe();
  }
  return collected;
}
