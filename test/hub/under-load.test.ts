import { describe, expect, test } from 'vitest';
import { companyOn } from '../support/company.ts';
import { times } from '../support/effort.ts';
import { publisher, startLoad } from '../support/load.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { shows, startReplica } from '../support/replica.ts';
import { spreadOver } from '../support/spread.ts';

const CLIENTS = 3;

describe.skipIf(!hasPostgres)('while clients call all the time', () => {
  test('publications arrive one after the other, and no answer has parts of two', async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    await using one = await startReplica(shop.database, shop.folder.at('cache-1'));
    await using two = await startReplica(shop.database, shop.folder.at('cache-2'));
    const { publish, published } = publisher(shop);
    for (const replica of [one, two]) await shows(replica, await publish(one));
    await using spread = await spreadOver([one.url, two.url], shop.tokens.payments.read);
    await using load = await startLoad(spread.url, CLIENTS);
    for (let round = 0; round < times(4, 200); round++) {
      await publish(round % 2 === 0 ? one : two);
      await load.more(CLIENTS);
    }
    await load.reached(Math.max(...published.keys()));
    await load.end(published);
    expect(load.failed).toEqual([]);
  });

  test('a replica that is killed takes only the calls with it that it was working on', async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    await using one = await startReplica(shop.database, shop.folder.at('cache-1'));
    await using two = await startReplica(shop.database, shop.folder.at('cache-2'));
    const { publish, published } = publisher(shop);
    for (const replica of [one, two]) await shows(replica, await publish(one));
    await using spread = await spreadOver([one.url, two.url], shop.tokens.payments.read);
    await using load = await startLoad(spread.url, CLIENTS);
    let killed = two;
    for (let round = 0; round < times(1, 20); round++) {
      await load.more(10 * CLIENTS);
      const before = load.failed.length;
      await killed.kill('SIGKILL');
      await load.more(2 * CLIENTS);
      const lost = load.failed.length - before;
      // A client has one call under way.
      expect(lost).toBeLessThanOrEqual(CLIENTS);
      await publish(one);
      await load.more(10 * CLIENTS);
      expect(load.failed.length - before).toBe(lost);
      spread.remove(killed.url);
      killed = await startReplica(shop.database, shop.folder.at('cache-2'));
      await shows(killed, Math.max(...published.keys()));
      spread.add(killed.url);
    }
    await load.more(10 * CLIENTS);
    await killed.kill('SIGKILL');
    await load.end(published);
  });
});
