/**
 * Lists of all skills that a view shows (for prompts, resources and pages) take several hundred bytes for each skill, and a replica has
 * a view for nearly every team. They are kept for the views that were used lately, and made again for the others.
 */
import { LIMITS } from '../core/limits.ts';
import type { Snapshot } from '../workspace/workspace.ts';

export class KeptLists {
  /** The one that was not used for longest first. */
  readonly #keepers = new Map<Snapshot, object>();

  /** As long as this object lives, so do the lists of the snapshot. */
  keeperOf(snapshot: Snapshot): object {
    const known = this.#keepers.get(snapshot);
    const keeper = known ?? {};
    this.#keepers.delete(snapshot);
    this.#keepers.set(snapshot, keeper);
    if (!known) this.#forget();
    return keeper;
  }

  /** Views of sources that have changed since would keep all that was replaced. */
  keepOnly(snapshots: ReadonlySet<Snapshot>): void {
    for (const snapshot of this.#keepers.keys()) if (!snapshots.has(snapshot)) this.#keepers.delete(snapshot);
  }

  /** The last one always stays. */
  #forget(): void {
    let skills = 0;
    for (const [index, snapshot] of [...this.#keepers.keys()].reverse().entries()) {
      skills += snapshot.all.copies.length;
      if (index > 0 && skills > LIMITS.sharedListSkills.value) this.#keepers.delete(snapshot);
    }
  }
}
