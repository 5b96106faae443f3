/** Compares all installed skills with their sources, including those of other installers. */
import { checkForeign } from './foreign.ts';
import { type ForeignLock, readForeignLocks } from './foreign-locks.ts';
import { findLocks, noLock } from './frozen.ts';
import type { Lock } from './lock.ts';
import { checkGroup, type CheckedSkill, groupBySource, refuseUnknown } from './newer.ts';
import type { Machine } from './open-source.ts';

/** Reads Lectern's locks, and the locks of other installers without the skills in ours. Fails with NO_LOCK if there are none. */
export function readAllLocks(machine: Machine): { ours: Lock[]; foreign: ForeignLock[] } {
  const ours = findLocks(machine);
  const known = new Set(ours.flatMap(({ scope, skills }) => [...skills.keys()].map((name) => `${scope} ${name}`)));
  const foreign = readForeignLocks(machine.files, machine).map((lock) => ({
    ...lock,
    skills: lock.skills.filter(({ name }) => !known.has(`${lock.scope} ${name}`)),
  }));
  if (ours.length + foreign.length === 0) throw noLock(machine);
  return { ours, foreign };
}

/** Fails with NOT_FOUND if a name is not installed. */
export async function checkForNewer(
  machine: Machine,
  names: readonly string[],
  { restore = false }: { restore?: boolean } = {},
): Promise<CheckedSkill[]> {
  const { ours, foreign } = readAllLocks(machine);
  refuseUnknown(names, [
    ...ours.flatMap(({ skills }) => [...skills.keys()]),
    ...foreign.flatMap(({ skills }) => skills.map(({ name }) => name)),
  ]);
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
  const checked: CheckedSkill[] = [];
  for (const lock of ours) {
    const wanted = [...lock.skills].filter(([name]) => isWanted(name));
    for (const group of groupBySource(wanted)) checked.push(...(await checkGroup(group, lock, machine, restore)));
  }
  for (const lock of foreign) {
    const wanted = lock.skills.filter(({ name }) => isWanted(name));
    checked.push(...(await checkForeign(lock, wanted, machine)));
  }
  return checked;
}
