import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tryRead } from './answers.ts';
import { nodeFiles, stampOf } from './node-tree.ts';
import { whileAppending, whileCreating, whileFolderIsOpen } from './open.ts';
import { isLeftOver, isProcessAlive, isSameProcess, ownName, startOf } from './process-alive.ts';
import { systemCode } from './reasons.ts';
import { FileTrouble, sameStamp } from './tree.ts';
import { type Writes, WriteTrouble } from './writes.ts';

function attempt<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw WriteTrouble.of(error, place);
  }
}

function makeFolder(dir: string, isPrivate = false): void {
  try {
    fs.mkdirSync(dir, { recursive: true, ...(isPrivate ? { mode: 0o700 } : {}) });
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? new WriteTrouble('not-a-folder', dir, error) : error;
  }
}

/** A rename is durable only after its folder is flushed. Systems that cannot flush a folder go without. */
function flushFolder(dir: string): void {
  try {
    whileFolderIsOpen(dir, (fd) => fs.fsyncSync(fd));
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP', 'EBADF', 'ENOENT'].includes(systemCode(error))) throw error;
  }
}

/**
 * Where a file is written before it gets its name: beside it, because a rename is atomic only within one file system. The
 * process id keeps two writers apart. Files of processes that no longer run are removed, so the next write cleans up after a
 * crash.
 */
function freshTemporary(file: string): string {
  const dir = path.dirname(file);
  const prefix = `.lectern-${path.basename(file)}.`;
  for (const name of namesIn(dir)) {
    const owner = name.startsWith(prefix) ? /^(\d+)\.tmp$/u.exec(name.slice(prefix.length))?.[1] : undefined;
    if (owner !== undefined && (Number(owner) === process.pid || !isProcessAlive(Number(owner))))
      fs.rmSync(path.join(dir, name), { force: true });
  }
  return path.join(dir, `${prefix}${process.pid}.tmp`);
}

/** Empty for a folder that can be written to but not listed. */
function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}

/** The only way to write a file: whole and flushed under a temporary name, then `place` gives it its own name. */
function writeWhole(
  file: string,
  content: string | Uint8Array,
  place: (temporary: string) => void,
  isPrivate = false,
): void {
  attempt(file, () => {
    makeFolder(path.dirname(file), isPrivate);
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
  });
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

function refuseUnlessPlain(file: string): void {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return;
  if (stats.nlink > 1) throw new WriteTrouble('several-names', file);
  // Root may write any file, so the mode is looked at as well.
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

/** Gives a file a second name. Unlike a rename, this fails if the name is taken. False if there are no hard links. */
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
    // Two names of one file: an earlier run was interrupted before it removed the old name. A rename would do nothing then.
    // With a single link, the names differ only in case.
    return source.nlink > 1n ? fs.unlinkSync(from) : fs.renameSync(from, to);
  }
  if (replace || !source) return fs.renameSync(from, to);
  if (source.isFile() && canLink(from, to)) return fs.unlinkSync(from);
  if (target) throw new WriteTrouble('exists', to);
  fs.renameSync(from, to);
}

/** What another user left cannot be removed, and is none of our business. */
function removeIfPossible(target: string): void {
  try {
    fs.rmSync(target, { recursive: true, force: true });
  } catch {
    // It stays.
  }
}

function removeThen(target: string, options: fs.RmOptions): void {
  attempt(target, () => {
    fs.rmSync(target, { force: true, maxRetries: 2, ...options });
    flushFolder(path.dirname(target));
  });
}

/** The real file system. */
export const nodeWrites: Writes = {
  create(file, content) {
    writeWhole(file, content, (temporary) => {
      if (!canLink(temporary, file)) fs.copyFileSync(temporary, file, fs.constants.COPYFILE_EXCL);
      fs.rmSync(temporary, { force: true });
    });
  },

  replace(file, content, before, { strict = false, isPrivate = false } = {}) {
    if (strict) attempt(file, () => refuseUnlessPlain(file));
    const place = (temporary: string): void => {
      // Compared as late as possible.
      const present = before && fs.lstatSync(file, { throwIfNoEntry: false });
      if (before && (!present || !sameStamp(before, stampOf(present)))) throw new WriteTrouble('changed', file);
      fs.renameSync(temporary, file);
    };
    writeWhole(file, content, place, isPrivate);
  },

  createFolder(dir, files) {
    attempt(dir, () => {
      makeFolder(path.dirname(dir));
      fs.mkdirSync(dir);
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
    });
  },

  createLink(file, target) {
    attempt(file, () => {
      makeFolder(path.dirname(file));
      fs.symlinkSync(target, file, 'junction');
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
    attempt(file, () => {
      makeFolder(path.dirname(file), isPrivate);
      whileAppending(file, isPrivate ? 0o600 : 0o666, (fd) => fs.writeFileSync(fd, content));
    });
  },

  move(from, to, { replace = false, strict = false } = {}) {
    attempt(to, () => {
      if (strict) refuseUnlessPlain(from);
      makeFolder(path.dirname(to));
      rename(from, to, replace);
      for (const dir of new Set([path.dirname(to), path.dirname(from)])) flushFolder(dir);
    });
  },

  remove: (file) => removeThen(file, {}),
  removeTree: (target) => removeThen(target, { recursive: true }),

  removeEmptyFolders(dir, stop) {
    for (let current = dir; current !== stop && current.startsWith(stop + path.sep); current = path.dirname(current)) {
      try {
        fs.rmdirSync(current);
      } catch {
        // Not empty, or not permitted: it stays, and so does everything above it.
        return;
      }
    }
  },

  lock(file) {
    for (let attempts = 1; ; attempts++) {
      if (isCreated(file)) return undefined;
      const owner = lockOwner(file);
      if ((owner.pid !== process.pid && isSameProcess(owner)) || attempts === LOCK_ATTEMPTS) return owner.pid;
      takeOver(file);
    }
  },
};

/** Several processes may find the same stale lock. One of them gets it, and the others must not retry forever. */
const LOCK_ATTEMPTS = 5;

/** A lock has two numbers. */
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

/**
 * Removes a stale lock. Of several processes that found it, one may: if a second one removed it later, it would remove the lock
 * that the first one has created in the meantime.
 */
function takeOver(file: string): void {
  const guard = `${file}.stale`;
  if (!isCreated(guard)) {
    const owner = lockOwner(guard);
    if (owner.pid === process.pid || !isSameProcess(owner)) nodeWrites.remove(guard);
    return;
  }
  const owner = lockOwner(file);
  if (owner.pid === process.pid || !isSameProcess(owner)) nodeWrites.remove(file);
  nodeWrites.remove(guard);
}

/** The id is NaN if the lock was released in the meantime, or does not name a process. */
function lockOwner(file: string): { pid: number; start: string } {
  const read = tryRead(nodeFiles, file, LOCK_MAX_BYTES);
  if (read instanceof FileTrouble) return { pid: Number.NaN, start: '' };
  const [pid = '', start = ''] = Buffer.from(read.bytes).toString('latin1').trim().split(' ');
  return { pid: Number.parseInt(pid, 10), start };
}
