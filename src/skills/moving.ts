import type { Stamp } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';

/** Whether a file changed so shortly before `now` that a write may still be in progress. */
export function isMoving({ mtimeMs, ctimeMs }: Stamp, now: number): boolean {
  // A time in the far future indicates a wrong clock, not a write.
  return Math.abs(now - Math.max(mtimeMs, ctimeMs)) < LIMITS.skillSettle.value;
}
