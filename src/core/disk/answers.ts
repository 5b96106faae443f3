/** For callers to whom a file problem is an answer, not an error. Nothing here throws a FileTrouble. */
import { type Entry, type FileTree, FileTrouble, type Followed, type Stamp } from './tree.ts';

/** The result, or what the file system had against it. */
function tryFiles<T>(use: () => T): T | FileTrouble {
  try {
    return use();
  } catch (error) {
    if (error instanceof FileTrouble) return error;
    throw error;
  }
}

function orUndefined<T>(use: () => T): T | undefined {
  const result = tryFiles(use);
  return result instanceof FileTrouble ? undefined : result;
}

/** Whether there is anything at a path, a link that leads nowhere included. */
export function exists(tree: FileTree, path: string): boolean {
  return orUndefined(() => tree.look(path)) !== undefined;
}

/** What a path leads to through all its links, if it leads anywhere. */
export function findTarget(tree: FileTree, path: string): Followed | undefined {
  return orUndefined(() => tree.follow(path));
}

export function isFolder(tree: FileTree, path: string): boolean {
  return findTarget(tree, path)?.kind === 'directory';
}

/** The entries of a folder; none if it cannot be listed. */
export function entriesOf(tree: FileTree, dir: string): Entry[] {
  return orUndefined(() => tree.list(dir)) ?? [];
}

/** A whole regular file, or why it cannot be read. */
export function tryRead(
  tree: FileTree,
  path: string,
  maxBytes: number,
): { bytes: Uint8Array; stamp: Stamp } | FileTrouble {
  return tryFiles(() => tree.read(path, maxBytes));
}
