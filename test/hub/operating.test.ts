import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { companyOn } from '../support/company.ts';
import { hasOwnPostgres, hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { callTool, post, readiness, startReplica, type Told } from '../support/replica.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

test('the help of serve and of the admin commands has only flags that mean something to them', async () => {
  using folder = tempFolder();
  const flagsOf = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await lectern(folder, [...words, '--help', '--json']);
    return (JSON.parse(stdout) as { flags: { names: string[] }[] }).flags.flatMap(({ names }) => names);
  };
  const serve = await flagsOf('serve');
  expect(serve).toEqual(expect.arrayContaining(['--poll', '--max-stale', '--allowed-host', '--server-name']));
  for (const name of ['--tools', '--for', '--watch', '--no-refresh', '--include']) expect(serve).not.toContain(name);
  expect(await flagsOf('team', 'add')).toEqual(['--database']);
  expect(await flagsOf('mcp')).toEqual(expect.arrayContaining(['--tools', '--for', '--no-refresh', '--include']));
});

test('a duration without a unit is refused before anything starts', async () => {
  using folder = tempFolder();
  for (const flag of ['--poll', '--max-stale']) {
    const { code, stderr } = await lectern(folder, ['serve', '--database', 'postgres://127.0.0.1:1/x', flag, '60']);
    expect(code).toBe(2);
    expect(stderr).toContain(`${flag} must be a number with a unit`);
  }
});

test('publish names the folder that is not there, and no flag that was not used', async () => {
  using folder = tempFolder();
  const words = ['publish', 'nope', '--source', 'a/b', '--to', 'http://127.0.0.1:1'];
  const { code, stderr } = await lectern(folder, words, { env: { LECTERN_PUBLISH_TOKEN: 'x' } });
  expect(code).toBe(2);
  expect(stderr).toContain('There is no folder nope');
  expect(stderr).not.toContain('--project-dir');
});

describe.skipIf(!hasOwnPostgres)('a catalog whose database is down', () => {
  test('returns UNREACHABLE to a publisher and logs the reason for the operator', async () => {
    await using server = await startPostgres();
    using shop = await companyOn(server);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    await server.kill();
    const refused = await shop.publish(
      replica.url,
      'payments',
      { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }) },
      [],
    );
    expect(refused).toMatchObject({ code: 2, error: { code: 'UNREACHABLE' } });
    expect(JSON.stringify(refused)).not.toMatch(/LECTERN_DATABASE_URL|127\.0\.0\.1|ECONN/u);
    expect(replica.log()).toContain('a publisher was refused: The database cannot be used');
  });
});

test.each([
  ['--public-url', 'https://skills.example.com/lectern'],
  ['--public-url', 'skills.example.com'],
  ['--oauth-group-prefix', 'skills-'],
])('a replica is not started with %s %s', async (...flags) => {
  using folder = tempFolder();
  const { code, stderr } = await lectern(folder, ['serve', '--port', '0', ...flags], {
    env: { LECTERN_DATABASE_URL: 'postgres://127.0.0.1:1/none' },
  });
  expect(stderr).toMatch(/public URL|--oauth-issuer/u);
  expect(code).toBe(2);
});

