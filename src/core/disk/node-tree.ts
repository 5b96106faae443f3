import fs from 'node:fs';
import { isInside } from '../inside.ts';
import { type Entry, type EntryKind, type FileTree, FileTrouble, type Look, type Stamp } from './tree.ts';
import { reasonOf, systemCode } from './reasons.ts';

const { O_RDONLY } = fs.constants;
// Windows has none of these flags. There, the kind of the entry is checked before and after opening.
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const CAN_REFUSE_LINKS = O_NOFOLLOW !== 0;
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0;
const O_NOCTTY = fs.constants.O_NOCTTY ?? 0;
/** Follows no link, and does not block on a pipe without a writer: the file may have been replaced since it was checked. */
const READ_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

interface KindProbe {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(probe: KindProbe): EntryKind {
  if (probe.isFile()) return 'file';
  if (probe.isDirectory()) return 'directory';
  return probe.isSymbolicLink() ? 'link' : 'other';
}

/** The state of a file as the file system reports it. */
export function stampOf(stats: fs.Stats): Stamp {
  return { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, ino: stats.ino };
}

function trouble(error: unknown, path: string): FileTrouble {
  if (error instanceof FileTrouble) return error;
  return new FileTrouble(reasonOf(error), path);
}

function openFile(path: string): number {
  try {
    return fs.openSync(path, READ_FLAGS);
  } catch (error) {
    throw systemCode(error) === 'ELOOP' ? new FileTrouble('not-a-regular-file', path) : trouble(error, path);
  }
}

function withFile<T>(path: string, use: (fd: number) => T): T {
  const fd = openFile(path);
  try {
    return use(fd);
  } catch (error) {
    throw trouble(error, path);
  } finally {
    fs.closeSync(fd);
  }
}

/** The real path of an opened file. Linux reports it; elsewhere the path is resolved again and must lead to the same file. */
function openedPath(fd: number, path: string): string {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    const realPath = fs.realpathSync.native(path);
    const [opened, named] = [fs.fstatSync(fd, { bigint: true }), fs.statSync(realPath, { bigint: true })];
    if (opened.ino !== named.ino || opened.dev !== named.dev) throw new FileTrouble('outside', path);
    return realPath;
  }
}

/** Reads until the space is full or the file ends. Returns the number of bytes. */
function fillFrom(fd: number, into: Uint8Array, from: number, to: number, position: number): number {
  let at = from;
  while (at < to) {
    const got = fs.readSync(fd, into, at, to - at, position + at - from);
    if (got === 0) break;
    at += got;
  }
  return at - from;
}

function readFully(fd: number, into: Uint8Array, start = 0): Uint8Array {
  return into.subarray(0, fillFrom(fd, into, 0, into.length, start));
}

const PROBE = Buffer.alloc(1);

/** The real file system. */
export const nodeFiles: FileTree = {
  list(dir) {
    try {
      return fs
        .readdirSync(dir, { withFileTypes: true })
        .map((entry): Entry => ({ name: entry.name, kind: kindOf(entry) }));
    } catch (error) {
      throw trouble(error, dir);
    }
  },

  look(path): Look | undefined {
    try {
      const stats = fs.lstatSync(path, { throwIfNoEntry: false });
      return stats && { kind: kindOf(stats), stamp: stampOf(stats) };
    } catch (error) {
      const found = trouble(error, path);
      // Nothing can exist below a file, under a name that is too long, or under one with NUL bytes.
      if (found.reason === 'not-a-folder' || ['ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(systemCode(error)))
        return undefined;
      throw found;
    }
  },

  follow(path) {
    try {
      const realPath = fs.realpathSync.native(path);
      const stats = fs.statSync(realPath);
      return { realPath, kind: kindOf(stats), stamp: stampOf(stats) };
    } catch (error) {
      const found = trouble(error, path);
      if (found.reason === 'missing' || found.reason === 'not-a-folder') return undefined;
      throw found;
    }
  },

  readStart(path, into, from = 0, to = into.length, maxBytes = Infinity) {
    if (!CAN_REFUSE_LINKS && nodeFiles.look(path)?.kind === 'link') throw new FileTrouble('not-a-regular-file', path);
    // The opened file needs no check: links are refused, pipes do not block, and the read is bounded.
    const fd = openFile(path);
    try {
      // Reading one byte at the limit is cheaper than a call for the size.
      if (maxBytes < Infinity && fs.readSync(fd, PROBE, 0, 1, maxBytes) > 0) throw new FileTrouble('too-large', path);
      return fillFrom(fd, into, from, to, 0);
    } catch (error) {
      throw trouble(error, path);
    } finally {
      fs.closeSync(fd);
    }
  },

  read(path, maxBytes) {
    return withFile(path, (fd) => {
      const stats = fs.fstatSync(fd);
      if (!stats.isFile()) throw new FileTrouble('not-a-regular-file', path);
      const stamp = stampOf(stats);
      if (stamp.size > maxBytes) throw new FileTrouble('too-large', path, stamp.size);
      return { bytes: readFully(fd, Buffer.allocUnsafe(stamp.size)), stamp };
    });
  },

  readWithin(realRoot, path, start, length) {
    return withFile(path, (fd) => {
      const stats = fs.fstatSync(fd);
      if (!stats.isFile()) throw new FileTrouble('not-a-regular-file', path);
      const stamp = stampOf(stats);
      if (!isInside(realRoot, openedPath(fd, path))) throw new FileTrouble('outside', path);
      return {
        bytes: readFully(fd, Buffer.allocUnsafe(Math.max(0, Math.min(length, stamp.size - start))), start),
        stamp,
      };
    });
  },
};
