import { Failure } from '../failure.ts';
import { explainWriteError, type Reason, reasonOf } from './reasons.ts';
import { FileTrouble, type FileTree, type Stamp } from './tree.ts';

/**
 * All operations that change files. When a call returns, the change is flushed to the disk. If it throws a WriteTrouble, nothing
 * has changed. Missing parent folders are created. A link at the end of a path is replaced or removed, never written through.
 */
export interface Writes {
  /** Creates a file with its whole content. Fails with `exists` if the name is taken. */
  create(path: string, content: string | Uint8Array): void;
  /**
   * Replaces the whole content of a file, or creates it. Readers see either the old or the new content, never a mix, even after a
   * crash. Owner and mode stay. `before` is the stamp from when the file was read: fails with `changed` if the file has changed
   * since. Fails like `checkReplace` for a protected file, unless `strict` is false, which is for files that only Lectern writes,
   * such as caches. `isPrivate` is for such files that only this user may read. The folders that are created for them are private
   * too.
   */
  replace(
    path: string,
    content: string | Uint8Array,
    before?: Stamp,
    options?: { strict?: boolean; isPrivate?: boolean },
  ): void;
  /**
   * Fails for a file that `replace` refuses because a rename would bypass a protection: a read-only file, or a file with a second
   * name (a hard link), which would keep the old content. Callers that write several files use it to check all of them first.
   */
  checkReplace(path: string): void;
  /** Removes the temporary files that interrupted writes of this file left behind. The next write does so as well. */
  removeTemporaries(path: string): void;
  /**
   * Creates a folder with these files, with modes 644 or 755 regardless of the umask. Fails with `exists` if the name is taken. A
   * crash may leave a part of it, so callers create it under a temporary name and then move it to its place.
   */
  createFolder(path: string, files: Iterable<NewFile>): void;
  /**
   * Ensures that a folder exists that only this user can enter. Fails with `not-private` if it is a link, belongs to another
   * user, or others can write to it.
   */
  createPrivateFolder(path: string): void;
  /** Creates a symbolic link. Fails with `exists` if the name is taken. On Windows, folders are linked by a junction. */
  createLink(path: string, target: string): void;
  /**
   * Creates an empty folder for this process in the system's temporary folder. Removes the folders of processes that no longer
   * run.
   */
  createTemporaryFolder(prefix: string): string;
  /**
   * Appends to a file, or creates it. The data is not flushed, and a crash may leave a part: use it only for data that can be
   * recomputed.
   */
  append(path: string, content: string | Uint8Array, options?: { isPrivate?: boolean }): void;
  /**
   * Renames a file or a folder. Fails with `exists` if the new name is taken, unless `replace` is set and the existing entry is a
   * file. Fails with `other-disk` if the new place is on another file system, unless `copies` is set: then it is copied, flushed,
   * renamed, and removed from the old place.
   */
  move(from: string, to: string, options?: { replace?: boolean; copies?: boolean }): void;
  /** Removes a file or a link, if there is one. */
  remove(path: string): void;
  /** Removes a file, a link, or a folder with everything in it, if there is one. */
  removeTree(path: string): void;
  /** Removes a folder and its parents below `stop` as long as they are empty. Folders that cannot be removed stay. */
  removeEmptyFolders(dir: string, stop: string): void;
  /**
   * Creates a lock file with the ID and the start time of this process. Use `remove` to release it. Takes over the lock of a
   * process that no longer runs. Returns undefined if the lock was acquired, otherwise the ID of the process that holds it.
   */
  lock(path: string): number | undefined;
}

export interface NewFile {
  /** Path relative to the folder, with forward slashes. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** Files to read and to write: the real ones (`nodeDisk`) or a tree in memory (`memoryDisk`). */
export interface Disk extends FileTree, Writes {}

/** A write failed. It is already a Failure: catch it only to give a better message. */
export class WriteTrouble extends Failure {
  readonly reason: Reason;
  /** The reason in a few words. */
  readonly text: string;

  constructor(reason: Reason, path: string, cause?: unknown) {
    super(...failureFor(reason, path, cause));
    this.name = 'WriteTrouble';
    this.reason = reason;
    this.text = explainWriteError(cause, reason).text;
  }

  static of(error: unknown, path: string): Failure {
    if (error instanceof Failure) return error;
    return new WriteTrouble(error instanceof FileTrouble ? error.reason : reasonOf(error), path, error);
  }
}

function failureFor(reason: Reason, path: string, cause: unknown): ConstructorParameters<typeof Failure> {
  if (reason === 'exists') return ['REFUSED', `${path} already exists.`, { path, cause }];
  if (reason === 'changed') {
    const message = `${path} was changed by another program in the meantime, so it was left as it is.`;
    return ['REFUSED', message, { path, hint: 'Run the command again.' }];
  }
  if (reason === 'read-only-file') {
    const hint = 'Make it writable, or make the change by hand.';
    return ['UNWRITABLE', `Cannot write ${path}: the file is read-only.`, { path, hint }];
  }
  if (reason === 'several-names') {
    const message = `${path} has another name (a hard link), which would keep the old content, so it was left as it is.`;
    return ['REFUSED', message, { path, hint: 'Make the change by hand, or use a symbolic link.' }];
  }
  if (reason === 'outside') {
    const message = `${path} was not written: a link on the way leads out of the project.`;
    return ['REFUSED', message, { path, hint: 'Remove the link, or name a folder outside the project explicitly.' }];
  }
  if (reason === 'git-folder') {
    const message = `${path} was not written: it is inside a .git folder.`;
    return ['REFUSED', message, { path, hint: 'Remove the link that leads there.' }];
  }
  const { text, ...hint } = explainWriteError(cause, reason);
  return ['UNWRITABLE', `Cannot write ${path}: ${text}.`, { path, cause, ...hint }];
}
