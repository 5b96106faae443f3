/** The memory tree stands in for the file system in most tests; here both are asked the same questions. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type FileTree,
  FileTrouble,
  LOOK_CLOSER,
  NO_STAMP,
  NOTHING_THERE,
  sameStamp,
} from '../../../src/core/disk/tree.ts';
import { memoryDisk } from '../../../src/core/disk/memory-disk.ts';
import { nodeFiles } from '../../../src/core/disk/node-tree.ts';
import { type TempFolder, tempFolder } from '../../temp-folder.ts';

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

  test('parts the folders in a folder from all else', () => {
    const { folders, others } = tree().contents(at('a'));
    expect(folders).toEqual(['deep']);
    expect(others.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'one.txt', kind: 'file' },
      { name: 'to-one', kind: 'link' },
      { name: 'two.txt', kind: 'file' },
      { name: 'up', kind: 'link' },
    ]);
  });

  test.each([
    ['a missing folder', 'missing', 'missing'],
    ['a file', 'a/one.txt', 'not-a-folder'],
    ['a link that leads nowhere', 'nowhere', 'missing'],
    ['a link to itself', 'self', 'too-many-links'],
  ])('listing %s says %s', (_, place, reason) => {
    expect(reasonOf(() => tree().list(at(place)))).toBe(reason);
    expect(reasonOf(() => tree().contents(at(place)))).toBe(reason);
  });

  test('looks at what stands at a path without following its end', () => {
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
    const text = (read: Uint8Array | { bytes: Uint8Array }): string =>
      Buffer.from('bytes' in read ? read.bytes : read).toString();
    expect(text(tree().read(at('a/two.txt'), 100))).toBe('two and more');
    expect(text(tree().read(at('to-a/two.txt'), 12))).toBe('two and more');
    expect(text(tree().readStart(at('a/two.txt'), new Uint8Array(3)))).toBe('two');
    expect(text(tree().readStart(at('empty.txt'), new Uint8Array(3)))).toBe('');
  });

  test('looks at a file and reads its start in one visit', () => {
    const block = new Uint8Array(3);
    const look = (place: string) => {
      const seen = tree().lookInto(at(place), block);
      return seen && [seen.kind, seen.start && Buffer.from(seen.start).toString(), seen.stamp];
    };
    expect(look('a/two.txt')).toEqual(['file', 'two', tree().look(at('a/two.txt'))?.stamp]);
    expect(look('to-a/two.txt')?.slice(0, 2)).toEqual(['file', 'two']);
    expect(look('empty.txt')?.slice(0, 2)).toEqual(['file', '']);
    expect(look('a/to-one')).toEqual(['link', undefined, tree().look(at('a/to-one'))?.stamp]);
    expect(look('nowhere')?.slice(0, 2)).toEqual(['link', undefined]);
    expect(look('a')?.slice(0, 2)).toEqual(['directory', undefined]);
    expect(look('missing')).toBeUndefined();
    expect(look('a/one.txt/below')).toBeUndefined();
  });

  test('glances at the first bytes of a regular file, and leaves all else to a closer look', () => {
    const block = new Uint8Array(10).fill(0x2e);
    const glance = (place: string, { start = 2, length = 4, maxBytes = 100 } = {}): number =>
      tree().glance(at(place), block, start, length, maxBytes);
    expect([glance('a/two.txt'), Buffer.from(block).toString()]).toEqual([4, '..two ....']);
    expect([glance('a/one.txt', { start: 0, length: 10 }), Buffer.from(block).toString()]).toEqual([3, 'onewo ....']);
    expect(glance('a/two.txt', { maxBytes: 12 })).toBe(4);
    expect(glance('a/two.txt', { maxBytes: 11 })).toBe(LOOK_CLOSER);
    expect([glance('empty.txt'), glance('a/to-one'), glance('a'), glance('nowhere'), glance('self')]).toEqual(
      Array(5).fill(LOOK_CLOSER),
    );
    expect(glance('missing')).toBe(NOTHING_THERE);
  });

  test.each([
    ['a file over the limit', 'a/two.txt', 'too-large'],
    ['a link', 'a/to-one', 'not-a-regular-file'],
    ['a folder', 'a', 'not-a-regular-file'],
    ['nothing', 'missing', 'missing'],
    ['a path through a file', 'a/one.txt/below', kind === 'node' ? 'not-a-folder' : 'missing'],
  ])('refuses to read %s', (_, place, reason) => {
    expect(reasonOf(() => tree().read(at(place), 5))).toBe(reason);
  });

  test('the refusal of a large file tells its size', () => {
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

test('the stamp of nobody equals none, not even itself', () => {
  expect(sameStamp(NO_STAMP, NO_STAMP)).toBe(false);
});

test.skipIf(process.platform === 'win32')('a glance reads nothing from a pipe that somebody writes to', () => {
  using place = tempFolder();
  execFileSync('mkfifo', [place.at('pipe')]);
  const pipe = fs.openSync(place.at('pipe'), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  try {
    fs.writeSync(pipe, 'for somebody else');
    expect(nodeFiles.glance(place.at('pipe'), new Uint8Array(100), 0, 100, 1_000)).toBe(LOOK_CLOSER);
    const left = new Uint8Array(100);
    expect(Buffer.from(left.subarray(0, fs.readSync(pipe, left))).toString()).toBe('for somebody else');
  } finally {
    fs.closeSync(pipe);
  }
});
