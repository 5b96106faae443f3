/** Caches a value computed from all skills of a snapshot, for as long as the `cacheKey` of the snapshot exists. */
export function memoOfLists<S extends { cacheKey: () => object }, V>(compute: (snapshot: S) => V): (snapshot: S) => V {
  const results = new WeakMap<object, { value: V }>();
  return (snapshot) => {
    const cacheKey = snapshot.cacheKey();
    const known = results.get(cacheKey);
    if (known) return known.value;
    const value = compute(snapshot);
    results.set(cacheKey, { value });
    return value;
  };
}
