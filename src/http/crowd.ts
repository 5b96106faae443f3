/** Chooses which stream or session to close when the limit is reached, so that one caller cannot lock out the others. */

/** A stream or a session of a caller. */
export interface Place {
  /** The caller that opened it. */
  caller: string;
  /** The address that opened it. Distinguishes callers that share a token or have none. */
  from: string;
}

/**
 * Returns the streams or sessions of the caller that has the most, limited to the address that has the most of these. Keeps
 * their order.
 */
export function mostCrowded<P extends Place>(places: readonly P[]): P[] {
  return largestGroup(
    largestGroup(places, ({ caller }) => caller),
    ({ from }) => from,
  );
}

function largestGroup<P>(places: readonly P[], keyOf: (place: P) => string): P[] {
  const groups = new Map<string, P[]>();
  for (const place of places) {
    const key = keyOf(place);
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  let largest: P[] = [];
  for (const group of groups.values()) if (group.length > largest.length) largest = group;
  return largest;
}
