import { describe, expect, test } from 'vitest';
import { CatalogStore, type StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { companyOn } from '../support/company.ts';
import { times } from '../support/effort.ts';
import { flakyPathTo } from '../support/flaky-path.ts';
import { publisher, startLoad } from '../support/load.ts';
import { hasOwnPostgres, startPostgres } from '../support/postgres.ts';
import { readiness, shows, startReplica } from '../support/replica.ts';
import { spreadOver } from '../support/spread.ts';

const CLIENTS = 3;

describe.skipIf(!hasOwnPostgres)('while clients call all the time, the database', () => {
  test('is killed and restarted: no call fails, no confirmed publication is lost, and publishing resumes', async () => {
    await using server = await startPostgres({ durable: true });
    using shop = await companyOn(server);
    await using one = await startReplica(shop.database, shop.folder.at('cache-1'));
    await using two = await startReplica(shop.database, shop.folder.at('cache-2'));
    const { publish, published } = publisher(shop);
    for (const replica of [one, two]) await shows(replica, await publish(one));
    await using spread = await spreadOver([one.url, two.url], shop.tokens.payments.read);
    await using load = await startLoad(spread.url, CLIENTS);
    const unconfirmed: number[] = [];
    for (let round = 0; round < times(1, 10); round++) {
      // Killed while a publication is under way, at any point of it.
      const underWay = publish(one).catch(() => undefined);
      await load.more(round);
      await server.kill();
      if ((await underWay) === undefined) unconfirmed.push(round);
      await load.more(10 * CLIENTS);
      await expect.poll(async () => (await readiness(two)).trouble).toBe('the database does not answer');
      await expect(publish(one)).rejects.toMatchObject({ code: 'UNREACHABLE' });
      await server.start();
      // The first attempts may still find connections of before.
      let number: number | undefined;
      await expect
        .poll(async () => (number ??= await publish(one).catch(() => undefined)), { interval: 100 })
        .toBeDefined();
      for (const replica of [one, two]) await shows(replica, number ?? 0);
    }
    await load.reached(Math.max(...published.keys()));
    const database = new Database({ url: shop.database });
    const store = new CatalogStore(database);
    const source = (await store.findSource('payments', 'skills')) as StoredSource;
    const history = (await store.history(source, 1_000)).map((each) => each.number);
    await database.close();
    for (const number of published.keys()) expect(history).toContain(number);
    // What was not confirmed may still be there, but nothing else.
    expect(history.length).toBeLessThanOrEqual(published.size + unconfirmed.length);
    // Its revision is the one between its neighbors, so it is known too.
    for (const number of history) {
      const before = [...published.keys()].filter((each) => each < number);
      if (!published.has(number)) published.set(number, (published.get(Math.max(...before)) ?? 0) + 1);
    }
    await load.end(published);
    expect(load.failed).toEqual([]);
  });

  test('becomes unreachable, then slow: no call fails, the age is shown, and the replica catches up', async () => {
    await using server = await startPostgres();
    using shop = await companyOn(server);
    await using way = await flakyPathTo(shop.database);
    // A lost answer takes half a minute to be given up otherwise.
    const flaky = `${way.through(shop.database)}?query_timeout=1000`;
    await using far = await startReplica(flaky, shop.folder.at('cache-1'), ['--max-stale', '1s']);
    await using near = await startReplica(shop.database, shop.folder.at('cache-2'));
    const { publish, published } = publisher(shop);
    for (const replica of [far, near]) await shows(replica, await publish(near));
    await using spread = await spreadOver([far.url, near.url], shop.tokens.payments.read);
    await using load = await startLoad(spread.url, CLIENTS);
    for (const end of [way.forget, way.restore, way.cut].slice(0, times(1, 3))) {
      way.vanish();
      const number = await publish(near);
      await shows(near, number);
      await expect.poll(async () => (await fetch(`${far.url}/readyz`)).status).toBe(503);
      const { snapshot, staleSeconds } = await readiness(far);
      expect(snapshot).toBeLessThan(number);
      expect(staleSeconds).toBeGreaterThan(0);
      // It is too old before the question that got no answer is given up.
      await expect.poll(async () => (await readiness(far)).trouble).toBe('the database does not answer');
      await load.more(10 * CLIENTS);
      end();
      way.restore();
      await shows(far, number);
      await expect.poll(async () => (await readiness(far)).trouble).toBeUndefined();
    }
    way.delay(100);
    const number = await publish(near);
    await shows(far, number);
    await load.more(10 * CLIENTS);
    await load.end(published);
    expect(load.failed).toEqual([]);
  });
});
