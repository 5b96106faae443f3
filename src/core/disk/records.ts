/**
 * Records of running and interrupted commands: locks, and notes that allow the next run to complete or undo the work. Later runs
 * act on them, so they are never kept in a project, where a repository could contain forged ones. Only this user can enter their
 * folder.
 */
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { isInside } from '../inside.ts';
import { findTarget } from './answers.ts';
import { realPlace } from './confined.ts';
import type { FileTree } from './tree.ts';
import { type Disk, WriteTrouble } from './writes.ts';

export interface RecordsPlace {
  /** Lectern's folder in the user's state folder, if there is one. */
  stateDir?: string | undefined;
  /** The root of the project. Records inside it are not trusted. */
  project: string;
}

/**
 * Returns the folders that may contain records, best first. The second is for users without a home, or with a home that is
 * read-only or is the project itself.
 */
export function recordsFolders(tree: FileTree, { stateDir, project }: RecordsPlace): string[] {
  const temporary = path.join(os.tmpdir(), `lectern-runs-${process.getuid?.() ?? os.userInfo().username}`);
  const realProject = findTarget(tree, project)?.realPath ?? project;
  return [...(stateDir === undefined ? [] : [path.join(stateDir, 'runs')]), temporary].filter(
    (folder) => !isInside(realProject, findTarget(tree, folder)?.realPath ?? realPlace(tree, folder)),
  );
}

/** Returns the folder for records. Creates it if it is missing. */
export function openRecords(disk: Disk, place: RecordsPlace): string {
  const troubles: string[] = [];
  for (const folder of recordsFolders(disk, place)) {
    try {
      disk.createPrivateFolder(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof WriteTrouble)) throw error;
      troubles.push(`${folder} (${error.text})`);
    }
  }
  throw new Failure(
    'UNWRITABLE',
    `There is no folder outside the project to record unfinished work in${troubles.length > 0 ? `: ${troubles.join(', ')}` : ''}.`,
    { hint: 'Set XDG_STATE_HOME to a folder that only you can write to.' },
  );
}

/** Returns the name of the records about a folder: the kind of work, and a hash of the folder's real path. */
export function recordName(tree: FileTree, kind: string, dir: string): string {
  const real = findTarget(tree, dir)?.realPath ?? realPlace(tree, dir);
  return `${kind}-${createHash('sha256').update(real).digest('hex').slice(0, 32)}`;
}

/** Returns the path of the records with this name, if there are any. Creates nothing. */
export function findRecords(tree: FileTree, place: RecordsPlace, name: string): string | undefined {
  return recordsFolders(tree, place)
    .map((folder) => path.join(folder, name))
    .find((dir) => findTarget(tree, dir) !== undefined);
}
