import type { Reason } from './reasons.ts';

/**
 * Reads the file system. Calls are synchronous: for ten thousand small files, they take a third of the CPU time of promises. Long
 * walks yield to the event loop between files (see `breathe.ts`). Only `follow` and `readTarget` follow links.
 */
export type EntryKind = 'file' | 'directory' | 'link' | 'other';

export interface Entry {
  name: string;
  kind: EntryKind;
}

/** Identifies one state of one file. A file with the same stamp is not read again. */
export interface Stamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
  /** The device that `ino` belongs to. */
  dev: number;
}

export interface Look {
  kind: EntryKind;
  stamp: Stamp;
  /** The permission bits. */
  mode: number;
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
  /** Lists the entries of a folder, in no particular order. */
  list(dir: string): Entry[];
  /** Returns the entry at a path, without following a link at its end, or undefined if there is none. */
  look(path: string): Look | undefined;
  /** Returns the target of a path with all links followed, or undefined if it does not exist. */
  follow(path: string): Followed | undefined;
  /** Returns the target path stored in a link. */
  readLink(path: string): string;
  /**
   * Reads the beginning of a regular file into `into`, from index `from` up to `to`, and returns the number of bytes. This allows
   * a walk over thousands of files to allocate once. If the space is not filled, it has the whole file. Refuses a link at the end
   * of the path, a pipe, a device, and a file of more than `maxBytes`.
   */
  readStart(path: string, into: Uint8Array, from?: number, to?: number, maxBytes?: number): number;
  /**
   * Reads a whole regular file. Refuses a file of more than `maxBytes` before reading it, and a file outside `within`, a real
   * path. The location is checked on the opened file.
   */
  read(path: string, maxBytes: number, within?: string): ReadFile;
  /** Like `read`, but follows all links. Returns undefined if the target does not exist. */
  readTarget(path: string, maxBytes: number, within?: string): (ReadFile & { realPath: string }) | undefined;
  /**
   * Reads a part of a regular file that must be inside a folder, given by its real path. The check is done on the opened file, so
   * replacing a part of the path by a link at the right moment does not bypass it.
   */
  readWithin(realRoot: string, path: string, start: number, length: number): ReadFile;
}

/** A file or folder could not be read. Callers turn it into a diagnostic or a Failure. */
export class FileTrouble extends Error {
  readonly reason: Reason;
  readonly path: string;
  /** The size that was refused, for `too-large`. */
  readonly size: number | undefined;
  /** The system's own code, such as EACCES, if the system refused. */
  readonly systemCode: string | undefined;

  constructor(reason: Reason, path: string, size?: number, systemCode?: string) {
    super(`${reason}: ${path}`);
    this.name = 'FileTrouble';
    this.reason = reason;
    this.path = path;
    this.size = size;
    this.systemCode = systemCode;
  }

  /** The file may exist and be readable, but the system failed to read it. Refusals by Lectern itself do not count. */
  get isFailedRead(): boolean {
    return this.isOfMachine || this.reason === 'not-permitted' || this.reason === 'io';
  }

  /** The file does not exist, as opposed to one that cannot be read. */
  get isMissing(): boolean {
    return this.reason === 'missing' || this.reason === 'not-a-folder';
  }

  /** The machine caused the error, so it does not depend on the file: too many files are open, or the disk has an error. */
  get isOfMachine(): boolean {
    return this.reason === 'no-handles' || this.reason === 'failing';
  }
}

/** Describes the reason in words. */
export function reasonText({ reason }: FileTrouble): string {
  return REASON_TEXTS[reason] ?? reason.replaceAll('-', ' ');
}

const REASON_TEXTS: Partial<Record<Reason, string>> = {
  'not-permitted': 'permission denied',
  'no-handles': 'too many files are open',
  failing: 'the disk reports an error',
  outside: 'a link leads out of its folder',
};

/** Node.js shows bytes in a name that are not UTF-8 as this character, and then cannot find the entry. */
const REPLACEMENT = '\ufffd';
export const NAME_NOT_UTF8 = 'its name is not UTF-8';

/** Whether an entry that was listed by this name cannot be found by it. */
export function isNameNotUtf8(name: string, found: Look | undefined): boolean {
  return found === undefined && name.includes(REPLACEMENT);
}

/** The stamp of a file whose state is unknown. It is not equal to any stamp, including itself. */
export const NO_STAMP: Stamp = {
  size: Number.NaN,
  mtimeMs: Number.NaN,
  ctimeMs: Number.NaN,
  ino: Number.NaN,
  dev: Number.NaN,
};

export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino && a.dev === b.dev;
}

/** Returns the time of the last change, or undefined if it is unknown. Published files have no times: their stamps have 0. */
export function changedAt({ mtimeMs }: Pick<Stamp, 'mtimeMs'>): Date | undefined {
  return mtimeMs > 0 ? new Date(mtimeMs) : undefined;
}

/** Formats a stamp as a short text for storage. Device numbers are omitted: in a container, they change with every start. */
export function stampText({ size, mtimeMs, ctimeMs, ino }: Stamp): string {
  return [size, mtimeMs, ctimeMs, ino].map((part) => part.toString(36)).join('-');
}
