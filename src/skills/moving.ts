import type { Stamp } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';

/** Whether a file or folder changed so shortly before `now` that it may still be changing. */
export function isMoving(stamp: Stamp, now: number, settleMs: number = LIMITS.skillSettle.value): boolean {
  // A time in the far future is a wrong clock, not a write.
  return Math.abs(now - changedAt(stamp)) < settleMs;
}

export function changedAt({ mtimeMs, ctimeMs }: Stamp): number {
  return Math.max(mtimeMs, ctimeMs);
}
