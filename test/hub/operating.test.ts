import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companyOn } from '../support/company.ts';
import { hasOwnPostgres, hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startReplica } from '../support/replica.ts';
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
