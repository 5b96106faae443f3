/** Real replicas under the load of real clients, while something around them goes wrong. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AdminStore } from '../../src/store/admin-store.ts';
import { Database } from '../../src/store/database.ts';
import { companyOn } from '../support/company.ts';
import { times } from '../support/effort.ts';
import { flakyPathTo } from '../support/flaky-path.ts';
import { publisher, startLoad } from '../support/load.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { callTool, readiness, shows, startReplica } from '../support/replica.ts';
import { CLI, lectern } from '../support/run-lectern.ts';
import { canMount, mount, smallDisk } from '../support/small-disk.ts';
import { spreadOver } from '../support/spread.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CLIENTS = 3;
const HOUR_MS = 3_600_000;

/** Lets a process set its own clock back: an hour with every signal. */
const CLOCK = `
const now = Date.now.bind(Date);
let back = 0;
process.on('SIGUSR2', () => { back += ${HOUR_MS}; process.stderr.write('clock set back\\n'); });
Date.now = () => now() - back;
const Real = Date;
globalThis.Date = class extends Real { constructor(...given) { super(...(given.length === 0 ? [now() - back] : given)); } };
`;

/** A build of a later version, whose tables need one statement more that older versions cannot live with. */
function laterVersion(into: string): string {
  fs.cpSync(path.dirname(CLI), into, { recursive: true });
  const chunk = fs
    .readdirSync(into, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(into, name))
    .find((name) => path.basename(name).startsWith('migrations-') && name.endsWith('.cjs'));
  if (chunk === undefined) throw new Error('no migrations in the build');
  const text = fs.readFileSync(chunk, 'utf8');
  const [, list] = /=\[\.\.\.([\w$]+),\.\.\.[\w$]+\]/u.exec(text) ?? [];
  if (list === undefined) throw new Error('the list of migrations was not found');
  const further = `"create table later ()",{breaking:"alter table later rename to latest"}`;
  fs.writeFileSync(chunk, `${text}\n;${list}.push(${further});\n`);
  return path.join(into, path.basename(CLI));
}

