/**
 * Decides which views keep their skill lists (for prompts, resources and pages). A list takes several hundred bytes per skill, and a
 * replica has a view for nearly every team, so only recently used views keep theirs.
 */
import { LIMITS } from '../core/limits.ts';
import type { Snapshot } from '../workspace/workspace.ts';

export class CachedLists {
  /** Least recently used first. */
  readonly #cacheKeys = new Map<Snapshot, object>();

  /** Returns an object to key weak caches by: the lists of the snapshot live as long as it does. */
  cacheKeyOf(snapshot: Snapshot): object {
    const known = this.#cacheKeys.get(snapshot);
    const cacheKey = known ?? {};
    this.#cacheKeys.delete(snapshot);
    this.#cacheKeys.set(snapshot, cacheKey);
    if (!known) this.#forget();
    return cacheKey;
  }

  /** Drops the lists of outdated views, which would keep replaced data alive. */
  keepOnly(snapshots: ReadonlySet<Snapshot>): void {
    for (const snapshot of this.#cacheKeys.keys()) if (!snapshots.has(snapshot)) this.#cacheKeys.delete(snapshot);
  }

  /** The most recent snapshot is always kept. */
  #forget(): void {
    let skills = 0;
    for (const [index, snapshot] of [...this.#cacheKeys.keys()].reverse().entries()) {
      skills += snapshot.all.copies.length;
      if (index > 0 && skills > LIMITS.sharedListSkills.value) this.#cacheKeys.delete(snapshot);
    }
  }
}
