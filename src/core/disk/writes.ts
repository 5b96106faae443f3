import { Failure } from '../failure.ts';
import { explainWriteError, type Reason, reasonOf } from './reasons.ts';
import { FileTrouble, type FileTree, type Stamp } from './tree.ts';

/**
 * Every way in which Lectern changes files. When a call returns, the change is flushed to the disk; if it throws a
 * WriteTrouble, nothing has changed. Missing parent folders are created. A link at the end of a path is replaced or removed,
 * never written through.
 */
export interface Writes {
  /** Creates a file with its whole content; fails with `exists` if the name is taken. */
  create(path: string, content: string | Uint8Array): void;
  /**
   * Replaces the whole content of a file, or creates it. Readers see either the old or the new content, never a mix, even
   * after a crash. Owner and mode stay. `before` is the stamp from when the file was read: fails with `changed` if the file has
   * changed since. `strict` also refuses what replacing would get around: a read-only file, and a file with a second name,
   * under which it would keep its old content. `isPrivate` lets nobody else read it, nor the folders that are made for it.
   */
  replace(
    path: string,
    content: string | Uint8Array,
    before?: Stamp,
    options?: { strict?: boolean; isPrivate?: boolean },
  ): void;
  /**
   * Creates a folder with these files, with modes 644 or 755 whatever the umask says; fails with `exists` if the name is taken.
   * A crash may leave a part of it, so it is made where nobody looks, and then moved to its place.
   */
  createFolder(path: string, files: Iterable<NewFile>): void;
  /** Creates a symbolic link; fails with `exists` if the name is taken. On Windows, folders are linked by a junction. */
  createLink(path: string, target: string): void;
  /**
   * A new, empty folder for this process only, where the system keeps temporary files. Those of processes that no longer run are
   * removed.
   */
  createTemporaryFolder(prefix: string): string;
  /** Appends to a file, or creates it. Not flushed, and a crash may leave a part: only for data that can be recomputed. */
  append(path: string, content: string | Uint8Array, options?: { isPrivate?: boolean }): void;
  /**
   * Renames a file or a folder. Fails with `exists` if the new name is taken, unless `replace` is set and a file is there.
   * `strict` refuses the same files as in `replace`.
   */
  move(from: string, to: string, options?: { replace?: boolean; strict?: boolean }): void;
  /** Removes a file or a link, if there is one. */
  remove(path: string): void;
  /** Removes a file, a link, or a folder with everything in it, if there is one. */
  removeTree(path: string): void;
  /** Removes a folder and its parents below `stop` as long as they are empty. What cannot be removed stays. */
  removeEmptyFolders(dir: string, stop: string): void;
  /**
   * Creates a lock file with the id and the start of this process; `remove` releases it. Takes over the lock of a process that no longer
   * runs. Returns undefined if the lock is now ours, otherwise the id of the process that has it.
   */
  lock(path: string): number | undefined;
}

export interface NewFile {
  /** Below the folder, with forward slashes. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** Files to read and to write: the real ones (`nodeDisk`) or a tree in memory (`memoryDisk`). */
export interface Disk extends FileTree, Writes {}

/** Something could not be written. It is already a Failure: catch it only to give a better message. */
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
  const { text, ...hint } = explainWriteError(cause, reason);
  return ['UNWRITABLE', `Cannot write ${path}: ${text}.`, { path, cause, ...hint }];
}
