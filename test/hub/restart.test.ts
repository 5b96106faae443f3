import { expect, test } from 'vitest';
import { companyOn } from '../support/company.ts';
import { flakyPathTo } from '../support/flaky-path.ts';
import { publisher } from '../support/load.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { callTool, readiness, shows, startReplica } from '../support/replica.ts';

test.skipIf(!hasPostgres)(
  'a replica stops and starts while the database is silent, serves what it kept, and follows again afterwards',
  async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    await using way = await flakyPathTo(shop.database);
    const silent = `${way.through(shop.database)}?query_timeout=1000`;
    const { publish } = publisher(shop);
    await using near = await startReplica(shop.database, shop.folder.at('cache-1'));
    const first = await startReplica(silent, shop.folder.at('cache-2'));
    const number = await publish(near);
    await shows(first, number);
    way.vanish();
    await first.kill('SIGTERM');
    expect(first.log()).toContain('stopped');
    await using again = await startReplica(silent, shop.folder.at('cache-2'), ['--max-stale', '1s']);
    expect(again.log()).toMatch(/from the cache folder, last confirmed \d+ seconds ago/u);
    const read = async (): Promise<string> =>
      (await callTool(again.url, shop.tokens.payments.read, 'skill', { name: 'alpha' })).body.result.content[0].text;
    expect(await read()).toContain('rev-1.');
    expect((await callTool(again.url, 'lct_unknown', 'skill', { name: 'alpha' })).status).toBe(401);
    await expect.poll(async () => (await fetch(`${again.url}/readyz`)).status).toBe(503);
    expect(await readiness(again)).toMatchObject({ snapshot: number, trouble: 'the database does not answer' });
    await publish(near);
    expect(await read()).toContain('rev-1.');
    way.forget();
    await expect.poll(read).toContain('rev-2.');
    await expect.poll(async () => (await fetch(`${again.url}/readyz`)).status).toBe(200);
  },
);
