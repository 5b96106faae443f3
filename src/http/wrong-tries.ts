/**
 * Slows down callers that keep submitting wrong tokens in the sign-in form. After a few attempts, each further one has to wait,
 * twice as long each time up to a limit, so that no address is locked out for good.
 */
import { LIMITS } from '../core/limits.ts';

interface Tries {
  wrong: number;
  /** Attempts before this time are refused. */
  waitUntil: number;
  lastAt: number;
}

/** The attempts of an address are forgotten after this long. */
const FORGOTTEN_MS = 15 * 60 * 1_000;
const FIRST_WAIT_MS = 1_000;

export class WrongTries {
  /** By the network that they came from, in the order of their last attempt. */
  readonly #tries = new Map<string, Tries>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts an attempt as wrong until `right` or `undo` is called, so that concurrent attempts do not all pass. If the caller
   * still has to wait, returns how long, and the attempt does not count.
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

  /** The token could not be checked, for example because no catalog is loaded yet. */
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
