import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore, type Published, type StoredFile, type StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { prune, type Pruned } from '../../src/store/prune.ts';
import { fc, times } from '../support/effort.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const DAY_MS = 24 * 60 * 60 * 1_000;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Opened extends AsyncDisposable {
  database: Database;
  store: CatalogStore;
  admin: AdminStore;
  get(name: string): Promise<StoredSource>;
  /** Publishes like a real publisher: uploads only missing blobs. */
  publish(name: string, files: Record<string, string>): Promise<Published>;
  /** Makes all data older. */
  age(days: number): Promise<void>;
  prune(days: number, dryRun?: boolean): Promise<Pruned>;
  contents(files: readonly StoredFile[]): Promise<string[]>;
}

async function open(...sources: string[]): Promise<Opened> {
  const database = new Database({ url: await postgres.database() });
  const store = new CatalogStore(database);
  const admin = new AdminStore(database, 'operator');
  await admin.addTeam('team');
  for (const name of sources) await admin.addSource({ team: 'team', name });
  const get: Opened['get'] = async (name) => (await store.findSource('team', name)) as StoredSource;
  return {
    database,
    store,
    admin,
    get,
    async publish(name, files) {
      const hashes = new Map<string, string>();
      const manifest: StoredFile[] = [];
      for (const [path, text] of Object.entries(files)) {
        const sha256 = await crypto.subtle.digest('SHA-256', bytes(text));
        const hex = Buffer.from(sha256).toString('hex');
        hashes.set(hex, text);
        manifest.push({ path, sha256: hex, size: bytes(text).length, executable: false });
      }
      await store.announce(hashes.keys());
      const there = await store.sizes(hashes.keys(), ['team']);
      for (const [hash, text] of hashes) if (!there.has(hash)) await store.upload(bytes(text), ['team']);
      const source = await get(name);
      return store.publish(source, source.version, manifest, { actor: 'ada' });
    },
    async age(days) {
      await database.query(`update snapshot set at = at - $1 * interval '1 day'`, [days]);
      await database.query(`update blob set created_at = created_at - $1 * interval '1 day'`, [days]);
    },
    prune: (days, dryRun = false) => prune(database, { keepMs: days * DAY_MS, dryRun, actor: 'operator' }),
    async contents(files) {
      const found = new Map<string, string>();
      await store.download(files, (sha256, content) => found.set(sha256, Buffer.from(content).toString('utf8')));
      return files.map(({ path, sha256 }) => `${path}=${found.get(sha256) ?? 'GONE'}`);
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe.skipIf(!hasPostgres)('pruning', () => {
  test('removes versions replaced long ago and their unshared blobs, and a dry run shows them', async () => {
    await using opened = await open('one');
    const first = await opened.publish('one', { 'a.md': 'old', 'b.md': 'shared' });
    await opened.age(100);
    const second = await opened.publish('one', { 'a.md': 'middle', 'b.md': 'shared' });
    await opened.age(100);
    const third = await opened.publish('one', { 'a.md': 'new', 'b.md': 'shared' });
    const planned = await opened.prune(90, true);
    expect(planned).toMatchObject({ versions: 1, contents: 1, bytes: 3 });
    // The version that was current 90 days ago is kept, because it was replaced later.
    expect(planned.sources).toEqual([{ source: 'team/one', versions: 1, keptFrom: second.number }]);
    const source = await opened.get('one');
    expect(await opened.contents(await opened.store.files(source, first.number))).toEqual(['a.md=old', 'b.md=shared']);
    expect(await opened.prune(90)).toMatchObject({ versions: 1, contents: 1, bytes: 3, sources: planned.sources });
    expect(await opened.prune(90)).toMatchObject({ versions: 0, contents: 0, bytes: 0, sources: [] });
    expect((await opened.store.history(source, 10)).map(({ number, pruned }) => [number, pruned])).toEqual([
      [third.number, undefined],
      [second.number, undefined],
      [first.number, true],
    ]);
    const about = { actor: 'ada' };
    await expect(opened.store.rollback(source, first.number, about)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('was pruned'),
    });
    const back = await opened.store.rollback(source, second.number, about);
    expect(await opened.contents(await opened.store.files(source, back.number))).toEqual([
      'a.md=middle',
      'b.md=shared',
    ]);
    const audit = await opened.admin.audit({ limit: 3 });
    expect(audit.map(({ action }) => action)).toEqual(['rollback', 'db-prune', 'db-prune']);
  });

  test('removes the data of a source that was removed long ago', async () => {
    await using opened = await open('one');
    const first = await opened.publish('one', { 'a.md': 'text' });
    await opened.age(100);
    await opened.admin.removeSource({ team: 'team', name: 'one' });
    expect(await opened.prune(90)).toMatchObject({ versions: 0, contents: 0 });
    await opened.admin.addSource({ team: 'team', name: 'one' });
    const source = await opened.get('one');
    expect(await opened.store.rollback(source, first.number, { actor: 'ada' })).toMatchObject({ added: ['a.md'] });
    await opened.admin.removeSource({ team: 'team', name: 'one' });
    await opened.age(100);
    expect(await opened.prune(90)).toMatchObject({ versions: 2, contents: 1 });
    await opened.admin.addSource({ team: 'team', name: 'one' });
    await expect(opened.store.rollback(await opened.get('one'), first.number, { actor: 'ada' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('pruned'),
    });
  });

  test('keeps a blob that may still wait for its publication', async () => {
    await using opened = await open('one');
    const sha256 = await opened.store.upload(bytes('waiting'), ['team']);
    expect(await opened.prune(1)).toMatchObject({ contents: 0 });
    await opened.age(2);
    // Announced again: a publisher was told that the blob exists.
    await opened.store.announce([sha256]);
    expect(await opened.prune(1)).toMatchObject({ contents: 0 });
    await opened.age(2);
    expect(await opened.prune(1)).toMatchObject({ contents: 1, bytes: 7 });
    expect(await opened.store.sizes([sha256], ['team'])).toEqual(new Map());
  });

  test('for any history, every kept version is complete and the dry run matches the result', async () => {
    const steps = fc.array(
      fc.record({
        source: fc.constantFrom('one', 'two'),
        files: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3', '4'), { maxKeys: 3 }),
        days: fc.integer({ min: 0, max: 40 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 60 }), async (published, keep) => {
        await using opened = await open('one', 'two');
        const versions: { source: string; number: number; files: string[] }[] = [];
        for (const { source, files, days } of published) {
          const { outcome, number } = await opened.publish(source, files);
          const shown = Object.entries(files).map(([path, text]) => `${path}=${text}`);
          if (outcome === 'published') versions.push({ source, number, files: shown.sort() });
          await opened.age(days);
        }
        const planned = await opened.prune(keep, true);
        const done = await opened.prune(keep);
        expect({ ...done, before: '' }).toEqual({ ...planned, before: '' });
        for (const { source, number, files } of versions) {
          const { keptFrom = 0 } = done.sources.find((each) => each.source === `team/${source}`) ?? {};
          const stored = await opened.get(source);
          if (number >= keptFrom)
            expect(await opened.contents(await opened.store.files(stored, number))).toEqual(files);
          else await expect(opened.store.rollback(stored, number, { actor: 'ada' })).rejects.toThrow('was pruned');
        }
      }),
      { numRuns: times(12) },
    );
  });

  test('concurrent publications that reuse old blobs succeed and lose nothing', async () => {
    await using opened = await open('one', 'two', 'three');
    const publishers = new AbortController();
    const pruning = (async () => {
      let rounds = 0;
      // Every replaced version is old immediately.
      for (; !publishers.signal.aborted; rounds++) await opened.prune(0);
      return rounds;
    })();
    const publishing = ['one', 'two', 'three'].map(async (name, offset) => {
      const outcomes: string[] = [];
      for (let round = 0; round < 25; round++) {
        const texts = [0, 1, 2].map((each) => `content ${round}.${each} of ${offset}`);
        // Uploaded long ago for something that was never published, so only the announcement keeps them.
        for (const text of texts) await opened.store.upload(bytes(text));
        await opened.database.query(
          `update blob set created_at = now() - interval '30 days' where content = any($1::bytea[])`,
          [texts.map((text) => Buffer.from(text))],
        );
        const files = Object.fromEntries(texts.map((text, index) => [`${index}.md`, text]));
        outcomes.push((await opened.publish(name, files)).outcome);
      }
      return outcomes;
    });
    const outcomes = (await Promise.all(publishing)).flat();
    publishers.abort();
    expect(await pruning).toBeGreaterThan(0);
    expect(new Set(outcomes)).toEqual(new Set(['published']));
    for (const name of ['one', 'two', 'three']) {
      const source = await opened.get(name);
      const shown = await opened.contents(await opened.store.files(source, source.version));
      expect(shown.filter((each) => each.endsWith('GONE'))).toEqual([]);
      expect(shown).toHaveLength(3);
    }
  });
});
