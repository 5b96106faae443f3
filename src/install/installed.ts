/** Looks up the lock entries of discovered skills. Used for lists, so it never fails and never reads large skills. */
import { readingInside } from '../core/disk/confined.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { type Lock, LOCK_NAME, type LockedSkill, placeOf, readLock } from './lock.ts';
import { isModified } from './state.ts';
import { projectLock, type Surroundings, userLock } from './targets.ts';

export interface InstalledState {
  lock: string;
  source: string;
  ref: string | null;
  commit: string | null;
  /** Undefined for a large skill, which is slow to compare. Use `verify` instead. */
  modified?: boolean;
}

export interface InstalledSkills {
  /** States by skill folder. */
  byFolder: Map<string, InstalledState>;
  /** Reason why a lock cannot be used. */
  invalid: string | undefined;
}

export function installedSkills(files: FileTree, here: Surroundings): InstalledSkills {
  const byFolder = new Map<string, InstalledState>();
  let invalid: string | undefined;
  for (const place of [projectLock(here), userLock(here)]) {
    if (!place) continue;
    const tree = place.scope === 'project' ? readingInside(place.base, files) : files;
    try {
      const lock = readLock(tree, place);
      if (lock) for (const [, skill] of lock.skills) addTo(byFolder, tree, lock, skill);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      invalid = error.message;
    }
  }
  return { byFolder, invalid };
}

function addTo(byFolder: InstalledSkills['byFolder'], files: FileTree, lock: Lock, skill: LockedSkill): void {
  const { source, ref, commit } = skill;
  const modified = isSmall(skill) ? { modified: isModified(files, skill, lock) } : {};
  for (const target of skill.targets)
    byFolder.set(placeOf(target, lock), { lock: LOCK_NAME, source, ref, commit, ...modified });
}

function isSmall({ files }: LockedSkill): boolean {
  const sizes = Object.values(files).map(({ size }) => size);
  return (
    sizes.length <= LIMITS.comparedFiles.value &&
    sizes.reduce((sum, size) => sum + size, 0) <= LIMITS.comparedBytes.value
  );
}
