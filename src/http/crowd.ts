/** Chooses which stream or session makes room when all places are taken, so that one caller cannot lock out the others. */

/** A stream or a session of a caller. */
export interface Place {
  /** The caller that opened it. */
  caller: string;
  /** The address that it was opened from. Callers may share a token, and callers without a token are told apart by it. */
  from: string;
}

/** The places of the caller that has the most, and of these the ones from the address that has the most, in their order. */
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
