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

test('rollback explains which flag takes the address', async () => {
  using folder = tempFolder();
  const words = ['rollback', 'a/b', '--to', 'https://skills.example.com'];
  const { code, stderr } = await lectern(folder, words, { env: TOKEN });
  expect(code).toBe(2);
  expect(stderr).toContain('--to must be a whole number');
  expect(stderr).toContain('--to takes a version; use --url for the URL of the catalog.');
});

test('without a catalog URL, publish, history and rollback name the flag and the variable', async () => {
  using folder = tempFolder();
  for (const words of [
    ['publish', '--source', 'a/b'],
    ['history', 'a/b'],
    ['rollback', 'a/b', '--to', '1'],
  ]) {
    const { code, stdout } = await lectern(folder, [...words, '--json'], { env: TOKEN });
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error).toEqual({
      code: 'USAGE',
      message: 'No catalog URL configured.',
      hint: 'Use --url, as in --url https://skills.example.com, or set LECTERN_CATALOG_URL.',
    });
  }
});

test('the address can be in the configuration of the user, and not in that of a project', async () => {
  using folder = tempFolder();
  const config = JSON.stringify({ catalog: 'http://skills.invalid' });
  folder.write({ 'project/.lectern/config.json': config });
  const run = async (env = {}): Promise<string> =>
    (await lectern(folder, ['history', 'a/b'], { env: { ...TOKEN, ...env } })).stderr;
  expect(await run()).toContain('No catalog URL configured.');
  folder.write({ 'home/.config/lectern/config.json': config });
  expect(await run()).toContain('http://skills.invalid is not encrypted');
  expect(await run({ LECTERN_CATALOG_URL: 'http://other.invalid' })).toContain('http://other.invalid is not encrypted');
});

test('a token that cannot be one is not sent', async () => {
  using folder = tempFolder();
  const words = ['history', 'a/b', '--to', 'https://skills.invalid', '--json'];
  for (const token of ['Bearer lct_secret', '"lct_secret" ', 'lct_secret\n']) {
    const { stdout } = await lectern(folder, words, { env: { LECTERN_PUBLISH_TOKEN: token } });
    expect(JSON.parse(stdout).error).toEqual({
      code: 'USAGE',
      message: 'LECTERN_PUBLISH_TOKEN has characters that a token does not have.',
      hint: 'Set it to the token alone, without the word Bearer, spaces or quotes.',
    });
  }
});