describe.skipIf(!hasPostgres)('a replica', () => {
  test('that cannot listen ends, and does not count as one', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { port } = new URL(replica.url);
    const flags = ['serve', '--port', port, '--cache', shop.folder.at('other')];
    const { code, stderr } = await lectern(shop.folder, flags, { env: { LECTERN_DATABASE_URL: shop.database } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('in use') });
    const { replicas } = await shop.run(['db', 'status']);
    expect(replicas).toHaveLength(1);
  });

  test('without a catalog reports the reason', async () => {
    const empty = await postgres.database();
    const database = new Database({ url: empty });
    await database.query('drop schema public cascade');
    await database.query('create schema public');
    await database.close();
    using folder = tempFolder();
    await using replica = await startReplica(empty, folder.at('cache'));
    expect((await fetch(`${replica.url}/readyz`)).status).toBe(503);
    expect(JSON.stringify(await readiness(replica))).toMatch(/at migration 0; this version needs/u);
  });

  test('with an embeddings endpoint in its configuration warns, and ranks with the bundled vectors', async () => {
    using shop = await companyOn(postgres);
    using folder = tempFolder();
    const endpoint = { url: 'http://127.0.0.1:9/v1', model: 'none' };
    const file = folder.at('lectern/config.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ search: { embeddings: 'endpoint', endpoint } }));
    const env = { XDG_CONFIG_HOME: folder.at('.') };
    await using replica = await startReplica(shop.database, shop.folder.at('cache'), [], { env });
    expect(replica.log()).toContain('a shared catalog ranks with the bundled vectors');
  });

  test('that is newer than the tables publishes nothing, and points the operator to db migrate', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const database = new Database({ url: shop.database });
    await database.query('delete from lectern_migration where number = (select max(number) from lectern_migration)');
    const files = { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }) };
    const refused = await shop.publish(replica.url, 'payments', files, []);
    expect(refused).toMatchObject({ code: 2, error: { code: 'UNREACHABLE' } });
    expect(replica.log()).toMatch(/a publisher was refused: The database is at migration \d+/u);
    expect(await shop.run(['team', 'add', 'late'])).toMatchObject({
      code: 2,
      error: { hint: expect.stringContaining('db migrate') },
    });
    await database.close();
  });

  test('logs the tool, caller and outcome of every request as JSON, but never its input or output', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const skill = skillText({ name: 'pdf', body: 'The secret sauce.' });
    const { number } = await shop.publish(replica.url, 'payments', { 'skills/pdf/SKILL.md': skill });
    const { read } = shop.tokens.payments;
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const call = (name: string, args: object, traceparent: string): Promise<Response> =>
      fetch(`${replica.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${read}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          traceparent,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
    await (await call('skill', { name: 'pdf' }, `00-${trace}-00f067aa0ba902b7-01`)).text();
    await (await call('skills_search', { query: 'my password is hunter2' }, 'nonsense')).text();
    await (await call('skill', { name: 'hunter2' }, '')).text();
    await (await call('rm -rf hunter2', {}, '')).text();
    await callTool(replica.url, 'lct_forged', 'skill', { name: 'pdf' });
    const lines = (): Told[] =>
      replica
        .log()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const requests = (): Told[] => lines().filter(({ path }) => path === '/mcp');
    await expect.poll(() => requests().length).toBe(5);
    const { id } = (await shop.run(['token', 'list'])).tokens[0];
    const common = { level: 'info', message: 'request', verb: 'POST', path: '/mcp', ms: expect.any(Number) };
    const known = { ...common, method: 'tools/call', status: 200, snapshot: number, caller: id };
    expect(requests().map(({ time, ...rest }) => (new Date(time).getTime() > 0 ? rest : time))).toEqual([
      { ...known, tool: 'skill', outcome: 'ok', trace },
      { ...known, tool: 'skills_search', outcome: 'ok' },
      { ...known, tool: 'skill', outcome: 'error' },
      { ...known, outcome: 'error' },
      { ...common, status: 401 },
    ]);
    expect(lines()).toContainEqual(expect.objectContaining({ path: '/api/sources/:team/:name/publish', status: 201 }));
    for (const hidden of ['hunter2', 'sauce', read, 'lct_', 'nonsense']) expect(replica.log()).not.toContain(hidden);
  });

  test('operations as JSON need a read token, and are logged and counted like calls of tools', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { number } = await shop.publish(replica.url, 'payments', {
      'skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    });
    const { payments, checkout } = shop.tokens;
    const perform = (token: string, name: string, input: object): Promise<{ status: number; body: Told }> =>
      post(`${replica.url}/api/operations/${name}`, token, input);
    expect(await perform(payments.read, 'skill', { name: 'pdf' })).toMatchObject({
      status: 200,
      body: { snapshot: number, output: { fullName: 'payments/skills:pdf' } },
    });
    expect(await perform(checkout.read, 'skill', { name: 'pdf' })).toMatchObject({
      status: 200,
      body: { snapshot: number, error: { code: 'NOT_FOUND' } },
    });
    expect((await perform(payments.read, 'hunter2', {})).status).toBe(404);
    expect((await perform(payments.publish, 'skill', { name: 'pdf' })).status).toBe(403);
    expect((await perform('lct_forged', 'skill', { name: 'pdf' })).status).toBe(401);
    const requests = (): Told[] =>
      replica
        .log()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ path }) => path === '/api/operations/:name');
    await expect.poll(() => requests().length).toBe(5);
    expect(requests().map(({ status, tool, outcome }) => [status, tool, outcome])).toEqual([
      [200, 'skill', 'ok'],
      [200, 'skill', 'error'],
      [404, undefined, undefined],
      [403, undefined, undefined],
      [401, undefined, undefined],
    ]);
    expect(replica.log()).not.toContain('hunter2');
    const answer = await fetch(`${replica.url}/metrics`, { headers: { authorization: `Bearer ${payments.read}` } });
    expect(await answer.text()).toContain('lectern_calls_total{tool="skill",outcome="ok"} 1');
  });

  test('shows latencies by tool, outcomes, and how the process is', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { read } = shop.tokens.payments;
    for (const name of ['skills_list', 'skills_list', 'nobody']) await callTool(replica.url, read, name);
    await callTool(replica.url, read, 'skill', { name: 'none' });
    const answer = await fetch(`${replica.url}/metrics`, { headers: { authorization: `Bearer ${read}` } });
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    for (const line of [
      /^lectern_snapshot [1-9]\d*$/mu,
      /^lectern_stale_seconds \d/mu,
      /^lectern_swaps_total 1$/mu,
      /^lectern_database_errors_total 0$/mu,
      /^lectern_calls_total\{tool="skills_list",outcome="ok"\} 2$/mu,
      /^lectern_calls_total\{tool="skill",outcome="error"\} 1$/mu,
      /^lectern_call_seconds_bucket\{le="\+Inf",tool="skills_list"\} 2$/mu,
      /^lectern_call_seconds_count\{tool="skills_list"\} 2$/mu,
      /^lectern_requests_total\{path="\/mcp",status="200"\} 4$/mu,
      /^process_resident_memory_bytes \d/mu,
      /^nodejs_eventloop_lag_p99_seconds \d/mu,
    ])
      expect(text).toMatch(line);
    expect(text).not.toContain('nobody');
  });

  test('reports not ready but still answers after SIGTERM, and exits immediately after a second one', async () => {
    using shop = await companyOn(postgres);
    const replica = await startReplica(shop.database, shop.folder.at('cache'), ['--drain', '1h']);
    const ready = (): Promise<Response> => fetch(`${replica.url}/readyz`);
    expect((await ready()).status).toBe(200);
    replica.process.kill('SIGTERM');
    await expect.poll(async () => (await ready()).status).toBe(503);
    const answer = await ready();
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toMatchObject({ draining: true });
    expect((await fetch(`${replica.url}/healthz`)).status).toBe(200);
    expect((await callTool(replica.url, shop.tokens.payments.read, 'skills_list')).status).toBe(200);
    await replica.kill('SIGTERM');
  });

  test('whose database went away too long ago is not ready', async () => {
    using shop = await companyOn(postgres);
    {
      await using first = await startReplica(shop.database, shop.folder.at('cache'));
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    }
    const nowhere = 'postgres://127.0.0.1:1/none';
    await using alone = await startReplica(nowhere, shop.folder.at('cache'), ['--max-stale', '1s']);
    await expect.poll(async () => (await fetch(`${alone.url}/readyz`)).status).toBe(503);
    expect((await callTool(alone.url, shop.tokens.payments.read, 'skills_list')).status).toBe(200);
    await using empty = await startReplica(nowhere, shop.folder.at('no-cache'));
    expect((await fetch(`${empty.url}/readyz`)).status).toBe(503);
  });
});

describe.skipIf(!hasPostgres)('operators of a catalog', () => {
  test('see teams, sources, grants and a paged audit log', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const first = await shop.publish(
      replica.url,
      'payments',
      { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }) },
      [],
    );
    await shop.publish(replica.url, 'payments', { 'skills/xls/SKILL.md': skillText({ name: 'xls' }) }, []);
    await shop.run(['rollback', 'payments/skills', '--to', String(first.number), '--url', replica.url], {
      LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish,
    });
    const env = { USER: 'grace' };
    await shop.run(['grant', 'add', 'payments/skills', 'checkout'], env);
    expect((await shop.run(['grant', 'list'])).grants).toMatchObject([
      { source: 'payments/skills', reader: 'checkout', grantedBy: 'grace' },
    ]);
    await shop.run(['grant', 'remove', 'payments/skills', 'checkout'], env);
    await shop.run(['token', 'revoke', '1'], env);
    expect((await shop.run(['teams', 'list'])).code).toBe(2);
    expect((await shop.run(['team', 'list'])).teams).toMatchObject([
      { team: 'checkout', sources: 1, tokens: 2 },
      { team: 'payments', sources: 1, tokens: 1 },
    ]);
    expect((await shop.run(['source', 'list'])).sources).toMatchObject([
      { source: 'checkout/skills', version: 0, files: 0 },
      { source: 'payments/skills', version: first.number + 2, files: 1, publishedBy: 'payments/publish' },
    ]);
    const all: Told[] = (await shop.run(['audit'])).entries;
    expect(all.map(({ actor, action, subject }) => `${actor} ${action} ${subject}`).slice(0, 6)).toEqual([
      'grace token-revoke 1',
      'grace revoke payments/skills from checkout',
      'grace grant payments/skills to checkout',
      `payments/publish rollback payments/skills to ${first.number}`,
      'payments/publish publish payments/skills',
      'payments/publish publish payments/skills',
    ]);
    expect(all.at(-1)).toMatchObject({ action: 'db-migrate' });
    const paged: Told[] = [];
    for (let before: string[] = []; ;) {
      const { entries, next } = await shop.run(['audit', '--limit', '6', ...before]);
      paged.push(...entries);
      if (next === undefined) break;
      before = ['--before', String(next)];
    }
    expect(paged).toEqual(all);
    const { entries } = await shop.run(['audit', '--source', 'payments/skills']);
    expect(entries.map(({ action }: Told) => action)).toEqual([
      'revoke',
      'grant',
      'rollback',
      'publish',
      'publish',
      'source-add',
    ]);
    for (const words of [
      ['audit', '--source', 'nosuch/x'],
      ['source', 'usage', 'nosuch/x'],
    ])
      expect(await shop.run(words)).toMatchObject({
        code: 2,
        error: { code: 'NOT_FOUND', message: 'There is no source nosuch/x.' },
      });
    const { stdout } = await lectern(shop.folder, ['source', 'list'], { env: { LECTERN_DATABASE_URL: shop.database } });
    expect(stdout).toMatch(/^ {2}source +version +files +bytes +published at +published by$/mu);
    expect(stdout).toMatch(/^ {2}checkout\/skills +0 +0 +0$/mu);
  });

  test('remove a source and bring it back, and remove a team that has nothing left', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const published = await shop.publish(replica.url, 'payments', {
      'skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    });
    await shop.run(['grant', 'add', 'payments/skills', 'checkout']);
    const sees = async (team: 'payments' | 'checkout'): Promise<number> =>
      (await callTool(replica.url, shop.tokens[team].read, 'skills_list')).body.result.structuredContent.total;
    await expect.poll(() => sees('checkout')).toBe(1);
    expect(await shop.run(['team', 'remove', 'payments'])).toMatchObject({
      code: 2,
      error: { message: 'payments still has 1 source and 2 tokens.' },
    });
    await shop.run(['source', 'remove', 'payments/skills']);
    await expect.poll(() => sees('payments')).toBe(0);
    await expect.poll(() => sees('checkout')).toBe(0);
    expect((await shop.run(['source', 'list'])).sources).toMatchObject([{ source: 'checkout/skills' }]);
    expect((await shop.run(['grant', 'list'])).grants).toEqual([]);
    expect(await shop.publish(replica.url, 'payments', {}, ['--allow-empty'])).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
    expect((await shop.run(['source', 'remove', 'payments/skills'])).code).toBe(2);
    // Added again, it has nothing, but every version can be restored. Its grants do not come back by themselves.
    await shop.run(['source', 'add', 'payments/skills']);
    const [, again] = (await shop.run(['source', 'list'])).sources;
    expect(again).toMatchObject({ source: 'payments/skills', files: 0 });
    expect(again).not.toHaveProperty('publishedBy');
    await shop.run(['rollback', 'payments/skills', '--to', String(published.number), '--url', replica.url], {
      LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish,
    });
    await expect.poll(() => sees('payments')).toBe(1);
    expect(await sees('checkout')).toBe(0);
    await shop.run(['source', 'remove', 'checkout/skills']);
    for (const { id, team } of (await shop.run(['token', 'list'])).tokens as Told[])
      if (team === 'checkout') await shop.run(['token', 'revoke', String(id)]);
    await shop.run(['team', 'remove', 'checkout']);
    expect((await shop.run(['team', 'list'])).teams).toMatchObject([{ team: 'payments' }]);
    expect((await shop.run(['token', 'add', 'checkout', '--name', 'x'])).code).toBe(2);
    expect((await shop.run(['team', 'add', 'checkout'])).code).toBe(0);
    const actions = ((await shop.run(['audit'])).entries as Told[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['team-remove', 'source-remove']));
  });

  test('are refused a time to keep that is too short or has no unit', async () => {
    using shop = await companyOn(postgres);
    for (const keep of ['23h', '90'])
      expect(await shop.run(['db', 'prune', '--keep', keep])).toMatchObject({ code: 2, error: { code: 'USAGE' } });
    expect(await shop.run(['db', 'prune', '--keep', '90d', '--dry-run'])).toMatchObject({ dryRun: true, versions: 0 });
  });
});
