import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { collect } from '../../src/hub/collect.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { type Company, companyOn } from '../support/company.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { callTool, startReplica, type Told } from '../support/replica.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

async function collected(files: Record<string, string>): ReturnType<typeof collect> {
  const placed = Object.entries(files).map(([name, text]) => [`/project/${name}`, text]);
  const disk = memoryDisk(Object.fromEntries(placed));
  return collect(await Workspace.open({ projectDir: '/project', readConfig: false, collections: true }, disk));
}

const GOOD = { 'skills/good/SKILL.md': skillText({ name: 'good' }) };

describe('a skill that exceeds a limit is skipped, and the others are published', () => {
  const megabytes = (count: number): string => 'x'.repeat(count * 1024 * 1024);
  const bad = { 'skills/bad/SKILL.md': skillText({ name: 'bad' }) };
  const names = (start: string, count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`skills/bad/${start}${at}.txt`, text]));

  test.each<[string, Record<string, string>, string]>([
    ['too many files', names('f', 5_000, ''), 'it has more than 5,000 files'],
    ['a large file', names('f', 1, megabytes(9)), 'skills/bad/f0.txt has 9437184 bytes; at most 8388608 are published'],
    ['many large files', names('f', 9, megabytes(8)), 'bytes in all; at most 67108864 are published'],
    ['a path with a backslash', names('a\\b', 1, ''), 'skills/bad/a\\b0.txt has a backslash or a control character'],
    [
      'paths that differ in case',
      { ...names('f', 1, ''), ...names('F', 1, '') },
      'differs from another path only in case',
    ],
  ])('%s', async (_, files, reason) => {
    const { files: found, skipped } = await collected({ ...GOOD, ...bad, ...files });
    expect(found.map(({ path }) => path)).toEqual(['skills/good/SKILL.md']);
    expect(skipped).toEqual([{ name: 'bad', path: 'skills/bad/SKILL.md', reason: expect.stringContaining(reason) }]);
  });
});

describe.skipIf(!hasPostgres)('with a replica', () => {
  let postgres: TestPostgres;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.[Symbol.asyncDispose]());

  const MIXED = {
    ...GOOD,
    'skills/misnamed/SKILL.md': skillText({ name: 'other-name' }),
    'skills/broken/SKILL.md': '---\nname: broken\n---\n\nNo description.\n',
    'skills/fence/SKILL.md': '---\nname: fence\ndescription: Never closed.\n',
    'openspec/specs/checkout/spec.md': '# Checkout\n\n## Purpose\n\nPays.\n\n## Requirements\n',
  };
  const SKIPPED = [
    { name: 'broken', path: 'skills/broken/SKILL.md', reason: expect.stringContaining('description') },
    { name: 'fence', path: 'skills/fence/SKILL.md', reason: expect.any(String) },
  ];
  const history = async (shop: Company, url: string): Promise<Told> =>
    (
      await shop.run(['history', 'payments/skills', '--url', url], {
        LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish,
      })
    ).versions;

  test('skills with errors are served if they load, and specs are published with them', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const planned = await shop.publish(replica.url, 'payments', MIXED, ['--dry-run']);
    expect(planned).toMatchObject({ code: 0, outcome: 'planned', skipped: SKIPPED });
    const published = await shop.publish(replica.url, 'payments', MIXED);
    expect(published).toMatchObject({ code: 0, outcome: 'published', skipped: SKIPPED });
    expect(published.added).toEqual([
      'openspec/specs/checkout/spec.md',
      'skills/good/SKILL.md',
      'skills/misnamed/SKILL.md',
    ]);
    expect(published.findings).toContainEqual(
      expect.objectContaining({ severity: 'warning', code: 'name-folder', path: 'skills/misnamed/SKILL.md' }),
    );
    const listed = await callTool(replica.url, shop.tokens.payments.read, 'skills_list');
    expect(JSON.stringify(listed.body)).toMatch(/other-name/u);
    const specs = await callTool(replica.url, shop.tokens.payments.read, 'list_specs');
    expect(JSON.stringify(specs.body)).toContain('checkout');
    expect(await history(shop, replica.url)).toMatchObject([{ skipped: 2, added: 3 }]);
    const { stdout } = await lectern(shop.folder, ['history', 'payments/skills', '--url', replica.url], {
      env: { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish },
    });
    expect(stdout).toContain('2 skills left out');
  });

  test('--strict publishes nothing, and names every error', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const refused = await shop.publish(replica.url, 'payments', MIXED, ['--strict']);
    expect(refused).toMatchObject({ code: 2, error: { code: 'REFUSED' } });
    expect(refused.error.suggestions).toHaveLength(3);
    for (const name of ['misnamed', 'broken', 'fence'])
      expect(refused.error.message).toContain(`skills/${name}/SKILL.md`);
    expect(await history(shop, replica.url)).toEqual([]);
    const planned = await shop.publish(replica.url, 'payments', MIXED, ['--strict', '--dry-run']);
    expect(planned).toMatchObject({ code: 1, outcome: 'planned' });
  });

  test('a skill that no longer loads is removed, and a rollback restores it with the number of skipped skills', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const fixed = { ...MIXED, 'skills/broken/SKILL.md': skillText({ name: 'broken' }) };
    const { number } = await shop.publish(replica.url, 'payments', fixed);
    const later = await shop.publish(replica.url, 'payments', MIXED);
    expect(later).toMatchObject({ removed: ['skills/broken/SKILL.md'], skipped: SKIPPED });
    const words = ['rollback', 'payments/skills', '--to', String(number), '--url', replica.url];
    await shop.run(words, { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish });
    expect((await history(shop, replica.url)).map((each: Told) => [each.action, each.skipped])).toEqual([
      ['rollback', 1],
      ['publish', 2],
      ['publish', 1],
    ]);
  });

  test('a source of which nothing can be published is refused with the reasons', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    await shop.publish(replica.url, 'payments', GOOD);
    const only = { 'skills/broken/SKILL.md': MIXED['skills/broken/SKILL.md'] };
    const refused = await shop.publish(replica.url, 'payments', only);
    expect(refused).toMatchObject({ code: 2, error: { code: 'REFUSED' } });
    expect(refused.error.message).toContain('skills/broken/SKILL.md');
    expect(await history(shop, replica.url)).toHaveLength(1);
  });

  test('a link out of the folder is skipped, and its target is not published', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    await shop.publish(replica.url, 'payments', GOOD, ['--dry-run']);
    shop.folder.write({ 'secret/SKILL.md': skillText({ name: 'secret' }) });
    fs.symlinkSync(shop.folder.at('secret'), shop.folder.at('published-payments/skills/secret'));
    const words = ['publish', shop.folder.at('published-payments'), '--to', replica.url, '--source', 'payments/skills'];
    const published = await shop.run(words, { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish });
    expect(published).toMatchObject({ outcome: 'published', added: ['skills/good/SKILL.md'] });
    expect(published.skipped).toMatchObject([{ name: 'secret', reason: 'it is a link out of the folder' }]);
  });
});
