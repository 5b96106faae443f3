/** Installs exactly the locked versions: fetches by commit and checks every hash before writing anything. */
import { Failure } from '../core/failure.ts';
import { groupBy } from '../core/group-by.ts';
import { echo } from '../core/text.ts';
import type { NewFile } from '../core/disk/writes.ts';
import { fetchTogether } from './fetch-together.ts';
import { hasOnlyLinks, type Lock, type LockedSkill, placeOf, readLock, sourceFolder } from './lock.ts';
import { type Machine, openLockedFolder, type OpenedSource, openSource } from './open-source.ts';
import { failedSkill, type InstallPlan, type PlannedSkill, scriptsAmong } from './plan.ts';
import { parseSource } from './source.ts';
import type { SourceTree } from './source-tree.ts';
import { lockedFiles, problemsOfSkill } from './state.ts';
import { projectLock, userLock } from './targets.ts';
import { collectSkill } from './tree.ts';
import { judge } from './write.ts';

/** Returns Lectern's existing lock files. */
export function findLocks(machine: Machine): Lock[] {
  const places = [projectLock(machine), userLock(machine)];
  return places.flatMap((place) => (place && readLock(machine.diskFor(place.scope), place)) ?? []);
}

export function noLock(machine: Machine): Failure {
  return new Failure('NO_LOCK', `There is no ${projectLock(machine).file}.`, { hint: 'lectern install writes it.' });
}

export async function planFrozen(
  machine: Machine,
  force: boolean,
  names: readonly string[],
): Promise<InstallPlan<never>> {
  const locks = findLocks(machine);
  if (locks.length === 0) throw noLock(machine);
  const skills: PlannedSkill<never>[] = [];
  for (const lock of locks) {
    const wanted = [...lock.skills].filter(([name]) => names.length === 0 || names.includes(name));
    for (const group of groupBy(wanted, ([, { source, commit }]) => `${source}\n${commit ?? ''}`).values())
      skills.push(...(await planGroup(group, lock, machine, force)));
  }
  for (const name of names)
    if (!locks.some(({ skills: known }) => known.has(name)))
      skills.push(failedSkill(name, new Failure('NOT_FOUND', `The lock has no skill called "${echo(name)}".`)));
  return { skills, notes: [], locks: locks.map(({ file }) => file) };
}

type Named = [name: string, skill: LockedSkill];

async function planGroup(
  group: readonly Named[],
  lock: Lock,
  machine: Machine,
  force: boolean,
): Promise<PlannedSkill<never>[]> {
  // Skills that are already installed are not fetched.
  const isThere = ([, skill]: Named): boolean => problemsOfSkill(machine.files, skill, lock).length === 0;
  const present = group.filter(isThere).map(([name, skill]) => unchanged(name, skill, lock));
  const missing = group.filter((named) => !isThere(named));
  const [first] = missing;
  if (!first) return present;
  let opened: OpenedSource | undefined;
  try {
    opened = await openLocked(first[1], lock, machine);
    await fetchTogether(
      opened,
      missing.map(([, { path }]) => ({ path })),
    );
    const planned: PlannedSkill<never>[] = [];
    const { tree } = opened;
    for (const named of missing) planned.push(await planOne(named, { tree, lock, machine, force }));
    return [...present, ...planned];
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return [...present, ...missing.map(([name]) => failedSkill(name, error))];
  } finally {
    opened?.close();
  }
}

/** Opens the source of a locked skill, at its commit or at the given ref. */
export async function openLocked(
  skill: LockedSkill,
  lock: Lock,
  machine: Machine,
  ref: string | null = skill.commit,
): Promise<OpenedSource> {
  if (skill.type === 'local') return openLockedFolder(sourceFolder(skill.source, lock), lock.scope, machine);
  const source = parseSource(skill.source, { allowFile: machine.allowFile });
  return openSource(source.type === 'git' ? { ...source, ref } : source, machine);
}

function unchanged(name: string, skill: LockedSkill, lock: Lock): PlannedSkill<never> {
  const files = Object.entries(skill.files).map(([path, { mode }]): NewFile => ({
    path,
    bytes: new Uint8Array(),
    executable: mode === '755',
  }));
  return {
    ...failedSkill(name, new Failure('INTERNAL', '')),
    status: 'unchanged',
    error: undefined,
    path: skill.path,
    files,
    bytes: Object.values(skill.files).reduce((sum, { size }) => sum + size, 0),
    scripts: scriptsAmong(files),
    targets: skill.targets.map((target) => placeOf(target, lock)),
  };
}

interface Restoring {
  tree: SourceTree;
  lock: Lock;
  machine: Machine;
  force: boolean;
}

async function planOne([name, skill]: Named, { tree, lock, machine, force }: Restoring): Promise<PlannedSkill<never>> {
  try {
    // Links need no files, and the folder that they lead to may have changed since.
    const isLinked = hasOnlyLinks(skill);
    const { files, bytes, notes } = isLinked
      ? { files: [], bytes: 0, notes: [] }
      : await collectSkill(tree, skill.path, machine.budget);
    if (!isLinked) refuseDifference(name, lockedFiles(files), skill);
    const change = { name, files, entry: skill };
    const { status } = judge(machine.diskFor(lock.scope), lock, change, force);
    const targets = skill.targets.map((target) => placeOf(target, lock));
    const scripts = scriptsAmong(files);
    return {
      name,
      path: skill.path,
      status,
      files,
      bytes,
      notes,
      scripts,
      targets,
      findings: [],
      changes: [{ place: lock, change }],
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return { ...failedSkill(name, error), path: skill.path };
  }
}

function refuseDifference(name: string, actual: LockedSkill['files'], { files: expected }: LockedSkill): void {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
  const differing = names.find((file) => {
    const [locked, fetched] = [expected[file], actual[file]];
    return locked?.sha256 !== fetched?.sha256 || locked?.mode !== fetched?.mode;
  });
  if (differing === undefined) return;
  throw new Failure('UNSAFE', `The fetched files of ${echo(name)} differ from the lock: ${echo(differing)}.`, {
    hint: 'Nothing of it was written. Find out why the source changed before you install it again.',
    facts: {
      file: differing,
      expected: expected[differing]?.sha256 ?? null,
      actual: actual[differing]?.sha256 ?? null,
    },
  });
}
