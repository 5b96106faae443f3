import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore, HEAD_CHANNEL, type StoredFile, type StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { migrate, migrationState, requireMigrated } from '../../src/store/migrations.ts';
import { parseSourceName } from '../../src/store/source-name.ts';
import { hasOwnPostgres, hasPostgres, SERVERS, startPostgres, type TestPostgres } from '../support/postgres.ts';

interface Opened extends AsyncDisposable {
  url: string;
  database: Database;
  store: CatalogStore;
  admin: AdminStore;
  source(name: string): Promise<StoredSource>;
}

describe.each(SERVERS)('on $name', ({ bin }) => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    if (hasPostgres) postgres = await startPostgres({ bin });
  });
  afterAll(() => postgres?.[Symbol.asyncDispose]());

  async function open(server = postgres): Promise<Opened> {
    const url = await server.database();
    const database = new Database({ url });
    const store = new CatalogStore(database);
    const admin = new AdminStore(database, 'operator');
    return {
      url,
      database,
      store,
      admin,
      async source(text) {
        const { team, name } = parseSourceName(text);
        await admin.addTeam(team).catch(() => undefined);
        await admin.addSource({ team, name });
        return get(store, text);
      },
      [Symbol.asyncDispose]: () => database.close(),
    };
  }

  async function get(store: CatalogStore, text: string): Promise<StoredSource> {
    const { team, name } = parseSourceName(text);
    const source = await store.findSource(team, name);
    if (!source) throw new Error(`no source ${text}`);
    return source;
  }

  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  async function upload(store: CatalogStore, files: Record<string, string>): Promise<StoredFile[]> {
    const stored: StoredFile[] = [];
    for (const [path, text] of Object.entries(files))
      stored.push({ path, sha256: await store.upload(bytes(text)), size: bytes(text).length, executable: false });
    return stored;
  }

  const by = { actor: 'ada' };

  describe.skipIf(!hasPostgres)('migrations', () => {
    test('concurrent migrations run every statement once', async () => {
      await using opened = await open();
      const { database } = opened;
      await database.query('drop schema public cascade');
      await database.query('create schema public');
      await expect(requireMigrated(database)).rejects.toThrow('needs');
      const ran = await Promise.all([migrate(database), migrate(database), migrate(database)]);
      const { known } = await migrationState(database);
      expect(ran.map((each) => each.ran).sort((a, b) => a - b)).toEqual([0, 0, known]);
      await requireMigrated(database);
    });

    test('a database without tables fails with the command to run', async () => {
      await using opened = await open();
      await opened.database.query('drop schema public cascade');
      await expect(opened.store.head()).rejects.toMatchObject({
        code: 'REFUSED',
        hint: expect.stringContaining('migrate'),
      });
    });

    test('tables of a newer version and unrelated tables are not changed', async () => {
      await using opened = await open();
      const { database } = opened;
      await migrate(database, 'operator', [{ breaking: 'create table later ()' }]);
      await expect(migrate(database)).rejects.toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining('newer version'),
      });
      await database.query('drop schema public cascade');
      await database.query('create schema public');
      await database.query('create table token ()');
      await expect(migrate(database)).rejects.toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining('"token" already exists'),
      });
      expect(await database.query(`select to_regclass('lectern_migration') as made`)).toEqual([{ made: null }]);
    });

    test('the audit cannot be changed', async () => {
      await using opened = await open();
      await opened.admin.addTeam('payments');
      expect(await opened.database.query('select actor, action, subject, number from audit order by id')).toEqual([
        { actor: 'operator', action: 'db-migrate', subject: expect.stringMatching(/^from 0 to \d+$/u), number: null },
        { actor: 'operator', action: 'team-add', subject: 'payments', number: '1' },
      ]);
      for (const statement of ['update audit set actor = $$x$$', 'delete from audit', 'truncate audit'])
        await expect(opened.database.query(statement)).rejects.toThrow('never changed');
    });
  });

  describe.skipIf(!hasPostgres)('publishing', () => {
    test('a publication gets the next number, and an identical one creates no version', async () => {
      await using opened = await open();
      const { store } = opened;
      const source = await opened.source('payments/skills');
      const files = await upload(store, { 'pdf/SKILL.md': 'one', 'pdf/a.txt': 'a' });
      const head = await store.head();
      const first = await store.publish(source, 0, files, { actor: 'ada', commit: 'abc' });
      expect(first).toEqual({
        outcome: 'published',
        number: head + 1,
        added: ['pdf/SKILL.md', 'pdf/a.txt'],
        changed: [],
        removed: [],
      });
      expect(await store.publish(source, head + 1, files, by)).toMatchObject({
        outcome: 'unchanged',
        number: head + 1,
      });
      expect(await store.head()).toBe(head + 1);
      expect((await store.history(source, 10)).map(({ actor, commit, added }) => ({ actor, commit, added }))).toEqual([
        { actor: 'ada', commit: 'abc', added: 2 },
      ]);
    });

    test('publishing on an old version is a conflict and changes nothing', async () => {
      await using opened = await open();
      const { store } = opened;
      const source = await opened.source('payments/skills');
      const [one, two] = [await upload(store, { 'a.md': '1' }), await upload(store, { 'a.md': '2' })];
      const first = await store.publish(source, 0, one, by);
      expect(await store.publish(source, 0, two, by)).toEqual({ outcome: 'conflict', number: first.number });
      expect(await store.files(source, await store.head())).toEqual(one);
    });

    test('one of several concurrent publishers to a source wins; with several sources, numbers have no gaps', async () => {
      await using opened = await open();
      const { store, database } = opened;
      const sources = await Promise.all(['a/one', 'b/two', 'c/three'].map((name) => opened.source(name)));
      const head = await store.head();
      const attempts = sources.flatMap((source) =>
        ['x', 'y', 'z'].map(async (text) => store.publish(source, 0, await upload(store, { 'f.md': text }), by)),
      );
      const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual([...Array<string>(6).fill('conflict'), ...Array<string>(3).fill('published')]);
      const numbers = await database.query('select number from snapshot order by number');
      expect(numbers.map(({ number }) => Number(number))).toEqual(
        Array.from({ length: head + 3 }, (_, index) => index + 1),
      );
    });

    test('every version stays readable, and a rollback publishes an old version', async () => {
      await using opened = await open();
      const { store } = opened;
      const source = await opened.source('payments/skills');
      const versions: { number: number; files: StoredFile[] }[] = [];
      for (const texts of [{ 'a.md': '1', 'b.md': '1' }, { 'a.md': '2' }, { 'a.md': '2', 'c.md': '3' }, {}]) {
        const files = await upload(store, texts);
        const { number } = await store.publish(source, versions.at(-1)?.number ?? 0, files, by);
        versions.push({ number, files });
      }
      for (const { number, files } of versions) expect(await store.files(source, number)).toEqual(files);
      const [first] = versions;
      const back = await store.rollback(await get(store, 'payments/skills'), first?.number ?? 0, by);
      expect(back).toMatchObject({ outcome: 'published', added: ['a.md', 'b.md'] });
      expect(await store.files(source, back.number)).toEqual(first?.files);
      await expect(store.rollback(source, 999, by)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('only changed sources are reread', async () => {
      await using opened = await open();
      const { store } = opened;
      const [one, two] = [await opened.source('a/one'), await opened.source('b/two')];
      await store.publish(one, 0, await upload(store, { 'x.md': 'x' }), by);
      const before = await store.read();
      const known = new Map(before.sources.map(({ id, version }) => [id, version]));
      await store.publish(two, 0, await upload(store, { 'y.md': 'y' }), by);
      const after = await store.read(known);
      expect([...after.files.keys()]).toEqual([two.id]);
      expect(after.number).toBe(before.number + 1);
    });

    test('blobs are returned byte for byte, and damaged ones are not returned', async () => {
      await using opened = await open();
      const { store, database } = opened;
      const content = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
      await opened.admin.addTeam('payments');
      const sha256 = await store.upload(content, ['payments']);
      expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
      const other = 'ff'.repeat(32);
      expect(await store.sizes([sha256, other], ['payments'])).toEqual(new Map([[sha256, content.length]]));
      const got = new Map<string, Uint8Array>();
      await store.download([{ sha256, size: content.length }], (hash, bytes) => got.set(hash, bytes));
      expect(Buffer.from(got.get(sha256) ?? []).equals(Buffer.from(content))).toBe(true);
      await database.query(`update blob set content = $1`, [Buffer.from('damaged')]);
      got.clear();
      await store.download([{ sha256, size: content.length }], (hash, bytes) => got.set(hash, bytes));
      expect(got.size).toBe(0);
      expect((await store.sizes([sha256], ['payments'])).size).toBe(0);
      await store.upload(content);
      expect((await store.sizes([sha256], ['payments'])).size).toBe(1);
    });

    test('a blob is visible only to teams that uploaded it or can read it', async () => {
      await using opened = await open();
      const { store, admin } = opened;
      const source = await opened.source('payments/skills');
      for (const team of ['checkout', 'search']) await admin.addTeam(team);
      const sha256 = await store.upload(bytes('secret'), ['payments']);
      const seenBy = async (...teams: string[]): Promise<number> => (await store.sizes([sha256], teams)).size;
      expect(await Promise.all(['payments', 'checkout'].map((team) => seenBy(team)))).toEqual([1, 0]);
      const files = [{ path: 'a.md', sha256, size: 6, executable: false }];
      const { number } = await store.publish(source, 0, files, by);
      expect(await seenBy('checkout')).toBe(0);
      await admin.grant({ team: 'payments', name: 'skills' }, 'checkout');
      expect(await Promise.all(['checkout', 'search'].map((team) => seenBy(team)))).toEqual([1, 0]);
      // Losing access to a version also loses access to its blobs.
      await store.publish(source, number, [], by);
      expect(await Promise.all(['payments', 'checkout'].map((team) => seenBy(team)))).toEqual([1, 0]);
    });

    test('a revoked token cannot publish, even if the replica does not know yet', async () => {
      await using opened = await open();
      const { store, admin } = opened;
      const source = await opened.source('payments/skills');
      const expiresAt = new Date(Date.now() + 1_000_000);
      const { id } = await admin.addToken({ name: 'ci', team: 'payments', scopes: ['publish'], expiresAt });
      const files = await upload(store, { 'a.md': '1' });
      const { number } = await store.publish(source, 0, files, { ...by, tokenId: id });
      await admin.revokeToken(id);
      const late = store.publish(source, number, [], { ...by, tokenId: id });
      await expect(late).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('revoked') });
      expect(await store.files(source, number)).toEqual(files);
    });

    test('a publisher that dies at any statement leaves a complete version or none, and no lock', async () => {
      await using opened = await open();
      const { store, url } = opened;
      const source = await opened.source('payments/skills');
      const [before, after] = [await upload(store, { 'a.md': '1' }), await upload(store, { 'a.md': '2', 'b.md': '2' })];
      let { number: base } = await store.publish(source, 0, before, by);
      for (let at = 1; ; at++) {
        const dying = new Database({ url });
        const cut = await cutAfter(dying, at, opened.database);
        const outcome = await new CatalogStore(cut.database).publish(source, base, after, by).catch(() => undefined);
        await dying.close().catch(() => undefined);
        const files = await store.files(source, await store.head());
        expect(files).toEqual(outcome ? after : before);
        if (outcome) break;
        expect(await store.head()).toBe(base);
        expect(at).toBeLessThan(30);
      }
      ({ version: base } = await get(store, 'payments/skills'));
      expect(await store.publish(source, base, before, by)).toMatchObject({ outcome: 'published' });
    });
  });

  /** Returns the same database, but the server closes the connection before one of a transaction's statements. */
  async function cutAfter(database: Database, count: number, other: Database): Promise<{ database: Database }> {
    const cutting = Object.create(database) as Database;
    cutting.transaction = (work, how) =>
      Database.prototype.transaction.call(
        database,
        async (query) => {
          let left = count;
          return work(async (text, values) => {
            if (--left === 0) {
              const [row] = await query('select pg_backend_pid() as pid');
              await other.query('select pg_terminate_backend($1)', [row?.['pid']]);
            }
            return query(text, values);
          });
        },
        how,
      ) as ReturnType<typeof work>;
    return { database: cutting };
  }

  describe.skipIf(!hasPostgres)('tokens and grants', () => {
    test('only the hash of a token is stored, and a revoked token disappears', async () => {
      await using opened = await open();
      const { admin, store, database } = opened;
      await admin.addTeam('payments');
      const expiresAt = new Date(Date.now() + 1_000_000);
      const { id, secret } = await admin.addToken({ name: 'ci', team: 'payments', scopes: ['publish'], expiresAt });
      expect(secret).toMatch(/^lct_[\w-]{43}$/u);
      const everything = JSON.stringify(await database.query('select row_to_json(t)::text from token t'));
      expect(everything).not.toContain(secret);
      expect((await store.read()).tokens).toEqual([
        {
          id,
          name: 'ci',
          hash: createHash('sha256').update(secret).digest('hex'),
          team: 'payments',
          scopes: ['publish'],
          expiresAt: expiresAt.getTime(),
        },
      ]);
      await admin.revokeToken(id);
      expect((await store.read()).tokens).toEqual([]);
      await expect(admin.revokeToken(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    test('a refused change creates no snapshot', async () => {
      await using opened = await open();
      const { admin, store } = opened;
      await opened.source('payments/skills');
      const head = await store.head();
      for (const refused of [
        () => admin.addTeam('payments'),
        () => admin.addTeam('Pay/ments'),
        () => admin.addSource({ team: 'nobody', name: 'x' }),
        () => admin.grant({ team: 'payments', name: 'skills' }, 'nobody'),
        () => admin.revokeGrant({ team: 'payments', name: 'skills' }, '*'),
      ])
        await expect(refused()).rejects.toMatchObject({ name: 'Failure' });
      expect(await store.head()).toBe(head);
      await admin.grant({ team: 'payments', name: 'skills' }, '*');
      expect((await store.read()).grants).toHaveLength(1);
      await admin.revokeGrant({ team: 'payments', name: 'skills' }, '*');
      expect((await store.read()).grants).toEqual([]);
      expect(await store.head()).toBe(head + 2);
    });
  });

  describe.skipIf(!hasPostgres)('a connection', () => {
    test('that the server closes does not end the process, and the next call gets a new one', async () => {
      await using opened = await open();
      const { store, database } = opened;
      const head = await store.head();
      const killer = new Client({ connectionString: opened.url });
      await killer.connect();
      await killer.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
      await killer.end();
      await expect.poll(() => store.head().catch(() => undefined)).toBe(head);
      const heard: string[] = [];
      const stop = await database.listen(
        HEAD_CHANNEL,
        () => heard.push('heard'),
        () => heard.push('lost'),
      );
      await opened.admin.addTeam('payments');
      await expect.poll(() => heard).toEqual(['heard']);
      await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`);
      await expect.poll(() => heard).toContain('lost');
      await stop();
    });

    test('to an unreachable server is a failure without secrets', async () => {
      const database = new Database({ url: 'postgres://me:secret@127.0.0.1:1/none' });
      const failure = await new CatalogStore(database).head().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'UNREACHABLE' });
      expect(String(failure)).not.toContain('secret');
      await database.close();
    });
  });

  test.skipIf(!hasOwnPostgres)('what was confirmed survives the death of the server', async () => {
    await using server = await startPostgres({ durable: true, bin });
    await using opened = await open(server);
    const { store } = opened;
    const source = await opened.source('payments/skills');
    const files = await upload(store, { 'a.md': '1' });
    const { number } = await store.publish(source, 0, files, by);
    await server.kill();
    await expect(store.head()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await server.start();
    await expect.poll(() => store.head().catch(() => undefined)).toBe(number);
    expect(await store.files(source, number)).toEqual(files);
    expect(await store.publish(source, number, await upload(store, { 'a.md': '2' }), by)).toMatchObject({
      outcome: 'published',
      number: number + 1,
    });
  });
});
