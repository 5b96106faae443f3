import type { Reason } from './reasons.ts';

/**
 * The file system as the rooms see it. Calls are synchronous because that costs a third of the processor time of
 * promises when ten thousand small files are read; long walks give the event loop its turn between files
 * (see `breathe.ts`). Nothing here follows a link unless it is asked to.
 */
export type EntryKind = 'file' | 'directory' | 'link' | 'other';

export interface Entry {
  name: string;
  kind: EntryKind;
}

/** Identifies one state of one file: if nothing of it changed, the file is not read again. */
export interface Stamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

export interface Look {
  kind: EntryKind;
  stamp: Stamp;
}

export interface Followed extends Look {
  /** The real path, with every link resolved. */
  realPath: string;
}

export interface ReadFile {
  bytes: Uint8Array;
  stamp: Stamp;
}

export interface FileTree {
  /** The entries of a folder, in no particular order. */
  list(dir: string): Entry[];
  /** What stands at a path, without following a link at its end; undefined when nothing does. */
  look(path: string): Look | undefined;
  /** What a path leads to through all its links; undefined when it leads nowhere. */
  follow(path: string): Followed | undefined;
  /**
   * Reads the first bytes of a regular file into `into`, from one index up to another, and returns their number: a walk over
   * thousands of files allocates once. Fewer bytes than there was space for are the whole file. Refuses a link at the end of the
   * path, a pipe, a device, and a file of more than `maxBytes`.
   */
  readStart(path: string, into: Uint8Array, from?: number, to?: number, maxBytes?: number): number;
  /** A whole regular file, refused beyond `maxBytes` before it is read. */
  read(path: string, maxBytes: number): ReadFile;
  /**
   * A part of a regular file that must lie inside a folder, given by its real path. What was opened is checked, not the
   * path: a link that somebody puts anywhere into the path at any moment leads nowhere.
   */
  readWithin(realRoot: string, path: string, start: number, length: number): ReadFile;
}

/** A file or folder could not be read. Callers turn it into a diagnostic or a Failure. */
export class FileTrouble extends Error {
  readonly reason: Reason;
  readonly path: string;
  /** The size that was refused, for `too-large`. */
  readonly size: number | undefined;

  constructor(reason: Reason, path: string, size?: number) {
    super(`${reason}: ${path}`);
    this.name = 'FileTrouble';
    this.reason = reason;
    this.path = path;
    this.size = size;
  }

  /** There is no such file, as opposed to one that cannot be read. */
  get isMissing(): boolean {
    return this.reason === 'missing' || this.reason === 'not-a-folder';
  }
}

/** Why it could not be read, for people. */
export function reasonText({ reason }: FileTrouble): string {
  return reason === 'not-permitted' ? 'permission denied' : reason.replaceAll('-', ' ');
}

/** The stamp of a file whose state was not read. It equals no stamp, not even itself. */
export const NO_STAMP: Stamp = { size: Number.NaN, mtimeMs: Number.NaN, ctimeMs: Number.NaN, ino: Number.NaN };

export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}

/** A stamp as a short text, for records that outlive the process. */
export function stampText({ size, mtimeMs, ctimeMs, ino }: Stamp): string {
  return [size, mtimeMs, ctimeMs, ino].map((part) => part.toString(36)).join('-');
}
