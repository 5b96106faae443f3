import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { asPrefix } from '../inside.ts';
import { tryRead } from './answers.ts';
import { nodeFiles, stampOf } from './node-tree.ts';
import { whileAppending, whileCreating, whileFolderIsOpen, whileReading } from './open.ts';
import { isLeftOver, isProcessAlive, isSameProcess, ownName, proofFor, startOf } from './process-alive.ts';
import { systemCode } from './reasons.ts';
import { FileTrouble, sameStamp } from './tree.ts';
import { type NewFile, type Writes, WriteTrouble } from './writes.ts';

function attempt<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw WriteTrouble.of(error, place);
  }
}

/** Creates a folder and its missing parents. Adds the created ones to `made`. */
function makeFolder(dir: string, made: string[] = [], isPrivate = false): void {
  if (fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = path.dirname(dir);
  if (parent !== dir) makeFolder(parent, made, isPrivate);
  try {
    fs.mkdirSync(dir, isPrivate ? 0o700 : 0o777);
    made.push(dir);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    // Another process may have created it just now.
    if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw new WriteTrouble('not-a-folder', dir, error);
  }
}

/** Runs `act` in a folder that is created if it is missing. If `act` fails, the created folders are removed. */
function inFolder<T>(dir: string, act: () => T, isPrivate = false): T {
  const made: string[] = [];
  try {
    makeFolder(dir, made, isPrivate);
    return act();
  } catch (error) {
    const [outermost] = made;
    if (outermost !== undefined) removeEmptyFolders(made.at(-1) ?? outermost, path.dirname(outermost));
    throw error;
  }
}

function removeEmptyFolders(dir: string, stop: string): void {
  for (let current = dir; current !== stop && current.startsWith(asPrefix(stop)); current = path.dirname(current)) {
    try {
      fs.rmdirSync(current);
    } catch {
      // The folder is not empty or cannot be removed, so it stays, and so does everything above it.
      return;
    }
  }
}

/** A rename is durable only after its folder is flushed. Systems that cannot flush a folder skip this. */
function flushFolder(dir: string): void {
  try {
    whileFolderIsOpen(dir, (fd) => fs.fsyncSync(fd));
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP', 'EBADF', 'ENOENT'].includes(systemCode(error))) throw error;
  }
}

/** The process ID keeps two writers apart. The proof distinguishes our own files from files of a repository. */
function temporaryName(file: string, pid: number): string {
  const start = `.lectern-${path.basename(file)}.${pid}`;
  return `${start}.${proofFor(start)}.tmp`;
}

/**
 * Returns the temporary path to write a file to before it is renamed. It is in the same folder, because a rename is atomic only
 * within one file system. Also removes left-overs, so the next write cleans up after a crash.
 */
function freshTemporary(file: string): string {
  removeTemporaries(file);
  return path.join(path.dirname(file), temporaryName(file, process.pid));
}

/** Removes the temporary files of processes that no longer run. */
function removeTemporaries(file: string): void {
  const dir = path.dirname(file);
  const prefix = `.lectern-${path.basename(file)}.`;
  for (const name of namesIn(dir)) {
    const owner = name.startsWith(prefix) ? /^(\d{1,10})\./u.exec(name.slice(prefix.length))?.[1] : undefined;
    const pid = Number(owner);
    if (owner === undefined || name !== temporaryName(file, pid)) continue;
    if (pid === process.pid || !isProcessAlive(pid)) removeIfPossible(path.join(dir, name));
  }
}

/** Returns no names for a folder that can be written to but not listed. */
function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}

/** The only way to write a file: the whole content is written and flushed under a temporary name, then `place` renames it. */
function writeWhole(
  file: string,
  content: string | Uint8Array,
  place: (temporary: string) => void,
  isPrivate = false,
): void {
  const write = (): void => {
    const temporary = freshTemporary(file);
    const present = fs.lstatSync(file, { throwIfNoEntry: false });
    const like = present?.isFile() ? present : undefined;
    try {
      whileCreating(temporary, like || isPrivate ? 0o600 : 0o666, (fd) => {
        fs.writeFileSync(fd, content);
        if (like) keepOwnerAndMode(fd, like);
        // Without this, a power failure after the rename could leave an empty file.
        fs.fsyncSync(fd);
      });
      place(temporary);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error;
    }
    flushFolder(path.dirname(file));
  };
  attempt(file, () => inFolder(path.dirname(file), write, isPrivate));
}