test('a refused publication has a line for each problem, and the same sentence as ever in JSON', async () => {
  using folder = tempFolder();
  folder.write({
    'project/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    'project/skills/one/SKILL.md': '---\nname: one\n---\n\nText.\n',
    'project/skills/two/SKILL.md': '---\nname: two\n---\n\nText.\n',
  });
  const words = ['publish', '--source', 'a/b', '--to', 'http://127.0.0.1:1', '--strict'];
  const { code, stderr } = await lectern(folder, words, { env: TOKEN });
  expect(code).toBe(2);
  const { error } = JSON.parse((await lectern(folder, [...words, '--json'], { env: TOKEN })).stdout);
  expect(error.suggestions).toHaveLength(2);
  expect(error.message).toBe(`The source was not published: ${error.suggestions.join('; ')}.`);
  expect(stderr.split('\n')).toEqual([
    'lectern: The source was not published:',
    ...error.suggestions.map((problem: string) => `  - ${problem}`),
    '  Fix these files and publish again.',
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

  test('publishing on top of an outdated version fails with a hint to retry', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { number } = await shop.publish(replica.url, 'payments', pdf);
    const late = new PublishClient({ url: replica.url, token: shop.tokens.payments.publish });
    await expect(late.publish('payments/skills', { base: 0, files: [], commit: undefined })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Version ${number} was published in the meantime.`,
      hint: 'Run it again.',
    });
  });

  test('a refusal by the server lists every problem', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const client = new PublishClient({ url: replica.url, token: shop.tokens.payments.publish });
    const files = ['../a', '../b'].map((path) => ({ path, sha256: '0'.repeat(64), size: 1, executable: false }));
    await expect(client.check('payments/skills', files)).rejects.toMatchObject({
      code: 'REFUSED',
      suggestions: ['../a is not a plain relative path', '../b is not a plain relative path'],
    });
  });

  test('a replica has the same name in its log, in db status and in wait errors', async () => {
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

  test('publish reports each SKILL.md outside a skills folder, with paths relative to the published folder', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const text = skillText({ name: 'dup' });
    const files = {
      'skills/dup/SKILL.md':
        '---\nname: dup\ndescription: Finds files that exist twice. Use it to clean up a folder.\n---\n',
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
        { severity: 'warning', code: 'secrets-file-published', path: 'skills/dup/.env' },
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

  // Other systems have no such names.
  test.skipIf(process.platform !== 'linux')(
    'what is not published is named, with the reason, in both runs',
    async () => {
      using shop = await companyOn(postgres);
      await using replica = await startReplica(shop.database, shop.folder.at('cache'));
      const files = {
        'skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
        'skills/pdf/node_modules/x/index.js': '1',
        'skills/pdf/.DS_Store': '1',
        'skills/pdf/.env.example': 'KEY=',
        'skills/pdf/.env.production': 'KEY=1',
        'openspec/specs/a/spec.md': '# A',
      };
      await shop.publish(replica.url, 'payments', files, ['--dry-run']);
      const dir = shop.folder.at('published-payments');
      const notUtf8 = (below: string): Buffer => Buffer.concat([Buffer.from(`${dir}/${below}/b`), Buffer.from([0xe9])]);
      fs.writeFileSync(notUtf8('skills/pdf'), 'x');
      fs.writeFileSync(notUtf8('openspec/specs/a'), 'x');
      fs.symlinkSync('spec.md', `${dir}/openspec/specs/a/link.md`);
      const env = { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish };
      const words = ['publish', dir, '--to', replica.url, '--source', 'payments/skills'];
      const omitted = {
        count: 4,
        first: [
          { path: 'openspec/specs/a/b\ufffd', reason: 'its name is not UTF-8' },
          { path: 'openspec/specs/a/link.md', reason: 'it is a link' },
          { path: 'skills/pdf/b\ufffd', reason: 'its name is not UTF-8' },
          { path: 'skills/pdf/node_modules', reason: 'it belongs to another tool' },
        ],
      };
      const planned = await shop.run([...words, '--dry-run'], env);
      expect(planned).toMatchObject({ code: 0, omitted });
      expect(planned.added).toEqual([
        'openspec/specs/a/spec.md',
        'skills/pdf/.env.example',
        'skills/pdf/.env.production',
        'skills/pdf/SKILL.md',
      ]);
      const published = await shop.run(words, env);
      expect(published).toMatchObject({ outcome: 'published', omitted, findings: planned.findings });
      expect(published.findings[0]).toMatchObject({
        code: 'secrets-file-published',
        path: 'skills/pdf/.env.production',
      });
      const { stdout } = await lectern(shop.folder, words, { env });
      expect(stdout).toContain('\n    skills/pdf/.env.production: all readers of the source can read this file\n');
      expect(stdout).toContain('skills/pdf/b');
    },
  );

  test('a dry run of a folder whose only skill is broken shows its errors', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const broken = { 'skills/pdf/SKILL.md': '---\nname: pdf\n---\n\nText.\n' };
    expect(await shop.publish(replica.url, 'payments', broken, ['--dry-run'])).toMatchObject({
      code: 1,
      outcome: 'planned',
      findings: [{ severity: 'error', code: 'description-missing', path: 'skills/pdf/SKILL.md' }],
    });
  });

  test('a rollback can be tried, and waited for', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const { number } = await shop.publish(replica.url, 'payments', pdf);
    const later = await shop.publish(replica.url, 'payments', {
      'skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'More.' }),
      'skills/xls/SKILL.md': skillText({ name: 'xls' }),
    });
    const env = { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish };
    const words = ['rollback', 'payments/skills', '--url', replica.url, '--to'];
    const changes = { added: [], changed: ['skills/pdf/SKILL.md'], removed: ['skills/xls/SKILL.md'] };
    expect(await shop.run([...words, String(number), '--dry-run'], env)).toEqual({
      code: 0,
      source: 'payments/skills',
      outcome: 'planned',
      number: later.number,
      ...changes,
    });
    expect(await shop.run([...words, '99', '--dry-run'], env)).toMatchObject({ code: 2, error: { code: 'NOT_FOUND' } });
    expect(await shop.run([...words, String(number), '--wait'], env)).toMatchObject({
      outcome: 'published',
      number: later.number + 1,
      replicas: 1,
      ...changes,
    });
  });

  test('outside of CI, the commit is that of the repository', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const commit = '0123456789abcdef0123456789abcdef01234567';
    shop.folder.write({
      'repository/.git/HEAD': 'ref: refs/heads/main\n',
      'repository/.git/refs/heads/main': `${commit}\n`,
      'repository/below/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    });
    const env = { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish, LECTERN_CATALOG_URL: replica.url };
    const dir = shop.folder.at('repository/below');
    await shop.run(['publish', dir, '--source', 'payments/skills'], env);
    expect((await shop.run(['history', 'payments/skills'], env)).versions).toMatchObject([{ commit }]);
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
