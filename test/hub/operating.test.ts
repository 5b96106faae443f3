import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companyOn } from '../support/company.ts';
import { hasOwnPostgres, hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startReplica, type Told } from '../support/replica.ts';
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
  test('tells a publisher to try again, and those who run it what happened', async () => {
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

describe.skipIf(!hasPostgres)('those who run a catalog', () => {
  test('see teams, sources, grants, and who did what, page by page', async () => {
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
      'payments/publish rollback payments/skills',
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
    const { stdout } = await lectern(shop.folder, ['source', 'list'], { env: { LECTERN_DATABASE_URL: shop.database } });
    expect(stdout).toMatch(/^ {2}source +version +files +bytes +publishedAt +publishedBy$/mu);
    expect(stdout).toMatch(/^ {2}checkout\/skills +0 +0 +0$/mu);
  });

  test('are refused a time to keep that is too short or has no unit', async () => {
    using shop = await companyOn(postgres);
    for (const keep of ['23h', '90'])
      expect(await shop.run(['db', 'prune', '--keep', keep])).toMatchObject({ code: 2, error: { code: 'USAGE' } });
    expect(await shop.run(['db', 'prune', '--keep', '90d', '--dry-run'])).toMatchObject({ dryRun: true, versions: 0 });
  });
});
