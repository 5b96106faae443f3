/** Helpers for callers that expect file problems. None of them throws a FileTrouble. */
import { basename, dirname, join } from 'node:path';
import { Failure } from '../failure.ts';
import { type Entry, type FileTree, FileTrouble, type Followed, type Look, type ReadFile } from './tree.ts';

/** Returns the result, or the reason why the file system refused. */
export function orTrouble<T>(use: () => T): T | FileTrouble {
  try {
    return use();
  } catch (error) {
    if (error instanceof FileTrouble) return error;
    throw error;
  }
}

function orUndefined<T>(use: () => T): T | undefined {
  const result = orTrouble(use);
  return result instanceof FileTrouble ? undefined : result;
}

/** Reads a whole regular file, or returns the reason why it cannot be read. */
export function tryRead(tree: FileTree, path: string, maxBytes: number): ReadFile | FileTrouble {
  return orTrouble(() => tree.read(path, maxBytes));
}

/** Like `tryRead`, but follows all links. Returns undefined if the target does not exist. */
export function tryReadTarget(
  tree: FileTree,
  path: string,
  maxBytes: number,
): (ReadFile & { realPath: string }) | FileTrouble | undefined {
  return orTrouble(() => tree.readTarget(path, maxBytes));
}

/** Returns the entry at a path, if any. A link is not followed. */
export function findEntry(tree: FileTree, path: string): Look | undefined {
  return orUndefined(() => tree.look(path));
}

/** Returns the target of a path with all links followed, if any. */
export function findTarget(tree: FileTree, path: string): Followed | undefined {
  return orUndefined(() => tree.follow(path));
}

/** Returns a path with all links followed. Its last parts may not exist. */
export function realPlace(tree: FileTree, place: string): string {
  const found = findTarget(tree, place);
  if (found) return found.realPath;
  const parent = dirname(place);
  return parent === place ? place : join(realPlace(tree, parent), basename(place));
}

export function exists(tree: FileTree, path: string): boolean {
  return findEntry(tree, path) !== undefined;
}

export function isFolder(tree: FileTree, path: string): boolean {
  return findTarget(tree, path)?.kind === 'directory';
}

/** Returns the system's code, such as EACCES, of an error that the file system caused. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof FileTrouble ? error.systemCode : undefined;
}

/** Lists the entries of a folder. Empty if it cannot be listed. */
export function entriesOf(tree: FileTree, dir: string): Entry[] {
  return orUndefined(() => tree.list(dir)) ?? [];
}

/** Returns the reason if a file operation fails. Other errors are bugs and are thrown. */
export function tryToWrite(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
