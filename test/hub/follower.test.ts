import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { WriteTrouble } from '../../src/core/disk/writes.ts';
import { Follower } from '../../src/hub/follower.ts';
import type { View } from '../../src/hub/view.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { search } from '../../src/operations/search.ts';
import { skillFile } from '../../src/operations/skill-file.ts';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore, type StoredFile } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { ask } from '../support/ask.ts';
import { flakyPathTo } from '../support/flaky-path.ts';
import { type Followed, followedOn, load, skill } from '../support/followed.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const open = (): Promise<Followed> => followedOn(postgres);

describe.skipIf(!hasPostgres)('a follower', () => {
  test('notices a publication by polling alone, where notifications are swallowed', async () => {
    await using opened = await open();
    const deaf = new Database({ url: opened.url });
    deaf.listen = async () => async () => undefined;
    const follower = opened.follower(deaf, 20);
    await follower.start();
    const number = await opened.publish('First.');
    await expect.poll(() => follower.current?.number).toBe(number);
    expect(await load(follower)).toContain('First.');
    await follower.stop();
    await deaf.close();
  });

  test('catches up when packets to the database vanished for a while, and answers all the time', async () => {
    await using opened = await open();
    await using way = await flakyPathTo(opened.url);
    // What takes half a minute otherwise: a query that is never answered.
    const database = new Database({ url: way.through(opened.url), queryMs: 500 });
    await opened.publish('First.');
    const follower = opened.follower(database, 20);
    await follower.start();
    way.vanish();
    const number = await opened.publish('Second.');
    await expect.poll(() => follower.trouble).toBeDefined();
    expect(await load(follower)).toContain('First.');
    expect(follower.staleMs()).toBeGreaterThan(0);
    way.restore();
    await expect.poll(() => follower.current?.number).toBe(number);
    expect(follower.trouble).toBeUndefined();
    expect(await load(follower)).toContain('Second.');
    await follower.stop();
    await database.close();
  });

  test('is notified of a publication long before its next poll', async () => {
    await using opened = await open();
    const follower = opened.follower();
    await follower.start();
    const number = await opened.publish('First.');
    await expect.poll(() => follower.current?.number).toBe(number);
  });

  test('reads only the sources that changed, and an answer stays within the snapshot that it began with', async () => {
    await using opened = await open();
    const follower = opened.follower();
    await opened.publish('First.');
    await follower.start();
    const before = follower.current;
    const view = before?.viewFor('a');
    await new AdminStore(opened.database, 'operator').addTeam('b');
    await follower.poll();
    // Another number, but nothing that this team sees has changed.
    expect(follower.current?.number).toBe((before?.number ?? 0) + 1);
    expect(follower.current?.viewFor('a')).toBe(view);
    await opened.publish('Second.');
    await follower.poll();
    expect(follower.current?.viewFor('a')).not.toBe(view);
    expect((await ask(loadSkill, { name: 'pdf' }, view as never)).content).toContain('First.');
    expect(await load(follower)).toContain('Second.');
  });

  test('starts from its cache folder without the database, and from a damaged one with it', async () => {
    await using opened = await open();
    const number = await opened.publish('First.');
    await opened.follower().start();
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const alone = opened.follower(nowhere);
    await alone.start();
    expect(alone.current?.number).toBe(number);
    expect(await load(alone)).toContain('First.');
    for (const damaged of ['{"format":1,"number', '[]', '{"format":1,"number":7,"sources":[],"files":7}']) {
      opened.disk.replace('/cache/catalog.json', damaged);
      const mended = opened.follower();
      await mended.start();
      expect(mended.current?.number).toBe(number);
      expect(await load(mended)).toContain('First.');
    }
    await nowhere.close();
  });

  test('keeps its snapshot if a file is damaged in the database, and continues after a new upload', async () => {
    await using opened = await open();
    await opened.publish('First.');
    const follower = opened.follower();
    await follower.start();
    const before = follower.current?.number;
    const number = await opened.publish('Second.');
    await opened.database.query(`update blob set content = 'x' where content = $1`, [
      Buffer.from(skill('pdf', 'Second.')),
    ]);
    await follower.poll();
    expect(follower.current?.number).toBe(before);
    expect(follower.trouble).toBeDefined();
    expect(await load(follower)).toContain('First.');
    await opened.store.upload(new TextEncoder().encode(skill('pdf', 'Second.')));
    await follower.poll();
    expect(follower.current?.number).toBe(number);
    expect(await load(follower)).toContain('Second.');
  });

  test('serves from memory if its cache folder cannot be written', async () => {
    await using opened = await open();
    await opened.publish('First.');
    const refuse = (place: string): never => {
      throw new WriteTrouble('read-only-file', place);
    };
    const follower = new Follower({
      database: opened.database,
      store: opened.store,
      disk: { ...memoryDisk(), append: refuse, replace: refuse },
      cacheDir: '/cache',
      id: 'full',
      pollMs: 1_000_000,
      log: {
        info: () => undefined,
        warn: (text) => opened.said.push(text),
        bug: (error) => opened.said.push(String(error)),
      },
    });
    await follower.start();
    expect(await load(follower)).toContain('First.');
    expect(opened.said.join('\n')).toContain('cannot be written');
    await follower.stop();
  });

  test('does not swap while the database needs a newer version of it', async () => {
    await using opened = await open();
    // Without notifications, which could make the follower poll while the migration is still there.
    const deaf = new Database({ url: opened.url });
    deaf.listen = async () => async () => undefined;
    const follower = opened.follower(deaf);
    await follower.start();
    const before = follower.current?.number;
    await opened.publish('First.');
    await opened.database.query(
      'delete from lectern_migration where number = (select max(number) from lectern_migration)',
    );
    await follower.poll();
    expect(follower.current?.number).toBe(before);
    expect(follower.trouble).toContain('migration');
    await follower.stop();
    await deaf.close();
  });

  test('serves as soon as it can, fetches the other files in the background, and waits for a requested one', async () => {
    await using opened = await open();
    const files: StoredFile[] = [];
    for (const [path, text] of [
      ['skills/pdf/SKILL.md', skill('pdf', 'First.')],
      ['skills/pdf/a.txt', `of a${' '.repeat(7_000_000)}`],
      ['skills/pdf/b.txt', 'of b'],
      ['skills/pdf/c.txt', `of c${' '.repeat(7_000_000)}`],
      ['skills/pdf/d.txt', `of d${' '.repeat(7_000_000)}`],
      ['openspec/specs/auth/spec.md', '# auth'],
    ] as const) {
      const content = new TextEncoder().encode(text);
      files.push({ path, sha256: await opened.store.upload(content), size: content.length, executable: false });
    }
    const number = (await opened.store.publish(opened.source, 0, files, { actor: 'ada' })).number;
    const follower = opened.follower();
    const { download } = CatalogStore.prototype;
    const asked: number[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    vi.spyOn(CatalogStore.prototype, 'download').mockImplementation(async function (this: CatalogStore, wanted, take) {
      asked.push(wanted.length);
      // All of the rest at once: what goes on in the background.
      if (asked.length > 1 && wanted.length > 1) await held;
      return download.call(this, wanted, take);
    });
    try {
      await follower.start();
      expect(follower.current?.number).toBe(number);
      expect(asked).toEqual([2, 4]);
      const has = (at: number): boolean => follower.blobs.has(files[at]?.sha256 ?? '', files[at]?.size ?? 0);
      expect(files.map((_, at) => has(at))).toEqual([true, false, false, false, false, true]);
      const view = follower.current?.viewFor('a') as View;
      const { files: listed } = await ask(skillFile, { name: 'pdf' }, view);
      expect(listed?.map(({ sha256 }) => sha256)).toEqual(files.slice(0, 5).map(({ sha256 }) => sha256));
      expect(await ask(skillFile, { name: 'pdf', path: 'b.txt' }, view)).toMatchObject({ text: 'of b' });
      expect([1, 2].map(has)).toEqual([false, true]);
      release();
      await expect.poll(() => has(1)).toBe(true);
    } finally {
      release();
      vi.restoreAllMocks();
    }
  });

  test('refills an emptied cache folder, so that it still starts without the database', async () => {
    await using opened = await open();
    const files: StoredFile[] = [];
    for (const [path, text] of [
      ['skills/pdf/SKILL.md', skill('pdf', 'First.')],
      ['skills/pdf/notes.txt', 'of the skill'],
    ] as const) {
      const content = new TextEncoder().encode(text);
      files.push({ path, sha256: await opened.store.upload(content), size: content.length, executable: false });
    }
    const { number } = await opened.store.publish(opened.source, 0, files, { actor: 'ada' });
    const follower = opened.follower();
    const isWhole = (): boolean =>
      opened.disk.look('/cache/blobs/mark') !== undefined &&
      files.every(({ sha256, size }) => follower.blobs.has(sha256, size));
    await follower.start();
    await expect.poll(isWhole).toBe(true);
    for (const gone of ['/cache', '/cache/blobs']) {
      opened.disk.removeTree(gone);
      expect(isWhole()).toBe(false);
      await follower.poll();
      await expect.poll(isWhole).toBe(true);
    }
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const alone = opened.follower(nowhere);
    await alone.start();
    expect(alone.current?.number).toBe(number);
    const view = alone.current?.viewFor('a') as View;
    expect(await ask(skillFile, { name: 'pdf', path: 'notes.txt' }, view)).toMatchObject({ text: 'of the skill' });
    await nowhere.close();
  });

  test('checks its cache folder at startup and fetches missing files', async () => {
    await using opened = await open();
    const content = new TextEncoder().encode('of the skill');
    const texts = {
      'skills/pdf/SKILL.md': new TextEncoder().encode(skill('pdf', 'First.')),
      'skills/pdf/a.txt': content,
    };
    const files = await Promise.all(
      Object.entries(texts).map(async ([path, bytes]): Promise<StoredFile> => {
        return { path, sha256: await opened.store.upload(bytes), size: bytes.length, executable: false };
      }),
    );
    await opened.store.publish(opened.source, 0, files, { actor: 'ada' });
    const first = opened.follower();
    await first.start();
    await expect.poll(() => opened.disk.look('/cache/blobs/mark')).toBeDefined();
    await first.stop();
    const [, { sha256, size }] = files as [StoredFile, StoredFile];
    first.blobs.remove([sha256]);
    const second = opened.follower();
    await second.start();
    await expect.poll(() => second.blobs.has(sha256, size)).toBe(true);
  });

  test('writes the list of files of the source that changed, and removes the one before', async () => {
    await using opened = await open();
    await opened.publish('First.');
    const follower = opened.follower();
    await follower.start();
    const lists = (): string[] => opened.disk.list('/cache/lists').map(({ name }) => name);
    const [before] = lists();
    await opened.publish('Second.');
    await follower.poll();
    expect(lists()).toHaveLength(1);
    expect(lists()).not.toEqual([before]);
  });

  test('still searches texts that were deleted from its cache folder', async () => {
    await using opened = await open();
    await opened.publish('Something about zorblax.');
    const follower = opened.follower();
    await follower.start();
    const view = follower.current?.viewFor('a') as View;
    const { disk } = opened;
    for (const { name } of disk.list('/cache/blobs')) disk.removeTree(`/cache/blobs/${name}`);
    const found = await ask(search, { query: 'zorblax', mode: 'keyword' }, view);
    expect(found.results[0]?.snippet).toContain('zorblax');
  });

  test('removes blobs that no source uses from its cache folder, but no recent ones', async () => {
    await using opened = await open();
    using folder = tempFolder();
    const follower = (): Follower => opened.follower(undefined, undefined, nodeDisk, folder.at('cache'));
    await opened.publish('First.');
    const first = follower();
    await first.start();
    await opened.publish('Second.');
    await first.poll();
    await first.stop();
    const blobs = (): string[] =>
      fs.readdirSync(folder.at('cache/blobs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.length > 2);
    const before = blobs();
    const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
    const [old, current] = ['First.', 'Second.'].map((body) => hashOf(skill('pdf', body)));
    expect(before.join()).toContain(old);
    const again = follower();
    await again.start();
    await again.stop();
    expect(blobs()).toEqual(before);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of before) fs.utimesSync(folder.at(`cache/blobs/${name}`), longAgo, longAgo);
    await opened.publish('Third.');
    const later = follower();
    await later.start();
    await expect.poll(() => blobs().join()).not.toContain(old);
    await expect.poll(() => blobs().join()).not.toContain(current);
    expect(await load(later)).toContain('Third.');
    expect(blobs().join()).toContain(hashOf(skill('pdf', 'Third.')));
  });
});
