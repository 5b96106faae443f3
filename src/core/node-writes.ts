import fs from 'node:fs';
import path from 'node:path';
import { type FileWrites, WriteTrouble } from './writes.js';

const REASONS: Record<string, WriteTrouble['reason']> = {
  EEXIST: 'exists',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EROFS: 'not-permitted',
  ENOENT: 'missing',
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function trouble(error: unknown, place: string): WriteTrouble {
  return new WriteTrouble(REASONS[codeOf(error)] ?? 'io', place);
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
      if (replace) return fs.renameSync(from, to);
      try {
        // A hard link fails where the name is taken; a plain rename would silently replace it.
        fs.linkSync(from, to);
      } catch (error) {
        if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') throw error;
        // This file system has no hard links.
        if (fs.lstatSync(to, { throwIfNoEntry: false })) throw new WriteTrouble('exists', to);
        return fs.renameSync(from, to);
      }
      fs.unlinkSync(from);
    } catch (error) {
      throw error instanceof WriteTrouble ? error : trouble(error, to);
    }
  },
};
