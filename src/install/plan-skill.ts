/** Plans the installation of one skill: reads its files, and determines its lock entries and its status. */
import { dirname, join, posix } from 'node:path';
import { realPlace } from '../core/disk/answers.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import type { OfferedSkill } from './discover.ts';
import { emptyLock, type Lock, type LockedSkill, type LockedTarget, lockedSource, placeOf } from './lock.ts';
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
    refuseOwnFolder(name, path, placed.targets, installation);
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

/** Replacing a skill with itself would delete its source, so it is refused even with --force. */
function refuseOwnFolder(
  name: string,
  path: string,
  targets: readonly string[],
  { opened: { folder }, machine: { files } }: Installation<unknown>,
): void {
  if (folder === undefined) return;
  const source = join(folder, path);
  for (const target of targets) {
    const real = realPlace(files, target);
    if (!isInside(source, real) && !isInside(real, source)) continue;
    throw new Failure('REFUSED', `"${echo(name)}" would be installed onto itself.`, {
      path: target,
      hint:
        real === source
          ? `It is already there. To install it for another agent, use --to or --dir with another folder.`
          : 'Choose a folder outside its source with --to or --dir.',
    });
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
  const earlier = (before?.targets ?? []).filter(({ shared }) => shared === undefined);
  if (before && earlier.length === 0)
    throw new Failure('REFUSED', `"${echo(name)}" is shared from ${echo(before.source)}, so it cannot be installed.`, {
      hint: `To install another skill with this name, run lectern share ${name} --undo first.`,
    });
  const kept = earlier.map(({ agent, scope, ...target }): Target => ({
    agent,
    scope,
    root: dirname(placeOf(target, lock)),
  }));
  const own = lockedTargets({ name, targets: [...kept, ...targets], mode }, machine, lock);
  const all = [...own, ...sharedTargets(before, own)];
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

/** Returns the targets that `share` added. Their links lead to the first folder with the files. */
function sharedTargets(before: LockedSkill | undefined, own: readonly LockedTarget[]): LockedTarget[] {
  const taken = new Set(own.map(({ path }) => path));
  const real = own.find(({ link }) => link === undefined)?.path ?? '';
  return (before?.targets ?? [])
    .filter(({ shared, path }) => shared !== undefined && !taken.has(path))
    .map(({ link, ...target }) =>
      link === undefined ? target : { ...target, link: posix.relative(posix.dirname(target.path), real) },
    );
}

/** Returns the status of a skill with these statuses in several locks. */
export function together(statuses: readonly Written['status'][]): Written['status'] {
  const order: readonly Written['status'][] = ['failed', 'replaced', 'installed', 'unchanged'];
  return order.find((status) => statuses.includes(status)) ?? 'unchanged';
}