function keepOwnerAndMode(fd: number, like: fs.Stats): void {
  const own = fs.fstatSync(fd);
  try {
    if (own.uid !== like.uid || own.gid !== like.gid) fs.fchownSync(fd, like.uid, like.gid);
  } catch {
    // Only root may change the owner. The content can be written anyway.
  }
  fs.fchmodSync(fd, like.mode & 0o7777);
}

/** Fails for a file whose protection a rename would bypass. */
function refuseProtected(file: string): void {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return;
  if (stats.nlink > 1) throw new WriteTrouble('several-names', file);
  // Root may write any file, so the mode is checked as well.
  if ((stats.mode & 0o222) === 0 || !isWritable(file)) throw new WriteTrouble('read-only-file', file);
}

function isWritable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Gives a file a second name. Unlike a rename, this fails if the name is taken. Returns false if hard links are not supported.
 */
function canLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(systemCode(error))) throw error;
    return false;
  }
}

function rename(from: string, to: string, replace: boolean): void {
  const [source, target] = [from, to].map((place) => fs.lstatSync(place, { bigint: true, throwIfNoEntry: false }));
  if (source?.isFile() && target && source.ino === target.ino && source.dev === target.dev) {
    // Two names of one file: an earlier run was interrupted before it removed the old name. A rename would then do nothing. With
    // a single link, the names differ only in case.
    return source.nlink > 1n ? fs.unlinkSync(from) : fs.renameSync(from, to);
  }
  if (replace || !source) return fs.renameSync(from, to);
  if (source.isFile() && canLink(from, to)) return fs.unlinkSync(from);
  if (target) throw new WriteTrouble('exists', to);
  fs.renameSync(from, to);
}

/** Copies a file, a link or a folder with everything in it, and flushes it. Fails for pipes, sockets and devices. */
function copyTree(from: string, to: string): void {
  const stats = fs.lstatSync(from);
  if (stats.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to);
  else if (stats.isDirectory()) {
    fs.mkdirSync(to);
    for (const name of fs.readdirSync(from)) copyTree(path.join(from, name), path.join(to, name));
    fs.chmodSync(to, stats.mode & 0o7777);
    flushFolder(to);
  } else if (stats.isFile()) {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    // Windows cannot flush a file that is open for reading.
    if (process.platform !== 'win32') whileReading(to, (fd) => fs.fsyncSync(fd));
  } else throw new WriteTrouble('not-a-regular-file', from);
}

/** Moves a file or folder to another file system. The target gets everything or nothing. */
function moveByCopying(from: string, to: string): void {
  const temporary = freshTemporary(to);
  try {
    copyTree(from, temporary);
    rename(temporary, to, false);
  } catch (error) {
    removeIfPossible(temporary);
    throw error;
  }
  fs.rmSync(from, { recursive: true, force: true });
}

/** Files that another user left behind cannot be removed and are kept. */
function removeIfPossible(target: string): void {
  try {
    fs.rmSync(target, { recursive: true, force: true });
  } catch {
    // The file is kept.
  }
}

function removeThen(target: string, options: fs.RmOptions): void {
  attempt(target, () => {
    fs.rmSync(target, { force: true, maxRetries: 2, ...options });
    flushFolder(path.dirname(target));
  });
}

function fillFolder(dir: string, files: Iterable<NewFile>): void {
  const folders = new Set([dir]);
  for (const { path: name, bytes, executable } of files) {
    const file = path.join(dir, ...name.split('/'));
    if (!folders.has(path.dirname(file))) makeFolder(path.dirname(file));
    folders.add(path.dirname(file));
    whileCreating(file, 0o600, (fd) => {
      fs.writeFileSync(fd, bytes);
      fs.fchmodSync(fd, executable ? 0o755 : 0o644);
      fs.fsyncSync(fd);
    });
  }
  for (const folder of folders) flushFolder(folder);
}

