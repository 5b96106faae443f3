import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UseCounter } from '../../src/hub/use-counter.ts';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { companyOn } from '../support/company.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { callTool, startReplica, type Told } from '../support/replica.ts';
import { skillText } from '../support/skill-text.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const NEVER_MS = 1_000_000_000;

describe.skipIf(!hasPostgres)('skill use', () => {
  test('is counted across all replicas and shown to operators', async () => {
    using shop = await companyOn(postgres);
    const flags = ['--drain', '0s'];
    const one = await startReplica(shop.database, shop.folder.at('cache-1'), flags);
    const two = await startReplica(shop.database, shop.folder.at('cache-2'), flags);
    const { read } = shop.tokens.payments;
    await shop.publish(one.url, 'payments', {
      'skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'skills/xls/SKILL.md': skillText({ name: 'xls' }),
    });
    for (const { url } of [one, one, two]) await callTool(url, read, 'skill', { name: 'pdf' });
    await callTool(two.url, read, 'skill', { name: 'nobody' });
    await callTool(two.url, 'lct_forged', 'skill', { name: 'pdf' });
    // Whoever is asked to end writes what it has.
    for (const replica of [one, two]) await replica.kill('SIGTERM');
    const { skills } = await shop.run(['source', 'usage', 'payments/skills', '--days', '1']);
    const last = expect.stringMatching(/^\d{4}-\d\d-\d\d$/u);
    expect(skills).toEqual([
      { source: 'payments/skills', folder: 'skills/pdf', loads: 3, last },
      { source: 'payments/skills', folder: 'skills/xls', loads: 0 },
    ]);
    expect((await shop.run(['source', 'usage', 'checkout/skills'])).skills).toEqual([]);
    const { tokens } = await shop.run(['token', 'list']);
    expect(tokens.map(({ team, name, lastUsedAt }: Told) => [team, name, lastUsedAt !== undefined])).toEqual([
      ['payments', 'read', true],
      ['payments', 'publish', true],
      ['checkout', 'read', false],
      ['checkout', 'publish', false],
    ]);
  });

  test('adds up when replicas write at the same time, and a token is never used earlier than it was', async () => {
    using shop = await companyOn(postgres);
    const database = new Database({ url: shop.database });
    const store = new CatalogStore(database);
    const counters = [1_000_000, 3_000_000, 2_000_000].map((now) => new UseCounter(store, () => now, NEVER_MS));
    for (let round = 0; round < 5; round++) {
      for (const [index, counter] of counters.entries())
        for (let each = 0; each < 20; each++) {
          const skill = (each * (index + 1)) % 20;
          counter.loaded(`/${skill % 2 === 0 ? 'payments' : 'checkout'}/skills/skills/s${skill}`);
          counter.used(1 + (skill % 4));
        }
      await Promise.all(counters.map((counter) => counter.write()));
    }
    const admin = new AdminStore(database, 'operator');
    expect((await admin.usage({})).reduce((sum, { loads }) => sum + loads, 0)).toBe(5 * 3 * 20);
    const used = (await admin.tokens()).map(({ lastUsedAt }) => lastUsedAt);
    expect(used[0]).toBe(new Date(3_000_000).toISOString());
    await Promise.all(counters.map((counter) => counter.close()));
    await database.close();
  });
});

test('the counter waits for an unavailable database, is bounded, and loses no recorded counts', async () => {
  let isAway = true;
  const written: { tokens: number; loads: number }[] = [];
  const store = {
    async recordUse(tokens: ReadonlyMap<number, number>, loads: readonly { loads: number }[]): Promise<void> {
      if (isAway) throw new Error('away');
      written.push({ tokens: tokens.size, loads: loads.reduce((sum, each) => sum + each.loads, 0) });
    },
  };
  const counter = new UseCounter(store, () => 0, NEVER_MS);
  counter.used(1);
  counter.loaded('/a/b/skills/pdf');
  await counter.write();
  counter.used(2);
  counter.loaded('/a/b/skills/pdf');
  for (let each = 0; each < 30_000; each++) counter.loaded(`/a/b/skills/s${each}`);
  await counter.write();
  isAway = false;
  await counter.close();
  expect(written).toEqual([{ tokens: 2, loads: 2 + 19_999 }]);
  await counter.close();
  expect(written).toHaveLength(1);
});
