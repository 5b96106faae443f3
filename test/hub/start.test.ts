import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companyOn } from '../support/company.ts';
import { flakyPathTo } from '../support/flaky-path.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { callTool, readiness, startReplica, type Told } from '../support/replica.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

/** Logged before the catalog is loaded. */
const LISTENS = { until: /listening at (http:\/\/[^\s;]+)/u };

describe.skipIf(!hasPostgres)('a replica', () => {
  let postgres: TestPostgres;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.[Symbol.asyncDispose]());

  test('listens while the database is silent, and is ready when the catalog is loaded', async () => {
    using shop = await companyOn(postgres);
    await using way = await flakyPathTo(shop.database);
    way.vanish();
    const silent = way.through(shop.database);
    await using replica = await startReplica(silent, shop.folder.at('cache'), [], LISTENS);
    const health = await fetch(`${replica.url}/healthz`);
    expect(health.status).toBe(200);
    expect(health.headers.get('keep-alive')).toBe('timeout=75');
    expect((await fetch(`${replica.url}/readyz`)).status).toBe(503);
    expect((await callTool(replica.url, shop.tokens.payments.read, 'skills_list')).status).toBe(503);
    way.forget();
    await expect.poll(async () => (await fetch(`${replica.url}/readyz`)).status).toBe(200);
    expect((await callTool(replica.url, shop.tokens.payments.read, 'skills_list')).status).toBe(200);
  });

  test('shows how many files it has downloaded', async () => {
    using shop = await companyOn(postgres);
    await using first = await startReplica(shop.database, shop.folder.at('cache-1'));
    await shop.publish(first.url, 'payments', { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    await first.kill('SIGKILL');
    const locking = new Client({ connectionString: shop.database });
    await locking.connect();
    await locking.query('begin');
    await locking.query('lock table blob in access exclusive mode');
    await using replica = await startReplica(
      shop.database,
      shop.folder.at('cache-2'),
      ['--keep-alive', '90s'],
      LISTENS,
    );
    const state = async (): Promise<Told> => (await readiness(replica)).loading;
    await expect.poll(state).toEqual({ step: 'files', done: 0, total: 1 });
    expect((await fetch(`${replica.url}/healthz`)).headers.get('keep-alive')).toBe('timeout=90');
    await locking.query('rollback');
    await locking.end();
    await expect.poll(async () => (await fetch(`${replica.url}/readyz`)).status).toBe(200);
    expect(await state()).toBeUndefined();
  });

  test('stops while the catalog is loading', async () => {
    using shop = await companyOn(postgres);
    await using way = await flakyPathTo(shop.database);
    way.vanish();
    const replica = await startReplica(way.through(shop.database), shop.folder.at('cache'), [], LISTENS);
    await replica.kill('SIGINT');
    expect(replica.process.exitCode).toBe(0);
    expect(replica.log()).toContain('stopped');
  });

  test('ends before it uses the database if its port is in use', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { port } = new URL(replica.url);
    const env = { LECTERN_DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const start = (...flags: string[]) =>
      lectern(shop.folder, ['serve', '--port', port, '--cache', shop.folder.at('other'), ...flags], { env });
    const { code, stdout, stderr } = await start('--log', 'json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'info', message: expect.stringContaining('this is replica') }),
      {
        time: expect.any(String),
        level: 'error',
        message: `Port ${port} is in use.`,
        code: 'REFUSED',
        hint: expect.stringContaining('--port'),
      },
    ]);
    const text = await start('--log', 'text');
    expect(text).toMatchObject({ code: 2, stderr: expect.stringContaining(`lectern: Port ${port} is in use.\n`) });
  });
});
