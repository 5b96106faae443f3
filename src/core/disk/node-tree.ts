import fs from 'node:fs';
import { isInside } from '../inside.ts';
import {
  type Contents,
  type Entry,
  type EntryKind,
  type FileTree,
  FileTrouble,
  LOOK_CLOSER,
  type Look,
  type LookInto,
  NOTHING_THERE,
  type Stamp,
} from './tree.ts';
import { reasonOf, systemCode } from './reasons.ts';

const { O_RDONLY } = fs.constants;
// Windows has none of these flags; there the kind of the entry is still checked before and after opening.
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const CAN_REFUSE_LINKS = O_NOFOLLOW !== 0;
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0;
const O_NOCTTY = fs.constants.O_NOCTTY ?? 0;
/** A link is not followed, and a pipe that nobody writes to does not block: the file may have become one since the last look. */
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

function withFile<T>(path: string, use: (fd: number) => T): T {
  let fd: number;
  try {
    fd = fs.openSync(path, READ_FLAGS);
  } catch (error) {
    throw systemCode(error) === 'ELOOP' ? new FileTrouble('not-a-regular-file', path) : trouble(error, path);
  }
  try {
    return use(fd);
  } catch (error) {
    throw trouble(error, path);
  } finally {
    fs.closeSync(fd);
  }
}

/** Where the opened file really is. Linux tells; elsewhere the path is resolved again and must lead to the very same file. */
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

function readFully(fd: number, into: Uint8Array, start = 0): Uint8Array {
  let filled = 0;
  while (filled < into.length) {
    const got = fs.readSync(fd, into, filled, into.length - filled, start + filled);
    if (got === 0) break;
    filled += got;
  }
  return into.subarray(0, filled);
}

/** The same from the start of a file of known size: one call is nearly always enough. */
function readUpTo(fd: number, into: Uint8Array, length: number): Uint8Array {
  let filled = 0;
  while (filled < length) {
    const got = fs.readSync(fd, into, filled, length - filled, null);
    if (got === 0) break;
    filled += got;
  }
  return filled === into.length ? into : into.subarray(0, filled);
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

  contents(dir) {
    try {
      const contents: Contents = { folders: [], others: [] };
      for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
        if (entry.isDirectory()) contents.folders.push(entry.name);
        else contents.others.push({ name: entry.name, kind: kindOf(entry) });
      }
      return contents;
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
      // A path through something that is not a folder leads nowhere; ENAMETOOLONG and NUL bytes likewise.
      if (found.reason === 'not-a-folder' || ['ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(systemCode(error)))
        return undefined;
      throw found;
    }
  },

  lookInto(path, into): LookInto | undefined {
    if (!CAN_REFUSE_LINKS) {
      const look = nodeFiles.look(path);
      if (look?.kind !== 'file') return look && { kind: look.kind, stamp: look.stamp, start: undefined };
    }
    let fd: number;
    try {
      fd = fs.openSync(path, READ_FLAGS);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      // A link, a socket, a file that must not be read, a path too long: the look tells which.
      const look = nodeFiles.look(path);
      return look && { kind: look.kind, stamp: look.stamp, start: undefined };
    }
    try {
      const stats = fs.fstatSync(fd);
      const kind = kindOf(stats);
      return {
        kind,
        stamp: stampOf(stats),
        start: kind === 'file' ? readUpTo(fd, into, Math.min(stats.size, into.length)) : undefined,
      };
    } catch (error) {
      throw trouble(error, path);
    } finally {
      fs.closeSync(fd);
    }
  },

  glance(path, into, start, length, maxBytes) {
    if (!CAN_REFUSE_LINKS) return LOOK_CLOSER;
    let fd: number;
    try {
      fd = fs.openSync(path, READ_FLAGS);
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? NOTHING_THERE : LOOK_CLOSER;
    }
    try {
      // Reading at a position is what pipes, sockets and terminals refuse; the files behind other devices are empty or endless.
      if (fs.readSync(fd, PROBE, 0, 1, maxBytes) !== 0) return LOOK_CLOSER;
      let filled = fs.readSync(fd, into, start, length, null);
      for (let got = filled; got > 0 && filled < length; filled += got)
        got = fs.readSync(fd, into, start + filled, length - filled, null);
      return filled === 0 ? LOOK_CLOSER : filled;
    } catch {
      return LOOK_CLOSER;
    } finally {
      fs.closeSync(fd);
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

  readStart(path, into) {
    // No second look at what was opened: links are not followed, pipes do not block, and the read is bounded.
    return withFile(path, (fd) => readFully(fd, into));
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
