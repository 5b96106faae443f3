/** Files of caches: any of them may be missing, damaged or impossible to write. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CachedFiles } from '../../../src/core/disk/cached-file.ts';
import { memoryDisk } from '../../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../../src/core/disk/node-disk.ts';
import type { Disk } from '../../../src/core/disk/writes.ts';
import { Failure } from '../../../src/core/failure.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

const isText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const on = (disk: Disk, options: { isPrivate?: boolean; maxBytes?: number } = {}): CachedFiles =>
  new CachedFiles(disk, { maxBytes: 1_000, ...options });

describe('a cached file', () => {
  test('has the value that was written last', () => {
    const files = on(memoryDisk());
    expect(files.write('/cache/a.json', 'one')).toBeUndefined();
    expect(files.write('/cache/a.json', 'two')).toBeUndefined();
    expect(files.read('/cache/a.json', isText)).toEqual({ kind: 'value', value: 'two' });
  });

  test('that does not exist, or is a folder, is missing', () => {
    const files = on(memoryDisk({ '/cache/folder/file': 'x' }));
    expect(files.read('/cache/a.json', isText)).toEqual({ kind: 'missing' });
    expect(files.read('/cache/folder', isText)).toEqual({ kind: 'missing' });
  });

  test('with a value of another shape counts as missing', () => {
    const files = on(memoryDisk());
    files.write('/cache/a.json', { number: 1 });
    expect(files.read('/cache/a.json', isText)).toEqual({ kind: 'missing' });
  });

  test.each<[string, (text: string) => string]>([
    ['a changed character', (text) => text.replace('good', 'evil')],
    ['a lost end', (text) => text.slice(0, -1)],
    ['an added end', (text) => `${text} `],
    ['only its hash', (text) => text.slice(0, 64)],
    ['no hash', (text) => text.slice(65)],
    ['nothing', () => ''],
  ])('with %s is damaged', (_, change) => {
    const disk = memoryDisk();
    const files = on(disk);
    files.write('/cache/a.json', 'good');
    const text = Buffer.from(disk.read('/cache/a.json', 1_000).bytes).toString('utf8');
    disk.replace('/cache/a.json', change(text));
    expect(files.read('/cache/a.json', isText)).toEqual({ kind: 'damaged' });
  });

  test('that is too large is neither written nor read', () => {
    const disk = memoryDisk();
    expect(on(disk, { maxBytes: 80 }).write('/cache/a.json', 'ü'.repeat(20))).toContain('larger than 80 bytes');
    expect(disk.files().size).toBe(0);
    on(disk).write('/cache/a.json', 'ü'.repeat(20));
    expect(on(disk, { maxBytes: 80 }).read('/cache/a.json', isText)).toEqual({ kind: 'missing' });
  });

  test('that cannot be written is reported with the reason', () => {
    const files = on(memoryDisk({ '/cache': 'a file where the folder should be' }));
    expect(files.write('/cache/a.json', 'x')).toContain('/cache');
    expect(files.remove('/cache/a.json')).toBeUndefined();
  });

  test('reports bugs instead of hiding them', () => {
    const broken: Disk = {
      ...memoryDisk(),
      replace: () => {
        throw new TypeError('a bug');
      },
    };
    expect(() => on(broken).write('/cache/a.json', 'x')).toThrow('a bug');
  });

  test.skipIf(process.platform === 'win32')('can be readable only for this user', () => {
    using folder = tempFolder();
    on(nodeDisk, { isPrivate: true }).write(folder.at('cache/a.json'), 'secret');
    const modeOf = (name: string): number => fs.statSync(folder.at(name)).mode & 0o777;
    expect([modeOf('cache'), modeOf('cache/a.json')]).toEqual([0o700, 0o600]);
  });
});

describe('pruning', () => {
  /** Files of about 80 bytes, the first one the oldest. */
  function aged(folder: TempFolder, ...names: string[]): CachedFiles {
    const files = on(nodeDisk);
    for (const [index, name] of names.entries()) {
      files.write(folder.at(name), 'x'.repeat(13));
      fs.utimesSync(folder.at(name), 1_000 + index, 1_000 + index);
    }
    return files;
  }
  const namesIn = (folder: TempFolder): string[] => fs.readdirSync(folder.at('cache')).sort();

  test('removes the oldest files above the number, and no other kind of file', () => {
    using folder = tempFolder();
    folder.write({ 'cache/other.txt': 'not of the cache' });
    const files = aged(folder, 'cache/c.json', 'cache/a.json', 'cache/b.json');
    files.prune(folder.at('cache'), { files: 2 });
    expect(namesIn(folder)).toEqual(['a.json', 'b.json', 'other.txt']);
  });

  test('removes the oldest files until the rest fits into the bytes', () => {
    using folder = tempFolder();
    const files = aged(folder, 'cache/c.json', 'cache/a.json', 'cache/b.json');
    files.prune(folder.at('cache'), { files: 10, bytes: 100 });
    expect(namesIn(folder)).toEqual(['b.json']);
  });

  test('looks at no file while there are few enough', () => {
    using folder = tempFolder();
    aged(folder, 'cache/a.json', 'cache/b.json');
    const looked: string[] = [];
    const disk: Disk = {
      ...nodeDisk,
      look: (place) => {
        looked.push(place);
        return nodeDisk.look(place);
      },
    };
    on(disk).prune(folder.at('cache'), { files: 2 });
    expect(looked).toEqual([]);
  });

  test('of a folder that does not exist, or whose files cannot be removed, changes nothing', () => {
    const disk = memoryDisk();
    const files = on({
      ...disk,
      remove: () => {
        throw new Failure('UNWRITABLE', 'read-only');
      },
    });
    files.prune('/cache', { files: 0 });
    files.write('/cache/a.json', 'x');
    files.prune('/cache', { files: 0 });
    expect([...disk.files().keys()]).toEqual(['/cache/a.json']);
  });
});
