/**
 * Caches the survey for servers: with ten thousand skills, a survey takes a second. The last survey is reused while the workspace
 * is watched and nothing changes. The settings of agents are not watched, so their files are checked each time.
 */
import path from 'node:path';
import type { Survey } from '../agents/survey.ts';
import { areSettled, areUnchanged, notingStates, type PathState, type PathStates } from '../core/disk/noting.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Snapshot } from '../workspace/workspace.ts';

interface Kept<T> {
  taken: Promise<T>;
  /** States of the paths outside the skill folders. Undefined if a later change could leave the same state. */
  outside: Promise<PathStates | undefined>;
}

const kept = new WeakMap<Snapshot, Map<string, Kept<unknown>>>();

/** `key` distinguishes the cached values of one snapshot. */
export async function keeping<T extends { survey: Survey }>(
  { disk, isCurrent, snapshot }: Reader,
  key: string,
  take: (files: FileTree) => Promise<T>,
): Promise<T> {
  if (!isCurrent) return take(disk);
  const ofSnapshot = kept.get(snapshot) ?? new Map<string, Kept<unknown>>();
  kept.set(snapshot, ofSnapshot);
  const known = ofSnapshot.get(key) as Kept<T> | undefined;
  const recorded = await known?.outside;
  if (known && recorded && areUnchanged(disk, recorded)) return known.taken;
  const startedAt = Date.now();
  const { files, states } = notingStates(disk);
  const taken = take(files);
  const outside = taken.then(({ survey }) => {
    const isOutside = ([file]: [string, PathState]): boolean => !isOfSkills(file, survey);
    const kept = {
      own: new Map([...states.own].filter(isOutside)),
      targets: new Map([...states.targets].filter(isOutside)),
    };
    return areSettled(kept, startedAt) ? kept : undefined;
  });
  ofSnapshot.set(key, { taken, outside });
  // Failed surveys are not cached.
  taken.catch(() => ofSnapshot.delete(key));
  outside.catch(() => undefined);
  return taken;
}

/** Whether the file is in a skill folder, which the workspace watches. */
function isOfSkills(file: string, { agents, byFile }: Survey): boolean {
  if (byFile.has(file)) return true;
  for (const { places } of agents.values())
    for (const { place } of places) if (file.startsWith(place.dir + path.sep)) return true;
  return false;
}
