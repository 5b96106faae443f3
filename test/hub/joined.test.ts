/** `lectern mcp --catalog` with a real replica, over stdio, as an agent starts it. */
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Company, companyOn } from '../support/company.ts';
import { connect, errorOf, factsOf, listedNames, type Session, textOf } from '../support/connect.ts';
import { expectSameAnswers } from '../support/same-answers.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Replica, startReplica, type Told } from '../support/replica.ts';

const skill = (name: string, body = '', description = `About ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

const spec = (title: string, requirement: string): string =>
  `# ${title}\n\n## Purpose\n${title} for everybody, as it should be done at all times.\n\n## Requirements\n\n### Requirement: ${requirement}\nThe system SHALL do ${requirement}.\n\n#### Scenario: Always\n- **WHEN** asked\n- **THEN** ${requirement} is done\n`;

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const LOCAL = {
  'project/.agents/skills/refund/SKILL.md': skill('refund', 'The local way.'),
  'project/.agents/skills/deploy/SKILL.md': skill('deploy', 'Deploy from here.'),
};

const SHARED = {
  'skills/refund/SKILL.md': skill('refund', 'The shared way.'),
  'skills/invoice/SKILL.md': skill('invoice', 'Write an invoice.'),
  'skills/invoice/notes.txt': 'Notes about invoices.',
};

interface Joined extends AsyncDisposable {
  shop: Company;
  replica: Replica;
  session: Session;
}

async function joined(files: Record<string, string> = SHARED, local: Record<string, string> = LOCAL): Promise<Joined> {
  const shop = await companyOn(postgres);
  const replica = await startReplica(shop.database, shop.folder.at('cache'));
  await shop.publish(replica.url, 'payments', files);
  const session = await connect('stdio', local, joining(replica.url, shop.tokens.payments.read));
  return {
    shop,
    replica,
    session,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await replica[Symbol.asyncDispose]();
      shop[Symbol.dispose]();
    },
  };
}

function joining(url: string, token: string, flags: readonly string[] = ['--refresh-interval', '500']) {
  return { flags: ['--catalog', url, ...flags], environment: { LECTERN_CATALOG_TOKEN: token } };
}

/** The catalog may take a moment to prepare its first answer, for which local ones do not wait. */
async function bothAnswer(session: Session, tool: string, args: Record<string, unknown>): Promise<void> {
  await expect
    .poll(async () => (await session.call(tool, args))._meta?.['lectern/catalog'])
    .toMatchObject({ snapshot: expect.any(Number) });
}

