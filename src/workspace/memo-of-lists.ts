/** Caches a value computed from all skills of a snapshot, for as long as the `keeper` of the snapshot exists. */
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
