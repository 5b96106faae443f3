/** Whole numbers from 0 on, in as few bytes as they need: an index of a hundred thousand documents is mostly such lists. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** So many numbers, none of which is larger than this. */
export function numbersUpTo(largest: number, count: number): Numbers {
  if (largest < 1 << 8) return new Uint8Array(count);
  return largest < 1 << 16 ? new Uint16Array(count) : new Uint32Array(count);
}

export function narrow(values: readonly number[], largest: number): Numbers {
  const numbers = numbersUpTo(largest, values.length);
  numbers.set(values);
  return numbers;
}
