/**
 * The only place that opens files. A path may name a pipe, a device, or a link to one, possibly created by an attacker a moment
 * ago. Opening it must not block, follow the link, or start an endless read. So every open is non-blocking, refuses a link at the
 * end of the path, and checks the opened file before anything is read or written.
 */
import fs from 'node:fs';
import { FileTrouble } from './tree.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = fs.constants;
// Windows does not have these flags. There, the kind of the entry is checked before opening.
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0;
const O_NOCTTY = fs.constants.O_NOCTTY ?? 0;
const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0;
const GUARDED = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

function openGuarded(path: string, flags: number, mode?: number): number {
  if (O_NOFOLLOW === 0 && fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new FileTrouble('not-a-regular-file', path);
  return fs.openSync(path, flags | GUARDED, mode);
}

function closing<T>(fd: number, use: () => T): T {
  try {
    return use();
  } finally {
    fs.closeSync(fd);
  }
}

function withRegularFile<T>(path: string, flags: number, use: (fd: number, stats: fs.Stats) => T, mode = 0o666): T {
  const fd = openGuarded(path, flags, mode);
  return closing(fd, () => {
    const stats = fs.fstatSync(fd);
    if (!stats.isFile()) throw new FileTrouble('not-a-regular-file', path);
    return use(fd, stats);
  });
}

/** Opens a regular file for reading. */
export function whileReading<T>(path: string, use: (fd: number, stats: fs.Stats) => T): T {
  return withRegularFile(path, O_RDONLY, use);
}

/** Opens a regular file for writing at its end, or creates it. */
export function whileAppending<T>(path: string, mode: number, use: (fd: number) => T): T {
  return withRegularFile(path, O_WRONLY | O_APPEND | O_CREAT, use, mode);
}

/** Creates a file. Fails if anything has that name, a link included. */
export function whileCreating<T>(path: string, mode: number, use: (fd: number) => T): T {
  const fd = openGuarded(path, O_WRONLY | O_CREAT | O_EXCL, mode);
  return closing(fd, () => use(fd));
}

/** Opens a folder, only to flush it. */
export function whileFolderIsOpen<T>(path: string, use: (fd: number) => T): T {
  const fd = fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
  return closing(fd, () => use(fd));
}
