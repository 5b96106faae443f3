/**
 * Matches `*` and `?`. Patterns come from files and requests, so they are never compiled into regular expressions, which can take
 * exponential time. This matcher reads each character of the text once.
 */
import { LIMITS } from './limits.ts';

/** Returns a test for a whole text. `*` matches any characters, `?` matches one. Everything else matches itself. */
export function wildcard(pattern: string): (text: string) => boolean {
  const first = pattern.search(/[*?]/u);
  if (first === -1) return (text) => text === pattern;
  const before = pattern.slice(0, first);
  const after = pattern.slice(Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?')) + 1);
  const parts = Array.from(pattern.slice(first, pattern.length - after.length), (part) =>
    part === '*' ? ANY : part === '?' ? ONE : part,
  );
  const matches = sequence<string>(parts);
  return (text) =>
    text.length >= before.length + after.length &&
    text.startsWith(before) &&
    text.endsWith(after) &&
    matches(Array.from(text.slice(before.length, text.length - after.length)));
}

/** Matches any number of items, including none. */
export const ANY = Symbol('any number of items');
/** Matches exactly one item. */
export const ONE = Symbol('one item');

export type Part<Item> = Item | typeof ANY | typeof ONE | ((item: Item) => boolean);

/**
 * Returns a test for a whole sequence of characters, or of folders in a path. It follows all positions in the pattern together,
 * one bit each: a set bit means that the pattern up to that position matches the items so far. So the cost of a step does not
 * depend on the stars of the pattern.
 */
export function sequence<Item extends string>(parts: readonly Part<Item>[]): (items: readonly Item[]) => boolean {
  const { value: longest } = LIMITS.wildcardCharacters;
  const length = parts.filter((part) => part !== ANY).length;
  if (length > longest) return () => false;
  if (length === 0) return ({ length: given }) => parts.length > 0 || given === 0;
  const loops = new Bits(length);
  const anyItem = new Bits(length);
  const byItem = new Map<Item, Bits>();
  const tests: { at: number; accepts: (item: Item) => boolean }[] = [];
  let at = 0;
  for (const part of parts) {
    if (part === ANY) loops.set(at);
    else if (part === ONE) anyItem.set(at++);
    else if (typeof part === 'function') tests.push({ at: at++, accepts: part });
    else {
      const bits = byItem.get(part) ?? new Bits(length);
      byItem.set(part, bits);
      bits.set(at++);
    }
  }
  for (const bits of byItem.values()) bits.add(anyItem);
  const acceptedBy = (item: Item): Bits => {
    const fixed = byItem.get(item) ?? anyItem;
    if (tests.length === 0) return fixed;
    const bits = new Bits(length);
    bits.add(fixed);
    for (const test of tests) if (test.accepts(item)) bits.set(test.at);
    return bits;
  };
  return (items) => {
    if (items.length < length || items.length > longest) return false;
    const state = new Bits(length);
    state.set(0);
    for (const item of items) if (!state.advance(acceptedBy(item), loops)) return false;
    return state.has(length);
  };
}

/** A set of positions from 0 to `last`. */
class Bits {
  readonly #words: Int32Array;

  constructor(last: number) {
    this.#words = new Int32Array((last >>> 5) + 1);
  }

  set(at: number): void {
    this.#words[at >>> 5] = (this.#words[at >>> 5] ?? 0) | (1 << (at & 31));
  }

  has(at: number): boolean {
    return ((this.#words[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
  }

  add(other: Bits): void {
    for (const [index, word] of other.#words.entries()) this.#words[index] = (this.#words[index] ?? 0) | word;
  }

  /** Advances each position that accepts the next character, and keeps positions at a star. Returns false if none is left. */
  advance(accepts: Bits, loops: Bits): boolean {
    let [carry, left] = [0, 0];
    for (let index = 0; index < this.#words.length; index++) {
      const word = this.#words[index] ?? 0;
      const moved = word & (accepts.#words[index] ?? 0);
      const next = (moved << 1) | carry | (word & (loops.#words[index] ?? 0));
      carry = moved >>> 31;
      left |= next;
      this.#words[index] = next;
    }
    return left !== 0;
  }
}
