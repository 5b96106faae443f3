import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { SearchCache } from '../../src/search/cache/cache.ts';
import { decodePack, encodePack } from '../../src/search/cache/pack.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { withRoom } from '../support/watched-writes.ts';

const key = (text: string): string => text.padEnd(16, '·').slice(0, 16).replaceAll('·', '\u00b7');
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

function opened(disk: Disk, dir = '/cache'): SearchCache {
  const cache = new SearchCache(disk, dir);
  cache.open();
  return cache;
}

function keep(disk: Disk, names: readonly string[], dir = '/cache'): SearchCache {
  const cache = opened(disk, dir);
  for (const name of names) {
    cache.addEntry(key(name), bytes(name.length, 0, 0, 0));
    cache.addFile(key(`file ${name}`), key(name));
  }
  cache.save();
  return cache;
}

describe('what was kept', () => {
  test('is found by the next process, by text and by file', () => {
    const disk = memoryDisk();
    keep(disk, ['one', 'three']);
    const cache = opened(disk);
    expect(cache.entry(key('three'))).toEqual(Buffer.from([5, 0, 0, 0]));
    expect(cache.textOf(key('file one'))).toBe(key('one'));
    expect(cache.entry(key('two'))).toBeUndefined();
    expect(cache.state).toMatchObject({ packs: 1, entries: 2 });
  });

  test('is merged when there are many packs, and nothing is lost', () => {
    const disk = memoryDisk();
    const names = Array.from({ length: 30 }, (_, index) => `text ${index}`);
    for (const name of names) keep(disk, [name]);
    const cache = opened(disk);
    expect(cache.state?.packs).toBeLessThanOrEqual(9);
    expect(names.filter((name) => !cache.entry(key(name)))).toEqual([]);
    expect(names.filter((name) => cache.textOf(key(`file ${name}`)) !== key(name))).toEqual([]);
  });

  test('is removed for some texts, or for all', () => {
    const disk = memoryDisk();
    keep(disk, ['mine', 'theirs']);
    expect(opened(disk).clear(new Set([key('mine'), key('unknown')]))).toBe(1);
    expect([opened(disk).entry(key('mine')), opened(disk).entry(key('theirs'))]).toEqual([
      undefined,
      expect.anything(),
    ]);
    expect(opened(disk).clear()).toBe(1);
    expect(opened(disk).state).toMatchObject({ packs: 0, bytes: 0 });
  });
});

describe('a cache that is not as it should be', () => {
  test.each<[string, (pack: Uint8Array) => Uint8Array]>([
    ['emptied', () => new Uint8Array(0)],
    ['cut short', (pack) => pack.slice(0, -3)],
    ['changed in one bit', (pack) => pack.map((value, index) => (index === pack.length - 2 ? value ^ 4 : value))],
    ['of another version', (pack) => pack.map((value, index) => (index === 4 ? value + 1 : value))],
    ['something else', () => Buffer.from('not a pack at all, but long enough to look like one at first sight')],
  ])('a pack that is %s counts as missing, and new ones work', (_, damage) => {
    const disk = memoryDisk();
    keep(disk, ['old']);
    for (const [file, content] of disk.files())
      if (file.endsWith('.pack')) disk.replace(file, damage(Buffer.from(content)));
    expect(opened(disk).entry(key('old'))).toBeUndefined();
    keep(disk, ['old', 'new']);
    expect(opened(disk).entry(key('old'))).toBeDefined();
    // What is damaged is not kept forever.
    expect([...disk.files().keys()].filter((file) => file.endsWith('.pack'))).toHaveLength(1);
  });

  test('no home folder: nothing is kept, and it says why', () => {
    const cache = new SearchCache(memoryDisk(), undefined);
    cache.open();
    cache.addEntry(key('a'), bytes(1, 2, 3, 4));
    expect(cache.entry(key('a'))).toBeDefined();
    cache.save();
    expect(cache.problem).toContain('no home');
    expect([cache.state, cache.clear()]).toEqual([undefined, 0]);
  });

  test('a full disk: searching goes on, the reason is kept, and later something fits again', () => {
    const disk = memoryDisk();
    const cache = opened(withRoom(disk, 100));
    cache.addEntry(key('a'), new Uint8Array(100));
    cache.save();
    expect(cache.problem).toContain('Cannot write');
    expect(disk.files().size).toBe(0);
    const roomy = opened(disk);
    roomy.addEntry(key('a'), new Uint8Array(100));
    roomy.save();
    expect([roomy.problem, opened(disk).entry(key('a'))]).toEqual([undefined, expect.anything()]);
  });

  test('a folder that was deleted during use is made again', () => {
    using folder = tempFolder();
    const dir = folder.at('cache');
    const cache = keep(nodeDisk, ['one'], dir);
    fs.rmSync(dir, { recursive: true });
    cache.open();
    expect(cache.entry(key('one'))).toBeUndefined();
    cache.addEntry(key('two'), bytes(1, 2, 3, 4));
    cache.save();
    expect(opened(nodeDisk, dir).entry(key('two'))).toBeDefined();
  });
});

test('ten users of one folder that write in turns lose nothing of each other', () => {
  const disk = memoryDisk();
  const caches = Array.from({ length: 10 }, () => opened(disk));
  for (let round = 0; round < 6; round++) {
    caches.forEach((cache, index) => {
      cache.addEntry(key(`p${index} r${round}`), bytes(index, round, 0, 0));
      cache.save();
    });
  }
  const all = opened(disk);
  const lost = caches.flatMap((_, index) =>
    Array.from({ length: 6 }, (__, round) => `p${index} r${round}`).filter((name) => !all.entry(key(name))),
  );
  expect(lost).toEqual([]);
});

test('a pack is the same after it was written and read', () => {
  const entries = new Map([
    [key('a'), bytes(1, 2, 3, 4)],
    [key('\u0000\u00ff'), bytes()],
  ]);
  const files = new Map([[key('f'), key('a')]]);
  const read = decodePack(encodePack({ entries, files }));
  expect(read?.files).toEqual(files);
  expect([...(read?.entries ?? [])].map(([name, value]) => [name, [...value]])).toEqual([
    [key('a'), [1, 2, 3, 4]],
    [key('\u0000\u00ff'), []],
  ]);
});
