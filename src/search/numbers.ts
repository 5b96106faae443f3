/** Non-negative integers in the smallest array type that fits. Such lists are most of an index of 100,000 documents. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** Creates an array of `count` numbers, none larger than `largest`. */
export function numbersUpTo(largest: number, count: number): Numbers {
  if (largest < 1 << 8) return new Uint8Array(count);
  return largest < 1 << 16 ? new Uint16Array(count) : new Uint32Array(count);
}

export function narrow(values: readonly number[], largest: number): Numbers {
  const numbers = numbersUpTo(largest, values.length);
  numbers.set(values);
  return numbers;
}
