/**
 * Caches the result for each argument until the argument is garbage-collected. Use it for values that follow from an immutable
 * object, such as a snapshot.
 */
export function memo<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { value: V }>();
  return (key) => {
    const known = results.get(key);
    if (known) return known.value;
    const value = compute(key);
    results.set(key, { value });
    return value;
  };
}