/** The real file system. */
export const nodeWrites: Writes = {
  create(file, content) {
    writeWhole(file, content, (temporary) => {
      if (!canLink(temporary, file)) fs.copyFileSync(temporary, file, fs.constants.COPYFILE_EXCL);
      fs.rmSync(temporary, { force: true });
    });
  },

  replace(file, content, before, { isPrivate = false, strict = !isPrivate } = {}) {
    if (strict) nodeWrites.checkReplace(file);
    const place = (temporary: string): void => {
      // Compared as late as possible, to keep the race window small.
      const present = before && fs.lstatSync(file, { throwIfNoEntry: false });
      if (before && (!present || !sameStamp(before, stampOf(present)))) throw new WriteTrouble('changed', file);
      fs.renameSync(temporary, file);
    };
    writeWhole(file, content, place, isPrivate);
  },

  checkReplace: (file) => attempt(file, () => refuseProtected(file)),
  removeTemporaries,

  createFolder(dir, files) {
    const create = (): void => {
      fs.mkdirSync(dir);
      try {
        fillFolder(dir, files);
      } catch (error) {
        fs.rmSync(dir, { recursive: true, force: true });
        throw error;
      }
    };
    attempt(dir, () => inFolder(path.dirname(dir), create));
  },

  createPrivateFolder(dir) {
    attempt(dir, () => {
      makeFolder(path.dirname(dir));
      makeFolder(dir, [], true);
      const stats = fs.lstatSync(dir);
      const isOurs = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
      if (!isOurs || !stats.isDirectory()) throw new WriteTrouble('not-private', dir);
    });
  },

  createLink(file, target) {
    attempt(file, () => {
      inFolder(path.dirname(file), () => fs.symlinkSync(target, file, 'junction'));
      flushFolder(path.dirname(file));
    });
  },

  createTemporaryFolder(prefix) {
    const parent = os.tmpdir();
    for (const name of namesIn(parent)) if (isLeftOver(name, prefix)) removeIfPossible(path.join(parent, name));
    const start = path.join(parent, `${ownName(prefix)}-`);
    return attempt(start, () => fs.realpathSync.native(fs.mkdtempSync(start)));
  },

  append(file, content, { isPrivate = false } = {}) {
    const write = (): void => whileAppending(file, isPrivate ? 0o600 : 0o666, (fd) => fs.writeFileSync(fd, content));
    attempt(file, () => inFolder(path.dirname(file), write, isPrivate));
  },

  move(from, to, { replace = false, copies = false } = {}) {
    const moveIt = (): void => {
      try {
        rename(from, to, replace);
      } catch (error) {
        if (!copies || systemCode(error) !== 'EXDEV') throw error;
        moveByCopying(from, to);
      }
    };
    attempt(to, () => {
      inFolder(path.dirname(to), moveIt);
      for (const dir of new Set([path.dirname(to), path.dirname(from)])) flushFolder(dir);
    });
  },

  remove: (file) => removeThen(file, {}),
  removeTree: (target) => removeThen(target, { recursive: true }),

  removeEmptyFolders,

  lock(file) {
    for (let attempts = 1; ; attempts++) {
      if (isCreated(file)) return undefined;
      const owner = lockOwner(file);
      if ((owner && !isStale(owner)) || attempts === LOCK_ATTEMPTS) return owner?.pid ?? Number.NaN;
      if (owner) takeOver(file);
    }
  },
};

/** Other processes may keep acquiring the lock first, and this one must not retry forever. */
const LOCK_ATTEMPTS = 5;

/** A lock contains two numbers. */
const LOCK_MAX_BYTES = 64;

function isCreated(file: string): boolean {
  try {
    nodeWrites.create(file, `${process.pid} ${startOf(process.pid)}\n`);
    return true;
  } catch (error) {
    if (error instanceof WriteTrouble && error.reason === 'exists') return false;
    throw error;
  }
}

interface LockOwner {
  pid: number;
  start: string;
}

/** This process never waits for itself: it releases a lock before it acquires the lock a second time. */
function isStale(owner: LockOwner): boolean {
  return owner.pid === process.pid || !isSameProcess(owner);
}

/**
 * Removes a stale lock. Only one of the processes that found it may do so: a second one would remove the lock that the first one
 * has created in the meantime.
 */
function takeOver(file: string): void {
  const guard = `${file}.stale`;
  const isFirst = isCreated(guard);
  removeIfStale(isFirst ? file : guard);
  if (isFirst) nodeWrites.remove(guard);
}

/** A file that is missing was released, so another process may be creating it right now: it must not be removed. */
function removeIfStale(file: string): void {
  const owner = lockOwner(file);
  if (owner && isStale(owner)) nodeWrites.remove(file);
}

/** Returns undefined if the lock was released in the meantime. The ID is NaN if the file does not name a process. */
function lockOwner(file: string): LockOwner | undefined {
  const read = tryRead(nodeFiles, file, LOCK_MAX_BYTES);
  if (read instanceof FileTrouble) return read.reason === 'missing' ? undefined : { pid: Number.NaN, start: '' };
  const [pid = '', start = ''] = Buffer.from(read.bytes).toString('latin1').trim().split(' ');
  return { pid: Number.parseInt(pid, 10), start };
}
