import fs from 'node:fs';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PublishClient } from '../../src/hub/publish-client.ts';
import { waitForReplicas } from '../../src/hub/wait-for-replicas.ts';
import { companyOn } from '../support/company.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startReplica } from '../support/replica.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const TOKEN = { LECTERN_PUBLISH_TOKEN: 'lct_secret' };

test('no command sends the token to an address that is not encrypted', async () => {
  using folder = tempFolder();
  for (const words of [
    ['publish', '--source', 'a/b', '--to'],
    ['publish', '--source', 'a/b', '--dry-run', '--url'],
    ['history', 'a/b', '--to'],
    ['rollback', 'a/b', '--to', '1', '--url'],
  ]) {
    const { code, stdout } = await lectern(folder, [...words, 'http://skills.invalid', '--json'], { env: TOKEN });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error).toEqual({
      code: 'REFUSED',
      message: 'http://skills.invalid is not encrypted, so the token could be read on its way.',
      hint: 'Use an https:// address; http:// is only for this machine.',
    });
  }
  const env = { ...TOKEN, LECTERN_CATALOG_URL: 'http://skills.invalid' };
  expect((await lectern(folder, ['history', 'a/b'], { env })).stderr).toContain('is not encrypted');
});

test('rollback says where an address goes', async () => {
  using folder = tempFolder();
  const words = ['rollback', 'a/b', '--to', 'https://skills.example.com'];
  const { code, stderr } = await lectern(folder, words, { env: TOKEN });
  expect(code).toBe(2);
  expect(stderr).toContain('--to must be a whole number');
  expect(stderr).toContain('--to takes a version; the address is --url.');
});

test('a refused publication has a line for each problem, and the same sentence as ever in JSON', async () => {
  using folder = tempFolder();
  folder.write({
    'project/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    'project/skills/one/SKILL.md': '---\nname: one\n---\n\nText.\n',
    'project/skills/two/SKILL.md': '---\nname: two\n---\n\nText.\n',
  });
  const words = ['publish', '--source', 'a/b', '--to', 'http://127.0.0.1:1'];
  const { code, stderr } = await lectern(folder, words, { env: TOKEN });
  expect(code).toBe(2);
  const { error } = JSON.parse((await lectern(folder, [...words, '--json'], { env: TOKEN })).stdout);
  expect(error.suggestions).toHaveLength(2);
  expect(error.message).toBe(`The source was not published: ${error.suggestions.join('; ')}.`);
  expect(stderr.split('\n')).toEqual([
    'lectern: The source was not published:',
    ...error.suggestions.map((problem: string) => `  - ${problem}`),
    '  Correct these places, and publish again.',
    '',
  ]);
});

describe.skipIf(!hasPostgres)('with a replica', () => {
  const pdf = { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }) };

  test('the address may be that of the MCP endpoint, in --to and in --url', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const env = { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish };
    const { number } = await shop.publish(`${replica.url}/mcp`, 'payments', pdf);
    const history = await shop.run(['history', 'payments/skills', '--url', `${replica.url}/mcp/`], env);
    expect(history.versions).toMatchObject([{ number }]);
    const words = ['rollback', 'payments/skills', '--to', String(number), '--url', `${replica.url}/mcp`];
    expect(await shop.run(words, env)).toMatchObject({ code: 0, outcome: 'unchanged' });
  });

  test('who publishes on top of a version that is no longer current is told to run it again', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { number } = await shop.publish(replica.url, 'payments', pdf);
    const late = new PublishClient({ url: replica.url, token: shop.tokens.payments.publish });
    await expect(late.publish('payments/skills', { base: 0, files: [], commit: undefined })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Somebody published version ${number} in the meantime.`,
      hint: 'Run it again.',
    });
  });

  test('what the server refuses is a list too', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const client = new PublishClient({ url: replica.url, token: shop.tokens.payments.publish });
    const files = ['../a', '../b'].map((path) => ({ path, sha256: '0'.repeat(64), size: 1, executable: false }));
    await expect(client.check('payments/skills', files)).rejects.toMatchObject({
      code: 'REFUSED',
      suggestions: ['../a is not a plain relative path', '../b is not a plain relative path'],
    });
  });

  test('a replica has one name in its log, in db status, and for those who wait for it', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { number } = await shop.publish(replica.url, 'payments', pdf);
    const first = JSON.parse(replica.log().split('\n', 1)[0] ?? '') as { message: string };
    const id = /^this is replica (\S+-[0-9a-f]{8})$/u.exec(first.message)?.[1] ?? '';
    expect(id.startsWith(os.hostname())).toBe(true);
    const status = await shop.run(['db', 'status']);
    expect(status.replicas).toEqual([{ id, number, seenSecondsAgo: expect.any(Number) }]);
    const client = new PublishClient({ url: replica.url, token: shop.tokens.payments.publish });
    await expect(waitForReplicas(client, number, 0)).resolves.toBe(1);
    await expect(waitForReplicas(client, number + 1, 0)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: `Snapshot ${number + 1} is published, but these replicas do not serve it yet: ${id} (at ${number}).`,
    });
  });

  test('publish tells of each SKILL.md that is in no folder for skills, and names files from the published folder', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const text = skillText({ name: 'dup' });
    const files = {
      'skills/dup/SKILL.md': '---\nname: dup\ndescription: Two of them\n---\n',
      'skills/dup/examples/SKILL.md': text,
      'other/skills/dup/SKILL.md': text,
      'node_modules/x/SKILL.md': text,
      'skills/dup/.env': 'KEY=1',
    };
    const leftOut = { count: 1, first: ['other/skills/dup/SKILL.md'] };
    const planned = await shop.publish(replica.url, 'payments', files, ['--dry-run']);
    expect(planned).toMatchObject({
      leftOut,
      added: ['skills/dup/.env', 'skills/dup/SKILL.md', 'skills/dup/examples/SKILL.md'],
      findings: [
        { code: 'body-empty', path: 'skills/dup/SKILL.md' },
        { code: 'content-opaque', path: 'skills/dup/examples/SKILL.md' },
      ],
    });
    expect(await shop.publish(replica.url, 'payments', files)).toMatchObject({ outcome: 'published', leftOut });
    expect(await shop.publish(replica.url, 'payments', pdf)).not.toHaveProperty('leftOut');
    // Agents' folders are often links to one place.
    const dir = shop.folder.at('published-payments');
    fs.mkdirSync(`${dir}/.claude`);
    fs.symlinkSync('../skills', `${dir}/.claude/skills`);
    const words = ['publish', dir, '--to', replica.url, '--source', 'payments/skills', '--dry-run'];
    const linked = await shop.run(words, { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish });
    expect(linked).toMatchObject({ code: 0, outcome: 'planned' });
    expect(linked).not.toHaveProperty('leftOut');
  });

  test('a path where nothing is served is answered with places to start from, not with patterns', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const answer = await fetch(`${replica.url}/mpc`, { method: 'POST' });
    expect(answer.status).toBe(404);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).toMatch(/^Nothing is served at this path\. Check the address: .*\/mcp\b/u);
    expect(error.message).not.toMatch(/:\w|\*|\/api/u);
  });
});
