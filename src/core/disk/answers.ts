/** For callers that expect file problems: nothing here throws a FileTrouble. */
import { type Entry, type FileTree, FileTrouble, type Followed, type Look, type ReadFile } from './tree.ts';

/** The result, or why the file system refused. */
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

/** A whole regular file, or why it cannot be read. */
export function tryRead(tree: FileTree, path: string, maxBytes: number): ReadFile | FileTrouble {
  return orTrouble(() => tree.read(path, maxBytes));
}

/** The same with all links followed; undefined if the path leads nowhere. */
export function tryReadTarget(
  tree: FileTree,
  path: string,
  maxBytes: number,
): (ReadFile & { realPath: string }) | FileTrouble | undefined {
  return orTrouble(() => tree.readTarget(path, maxBytes));
}

/** What is at a path, if anything. A link is not followed. */
export function findEntry(tree: FileTree, path: string): Look | undefined {
  return orUndefined(() => tree.look(path));
}

/** What a path leads to with all links followed, if anything. */
export function findTarget(tree: FileTree, path: string): Followed | undefined {
  return orUndefined(() => tree.follow(path));
}

export function exists(tree: FileTree, path: string): boolean {
  return findEntry(tree, path) !== undefined;
}

export function isFolder(tree: FileTree, path: string): boolean {
  return findTarget(tree, path)?.kind === 'directory';
}

/** The system's code, such as EACCES, of an error that the file system caused. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof FileTrouble ? error.systemCode : undefined;
}

/** The entries of a folder, or none if it cannot be listed. */
export function entriesOf(tree: FileTree, dir: string): Entry[] {
  return orUndefined(() => tree.list(dir)) ?? [];
}
