import fs from 'node:fs';
import path from 'node:path';
import { flushFolder, isProcessAlive, unwritable } from './disk.ts';
import type { DurableWrites } from './durable-writes.ts';
import { Failure } from './failure.ts';
import { systemCode } from './disk/system-code.ts';

const failed = (error: unknown, place: string): Failure => unwritable(place, error, place);

/** The name is always the same, so that a crash leaves no litter: the next attempt writes over it and renames it away. */
function temporaryFor(file: string): string {
  return path.join(path.dirname(file), `.lectern-${path.basename(file)}.tmp`);
}

function writeTemporary(file: string, bytes: Uint8Array | string): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = temporaryFor(file);
  // Whatever stands at that name, a link above all, must not be written through.
  fs.rmSync(temporary, { force: true });
  const fd = fs.openSync(temporary, 'wx');
  try {
    fs.writeFileSync(fd, bytes);
    fs.fsyncSync(fd);
  } catch (error) {
    // On a full disk the name may be all that came to be.
    fs.rmSync(temporary, { force: true });
    throw error;
  } finally {
    fs.closeSync(fd);
  }
  return temporary;
}

/** The real file system. */
export const nodeDurableWrites: DurableWrites = {
  claim(file, text) {
    try {
      const temporary = writeTemporary(`${file}.${process.pid}`, text);
      try {
        // Linking gives the name and the content in one step and fails where the name is taken.
        fs.linkSync(temporary, file);
      } catch (error) {
        if (systemCode(error) === 'EEXIST') return false;
        fs.writeFileSync(file, text, { flag: 'wx' });
      } finally {
        fs.rmSync(temporary, { force: true });
      }
      return true;
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false;
      throw failed(error, file);
    }
  },

  replace(file, bytes) {
    try {
      const temporary = writeTemporary(file, bytes);
      const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode;
      if (mode !== undefined) fs.chmodSync(temporary, mode & 0o777);
      fs.renameSync(temporary, file);
      flushFolder(path.dirname(file));
    } catch (error) {
      throw failed(error, file);
    }
  },

  move(from, to) {
    try {
      fs.mkdirSync(path.dirname(to), { recursive: true });
      if (fs.lstatSync(to, { throwIfNoEntry: false }))
        throw new Failure('REFUSED', `${to} exists already`, { path: to });
      fs.renameSync(from, to);
      flushFolder(path.dirname(to));
      flushFolder(path.dirname(from));
    } catch (error) {
      throw failed(error, to);
    }
  },

  remove(file) {
    try {
      fs.rmSync(file, { force: true });
      if (fs.lstatSync(path.dirname(file), { throwIfNoEntry: false })) flushFolder(path.dirname(file));
    } catch (error) {
      throw failed(error, file);
    }
  },

  prune(dir, stop) {
    for (let current = dir; current !== stop && current.startsWith(stop + path.sep); current = path.dirname(current)) {
      try {
        fs.rmdirSync(current);
      } catch {
        // Not empty, or not ours to remove: either way it stays, and so does everything above.
        return;
      }
    }
  },

  removeTree(dir) {
    try {
      fs.rmSync(dir, { recursive: true, force: true });
    } catch (error) {
      throw failed(error, dir);
    }
  },

  isAlive: isProcessAlive,
};
