/** Waits for pending calls when a server shuts down. */
import { LIMITS } from './limits.ts';
import { count } from './text.ts';

export interface Draining {
  /** Returns the number of calls without a reply. */
  left(): number;
  /** Returns a value that changes whenever a reply is finished, or its reader accepts a part of it. */
  progress(): number | string;
  /** How long to wait without any progress. */
  quietMs?: number;
}

const POLL_MS = 20;
/**
 * A poll that comes later than this counts as this long. The delay means that the process was starved or busy, not that a call
 * makes no progress.
 */
const POLL_MAX_MS = 100;

/** Resolves with the number of unfinished calls: 0, unless there was no progress for too long. */
export async function drain({ left, progress, quietMs = LIMITS.drainQuiet.value }: Draining): Promise<number> {
  const end = performance.now() + LIMITS.drainTotal.value;
  let quiet = 0;
  let last = progress();
  for (let before = performance.now(); left() > 0 && quiet < quietMs && before < end;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const now = performance.now();
    const next = progress();
    quiet = next === last ? quiet + Math.min(now - before, POLL_MAX_MS) : 0;
    last = next;
    before = now;
  }
  return left();
}

/** Formats the log line about dropped calls. */
export function droppedCalls(calls: number): string {
  return `${count(calls, 'call')} dropped without a reply: no progress for ${LIMITS.drainQuiet.value / 1000} seconds, or ${LIMITS.drainTotal.value / 1000} in all`;
}

/**
 * Allows the event loop to read data that has already arrived: it accepts connections in one turn and reads from them in the
 * next.
 */
export async function readArrived(): Promise<void> {
  for (let turn = 0; turn < ARRIVAL_TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const ARRIVAL_TURNS = 4;
