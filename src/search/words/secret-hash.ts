/**
 * Hash function for tables in memory that resists hash flooding. Words are untrusted: with a known hash, a team could publish words
 * that all collide. So each character maps to a random number known only to this process. A random seed would not be enough: words
 * that collide under one seed collide under many.
 *
 * The hash differs in every process, so it must never be stored.
 */
import { randomFillSync } from 'node:crypto';

const NUMBER_OF = randomFillSync(new Int32Array(0x1_00_00));

export const FIRST_HASH = 0;

/** Adds one byte or UTF-16 unit to the hash. The rotation mixes high bits into low ones. */
export function nextHash(hash: number, unit: number): number {
  return Math.imul(((hash << 13) | (hash >>> 19)) ^ (NUMBER_OF[unit] ?? 0), 0x9e_37_79_b1);
}

/** Index of a hash in a table whose size is a power of two. */
export function slotOf(hash: number, slots: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  return (mixed ^ (mixed >>> 15)) & (slots - 1);
}
