import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { WriteTrouble } from '../../src/core/disk/writes.ts';
import { CatalogClock } from '../../src/hub/catalog-clock.ts';
import type { Follower } from '../../src/hub/follower.ts';
import { CachedLists } from '../../src/hub/cached-lists.ts';
import { Publishing } from '../../src/hub/publishing.ts';
import { search } from '../../src/operations/search.ts';
import { CatalogStore, type StoredFile, type StoredSource } from '../../src/store/catalog-store.ts';
import type { Snapshot } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { type Followed, followedOn, skill } from '../support/followed.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { sharedCatalog, sharedParts, sourceFiles, type SourceFiles } from '../support/shared.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const ADA = { tokenId: undefined, actor: 'ada', teams: ['a'], scopes: ['publish' as const], expiresAt: Infinity };

/** Nothing that waits for it goes on before it is opened. */
function gate(): { open(): void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

async function found(follower: Follower, query: string): Promise<string[]> {
  const view = follower.current?.viewFor('a');
  return (await ask(search, { query, mode: 'keyword' }, view as never)).results.map(({ name }) => name);
}

async function publish(
  { store }: Followed,
  given: SourceFiles,
  through?: Publishing,
  tokenId?: number,
): Promise<StoredFile[]> {
  const { files, contents } = sourceFiles(given);
  for (const content of contents.values()) await store.upload(content, ['a']);
  const at = (await store.findSource('a', 'one')) as StoredSource;
  if (through) await through.publish(at, at.version, files, { actor: 'ada', tokenId }, ADA);
  else await store.publish(at, at.version, files, { actor: 'ada' });
  return files;
}

describe.skipIf(!hasPostgres)('if a publication arrives', () => {
  test('while the one before is indexed, a restart searches the new texts', async () => {
    await using followed = await followedOn(postgres);
    const publisher = followed.follower(undefined, undefined, memoryDisk());
    await publisher.start();
    // Nothing is stored for search, so the replica makes it itself, which takes long.
    await followed.publish('Talks about elephants.');
    const replica = followed.follower();
    const slow = gate();
    const of = replica.segments.of.bind(replica.segments);
    const spied = vi.spyOn(replica.segments, 'of').mockImplementationOnce(async (...given) => {
      const made = await of(...given);
      await slow.opened;
      return made;
    });
    await replica.start();
    await publisher.poll();
    const text = skill('pdf', 'Talks about giraffes.');
    await publish(followed, { 'skills/pdf/SKILL.md': text }, new Publishing(followed.store, publisher));
    await replica.poll();
    slow.open();
    await expect.poll(() => found(replica, 'giraffes')).toEqual(['pdf']);
    expect(spied.mock.calls.length).toBeGreaterThan(1);
    await replica.stop();
    const again = followed.follower();
    await again.start();
    expect(await found(again, 'giraffes')).toEqual(['pdf']);
    expect(await found(again, 'elephants')).toEqual([]);
  });

  test('while files of the one before are fetched, its own are fetched too', async () => {
    await using followed = await followedOn(postgres);
    const filesOf = (fill: number): SourceFiles => ({
      'skills/pdf/SKILL.md': skill('pdf', 'x'),
      ...Object.fromEntries([0, 1, 2].map((at) => [`skills/pdf/${at}.bin`, new Uint8Array(6_000_000).fill(fill + at)])),
    });
    await publish(followed, filesOf(10));
    const slow = gate();
    const { download } = CatalogStore.prototype;
    let isFirst = true;
    vi.spyOn(CatalogStore.prototype, 'download').mockImplementation(async function (this: CatalogStore, wanted, take) {
      const isLarge = wanted.some(({ size }) => size > 1_000_000);
      if (isLarge && isFirst) {
        isFirst = false;
        await slow.opened;
      }
      return download.call(this, wanted, take);
    });
    try {
      const replica = followed.follower();
      await replica.start();
      const next = await publish(followed, filesOf(20));
      await replica.poll();
      slow.open();
      await expect.poll(() => next.every(({ sha256, size }) => replica.blobs.has(sha256, size))).toBe(true);
    } finally {
      slow.open();
      vi.restoreAllMocks();
    }
  });
});

describe.skipIf(!hasPostgres)('a replica', () => {
  test('finds a text that was missing for a moment when it was indexed', async () => {
    await using followed = await followedOn(postgres);
    await followed.publish('Talks about giraffes.');
    const replica = followed.follower();
    const of = replica.segments.of.bind(replica.segments);
    vi.spyOn(replica.segments, 'of').mockImplementation(async (source, slices) => {
      replica.blobs.remove(source.files.map(({ sha256 }) => sha256));
      return of(source, slices);
    });
    await replica.start();
    expect(await found(replica, 'giraffes')).toEqual(['pdf']);
  });

  test('that cannot write its cache folder keeps no files of a refused publication', async () => {
    await using followed = await followedOn(postgres);
    const refuse = (place: string): never => {
      throw new WriteTrouble('read-only-file', place);
    };
    const disk = { ...memoryDisk(), append: refuse, replace: refuse };
    const replica = followed.follower(undefined, undefined, disk);
    await followed.publish('First.');
    await replica.start();
    const broken = { 'skills/pdf/SKILL.md': skill('pdf', 'Second.'), 'skills/pdf/data.bin': new Uint8Array(100_000) };
    const publishing = new Publishing(followed.store, replica);
    // Refused by the database, after the files were read.
    await expect(publish(followed, broken, publishing, 999)).rejects.toMatchObject({
      message: 'The token was revoked or has expired.',
    });
    const { files } = sourceFiles(broken);
    expect(files.filter(({ sha256, size }) => replica.blobs.has(sha256, size))).toEqual([]);
    expect(await found(replica, 'First')).toEqual(['pdf']);
  });

  test('that cannot advance still counts as alive and reports its snapshot', async () => {
    await using followed = await followedOn(postgres);
    await followed.publish('First.');
    const replica = followed.follower();
    await replica.start();
    const served = replica.current?.number ?? 0;
    await followed.publish('Second.');
    const damaged = Buffer.from(skill('pdf', 'Second.'));
    await followed.database.query(`update blob set content = 'x' where content = $1`, [damaged]);
    await followed.database.query(`update replica set seen_at = now() - interval '1 hour'`);
    await replica.poll();
    expect(replica.trouble).toBeDefined();
    expect(await followed.store.replicas(30_000)).toMatchObject([{ number: served }]);
  });
});

test('lists of views that were replaced are not kept', async () => {
  const lists = new CachedLists();
  const parts = { ...sharedParts(), lists };
  const keepOnly = vi.spyOn(lists, 'keepOnly');
  const spec = (text: string): SourceFiles => ({ 'openspec/specs/auth/spec.md': `# auth\n\n## Purpose\n${text}\n` });
  const first = await sharedCatalog({ 'a/one': { files: spec('First') } }, 1, parts);
  const before = first.viewFor('a').snapshot;
  const kept = lists.cacheKeyOf(before);
  expect(lists.cacheKeyOf(before)).toBe(kept);
  await sharedCatalog({ 'a/one': { files: spec('Second'), version: 2 } }, 2, parts);
  expect(keepOnly).toHaveBeenLastCalledWith(new Set<Snapshot>());
  expect(lists.cacheKeyOf(before)).not.toBe(kept);
});

test('after a restart the clock is not behind the last database time, even if the system clock was set back', () => {
  const clock = new CatalogClock();
  const said = Date.now() + 3_600_000;
  clock.remember(said);
  expect(clock.now()).toBeGreaterThanOrEqual(said);
  clock.remember(said - 1_000_000);
  expect(clock.now()).toBeGreaterThanOrEqual(said);
  // The database knows better.
  clock.sync(said - 3_600_000);
  expect(clock.now()).toBeLessThan(said);
});
