/**
 * Caches the survey for servers: with ten thousand skills, a survey takes a second. The last survey is reused while the workspace
 * is watched and nothing changes. The settings of agents are not watched, so their files are checked each time.
 */
import path from 'node:path';
import type { Survey } from '../agents/survey.ts';
import { findTarget } from '../core/disk/answers.ts';
import { notingPaths } from '../core/disk/noting.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Snapshot } from '../workspace/workspace.ts';

interface Kept<T> {
  taken: Promise<T>;
  /** Fingerprint of the files outside the skill folders. */
  print: Promise<{ paths: string[]; print: string }>;
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
  if (known) {
    const { paths, print } = await known.print;
    if (printOf(disk, paths) === print) return known.taken;
  }
  const { files, paths } = notingPaths(disk);
  const taken = take(files);
  const print = taken.then(({ survey }) => {
    const outside = [...paths].filter((file) => !isOfSkills(file, survey));
    return { paths: outside, print: printOf(disk, outside) };
  });
  ofSnapshot.set(key, { taken, print });
  // Failed surveys are not cached.
  taken.catch(() => ofSnapshot.delete(key));
  print.catch(() => undefined);
  return taken;
}

/** Whether the file is in a skill folder, which the workspace watches. */
function isOfSkills(file: string, { agents, byFile }: Survey): boolean {
  if (byFile.has(file)) return true;
  for (const { places } of agents.values())
    for (const { place } of places) if (file.startsWith(place.dir + path.sep)) return true;
  return false;
}

function printOf(disk: FileTree, paths: readonly string[]): string {
  return JSON.stringify(
    paths.map((file) => {
      const stamp = findTarget(disk, file)?.stamp;
      return stamp && [stamp.size, stamp.mtimeMs, stamp.ino];
    }),
  );
}
