import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore } from '../../src/store/catalog-store.ts';
import { checkContents } from '../../src/store/check.ts';
import { Database, type Query } from '../../src/store/database.ts';
import { companyOn } from '../support/company.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startReplica } from '../support/replica.ts';
import { skillText } from '../support/skill-text.ts';

describe.skipIf(!hasPostgres)('contents in the database', () => {
  let postgres: TestPostgres;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.[Symbol.asyncDispose]());

  test('are not read to check a publication, so a hidden file cannot be told from a missing one', async () => {
    await using database = Object.assign(new Database({ url: await postgres.database() }), {
      async [Symbol.asyncDispose](this: Database) {
        await this.close();
      },
    });
    const admin = new AdminStore(database, 'operator');
    for (const team of ['near', 'far']) await admin.addTeam(team);
    const store = new CatalogStore(database);
    // Many rows, so that PostgreSQL uses indexes; one content is large, so that it is stored outside of its row.
    for (let index = 0; index < 500; index++) await store.upload(randomBytes(8), ['far']);
    const hidden = await store.upload(randomBytes(8 * 1024 * 1024), ['far']);
    const visible = await store.upload(randomBytes(1024 * 1024), ['near']);
    await database.query('analyze');
    /** Number of scans and rows that the lookup of one hash needs: of contents, and of the parts of large contents. */
    const readsFor = (hash: string): Promise<{ sizes: number; reads: Record<string, number>[] }> =>
      database.transaction(async (query: Query) => {
        const count = (): Promise<Record<string, string>[]> =>
          query(
            `select seq_scan, seq_tup_read, idx_scan, idx_tup_fetch from pg_stat_xact_all_tables
             where relid in (select unnest(array[oid, reltoastrelid]) from pg_class where oid = 'blob'::regclass)
             order by schemaname <> 'pg_toast'`,
          );
        const before = await count();
        const { size } = await new CatalogStore({ query } as Database).sizes([hash], ['near']);
        const reads = (await count()).map((after, table) =>
          Object.fromEntries(
            Object.entries(after).map(([key, value]) => [key, Number(value) - Number(before[table]?.[key])]),
          ),
        );
        return { sizes: size, reads };
      });
    const missing = await readsFor('0'.repeat(64));
    expect(await readsFor(hidden)).toEqual(missing);
    const none = { seq_scan: 0, seq_tup_read: 0, idx_scan: 0, idx_tup_fetch: 0 };
    expect(missing).toEqual({ sizes: 0, reads: [none, none] });
    expect(await readsFor(visible)).toEqual({ sizes: 1, reads: [none, { ...none, idx_scan: 1, idx_tup_fetch: 1 }] });
  });

  test('that are damaged are found by db check, and repaired by the next publication', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const files = { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }), 'skills/pdf/notes.md': 'Notes.' };
    await shop.publish(replica.url, 'payments', files);
    const intact = await shop.run(['db', 'check']);
    expect(intact).toMatchObject({ code: 0, damaged: [] });
    const database = new Database({ url: shop.database });
    await database.query(`update blob set content = 'x' where content = 'Notes.'`);
    const found = await shop.run(['db', 'check']);
    expect(found).toMatchObject({
      code: 1,
      contents: intact.contents,
      damaged: [{ size: 6, usedBy: ['payments/skills:skills/pdf/notes.md'] }],
    });
    const repaired = await shop.publish(replica.url, 'payments', files);
    expect(repaired).toMatchObject({ outcome: 'unchanged', uploaded: 1 });
    expect(await checkContents(database)).toMatchObject({ damaged: [] });
    await database.close();
  });
});
