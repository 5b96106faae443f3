import fs from 'node:fs';
import path from 'node:path';
import { sameStamp, type Stamp } from './disk/tree.ts';
import { stampOf } from './disk/node-tree.ts';
import { type FileWrites, WriteTrouble } from './writes.ts';
import { systemCode } from './disk/system-code.ts';

const REASONS: Record<string, WriteTrouble['reason']> = {
  EEXIST: 'exists',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EROFS: 'not-permitted',
  ENOENT: 'missing',
};

function trouble(error: unknown, place: string): WriteTrouble {
  return new WriteTrouble(REASONS[systemCode(error)] ?? 'io', place);
}

/** Beside the file, because only within one file system is a rename a single step. It is opened as new, so a guess gains nothing. */
function temporaryName(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${Math.random().toString(36).slice(2)}.lectern-tmp`);
}

function writeTemporary(file: string, content: Uint8Array, like: fs.Stats | undefined): void {
  const fd = fs.openSync(file, 'wx', like ? 0o600 : 0o666);
  try {
    fs.writeFileSync(fd, content);
    if (like) keepOwnerAndMode(fd, like);
    // Without it, a power cut after the rename could leave the new name on empty content.
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function keepOwnerAndMode(fd: number, like: fs.Stats): void {
  const own = fs.fstatSync(fd);
  try {
    if (own.uid !== like.uid || own.gid !== like.gid) fs.fchownSync(fd, like.uid, like.gid);
  } catch {
    // Only root may give files away. The content is ours to write all the same.
  }
  fs.fchmodSync(fd, like.mode & 0o7777);
}

/** Puts a finished file in its place; the last look at what stands there comes as late as it can. */
function settle(temporary: string, file: string, before: Stamp | undefined): void {
  const now = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!before) {
    if (now) throw new WriteTrouble('exists', file);
    return nodeWrites.rename(temporary, file, { replace: false });
  }
  if (!now || !sameStamp(before, stampOf(now))) throw new WriteTrouble('changed', file);
  fs.renameSync(temporary, file);
}

function areOneFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((place) => fs.lstatSync(place, { bigint: true, throwIfNoEntry: false }));
  return (
    first !== undefined &&
    second !== undefined &&
    first.isFile() &&
    first.ino === second.ino &&
    first.dev === second.dev
  );
}

/** The real file system. */
export const nodeWrites: FileWrites = {
  create(file, text) {
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      throw trouble(error, file);
    }
  },

  rename(from, to, { replace }) {
    try {
      // Two names of one file: somebody was stopped between giving the new name and taking the old one. Renaming would do nothing.
      if (areOneFile(from, to)) return fs.unlinkSync(from);
      if (replace) return fs.renameSync(from, to);
      try {
        // A hard link fails where the name is taken; a plain rename would silently replace it.
        fs.linkSync(from, to);
      } catch (error) {
        if (systemCode(error) === 'EEXIST' || systemCode(error) === 'ENOENT') throw error;
        // This file system has no hard links.
        if (fs.lstatSync(to, { throwIfNoEntry: false })) throw new WriteTrouble('exists', to);
        return fs.renameSync(from, to);
      }
      fs.unlinkSync(from);
    } catch (error) {
      throw error instanceof WriteTrouble ? error : trouble(error, to);
    }
  },

  replace(file, content, before) {
    const temporary = temporaryName(file);
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      writeTemporary(temporary, content, before && fs.statSync(file));
      settle(temporary, file, before);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error instanceof WriteTrouble ? error : trouble(error, file);
    }
  },
};
