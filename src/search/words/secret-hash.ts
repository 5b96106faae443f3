/**
 * Hashes for tables in memory. Words come from strangers: if the hash were known, a team could publish words that all belong into
 * one place, and each of them would be compared with all the others. So every character stands for a number that only this
 * process knows. A secret first value would not do: words that meet after one first value meet after many others too.
 *
 * It is another hash after each start, so nothing of it may be stored.
 */
import { randomFillSync } from 'node:crypto';

const NUMBER_OF = randomFillSync(new Int32Array(0x1_00_00));

export const FIRST_HASH = 0;

/** The hash with one more byte or UTF-16 unit. Without the turn, the last bits would never hear of the first ones. */
export function nextHash(hash: number, unit: number): number {
  return Math.imul(((hash << 13) | (hash >>> 19)) ^ (NUMBER_OF[unit] as number), 0x9e_37_79_b1);
}

/** The place of a hash in a table of so many, which is a power of two. */
export function slotOf(hash: number, slots: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  return (mixed ^ (mixed >>> 15)) & (slots - 1);
}
