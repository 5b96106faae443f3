import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { SearchCache } from '../../src/search/cache/cache.ts';
import { decodePack, encodePack } from '../../src/search/cache/pack.ts';
import type { Entry } from '../../src/search/entry.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { withRoom } from '../support/watched-writes.ts';

const key = (text: string): string => text.padEnd(16, '·').slice(0, 16).replaceAll('·', '\u00b7');
/** An entry with one word, a number. */
const entry = (word: number): Entry => ({
  length: 2,
  terms: Uint32Array.of(word),
  weights: Uint8Array.of(2),
  head: undefined,
  mean: undefined,
  chunks: [],
});

/** Weight of a word in a cached text; undefined if the text is not cached. */
function weight(cache: SearchCache, text: string, word: number): number | undefined {
  const found = cache.rowOf(key(text));
  return found?.cached.segment.weightIn(found.row, [[word]]);
}

function opened(disk: Disk, dir = '/cache'): SearchCache {
  const cache = new SearchCache(disk, dir);
  cache.open();
  return cache;
}

function keep(disk: Disk, names: readonly string[], dir = '/cache'): SearchCache {
  const cache = opened(disk, dir);
  for (const name of names) {
    cache.addEntry(key(name), entry(name.length));
    cache.addFile(key(`file ${name}`), key(name));
  }
  cache.save();
  return cache;
}

describe('a cached text', () => {
  test('is found by the next process, by text and by file', () => {
    const disk = memoryDisk();
    keep(disk, ['one', 'three']);
    const cache = opened(disk);
    expect([weight(cache, 'three', 5), weight(cache, 'three', 3), weight(cache, 'one', 3)]).toEqual([2, 0, 2]);
    expect(cache.textOf(key('file one'))).toBe(key('one'));
    expect(cache.has(key('two'))).toBe(false);
    expect(cache.state).toMatchObject({ packs: 1, entries: 2 });
  });

  test('is merged when there are many packs, and nothing is lost', () => {
    const disk = memoryDisk();
    const names = Array.from({ length: 30 }, (_, index) => `text ${index}`);
    for (const name of names) keep(disk, [name]);
    const cache = opened(disk);
    expect(cache.state?.packs).toBeLessThanOrEqual(9);
    expect(names.filter((name) => !cache.has(key(name)))).toEqual([]);
    expect(names.filter((name) => cache.textOf(key(`file ${name}`)) !== key(name))).toEqual([]);
  });

  test('is removed for some texts, or for all', () => {
    const disk = memoryDisk();
    keep(disk, ['mine', 'theirs']);
    expect(opened(disk).clear(new Set([key('mine'), key('unknown')]))).toBe(1);
    expect([weight(opened(disk), 'mine', 4), weight(opened(disk), 'theirs', 6)]).toEqual([undefined, 2]);
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
    expect(opened(disk).has(key('old'))).toBe(false);
    keep(disk, ['old', 'new']);
    expect(weight(opened(disk), 'old', 3)).toBe(2);
    // What is damaged is not kept forever.
    expect([...disk.files().keys()].filter((file) => file.endsWith('.pack'))).toHaveLength(1);
  });

  test('no home folder: nothing is stored, and the problem is reported', () => {
    const cache = new SearchCache(memoryDisk(), undefined);
    cache.open();
    cache.addEntry(key('a'), entry(1));
    expect(cache.has(key('a'))).toBe(true);
    cache.save();
    expect(weight(cache, 'a', 1)).toBe(2);
    expect(cache.problem).toContain('no home');
    expect([cache.state, cache.clear()]).toEqual([undefined, 0]);
  });

  test('a full disk keeps new texts in memory with the reason, and a later write succeeds', () => {
    const disk = memoryDisk();
    const cache = opened(withRoom(disk, 100));
    cache.addEntry(key('a'), entry(1));
    cache.save();
    expect(cache.problem).toContain('Cannot write');
    expect([disk.files().size, weight(cache, 'a', 1)]).toEqual([0, 2]);
    const roomy = opened(disk);
    roomy.addEntry(key('a'), entry(1));
    roomy.save();
    expect([roomy.problem, weight(opened(disk), 'a', 1)]).toEqual([undefined, 2]);
  });

  test('a folder deleted during use is recreated', () => {
    using folder = tempFolder();
    const dir = folder.at('cache');
    const cache = keep(nodeDisk, ['one'], dir);
    fs.rmSync(dir, { recursive: true });
    cache.open();
    expect(cache.has(key('one'))).toBe(false);
    cache.addEntry(key('two'), entry(1));
    cache.save();
    expect(opened(nodeDisk, dir).has(key('two'))).toBe(true);
  });
});

test('ten users of one folder that write in turns lose nothing of each other', () => {
  const disk = memoryDisk();
  const caches = Array.from({ length: 10 }, () => opened(disk));
  for (let round = 0; round < 6; round++) {
    caches.forEach((cache, index) => {
      cache.addEntry(key(`p${index} r${round}`), entry(10 * index + round));
      cache.save();
    });
  }
  const all = opened(disk);
  const lost = caches.flatMap((_, index) =>
    Array.from({ length: 6 }, (__, round) => `p${index} r${round}`).filter(
      (name) => weight(all, name, Number(name.replaceAll(/[^0-9]/gu, ''))) !== 2,
    ),
  );
  expect(lost).toEqual([]);
});

test('a text that is added twice has its new entry, before and after packs are merged', () => {
  const disk = memoryDisk();
  const cache = opened(disk);
  for (let round = 0; round < 12; round++) {
    cache.addEntry(key('same'), entry(round));
    cache.save();
    expect([weight(cache, 'same', round), weight(cache, 'same', round - 1)]).toEqual([2, 0]);
  }
});

test('thousands of texts are in segments of at most a thousand, and survive merging', () => {
  const disk = memoryDisk();
  const names = Array.from({ length: 2_300 }, (_, index) => `t${index}`);
  keep(disk, names);
  for (let round = 0; round < 10; round++) keep(disk, [`extra ${round}`]);
  const cache = opened(disk);
  expect(names.filter((name) => weight(cache, name, name.length) !== 2)).toEqual([]);
  expect(Math.max(...names.map((name) => cache.rowOf(key(name))?.cached.rows.size ?? 0))).toBeLessThanOrEqual(1_000);
  expect(cache.state).toMatchObject({ entries: 2_310 });
});

test('a pack is the same after it was written and read', () => {
  const segments = [
    { words: Uint8Array.of(1, 2, 3, 4), vectors: Uint8Array.of(5, 6, 7, 8) },
    { words: Uint8Array.of(9, 9, 9, 9) },
  ];
  const files = new Map([
    [key('f'), key('a')],
    [key('\u0000\u00ff'), key('b')],
  ]);
  expect(decodePack(encodePack({ segments, files }))).toEqual({ segments, files });
});