describe.skipIf(!hasPostgres)('a shared catalog joined with local skills', () => {
  test('a local skill wins over a shared one and shows how to load it; other skills come from the catalog', async () => {
    await using all = await joined();
    const { session } = all;
    // It waits only a moment to hear of the shared one.
    await expect
      .poll(async () => textOf(await session.skill('refund')))
      .toMatch(/The local way\.[^]*shared catalog has another: load it as payments\/skills:refund\.\]$/u);
    await expect
      .poll(async () => factsOf(await session.skill('refund')))
      .toMatchObject({ shared: ['payments/skills:refund'] });
    expect(textOf(await session.skill('payments/skills:refund'))).toContain('The shared way.');
    const shared = await session.skill('Invoice');
    expect(textOf(shared)).toMatch(
      /its files are not on this machine, skill_file reads them\)[^]*Write an invoice\.\s*$/u,
    );
    expect(shared._meta).toMatchObject({ 'lectern/facts': { fullName: 'payments/skills:invoice' } });
    // Only the local side has it.
    expect(textOf(await session.skill('deploy'))).not.toContain('shared catalog');
  });

  test.each(['stdio, modern', 'http', 'sse'] as const)('over %s it is the same', async (way) => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    await shop.publish(replica.url, 'payments', SHARED);
    await using session = await connect(way, LOCAL, joining(replica.url, shop.tokens.payments.read));
    expect(textOf(await session.skill('refund'))).toContain('The local way.');
    expect(textOf(await session.skill('invoice'))).toContain('Write an invoice.');
    await expect.poll(async () => listedNames(await session.description())).toEqual(['deploy', 'refund', 'invoice']);
    await shop.publish(replica.url, 'payments', { 'skills/remind/SKILL.md': skill('remind') });
    await session.nextNotification('notifications/tools/list_changed');
    await expect.poll(async () => listedNames(await session.description())).toEqual(['deploy', 'refund', 'remind']);
  });

  test('loaded skills are served from the cache while the catalog is down, with a note; other requests fail clearly', async () => {
    await using all = await joined();
    const { session, replica } = all;
    await expect.poll(async () => listedNames(await session.description())).toContain('invoice');
    await session.skill('invoice');
    const file = { name: 'invoice', path: 'notes.txt' };
    await session.call('skill_file', file);
    await replica.kill('SIGKILL');
    const kept = await session.skill('invoice');
    expect(textOf(kept)).toContain('Write an invoice.');
    expect(textOf(kept)).toMatch(
      /cannot be reached: the connection is refused; this is a cached answer of 20\d\d-\S+Z, snapshot \d+\.\]$/u,
    );
    expect(kept._meta).toMatchObject({ 'lectern/catalog': { url: replica.url, keptAt: expect.any(String) } });
    expect(textOf(await session.call('skill_file', file))).toContain('Notes about invoices.');
    // The skill is there, only this file of it is not.
    for (const name of ['invoice', 'payments/skills:invoice'])
      expect(errorOf(await session.call('skill_file', { name, path: 'more.txt' }))).toMatchObject({
        code: 'NOT_FOUND',
        message: `Only a part of the shared skill '${name}' is cached, and it does not include this.`,
        hint: expect.stringMatching(/cannot be reached.* Try again later/u),
      });
    const never = await session.skill('payments/skills:refund');
    expect(textOf(never)).toMatch(/^Skill 'payments\/skills:refund' not found\./u);
    expect(errorOf(never)).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('cannot be reached'),
    });
    // The local skills do not need it.
    expect(textOf(await session.skill('refund'))).toContain('The local way.');
    // Neither does the next run: it starts with what was kept.
    const { folder } = session;
    const again = joining(replica.url, all.shop.tokens.payments.read);
    await using next = await connect('stdio', {}, { ...again, folder });
    expect(listedNames(await next.description())).toEqual(['deploy', 'refund', 'invoice']);
    expect(textOf(await next.skill('invoice'))).toContain('this is a cached answer of');
    // Only the user may read it.
    const dir = folder.at('home/.cache/lectern/shared');
    const modes = [dir, ...fs.readdirSync(dir).map((name) => `${dir}/${name}`)].map((place) => fs.statSync(place).mode);
    expect(modes.length).toBeGreaterThan(3);
    if (process.platform !== 'win32') expect(modes.filter((mode) => (mode & 0o077) !== 0)).toEqual([]);
    // Another token has seen nothing.
    const other = joining(replica.url, all.shop.tokens.checkout.read);
    await using stranger = await connect('stdio', {}, { ...other, folder });
    expect(errorOf(await stranger.skill('invoice'))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('nothing that was kept is served after the token was revoked, not even without the network', async () => {
    await using all = await joined();
    const { session, replica, shop } = all;
    expect(textOf(await session.skill('invoice'))).toContain('Write an invoice.');
    const { tokens } = await shop.run(['token', 'list']);
    const { id } = (tokens as Told[]).find(({ team, scopes }) => team === 'payments' && scopes.includes('read'));
    await shop.run(['token', 'revoke', String(id)]);
    await expect
      .poll(async () => textOf(await session.skill('invoice')))
      .toContain(`The shared catalog at ${replica.url} rejected the token`);
    await expect.poll(async () => listedNames(await session.description())).toEqual(['deploy', 'refund']);
    await replica.kill('SIGKILL');
    expect(errorOf(await session.skill('invoice'))).toMatchObject({ code: 'NOT_FOUND' });
    expect(fs.readdirSync(session.folder.at('home/.cache/lectern/shared'))).toEqual([]);
  });

  test('a skill removed from the catalog is removed from the cache under every name', async () => {
    await using all = await joined();
    const { session, replica, shop } = all;
    for (const name of ['invoice', 'payments/skills:invoice'])
      expect(textOf(await session.skill(name))).toContain('Write an invoice.');
    await session.call('skill_file', { name: 'invoice', path: 'notes.txt' });
    await bothAnswer(session, 'skills_list', {});
    // A file that was never there says nothing about the skill.
    expect(errorOf(await session.call('skill_file', { name: 'invoice', path: 'no.txt' }))).toMatchObject({
      message: "Skill 'invoice' has no file 'no.txt'.",
    });
    const { 'skills/refund/SKILL.md': refund } = SHARED;
    await shop.publish(replica.url, 'payments', { 'skills/refund/SKILL.md': refund });
    expect(errorOf(await session.skill('invoice'))).toMatchObject({ code: 'NOT_FOUND' });
    await replica.kill('SIGKILL');
    expect(textOf(await session.call('skills_list', {}))).not.toContain('invoice');
    for (const name of ['invoice', 'payments/skills:invoice'])
      expect(errorOf(await session.skill(name))).toMatchObject({ code: 'NOT_FOUND' });
    expect(errorOf(await session.call('skill_file', { name: 'invoice', path: 'notes.txt' }))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('a client is notified when the shared skills change, and gets the new text', async () => {
    await using all = await joined();
    const { session, replica, shop } = all;
    await expect.poll(async () => listedNames(await session.description())).toContain('invoice');
    expect(textOf(await session.skill('invoice'))).toContain('Write an invoice.');
    await shop.publish(replica.url, 'payments', {
      'skills/invoice/SKILL.md': skill('invoice', 'Write it in green.'),
      'skills/remind/SKILL.md': skill('remind'),
    });
    await session.nextNotification('notifications/tools/list_changed');
    await expect
      .poll(async () => listedNames(await session.description()))
      .toEqual(['deploy', 'refund', 'invoice', 'remind']);
    expect(textOf(await session.skill('invoice'))).toContain('Write it in green.');
  });

  test('lists continue from the local skills to the shared ones, in pages, each name once', async () => {
    const many = Object.fromEntries(
      ['ant', 'bee', 'cat', 'refund'].map((name) => [`skills/${name}/SKILL.md`, skill(name)]),
    );
    await using all = await joined(many);
    const { session, replica } = all;
    await bothAnswer(session, 'skills_list', {});
    const names: string[] = [];
    const totals: number[] = [];
    let cursor: string | undefined;
    do {
      const page = (await session.call('skills_list', { limit: 3, ...(cursor ? { cursor } : {}) }))
        .structuredContent as Told;
      names.push(...page.skills.map((each: Told) => each.name));
      totals.push(page.total);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(['deploy', 'refund', 'ant', 'bee', 'cat']);
    expect(totals).toEqual([6, 6]);
    const whole = await session.call('skills_list', {});
    expect(whole.structuredContent).toMatchObject({
      total: 6,
      note: '1 shared skill with the name of a local one left out, but counted; the local one loads.',
    });
    expect(textOf(whole)).toContain('6 skills, of which 5 are below.');
    const bodies = (await session.call('skills_list', { query: 'bee', includeBody: true })).structuredContent as Told;
    expect(bodies).toMatchObject({ total: 1, skills: [{ name: 'bee', body: expect.any(String) }] });
    expect(errorOf(await session.call('skills_list', { cursor: 'shared.nonsense' }))).toMatchObject({ code: 'USAGE' });
    await replica.kill('SIGKILL');
    const kept = (await session.call('skills_list', {})).structuredContent as Told;
    expect(kept.skills.length).toBe(5);
    expect(kept.note).toContain('this is a cached answer of');
    const alone = (await session.call('skills_list', { query: 'deploy' })).structuredContent as Told;
    expect(alone).toMatchObject({ total: 1, note: expect.stringContaining('only local items were searched') });
  });

  test('a search queries both sides and merges the results', async () => {
    const shared = {
      'skills/refund/SKILL.md': skill('refund', 'Money back.', 'Pay money back to customers.'),
      'skills/kitchen/SKILL.md': skill('kitchen', 'Cook soup.', 'Cook soup and stew in a large kitchen.'),
      'skills/money/SKILL.md': skill('money', 'Money.', 'Count money.'),
    };
    const local = {
      'project/.agents/skills/refund/SKILL.md': skill('refund', 'Pay money back.', 'Pay money back, locally.'),
      'project/.agents/skills/soup/SKILL.md': skill('soup', 'Boil water.', 'Boil water; no stew.'),
    };
    await using all = await joined(shared, local);
    const { session, replica } = all;
    const found = async (args: Told): Promise<Told> => (await session.call('skills_search', args)).structuredContent;
    await bothAnswer(session, 'skills_search', { query: 'soup' });
    const auto = await found({ query: 'cook soup and stew in a kitchen' });
    expect(auto.mode).toBe('auto');
    expect(auto.results.map((each: Told) => each.name).slice(0, 2)).toEqual(['kitchen', 'soup']);
    const scores = auto.results.map((each: Told) => each.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const words = await found({ query: 'money', mode: 'keyword' });
    // In its name before in its description; the local skill of a name counts.
    expect(words.results.map((each: Told) => each.name)).toEqual(['money', 'refund']);
    expect(words.results[1].meta.description).toBe('Pay money back, locally.');
    expect(words).toMatchObject({ total: 2, mode: 'keyword' });
    expect((await found({ query: 'money', mode: 'keyword', limit: 1 })).results.length).toBe(1);
    await replica.kill('SIGKILL');
    const alone = await found({ query: 'money', mode: 'keyword' });
    expect(alone).toMatchObject({ total: 1, reason: expect.stringContaining('only local items were searched') });
  });

  test('specs and changes of the catalog are read beside the local ones, by their ids', async () => {
    const shared = {
      ...SHARED,
      'openspec/specs/checkout/spec.md': spec('Checkout', 'shared payment'),
      'openspec/specs/ledger/spec.md': spec('Ledger', 'bookkeeping'),
      'openspec/changes/add-tax/proposal.md': '# Add tax\n\n## Why\nBecause.\n\n## What Changes\n- Tax\n',
      'openspec/changes/add-tax/tasks.md': '- [x] One\n- [ ] Two\n',
    };
    const local = { ...LOCAL, 'project/openspec/specs/checkout/spec.md': spec('Checkout', 'local payment') };
    await using all = await joined(shared, local);
    const { session, replica } = all;
    const data = async (tool: string, args: Told = {}): Promise<Told> =>
      (await session.call(tool, args)).structuredContent;
    await bothAnswer(session, 'search_specs', { query: 'payment' });
    expect((await data('list_specs')).specs.map(({ id }: Told) => id)).toEqual(['checkout', 'ledger']);
    expect((await data('list_changes')).changes).toEqual([
      { id: 'add-tax', title: 'Add tax', task_progress: { completed: 1, total: 2 } },
    ]);
    expect((await data('get_spec_requirements', { spec_id: 'checkout' })).requirements[0].name).toBe('local payment');
    expect((await data('get_spec_requirements', { spec_id: 'payments/skills:checkout' })).requirements[0].name).toBe(
      'shared payment',
    );
    const scenario = { spec_id: 'ledger', requirement: 'bookkeeping' };
    expect(await data('get_scenario', scenario)).toMatchObject({ name: 'Always', when: 'asked' });
    expect(await data('get_change', { change_id: 'add-tax', section: 'tasks' })).toMatchObject({
      change_id: 'add-tax',
    });
    expect((await data('validate_spec', { spec_id: 'ledger' })).items).toEqual([
      { type: 'spec', id: 'ledger', valid: true },
    ]);
    // Without an id, what can be corrected here.
    expect((await data('validate_spec')).items).toEqual([{ type: 'spec', id: 'checkout', valid: true }]);
    const { results } = await data('search_specs', { query: 'bookkeeping' });
    expect(results[0]).toMatchObject({ spec_id: 'ledger', requirement: 'bookkeeping' });
    const unknown = await session.call('get_scenario', { spec_id: 'ledger', requirement: 'cooking' });
    expect(errorOf(unknown)).toMatchObject({ message: "Requirement 'cooking' not found in spec 'ledger'." });
    expect(textOf(await session.call('get_spec_requirements', { spec_id: 'ledgr' }))).toMatch(
      /The shared catalog has no spec of that name either\. Did you mean: ledger\?$/u,
    );
    await replica.kill('SIGKILL');
    expect(await data('get_scenario', scenario)).toMatchObject({
      name: 'Always',
      note: expect.stringContaining('cached answer of'),
    });
    expect((await data('list_specs')).specs.length).toBe(2);
  });

  test('a project without specs gets the tools for them if the catalog has some', async () => {
    await using all = await joined({ ...SHARED, 'openspec/specs/ledger/spec.md': spec('Ledger', 'bookkeeping') });
    const tools = async (): Promise<string[]> =>
      (await all.session.client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);
    await expect.poll(tools).toContain('list_specs');
  });

  test('a name that neither side has gets suggestions from both', async () => {
    await using all = await joined();
    await expect.poll(() => all.session.description()).toContain('invoice');
    const failed = await all.session.skill('invoise');
    expect(textOf(failed)).toMatch(/Available skills:\n- deploy: .*\n- refund: /u);
    expect(textOf(failed)).toMatch(
      /The shared catalog has no skill of that name either\. It has 2 skills, which skills_search finds\. Did you mean: invoice\?$/u,
    );
    expect(errorOf(failed)).toMatchObject({ code: 'NOT_FOUND', suggestions: ['invoice'] });
  });

  test('with an empty catalog, every tool answers as without one', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    // Something is published, but not for this team.
    await shop.publish(replica.url, 'payments', SHARED);
    const local = { ...LOCAL, 'project/openspec/specs/checkout/spec.md': spec('Checkout', 'local payment') };
    await using both = await connect('stdio', local, joining(replica.url, shop.tokens.checkout.read));
    await using alone = await connect('stdio', {}, { folder: both.folder });
    await bothAnswer(both, 'search_specs', { query: 'payment' });
    await expectSameAnswers(both, alone);
  });
});
