/** The memory tree stands in for the file system in most tests; here both are asked the same questions. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileTree, FileTrouble, NO_STAMP, sameStamp } from '../../../src/core/disk/tree.ts';
import { memoryDisk } from '../../../src/core/disk/memory-disk.ts';
import { nodeFiles } from '../../../src/core/disk/node-tree.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const FILES = {
  'a/one.txt': 'one',
  'a/two.txt': 'two and more',
  'a/deep/er/three.txt': 'three',
  'empty.txt': '',
  'to-a': { link: 'a' },
  'to-deep': { link: 'to-a/deep' },
  'a/to-one': { link: 'one.txt' },
  'a/up': { link: '..' },
  nowhere: { link: 'missing/file' },
  self: { link: 'self' },
  ping: { link: 'pong' },
  pong: { link: 'ping' },
};

function reasonOf(use: () => unknown): string {
  try {
    use();
    return 'none';
  } catch (error) {
    if (error instanceof FileTrouble) return error.reason;
    throw error;
  }
}

let folder: TempFolder;
beforeAll(() => {
  folder = tempFolder(FILES);
});
afterAll(() => folder[Symbol.dispose]());

describe.each(['node', 'memory'] as const)('the %s tree', (kind) => {
  const root = (): string => (kind === 'node' ? folder.dir : '/tree');
  const at = (...below: string[]): string => path.join(root(), ...below);
  const tree = (): FileTree =>
    kind === 'node'
      ? nodeFiles
      : memoryDisk(Object.fromEntries(Object.entries(FILES).map(([name, file]) => [`/tree/${name}`, file])));

  test('lists a folder with the kinds of its entries, links unfollowed', () => {
    expect(
      tree()
        .list(at('a'))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ).toEqual([
      { name: 'deep', kind: 'directory' },
      { name: 'one.txt', kind: 'file' },
      { name: 'to-one', kind: 'link' },
      { name: 'two.txt', kind: 'file' },
      { name: 'up', kind: 'link' },
    ]);
    expect(
      tree()
        .list(at('to-deep'))
        .map(({ name }) => name),
    ).toEqual(['er']);
  });

  test.each([
    ['a missing folder', 'missing', 'missing'],
    ['a file', 'a/one.txt', 'not-a-folder'],
    ['a link that leads nowhere', 'nowhere', 'missing'],
    ['a link to itself', 'self', 'too-many-links'],
  ])('listing %s fails with %s', (_, place, reason) => {
    expect(reasonOf(() => tree().list(at(place)))).toBe(reason);
  });

  test('returns the kind of entry at a path without following a final link', () => {
    expect(tree().look(at('a/one.txt'))?.kind).toBe('file');
    expect(tree().look(at('a'))?.kind).toBe('directory');
    expect(tree().look(at('a/to-one'))?.kind).toBe('link');
    expect(tree().look(at('nowhere'))?.kind).toBe('link');
    expect(tree().look(at('to-a/one.txt'))?.kind).toBe('file');
    expect(tree().look(at('missing'))).toBeUndefined();
    expect(tree().look(at('a/one.txt/below'))).toBeUndefined();
  });

  test('follows links to the real path', () => {
    expect(tree().follow(at('to-deep/er/three.txt'))).toMatchObject({
      realPath: at('a/deep/er/three.txt'),
      kind: 'file',
    });
    expect(tree().follow(at('a/up/a/up/to-a'))).toMatchObject({ realPath: at('a'), kind: 'directory' });
    expect(tree().follow(at('nowhere'))).toBeUndefined();
    expect(tree().follow(at('a/one.txt/below'))).toBeUndefined();
    expect(reasonOf(() => tree().follow(at('self')))).toBe('too-many-links');
    expect(reasonOf(() => tree().follow(at('ping')))).toBe('too-many-links');
  });

  test('reads a regular file, whole or its start', () => {
    const text = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).toString();
    expect(text(tree().read(at('a/two.txt'), 100))).toBe('two and more');
    expect(text(tree().read(at('to-a/two.txt'), 12))).toBe('two and more');
    const block = Buffer.alloc(10, '.');
    const readStart = (place: string, ...space: number[]) => [
      tree().readStart(at(place), block, ...space),
      block.toString(),
    ];
    expect(readStart('a/two.txt', 2, 6, 12)).toEqual([4, '..two ....']);
    expect(readStart('a/one.txt')).toEqual([3, 'onewo ....']);
    expect(readStart('empty.txt')).toEqual([0, 'onewo ....']);
    expect(reasonOf(() => readStart('a/two.txt', 0, 3, 11))).toBe('too-large');
  });

  test.each([
    ['a file over the limit', 'a/two.txt', 'too-large'],
    ['a link', 'a/to-one', 'not-a-regular-file'],
    ['a folder', 'a', 'not-a-regular-file'],
    ['nothing', 'missing', 'missing'],
    ['a path through a file', 'a/one.txt/below', kind === 'node' ? 'not-a-folder' : 'missing'],
  ])('refuses to read %s', (_, place, reason) => {
    expect(reasonOf(() => tree().read(at(place), 5))).toBe(reason);
    expect(reasonOf(() => tree().readStart(at(place), new Uint8Array(5), 0, 5, 5))).toBe(reason);
  });

  test('the error for a large file includes its size', () => {
    try {
      tree().read(at('a/two.txt'), 5);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ reason: 'too-large', size: 12 });
    }
  });

  test('two files have different stamps, one file has the same twice', () => {
    const stamp = (place: string) => tree().read(at(place), 100).stamp;
    const one = tree();
    expect(sameStamp(one.read(at('a/one.txt'), 100).stamp, one.read(at('a/one.txt'), 100).stamp)).toBe(true);
    expect(sameStamp(stamp('a/one.txt'), stamp('a/two.txt'))).toBe(false);
  });
});

describe('the real file system', () => {
  test('a name with a NUL byte or of absurd length stands nowhere', () => {
    expect(nodeFiles.look(folder.at('a\0b'))).toBeUndefined();
    expect(nodeFiles.look(folder.at('x'.repeat(5_000)))).toBeUndefined();
  });

  test('a file edited in place with its size and mtime restored has another stamp', () => {
    const file = folder.at('edited.txt');
    const mtime = new Date(1_700_000_000_000);
    fs.writeFileSync(file, 'before');
    fs.utimesSync(file, mtime, mtime);
    const { stamp } = nodeFiles.read(file, 100);
    const started = Date.now();
    // ctime moves in steps of the kernel's clock.
    while (Date.now() - started < 20);
    fs.writeFileSync(file, 'after!');
    fs.utimesSync(file, mtime, mtime);
    const again = nodeFiles.read(file, 100).stamp;
    expect([again.size, again.mtimeMs, again.ino]).toEqual([stamp.size, stamp.mtimeMs, stamp.ino]);
    expect(sameStamp(stamp, again)).toBe(false);
  });
});

test('the stamp of a file whose state was not read equals none, not even itself', () => {
  expect(sameStamp(NO_STAMP, NO_STAMP)).toBe(false);
});

test.skipIf(process.platform === 'win32')('nothing is read from a pipe that another process writes to', () => {
  using place = tempFolder();
  execFileSync('mkfifo', [place.at('pipe')]);
  const pipe = fs.openSync(place.at('pipe'), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  try {
    fs.writeSync(pipe, 'for somebody else');
    expect(reasonOf(() => nodeFiles.readStart(place.at('pipe'), new Uint8Array(100)))).toBeDefined();
    const left = new Uint8Array(100);
    expect(Buffer.from(left.subarray(0, fs.readSync(pipe, left))).toString()).toBe('for somebody else');
  } finally {
    fs.closeSync(pipe);
  }
});
