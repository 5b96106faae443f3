import fs from 'node:fs';
import path from 'node:path';
import { flushFolder, isProcessAlive, unwritable } from './disk.ts';
import { Failure } from './failure.ts';
import { systemCode } from './disk/system-code.ts';

/**
 * The few writes the search index needs, apart from `FileTree`, which only reads. Everything is written beside its place,
 * flushed, and moved there by one rename, so that a reader and a power cut see the old state or the new one.
 */
export interface IndexFiles {
  /** What lies in a folder; nothing when it is missing. */
  list(dir: string): { name: string; modifiedMs: number }[];
  /** A whole file; undefined when it is missing. */
  read(file: string): Uint8Array | undefined;
  makeFolder(dir: string): void;
  /** Writes a new file and flushes it to the disk. */
  write(file: string, bytes: Uint8Array): void;
  /** Opens a file to add to. Not flushed: what is lost with the machine is only computed again. */
  append(file: string): { add(bytes: Uint8Array): void; close(): void };
  /** Moves a file over another one, or a folder to a free place, and flushes the folder that holds it. */
  rename(from: string, to: string): void;
  /** Removes a file or a folder with all it holds; a link is removed, never followed. Missing is fine. */
  remove(target: string): void;
  /** Removes a folder that holds nothing, and says whether it did; any other stays, and so does a link. */
  removeIfEmpty(dir: string): boolean;
  isProcessAlive(pid: number): boolean;
}

function attempt<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unwritable('the search index', error, file);
  }
}

export const nodeIndexFiles: IndexFiles = {
  list(dir) {
    try {
      return fs.readdirSync(dir).flatMap((name) => {
        const stats = fs.lstatSync(path.join(dir, name), { throwIfNoEntry: false });
        return stats ? [{ name, modifiedMs: stats.mtimeMs }] : [];
      });
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return [];
      throw new Failure('UNREADABLE', 'Cannot read the folder of the search index', { path: dir, cause: error });
    }
  },
  read(file) {
    try {
      return fs.readFileSync(file);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(systemCode(error))) return undefined;
      throw new Failure('UNREADABLE', 'Cannot read the search index', { path: file, cause: error });
    }
  },
  makeFolder(dir) {
    attempt(dir, () => fs.mkdirSync(dir, { recursive: true }));
  },
  write(file, bytes) {
    attempt(file, () => {
      const fd = fs.openSync(file, 'wx', 0o644);
      try {
        let written = 0;
        while (written < bytes.length) written += fs.writeSync(fd, bytes, written);
        fs.fsyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
    });
  },
  append(file) {
    const fd = attempt(file, () => fs.openSync(file, 'a', 0o644));
    return {
      add: (bytes) =>
        attempt(file, () => {
          let written = 0;
          while (written < bytes.length) written += fs.writeSync(fd, bytes, written);
        }),
      close: () => fs.closeSync(fd),
    };
  },
  rename(from, to) {
    attempt(to, () => {
      fs.renameSync(from, to);
      flushFolder(path.dirname(to));
    });
  },
  remove(target) {
    attempt(target, () => fs.rmSync(target, { recursive: true, force: true, maxRetries: 2 }));
  },
  removeIfEmpty(dir) {
    try {
      fs.rmdirSync(dir);
      return true;
    } catch {
      // An empty folder more harms nobody.
      return false;
    }
  },
  isProcessAlive,
};
