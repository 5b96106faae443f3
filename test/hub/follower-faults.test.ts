import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { type Disk, WriteTrouble } from '../../src/core/disk/writes.ts';
import { CatalogClock } from '../../src/hub/catalog-clock.ts';
import type { Follower } from '../../src/hub/follower.ts';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore } from '../../src/store/catalog-store.ts';
import { Failure } from '../../src/core/failure.ts';
import { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations.ts';
import { flakyPathTo } from '../support/flaky-path.ts';
import { type Followed, followedOn, load, skill } from '../support/followed.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());
const open = (): Promise<Followed> => followedOn(postgres);

/** A disk on which nothing can be changed. */
function readOnly(disk: Disk): Disk {
  const refuse = (place: string): never => {
    throw new WriteTrouble('read-only-file', place);
  };
  return { ...disk, append: refuse, replace: refuse, move: refuse, remove: refuse, create: refuse };
}

const blobOf = (text: string): string => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `/cache/blobs/${sha256.slice(0, 2)}/${sha256}`;
};

describe.skipIf(!hasPostgres)('a follower', () => {
  test('needs at most two polls after its connections went dead without a word', async () => {
    await using opened = await open();
    await opened.publish('First.');
    await using way = await flakyPathTo(opened.url);
    const database = new Database({ url: way.through(opened.url), queryMs: 300 });
    const follower = opened.follower(database);
    await follower.start();
    way.vanish();
    const number = await opened.publish('Second.');
    await follower.poll();
    expect(follower.current?.number).toBeLessThan(number);
    way.forget();
    await follower.poll();
    await follower.poll();
    expect(follower.current?.number).toBe(number);
    await follower.stop();
    await database.close();
  });

  test('resumes listening after its notification connection is closed', async () => {
    await using opened = await open();
    const follower = opened.follower();
    await follower.start();
    const listeners = async (): Promise<number> =>
      (await opened.database.query(`select 1 from pg_stat_activity where query like 'listen%'`)).length;
    await expect.poll(listeners).toBe(1);
    await opened.database.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`);
    await expect.poll(listeners).toBe(0);
    await expect
      .poll(async () => {
        await follower.poll();
        return listeners();
      })
      .toBe(1);
    const number = await opened.publish('First.');
    await expect.poll(() => follower.current?.number).toBe(number);
  });

  test('stops while the database does not respond', async () => {
    await using opened = await open();
    await using way = await flakyPathTo(opened.url);
    const database = new Database({ url: way.through(opened.url), queryMs: 300 });
    const follower = opened.follower(database);
    await follower.start();
    way.vanish();
    await follower.stop();
    await database.close();
  });

  test('takes nothing over from a history that a restored backup does not have', async () => {
    await using opened = await open();
    await opened.publish('First.');
    await opened.database.close();
    const backup = await postgres.copy(opened.url);
    const [lost, restored] = [new Database({ url: opened.url }), new Database({ url: backup })];
    const publish = async (database: Database, body: string): Promise<number> => {
      const store = new CatalogStore(database);
      const content = new TextEncoder().encode(skill('pdf', body));
      const source = await store.findSource('a', 'one');
      if (!source) throw new Error('no source');
      const file = { path: 'skills/pdf/SKILL.md', sha256: await store.upload(content), size: content.length };
      const files = [{ ...file, executable: false }];
      return (await store.publish(source, source.version, files, { actor: 'ada' })).number;
    };
    const number = await publish(lost, 'Lost.');
    const before = opened.follower(lost);
    await before.start();
    expect(await load(before)).toContain('Lost.');
    await before.stop();
    // The same number, and the same version of the source.
    expect(await publish(restored, 'Kept.')).toBe(number);
    const after = opened.follower(restored);
    await after.start();
    expect(await load(after)).toContain('Kept.');
    await after.stop();
    // A number later, the version of the source is still the one that it had in the other history.
    const { disk } = opened;
    const again = opened.follower(lost);
    await again.start();
    expect(await load(again)).toContain('Lost.');
    await again.stop();
    await new AdminStore(restored, 'operator').addTeam('b');
    const later = opened.follower(restored, undefined, disk);
    await later.start();
    expect(later.current?.number).toBe(number + 1);
    expect(await load(later)).toContain('Kept.');
    await later.stop();
    await Promise.all([lost.close(), restored.close()]);
  });

  test('does not use a kept catalog in which a letter is wrong, even if its number is current', async () => {
    await using opened = await open();
    await opened.publish('First.');
    await opened.follower().start();
    const kept = Buffer.from(opened.disk.read('/cache/catalog.json', 1e6).bytes).toString('utf8');
    opened.disk.replace('/cache/catalog.json', kept.replace('"team":"a"', '"team":"b"'));
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const alone = opened.follower(nowhere);
    await alone.start();
    expect(alone.current).toBeUndefined();
    expect(opened.said.join('\n')).toContain('damaged');
    const mended = opened.follower();
    await mended.start();
    expect(await load(mended)).toContain('First.');
    await nowhere.close();
  });

  test('reports the age of the cached catalog after a restart, and ignores a clock that was set back', async () => {
    await using opened = await open();
    await opened.publish('First.');
    await opened.follower().start();
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const hour = 3_600_000;
    const staleAt = async (shift: number): Promise<number> => {
      const later = Date.now() + shift;
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => later);
      const follower = opened.follower(nowhere);
      await follower.start();
      clock.mockRestore();
      expect(await load(follower)).toContain('First.');
      return follower.staleMs();
    };
    expect(await staleAt(hour)).toBeGreaterThanOrEqual(hour);
    expect(await staleAt(-hour)).toBeGreaterThanOrEqual(0);
    expect(await staleAt(-hour)).toBeLessThan(hour);
    await nowhere.close();
  });

  test('returns a hint to retry if both a file and the database are missing', async () => {
    await using opened = await open();
    await opened.publish('First.');
    await opened.follower().start();
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const alone = opened.follower(nowhere);
    await alone.start();
    for (const { name } of opened.disk.list('/cache/blobs')) opened.disk.removeTree(`/cache/blobs/${name}`);
    await expect(load(alone)).rejects.toMatchObject({
      code: 'UNREADABLE',
      message: "The files of skill 'pdf' cannot be loaded at the moment.",
      hint: 'Try again later.',
    });
    await nowhere.close();
  });

  test('fetches a damaged content into memory if it cannot be replaced in the folder', async () => {
    await using opened = await open();
    await opened.publish('First.');
    await opened.follower().start();
    const place = blobOf(skill('pdf', 'First.'));
    opened.disk.replace(place, Buffer.from(opened.disk.read(place, 1e6).bytes.map((byte) => byte ^ 1)));
    const follower = opened.follower(undefined, undefined, readOnly(opened.disk));
    await follower.start();
    await expect.poll(() => load(follower).catch(() => '')).toContain('First.');
  });

  test('warns once of a folder that cannot be written, and lets go of what it does not need any more', async () => {
    await using opened = await open();
    const follower = opened.follower(undefined, undefined, readOnly(memoryDisk()));
    await opened.publish('Version 0.');
    await follower.start();
    for (let version = 1; version <= 4; version++) {
      await opened.publish(`Version ${version}.`);
      await follower.poll();
      expect(await load(follower)).toContain(`Version ${version}.`);
    }
    expect(opened.said.filter((text) => text.includes('contents stay in memory'))).toHaveLength(1);
    const isKept = (version: number): boolean => {
      const text = skill('pdf', `Version ${version}.`);
      return follower.blobs.has(createHash('sha256').update(text).digest('hex'), text.length);
    };
    // Calls that began before the last swap still read the version before it.
    expect([0, 1, 2, 3, 4].filter(isKept)).toEqual([3, 4]);
  });
});

describe.skipIf(!hasPostgres)('newer tables', () => {
  const swaps = async (opened: Followed, follower: Follower): Promise<boolean> => {
    const before = follower.current?.number ?? 0;
    await opened.database.query(`insert into snapshot (number, actor, action)
      select number + 1, 'newer', 'test' from head`);
    await opened.database.query('update head set number = number + 1');
    await follower.poll();
    expect(await load(follower)).toContain('First.');
    return follower.current?.number === before + 1;
  };

  test('are followed as long as nothing in them is breaking', async () => {
    await using opened = await open();
    await opened.publish('First.');
    const follower = opened.follower();
    await follower.start();
    await migrate(opened.database, 'operator', ['create table later ()']);
    expect(await swaps(opened, follower)).toBe(true);
    await migrate(opened.database, 'operator', [
      'create table later ()',
      { breaking: 'alter table later rename to latest' },
    ]);
    expect(await swaps(opened, follower)).toBe(false);
    expect(follower.trouble).toContain('newer version of Lectern');
    expect(follower.publicTrouble).toBe(follower.trouble);
    await expect(opened.publish('Second.')).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(new AdminStore(opened.database, 'operator').addTeam('late')).rejects.toMatchObject({
      code: 'REFUSED',
      hint: expect.stringContaining('Update'),
    });
  });

  test('wait for a running publication, and a publication that waits for them is refused', async () => {
    await using opened = await open();
    const source = opened.source;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding = opened.database.transaction(async (query) => {
      await query('select number from head for update');
      await held;
    });
    const other = new Database({ url: opened.url });
    // On a machine that is very busy, a connection or a lock may take longer than either is waited for.
    const again = async <T>(act: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await act();
        } catch (error) {
          if (!(error instanceof Failure) || error.code !== 'UNREACHABLE') throw error;
        }
      }
    };
    const waiting = async (): Promise<number> =>
      (
        await other.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
      ).length;
    try {
      const migrating = again(() => migrate(other, 'operator', [{ breaking: 'create table later ()' }]));
      await expect.poll(waiting).toBe(1);
      const late = { actor: 'late' };
      const publishing = again(() => opened.store.publish(source, source.version, [], late)).catch(
        (error: unknown) => error,
      );
      await expect.poll(waiting).toBe(2);
      release();
      await holding;
      expect(await migrating).toMatchObject({ ran: 1 });
      expect(await publishing).toMatchObject({ code: 'REFUSED' });
    } finally {
      // Otherwise nothing could be closed.
      release();
      await other.close();
    }
  });
});

test('the clock of a catalog is that of the database, and never goes back', () => {
  const clock = new CatalogClock();
  const early = Date.now() - 1_000_000;
  clock.sync(early);
  expect(clock.now()).toBeLessThan(Date.now());
  const now = clock.now();
  clock.sync(early - 1_000_000);
  expect(clock.now()).toBeGreaterThanOrEqual(now);
  clock.sync(early + 5_000_000);
  expect(clock.now()).toBeGreaterThanOrEqual(early + 5_000_000);
});
