/** Remembers what was computed of all skills of a snapshot, as long as the snapshot wants it to be kept. */
export function memoOfLists<S extends { keeper: () => object }, V>(compute: (snapshot: S) => V): (snapshot: S) => V {
  const results = new WeakMap<object, { value: V }>();
  return (snapshot) => {
    const keeper = snapshot.keeper();
    const known = results.get(keeper);
    if (known) return known.value;
    const value = compute(snapshot);
    results.set(keeper, { value });
    return value;
  };
}
