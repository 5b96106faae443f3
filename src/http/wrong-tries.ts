/**
 * Slows down callers that try one wrong token after the other at the form. After some tries, each further one has to wait, twice
 * as long each time up to a bound, so that no address is locked out for good.
 */
import { LIMITS } from '../core/limits.ts';

interface Tries {
  wrong: number;
  /** No try counts before this time. */
  waitUntil: number;
  lastAt: number;
}

/** The tries of an address are forgotten after this long. */
const FORGOTTEN_MS = 15 * 60 * 1_000;
const FIRST_WAIT_MS = 1_000;

export class WrongTries {
  /** By the network that they came from, in the order of their last try. */
  readonly #tries = new Map<string, Tries>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts a try as wrong, until `right` or `undo` is called: tries at the same time must not all go through. Returns how long to
   * wait before the next try; then this one does not count.
   */
  begin(from: string): { waitMs: number } {
    const now = this.#now();
    const known = this.#tries.get(from);
    const tries = known && now - known.lastAt < FORGOTTEN_MS ? known : { wrong: 0, waitUntil: 0, lastAt: now };
    if (now < tries.waitUntil) return { waitMs: tries.waitUntil - now };
    tries.wrong += 1;
    tries.lastAt = now;
    const beyond = tries.wrong - LIMITS.signInTries.value;
    if (beyond >= 0)
      tries.waitUntil = now + Math.min(FIRST_WAIT_MS * 2 ** Math.min(beyond, 20), LIMITS.signInWait.value);
    this.#tries.delete(from);
    this.#tries.set(from, tries);
    for (const oldest of this.#tries.keys()) {
      if (this.#tries.size <= LIMITS.signInAddresses.value) break;
      this.#tries.delete(oldest);
    }
    return { waitMs: 0 };
  }

  right(from: string): void {
    this.#tries.delete(from);
  }

  /** The token was neither right nor wrong, for example because the catalog is not there yet. */
  undo(from: string): void {
    const tries = this.#tries.get(from);
    if (!tries) return;
    tries.wrong -= 1;
    tries.waitUntil = 0;
  }
}

/** The part of an address that one caller cannot change at will: an IPv4 address, or the first half of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/iu.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [start = '', end] = address.split('%', 1)[0]?.split('::') ?? [];
  const [before, after] = [start, end ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const missing = end === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(after ?? [])];
  return groups.slice(0, 4).join(':');
}
