import path from 'node:path';
import { Failure } from '../../src/core/failure.ts';
import type { IndexFiles } from '../../src/core/index-files.ts';

export interface MemoryIndexFiles extends IndexFiles {
  files: Map<string, Uint8Array>;
  /** Writes after this many bytes fail as on a full disk. */
  room: number;
}

/** An index folder in memory that can run out of space. */
export function memoryIndexFiles(): MemoryIndexFiles {
  const files = new Map<string, Uint8Array>();
  const isInside = (file: string, dir: string): boolean => file === dir || file.startsWith(`${dir}${path.sep}`);
  const self: MemoryIndexFiles = {
    files,
    room: Number.POSITIVE_INFINITY,
    list(dir) {
      const names = [...files.keys()]
        .filter((file) => file !== dir && isInside(file, dir))
        .map((file) => path.relative(dir, file).split(path.sep)[0] ?? '');
      return [...new Set(names)].map((name) => ({ name, modifiedMs: 0 }));
    },
    read: (file) => files.get(file),
    makeFolder: () => undefined,
    write(file, bytes) {
      self.room -= bytes.length;
      if (self.room < 0)
        throw new Failure('UNWRITABLE', 'Cannot write the search index: the disk is full', { path: file });
      files.set(file, bytes.slice());
    },
    append(file) {
      return {
        add: (bytes) => self.write(file, Buffer.concat([files.get(file) ?? new Uint8Array(), bytes])),
        close: () => undefined,
      };
    },
    rename(from, to) {
      for (const [file, bytes] of [...files].filter(([name]) => isInside(name, from))) {
        files.delete(file);
        files.set(path.join(to, path.relative(from, file)), bytes);
      }
    },
    remove(target) {
      for (const file of [...files.keys()].filter((name) => isInside(name, target))) files.delete(file);
    },
    removeIfEmpty: () => false,
    isProcessAlive: () => false,
  };
  return self;
}
