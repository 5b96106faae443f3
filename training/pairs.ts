/**
 * Reads training pairs: texts that belong together, as numbers of words. Little endian:
 *
 *   header       6 x uint32: magic, version, pairs, words, numbers on the left, numbers on the right
 *   types        uint8 per pair
 *   lengths      uint16 per left side, then uint16 per right side
 *   numbers      uint16 per word of the left sides, then of the right sides
 *   frequencies  uint32 per word: how many documents have it
 *   words        UTF-8, one per line
 */
export interface Texts {
  /** Where each text begins in `ids`, and one more: where the last one ends. */
  starts: Uint32Array;
  ids: Uint16Array;
}

export interface Pairs {
  words: readonly string[];
  frequencies: Uint32Array;
  types: Uint8Array;
  left: Texts;
  right: Texts;
}

export const MAGIC = 0x31_50_58_4c;
export const VERSION = 1;
const HEADER_BYTES = 24;

export function readPairs(bytes: Uint8Array): Pairs {
  const { buffer, byteOffset, byteLength } = bytes;
  const view = new DataView(buffer, byteOffset, byteLength);
  const [magic, version, pairs = 0, count = 0, leftIds = 0, rightIds = 0] = [0, 4, 8, 12, 16, 20].map((at) =>
    view.getUint32(at, true),
  );
  if (magic !== MAGIC || version !== VERSION) throw new Error('not a file of pairs, or one of another version');
  let at = HEADER_BYTES;
  // The numbers are not aligned, so every table is copied.
  const take = (size: number): ArrayBuffer => {
    if (at + size > byteLength) throw new Error('the file of pairs is cut short');
    at += size;
    return Uint8Array.from(bytes.subarray(at - size, at)).buffer;
  };
  const types = new Uint8Array(take(pairs));
  const leftLengths = new Uint16Array(take(2 * pairs));
  const rightLengths = new Uint16Array(take(2 * pairs));
  const left = { starts: startsOf(leftLengths), ids: new Uint16Array(take(2 * leftIds)) };
  const right = { starts: startsOf(rightLengths), ids: new Uint16Array(take(2 * rightIds)) };
  const frequencies = new Uint32Array(take(4 * count));
  const words = new TextDecoder().decode(bytes.subarray(at)).split('\n', count);
  if (words.length !== count) throw new Error(`the file of pairs has ${words.length} words instead of ${count}`);
  return { words, frequencies, types, left, right };
}

export function textOf({ starts, ids }: Texts, index: number): Uint16Array {
  return ids.subarray(starts[index], starts[index + 1]);
}

/** The pairs with these numbers. */
export function selectPairs(pairs: Pairs, kept: readonly number[]): Pairs {
  return {
    ...pairs,
    types: Uint8Array.from(kept, (index) => pairs.types[index] ?? 0),
    left: selectTexts(pairs.left, kept),
    right: selectTexts(pairs.right, kept),
  };
}

function selectTexts(texts: Texts, kept: readonly number[]): Texts {
  const starts = startsOf(Uint16Array.from(kept, (index) => textOf(texts, index).length));
  const ids = new Uint16Array(starts.at(-1) ?? 0);
  kept.forEach((index, position) => ids.set(textOf(texts, index), starts[position]));
  return { starts, ids };
}

function startsOf(lengths: Uint16Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0);
  return starts;
}
