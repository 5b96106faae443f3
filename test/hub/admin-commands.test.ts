/** The words of the commands for those who run a shared catalog. */
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe.skipIf(!hasPostgres)('operators of a catalog', () => {
  test('get a hint with the command that lists existing names or adds a missing team', async () => {
    using shop = await companyOn(postgres);
    const hintOf = async (...words: string[]): Promise<string> => (await shop.run(words)).error.hint;
    for (const words of [
      ['source', 'remove', 'nosuch/x'],
      ['source', 'usage', 'nosuch/x'],
      ['audit', '--source', 'nosuch/x'],
      ['grant', 'remove', 'nosuch/x', '*'],
    ])
      expect(await hintOf(...words)).toBe('Run `lectern source list` to see all sources.');
    expect(await hintOf('team', 'remove', 'nosuch')).toBe('Run `lectern team list` to see all teams.');
    expect(await hintOf('source', 'add', 'nosuch/x')).toMatch(/^Run `lectern team add` to add it\./u);
    expect(await hintOf('token', 'revoke', '99')).toContain('lectern token list');
    expect(await hintOf('grant', 'remove', 'payments/skills', 'checkout')).toContain('lectern grant list');
  });

  test('see the naming rules after an invalid name', async () => {
    using shop = await companyOn(postgres);
    const rule = 'at most 63 lowercase letters, digits, dots, hyphens and underscores, starting with a letter or digit';
    for (const words of [
      ['team', 'add', 'Payments'],
      ['team', 'add', `a${'b'.repeat(63)}`],
      ['source', 'add', 'payments/_x'],
    ])
      expect((await shop.run(words)).error).toMatchObject({ code: 'USAGE', hint: expect.stringContaining(rule) });
    expect((await shop.run(['team', 'add', `0._-${'b'.repeat(59)}`])).code).toBe(0);
  });

  test('appear in the audit under their system user name, even if USER is not set', async () => {
    using shop = await companyOn(postgres);
    await shop.run(['team', 'add', 'one'], { USER: '' });
    await shop.run(['team', 'add', 'two'], { USER: 'grace' });
    const { entries } = await shop.run(['audit', '--limit', '2']);
    expect(entries.map(({ actor }: Told) => actor)).toEqual(['grace', os.userInfo().username]);
  });

  test('see which tokens have expired, and all scopes that a token has', async () => {
    using shop = await companyOn(postgres);
    const added = await shop.run(['token', 'add', 'payments', '--name', 'root', '--scope', 'admin']);
    expect(added.scopes).toEqual(['publish', 'admin']);
    await using database = Object.assign(new Database({ url: shop.database }), {
      async [Symbol.asyncDispose](this: Database) {
        await this.close();
      },
    });
    await database.query("update token set expires_at = now() - interval '1 day' where id = 1");
    const { tokens } = await shop.run(['token', 'list']);
    expect(tokens.filter(({ expired }: Told) => expired).map(({ id }: Told) => id)).toEqual([1]);
  });

  test('see only loadable skills in the usage, not bundled files called SKILL.md', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const text = skillText({ name: 'pdf' });
    await shop.publish(replica.url, 'payments', {
      'skills/pdf/SKILL.md': text,
      'skills/pdf/examples/one/SKILL.md': text,
      'skills/pdf-tools/SKILL.md': skillText({ name: 'pdf-tools' }),
      'skills/pdf/examples/SKILL.md': 'No frontmatter.\n',
    });
    const { skills } = await shop.run(['source', 'usage', 'payments/skills']);
    expect(skills.map(({ folder }: Told) => folder)).toEqual(['skills/pdf', 'skills/pdf-tools']);
    // A skill in the folder of skills itself is one beside the others.
    await shop.publish(replica.url, 'checkout', {
      'skills/SKILL.md': skillText({ name: 'skills' }),
      'skills/pdf/SKILL.md': text,
    });
    const listed = await callTool(replica.url, shop.tokens.checkout.read, 'skills_list');
    expect(listed.body.result.structuredContent.total).toBe(2);
    const both = await shop.run(['source', 'usage', 'checkout/skills']);
    expect(both.skills.map(({ folder }: Told) => folder)).toEqual(['skills', 'skills/pdf']);
  });
});
