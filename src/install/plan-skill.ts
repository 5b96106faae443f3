/** Plans the installation of one skill: reads its files, and determines its lock entries and its status. */
import { dirname } from 'node:path';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import type { OfferedSkill } from './discover.ts';
import { emptyLock, type Lock, type LockedSkill, lockedSource, placeOf } from './lock.ts';
import { whySkillIsUnsafe } from './names.ts';
import type { Machine, OpenedSource } from './open-source.ts';
import { failedSkill, type FindingsOf, type PlannedSkill, scriptsAmong } from './plan.ts';
import { lockedFiles } from './state.ts';
import { lockedTargets, type Target } from './targets.ts';
import { collectSkill } from './tree.ts';
import { judge, type Written } from './write.ts';

/** Everything that the skills of one installation have in common. */
export interface Installation<Finding> {
  opened: OpenedSource;
  targets: readonly Target[];
  /** One for each scope of the targets. */
  locks: readonly Lock[];
  machine: Machine;
  findingsOf: FindingsOf<Finding>;
  /** Undefined to keep the mode of the lock. */
  mode: 'copy' | 'link' | undefined;
  force: boolean;
}

export async function planSkill<Finding>(
  { name, path, problem }: OfferedSkill,
  installation: Installation<Finding>,
): Promise<PlannedSkill<Finding>> {
  const { opened, locks, machine, findingsOf, force } = installation;
  try {
    const why = whySkillIsUnsafe(name, path);
    if (why !== undefined)
      throw new Failure('UNSAFE', `"${echo(name)}" cannot be the name of a folder: ${why}.`, { facts: { path } });
    const { files, bytes, notes } = await collectSkill(opened.tree, path, machine.budget);
    const found = {
      name,
      path,
      files,
      bytes,
      notes: problem === undefined ? notes : [`no agent can use it: ${problem}`, ...notes],
      scripts: scriptsAmong(files),
      findings: await findingsOf(name, path, files),
    };
    const changes = locks.map((lock) => ({
      place: lock,
      change: { name, files, entry: entryFor({ name, path, files }, lock, installation) },
    }));
    const placed = {
      ...found,
      changes,
      targets: changes.flatMap(({ place, change }) => change.entry.targets.map((target) => placeOf(target, place))),
    };
    try {
      const statuses = changes.map(
        ({ place, change }, index) =>
          judge(machine.diskFor(place.scope), locks[index] ?? emptyLock(place), change, force).status,
      );
      return { ...placed, status: together(statuses) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...placed, status: 'failed', error, changes: [] };
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return { ...failedSkill(name, error), path };
  }
}

function entryFor(
  { name, path, files }: Pick<PlannedSkill<unknown>, 'name' | 'path' | 'files'>,
  lock: Lock,
  { opened, targets: everywhere, mode: asked, machine }: Installation<unknown>,
): LockedSkill {
  const { type, url, ref, commit } = opened;
  const targets = everywhere.filter(({ scope }) => scope === lock.scope);
  const before = lock.skills.get(name);
  const mode = asked ?? before?.mode ?? (targets.length > 1 ? 'link' : 'copy');
  // Existing locations are kept, because the lock contains one version of a skill.
  const earlier = (before?.targets ?? []).map(({ agent, scope, ...target }): Target => ({
    agent,
    scope,
    root: dirname(placeOf(target, lock)),
  }));
  const all = lockedTargets({ name, targets: [...earlier, ...targets], mode }, machine, lock);
  if (all.length > LIMITS.lockedTargets.value)
    throw new Failure('REFUSED', `"${echo(name)}" would be in more than ${LIMITS.lockedTargets.value} folders.`, {
      hint: 'Remove it from some of them first.',
    });
  return {
    type,
    source: type === 'git' ? url : lockedSource(url, lock),
    ref,
    commit,
    path,
    mode,
    targets: all,
    files: lockedFiles(files),
  };
}

/** Returns the status of a skill with these statuses in several locks. */
export function together(statuses: readonly Written['status'][]): Written['status'] {
  const order: readonly Written['status'][] = ['failed', 'replaced', 'installed', 'unchanged'];
  return order.find((status) => statuses.includes(status)) ?? 'unchanged';
}