describe.skipIf(!hasPostgres)('while clients call all the time', () => {
  test('notifications are swallowed and listeners cut off: publications arrive by polling, and no call fails', async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    await using way = await flakyPathTo(shop.database);
    way.swallow();
    await using deaf = await startReplica(way.through(shop.database), shop.folder.at('cache-1'));
    await using near = await startReplica(shop.database, shop.folder.at('cache-2'));
    const { publish, published } = publisher(shop);
    for (const replica of [deaf, near]) await shows(replica, await publish(near));
    await using spread = await spreadOver([deaf.url, near.url], shop.tokens.payments.read);
    await using load = await startLoad(spread.url, CLIENTS);
    const database = new Database({ url: shop.database });
    for (let round = 0; round < times(2, 50); round++) {
      const ended = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where query like 'listen%' and datname = current_database()`,
      );
      expect(ended.length).toBeLessThanOrEqual(2);
      const number = await publish(near);
      for (const replica of [deaf, near]) await shows(replica, number);
      await load.more(CLIENTS);
    }
    await database.close();
    await load.end(published);
    expect(load.failed).toEqual([]);
  });

  test('the clock of a replica is set back: publications arrive, and an expired token stays expired', async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    shop.folder.write({ 'clock.cjs': CLOCK });
    await using replica = await startReplica(shop.database, shop.folder.at('cache'), [], {
      node: ['--require', shop.folder.at('clock.cjs')],
    });
    const { publish, published } = publisher(shop);
    await shows(replica, await publish(replica));
    await using spread = await spreadOver([replica.url], shop.tokens.payments.read);
    await using load = await startLoad(spread.url, CLIENTS);
    const database = new Database({ url: shop.database });
    const expiresAt = new Date(Date.now() + 1_000);
    const admin = new AdminStore(database, 'operator');
    const { secret } = await admin.addToken({ name: 'short', team: 'payments', scopes: ['read'], expiresAt });
    await database.close();
    const status = async (): Promise<number> => (await callTool(replica.url, secret, 'skills_list')).status;
    // Known at first, or expired before the replica heard of it.
    await expect.poll(status).toBe(401);
    await expect.poll(() => Date.now()).toBeGreaterThan(expiresAt.getTime());
    for (let round = 0; round < times(2, 20); round++) {
      replica.process.kill('SIGUSR2');
      await expect.poll(() => replica.log().match(/clock set back/gu)?.length).toBe(round + 1);
      expect(await status()).toBe(401);
      const number = await publish(replica);
      await shows(replica, number);
      await load.more(CLIENTS);
      expect(await status()).toBe(401);
      expect((await fetch(`${replica.url}/readyz`)).status).toBe(200);
    }
    await load.end(published);
    expect(load.failed).toEqual([]);
  });

  test('the tables are migrated for a later version: its replicas continue, older ones stay at their snapshot and report it', async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    using build = tempFolder();
    const cli = laterVersion(build.at('dist'));
    await using old = await startReplica(shop.database, shop.folder.at('cache-1'));
    await using late = await startReplica(shop.database, shop.folder.at('cache-2'), [], { cli });
    const { publish, published } = publisher(shop);
    const first = await publish(old);
    await shows(old, first);
    // It was started before its tables were made.
    expect(late.log()).toContain('lectern db migrate');
    expect((await fetch(`${late.url}/readyz`)).status).toBe(503);
    await using spread = await spreadOver([old.url], shop.tokens.payments.read);
    await using load = await startLoad(spread.url, CLIENTS);
    const { code } = await lectern(shop.folder, ['db', 'migrate'], {
      cli,
      env: { LECTERN_DATABASE_URL: shop.database },
    });
    expect(code).toBe(0);
    await shows(late, first);
    spread.add(late.url);
    const second = await publish(late);
    await shows(late, second);
    await expect.poll(async () => (await readiness(old)).trouble).toContain('newer version of Lectern');
    // Another replica may be able to.
    await expect(publish(old)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await load.reached(second);
    await load.more(4 * CLIENTS);
    expect((await readiness(old)).snapshot).toBe(first);
    expect(old.log()).toContain('newer version of Lectern');
    await load.end(published);
    expect(load.failed).toEqual([]);
  });

  test.skipIf(!canMount())(
    'the cache folder is full, then read-only, then empty: no call fails, the log says it, and the folder is used again',
    async () => {
      await using postgres = await startPostgres();
      using shop = await companyOn(postgres);
      using small = smallDisk(64);
      await using replica = await startReplica(shop.database, small.disk);
      const { publish, published } = publisher(shop);
      await shows(replica, await publish(replica));
      await using spread = await spreadOver([replica.url], shop.tokens.payments.read);
      await using load = await startLoad(spread.url, CLIENTS);
      const goOn = async (): Promise<void> => {
        await shows(replica, await publish(replica));
        await load.more(2 * CLIENTS);
      };
      fs.writeFileSync(path.join(small.disk, 'ballast'), Buffer.alloc(spaceLeft(small.disk)));
      await goOn();
      expect(replica.log()).toContain('contents stay in memory');
      expect(mount(small.disk, 64, 'remount', 'ro')).toBe(true);
      await goOn();
      expect(mount(small.disk, 1_024, 'remount', 'rw')).toBe(true);
      await goOn();
      // Who asks for a content that is gone waits until it is fetched again.
      fs.rmSync(path.join(small.disk, 'blobs'), { recursive: true });
      await load.more(4 * CLIENTS);
      await goOn();
      await load.end(published);
      expect(load.failed).toEqual([]);
    },
  );
});

/** In bytes. */
function spaceLeft(dir: string): number {
  const { bavail, bsize } = fs.statfsSync(dir);
  return bavail * bsize;
}
