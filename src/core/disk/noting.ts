import { type FileTree, FileTrouble } from './tree.ts';
import type { Disk } from './writes.ts';

/** The same files, and the paths that were looked at or read as a whole. */
export function notingPaths(tree: FileTree): { files: FileTree; paths: ReadonlySet<string> } {
  const paths = new Set<string>();
  const noted =
    <Rest extends unknown[], Result>(use: (path: string, ...rest: Rest) => Result) =>
    (path: string, ...rest: Rest): Result => {
      paths.add(path);
      return use(path, ...rest);
    };
  const { look, follow, read, readTarget } = tree;
  const files = {
    ...tree,
    look: noted(look),
    follow: noted(follow),
    read: noted(read),
    readTarget: noted(readTarget),
  };
  return { files, paths };
}

/**
 * The same files, and every error of the machine (see `isOfMachine`) by its path, also if the caller then treats the file as
 * missing. A scan that met one cannot tell what is on the disk.
 */
export function notingTrouble(tree: FileTree): { files: FileTree; troubled: ReadonlyMap<string, FileTrouble> } {
  const troubled = new Map<string, FileTrouble>();
  const files = watched(tree, (trouble) => {
    if (trouble.isOfMachine) troubled.set(trouble.path, trouble);
  });
  return { files, troubled };
}

/** The same disk. Every failed read is reported, even if the caller treats the file as missing. */
export function reportingReads(disk: Disk, report: (trouble: FileTrouble) => void): Disk {
  const files = watched(disk, (trouble) => {
    if (trouble.isFailedRead) report(trouble);
  });
  return { ...disk, ...files };
}

function watched(tree: FileTree, report: (trouble: FileTrouble) => void): FileTree {
  const noted =
    <Args extends unknown[], Result>(use: (...args: Args) => Result) =>
    (...args: Args): Result => {
      try {
        return use(...args);
      } catch (error) {
        if (error instanceof FileTrouble) report(error);
        throw error;
      }
    };
  return {
    list: noted(tree.list),
    look: noted(tree.look),
    follow: noted(tree.follow),
    readLink: noted(tree.readLink),
    readStart: noted(tree.readStart),
    read: noted(tree.read),
    readTarget: noted(tree.readTarget),
    readWithin: noted(tree.readWithin),
  };
}
