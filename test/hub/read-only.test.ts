import { Client } from 'pg';
import { expect, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { type Company, companyOn } from '../support/company.ts';
import { hasOwnPostgres, hasPostgres, startPostgres } from '../support/postgres.ts';
import { callTool, post, type Replica, shows, startReplica } from '../support/replica.ts';
import { skillText } from '../support/skill-text.ts';
import { hasStandby, standbyOf } from '../support/standby.ts';

const PDF = { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }) };
const XLS = { ...PDF, 'skills/xls/SKILL.md': skillText({ name: 'xls' }) };

async function expectReadOnly(shop: Company, replica: Replica): Promise<void> {
  const refused = await shop.publish(replica.url, 'payments', XLS, []);
  expect(refused).toMatchObject({
    code: 2,
    error: { code: 'UNREACHABLE', message: 'The catalog is read-only at present.' },
  });
  const upload = await fetch(`${replica.url}/api/contents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.tokens.payments.publish}`,
      'content-type': 'application/octet-stream',
    },
    body: 'content',
  });
  expect([upload.status, upload.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await fetch(`${replica.url}/readyz`)).status).toBe(200);
  expect(replica.log()).not.toContain('internal error');
}

const statusOf = async (replica: Replica, token: string): Promise<number> =>
  (await callTool(replica.url, token, 'skills_list')).status;

async function revoke(database: string, name: string): Promise<void> {
  const client = new Client({ connectionString: database });
  await client.connect();
  // The database may be read-only by default.
  await client.query('begin read write');
  await client.query('update head set number = number + 1');
  await client.query(
    `insert into snapshot (number, actor, action) select number, 'operator', 'token-revoke' from head`,
  );
  await client.query('update token set removed_in = (select number from head) where name = $1', [name]);
  await client.query('commit');
  await client.end();
}

test.skipIf(!hasPostgres)(
  'a replica follows a read-only database, and publishing is refused until it is over',
  async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    await shop.publish(replica.url, 'payments', PDF);
    const name = new URL(shop.database).pathname.slice(1);
    const control = new Client({ connectionString: shop.database });
    await control.connect();
    const others =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';
    await control.query(`alter database ${name} set default_transaction_read_only = on`);
    await control.query(others, [name]);
    await expect.poll(() => replica.log()).toContain('the heartbeat cannot be stored: The catalog is read-only');
    await expectReadOnly(shop, replica);
    expect(await statusOf(replica, shop.tokens.checkout.read)).toBe(200);
    await revoke(shop.database, 'read');
    await expect.poll(() => statusOf(replica, shop.tokens.checkout.read)).toBe(401);
    await control.query('begin read write');
    await control.query(`alter database ${name} set default_transaction_read_only = off`);
    await control.query('commit');
    await control.query(others, [name]);
    await control.end();
    await expect.poll(async () => (await shop.publish(replica.url, 'payments', XLS, [])).outcome).toBe('published');
  },
);

test.skipIf(!hasPostgres)('a full disk does not keep a replica from revoking access', async () => {
  await using postgres = await startPostgres();
  using shop = await companyOn(postgres);
  await using replica = await startReplica(shop.database, shop.folder.at('cache'));
  const database = new Database({ url: shop.database });
  // PostgreSQL reports a full disk with this code; only these tables are affected.
  await database.query(`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  for (const table of ['replica', 'blob'])
    await database.query(`create trigger full_disk before insert or update on ${table}
      for each statement execute function full_disk()`);
  await database.close();
  await expect.poll(() => replica.log()).toContain('the heartbeat cannot be stored');
  await expectReadOnly(shop, replica);
  await revoke(shop.database, 'read');
  await expect.poll(() => statusOf(replica, shop.tokens.checkout.read)).toBe(401);
});

test.skipIf(!hasOwnPostgres || !hasStandby)(
  'a replica works on a hot standby, follows the primary through it, and publishes after its promotion',
  async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    await using near = await startReplica(shop.database, shop.folder.at('cache-1'));
    await shop.publish(near.url, 'payments', PDF);
    await using standby = await standbyOf(shop.database);
    await using far = await startReplica(standby.url(shop.database), shop.folder.at('cache-2'));
    expect(await statusOf(far, shop.tokens.payments.read)).toBe(200);
    await expectReadOnly(shop, far);
    const { number } = await shop.publish(near.url, 'payments', XLS, []);
    await shows(far, number);
    await near.kill('SIGTERM');
    await postgres.kill();
    await standby.promote(shop.database);
    const more = { ...XLS, 'skills/csv/SKILL.md': skillText({ name: 'csv' }) };
    await expect
      .poll(async () => (await shop.publish(far.url, 'payments', more, ['--wait'])).outcome)
      .toBe('published');
    const loaded = await post(`${far.url}/api/operations/skill`, shop.tokens.payments.read, { name: 'csv' });
    expect(loaded.status).toBe(200);
  },
);
