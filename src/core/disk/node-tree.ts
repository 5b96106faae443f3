import fs from 'node:fs';
import { isInside } from '../inside.ts';
import { whileReading } from './open.ts';
import { type Entry, type EntryKind, type FileTree, FileTrouble, type Look, type Stamp } from './tree.ts';
import { reasonOf, systemCode } from './reasons.ts';

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
  return { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, ino: stats.ino, dev: stats.dev };
}

function trouble(error: unknown, path: string): FileTrouble {
  if (error instanceof FileTrouble) return error;
  return new FileTrouble(reasonOf(error), path, undefined, systemCode(error) || undefined);
}

/** Refuses a link at the end of the path, like a pipe or a device: it is not the requested file. */
function reading<T>(path: string, use: (fd: number, stats: fs.Stats) => T): T {
  try {
    return whileReading(path, use);
  } catch (error) {
    throw systemCode(error) === 'ELOOP' ? new FileTrouble('not-a-regular-file', path) : trouble(error, path);
  }
}

/**
 * Returns the real path of an opened file. Linux reports it. On other systems, the path is resolved again and must lead to the
 * same file.
 */
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

function checkSize({ size }: fs.Stats, maxBytes: number, path: string): void {
  if (size > maxBytes) throw new FileTrouble('too-large', path, size);
}

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
      return stats && { kind: kindOf(stats), stamp: stampOf(stats), mode: stats.mode & 0o7777 };
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
      // Most requested paths do not exist, and an exception costs more than a second look.
      if (!fs.statSync(path, { throwIfNoEntry: false })) return undefined;
      const realPath = fs.realpathSync.native(path);
      const stats = fs.statSync(realPath);
      return { realPath, kind: kindOf(stats), stamp: stampOf(stats), mode: stats.mode & 0o7777 };
    } catch (error) {
      const found = trouble(error, path);
      if (found.reason === 'missing' || found.reason === 'not-a-folder') return undefined;
      throw found;
    }
  },

  readLink(path) {
    try {
      return fs.readlinkSync(path);
    } catch (error) {
      throw trouble(error, path);
    }
  },

  readStart(path, into, from = 0, to = into.length, maxBytes = Infinity) {
    return reading(path, (fd, stats) => {
      checkSize(stats, maxBytes, path);
      return fillFrom(fd, into, from, to, 0);
    });
  },

  read(path, maxBytes, within) {
    return reading(path, (fd, stats) => {
      if (within !== undefined && !isInside(within, openedPath(fd, path))) throw new FileTrouble('outside', path);
      checkSize(stats, maxBytes, path);
      return { bytes: readFully(fd, Buffer.allocUnsafe(stats.size)), stamp: stampOf(stats) };
    });
  },

  readTarget(path, maxBytes, within) {
    const target = nodeFiles.follow(path);
    return target && { ...nodeFiles.read(target.realPath, maxBytes, within), realPath: target.realPath };
  },

  readWithin(realRoot, path, start, length) {
    return reading(path, (fd, stats) => {
      if (!isInside(realRoot, openedPath(fd, path))) throw new FileTrouble('outside', path);
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, stats.size - start)));
      return { bytes: readFully(fd, bytes, start), stamp: stampOf(stats) };
    });
  },
};
