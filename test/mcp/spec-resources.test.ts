/** Specs and changes as resources, and how soon a change on disk is seen. */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { connect, type Session, textOf, type Way, WAYS } from '../support/connect.ts';
import { BILLING, CHANGES, LOGIN, PROPOSAL, SPECS } from '../support/spec-files.ts';

const FILES = { ...SPECS, ...CHANGES };
const BOTH_ERAS: Way[] = ['memory', 'http, modern'];
const SERVE = { command: ['mcp', 'serve'] };
const RESOURCES_CHANGED = 'notifications/resources/list_changed';

async function specIds(session: Session): Promise<string[]> {
  const { specs }: { specs: { id: string }[] } = JSON.parse(textOf(await session.call('list_specs', {})));
  return specs.map(({ id }) => id);
}

async function resourceUris({ client }: Session): Promise<string[]> {
  return (await client.listResources(undefined, { cacheMode: 'refresh' })).resources.map(({ uri }) => uri);
}

describe.each(BOTH_ERAS)('over %s', (way) => {
  test('specs and the files of active changes are listed beside the skills, and read as they stand', async () => {
    await using session = await connect(way, {
      ...FILES,
      'project/skills/kit/SKILL.md': skillText({ name: 'kit' }),
      'project/openspec/changes/archive/2026-01-02-old/proposal.md': PROPOSAL,
    });
    const { resources } = await session.client.listResources();
    expect(resources.map(({ uri, name }) => [uri, name])).toEqual([
      ['change://add-code/design.md', 'add-code/design.md'],
      ['change://add-code/proposal.md', 'add-code/proposal.md'],
      ['change://add-code/specs/identity/login/spec.md', 'add-code/specs/identity/login/spec.md'],
      ['change://add-code/tasks.md', 'add-code/tasks.md'],
      ['skill://repo/kit/SKILL.md', 'kit'],
      ['spec://billing', 'billing'],
      ['spec://identity/login', 'identity/login'],
    ]);
    expect(resources.at(-1)).toMatchObject({
      title: 'Login',
      mimeType: 'text/markdown',
      size: LOGIN.length,
      description: expect.stringMatching(/^People prove/u),
    });
    const read = async (uri: string) => (await session.client.readResource({ uri })).contents;
    expect(await read('spec://identity/login')).toEqual([
      { uri: 'spec://identity/login', mimeType: 'text/markdown', text: LOGIN },
    ]);
    expect(await read('change://add-code/proposal.md')).toMatchObject([{ text: PROPOSAL }]);
    expect(await read('change://2026-01-02-old/proposal.md')).toMatchObject([{ text: PROPOSAL }]);
    expect(await read('skill://repo/kit/SKILL.md')).toMatchObject([{ text: expect.stringContaining('name: kit') }]);
  });

  test('the templates are listed and completed', async () => {
    await using session = await connect(way, FILES);
    const { resourceTemplates } = await session.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
      'agent://{agent}',
      'change://{+path}',
      'context://{agent}',
      'skill://{+path}',
      'spec://{+id}',
    ]);
    const complete = async (uri: string, name: string, value: string) =>
      (await session.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion
        .values;
    expect(await complete('spec://{+id}', 'id', '')).toEqual(['billing', 'identity/login']);
    expect(await complete('spec://{+id}', 'id', 'ID')).toEqual(['identity/login']);
    expect(await complete('change://{+path}', 'path', 'add-code/t')).toEqual(['add-code/tasks.md']);
    expect(await complete('skill://{+path}', 'path', '')).toEqual([]);
  });

  test('a URI is a key, never a path', async () => {
    await using session = await connect(way, {
      ...FILES,
      'project/openspec/secret.md': 'CANARY-7f3a91',
      'project/secret.md': 'CANARY-7f3a91',
    });
    const wrong = [
      'spec://nothing',
      'spec://identity',
      'spec://identity/login/spec.md',
      'spec://identity/login/',
      'spec://../secret.md',
      'spec://identity/../../secret.md',
      'spec://..%2f..%2fsecret',
      'spec://identity%2Flogin',
      'spec:///etc/passwd',
      'spec://%2e%2e/%2e%2e/secret.md',
      'change://add-code',
      'change://add-code/',
      'change://add-code/../../secret.md',
      'change://add-code/..%2f..%2fsecret.md',
      'change://add-code/.openspec.yaml',
      'change://add-code/specs',
      'change://archive/proposal.md',
      'change://__proto__/proposal.md',
    ];
    for (const uri of wrong) {
      const error: unknown = await session.client.readResource({ uri }).then(
        ({ contents }) => contents,
        (reason: unknown) => reason,
      );
      expect([uri, error]).toMatchObject([uri, { code: -32602 }]);
    }
  });

  test('ids that two roots share have different URIs', async () => {
    await using session = await connect(way, {
      'project/packages/one/openspec/specs/login/spec.md': LOGIN,
      'project/packages/two/openspec/specs/login/spec.md': BILLING,
      'project/packages/one/openspec/changes/add/proposal.md': PROPOSAL,
      'project/packages/two/openspec/changes/add/proposal.md': PROPOSAL,
    });
    const uris = await resourceUris(session);
    expect(uris).toEqual([
      'change://packages%2Fone%3Aadd/proposal.md',
      'change://packages%2Ftwo%3Aadd/proposal.md',
      'spec://packages/one:login',
      'spec://packages/two:login',
    ]);
    for (const uri of uris)
      expect((await session.client.readResource({ uri })).contents).toMatchObject([
        { uri, text: expect.stringMatching(/^# /u) },
      ]);
  });
});

describe.each(WAYS)('over %s', (way) => {
  test('the next call sees an added, edited or deleted spec or change, and the client is notified', async () => {
    await using session = await connect(way, FILES, SERVE);
    expect(await specIds(session)).toEqual(['billing', 'identity/login']);
    await resourceUris(session);
    // The folders are watched from the first look on; what happens in between is found by the look that follows.
    await new Promise((resolve) => setTimeout(resolve, 1_000));

    session.folder.write({ 'project/openspec/specs/shop/cart/spec.md': BILLING });
    expect(await specIds(session)).toEqual(['billing', 'identity/login', 'shop/cart']);
    expect(await session.nextNotification(RESOURCES_CHANGED)).toMatchObject({
      _meta: { 'lectern/reason': '1 spec added' },
    });
    expect(await resourceUris(session)).toContain('spec://shop/cart');

    session.folder.write({ 'project/openspec/specs/billing/spec.md': BILLING.replaceAll('month', 'week') });
    const asked = { spec_id: 'billing', requirement: 'Monthly invoice' };
    expect(textOf(await session.call('get_scenario', asked))).toContain('the week ends');
    expect(await session.nextNotification(RESOURCES_CHANGED)).toMatchObject({
      _meta: { 'lectern/reason': '1 spec edited' },
    });

    session.folder.write({ 'project/openspec/changes/add-code/tasks.md': '- [x] 1.1 All done\n' });
    expect(textOf(await session.call('list_changes', {}))).toContain('{"completed":1,"total":1}');
    expect(await session.nextNotification(RESOURCES_CHANGED)).toMatchObject({
      _meta: { 'lectern/reason': '1 change edited' },
    });

    rmSync(session.folder.at('project/openspec/specs/shop'), { recursive: true });
    rmSync(session.folder.at('project/openspec/changes/add-code'), { recursive: true });
    expect(await specIds(session)).toEqual(['billing', 'identity/login']);
    expect(textOf(await session.call('list_changes', {}))).toBe('{"changes":[]}');
    await expect.poll(() => resourceUris(session)).toEqual(['spec://billing', 'spec://identity/login']);
    expect(session.heard.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(false);
  });
});

test('the first specs of a project are seen by the next call', async () => {
  await using session = await connect('memory', { 'project/specs/readme.txt': 'no spec' });
  expect(await specIds(session)).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  session.folder.write(SPECS);
  expect(await specIds(session)).toEqual(['billing', 'identity/login']);
  rmSync(session.folder.at('project/openspec'), { recursive: true });
  expect(await specIds(session)).toEqual([]);
  session.folder.write({ 'project/specs/notes/spec.md': BILLING });
  expect(await specIds(session)).toEqual(['notes']);
});

test.each([['--no-watch'], ['--no-refresh']])('with %s a call looks for itself', async (flag) => {
  await using session = await connect('memory', FILES, { flags: [flag] });
  expect(await specIds(session)).toEqual(['billing', 'identity/login']);
  session.folder.write({ 'project/openspec/specs/late/spec.md': BILLING });
  expect(await specIds(session)).toEqual(['billing', 'identity/login', 'late']);
});

test('after one request for specs, a client is notified of changes', async () => {
  await using session = await connect('memory', FILES, { flags: ['--refresh-interval', '3600000'] });
  // The looks that follow the start are over by then.
  await session.client.listTools();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await specIds(session);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  session.folder.write({ 'project/openspec/changes/next/proposal.md': PROPOSAL });
  expect(await session.nextNotification(RESOURCES_CHANGED)).toMatchObject({
    _meta: { 'lectern/reason': '1 change added' },
  });
});

test('a recently requested archived change is reread at the next call', async () => {
  const file = 'project/openspec/changes/archive/2026-01-02-old/proposal.md';
  await using session = await connect('memory', { ...FILES, [file]: PROPOSAL }, SERVE);
  await specIds(session);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const word of ['First', 'Second', 'Third']) {
    session.folder.write({ [file]: `# ${word}\n` });
    expect(textOf(await session.call('list_changes', { archived: true }))).toContain(`"title":"${word}"`);
  }
});

test('a subscriber to a spec is notified only when its text changes', async () => {
  await using session = await connect('memory', FILES);
  await session.client.subscribeResource({ uri: 'spec://billing' });
  await expect(session.client.subscribeResource({ uri: 'spec://nothing' })).rejects.toMatchObject({ code: -32602 });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  session.folder.write({ 'project/openspec/specs/identity/login/spec.md': `${LOGIN}\n` });
  session.folder.write({ 'project/openspec/specs/billing/spec.md': `${BILLING}\n` });
  expect(await session.nextNotification('notifications/resources/updated')).toMatchObject({ uri: 'spec://billing' });
  expect(session.heard.filter(({ method }) => method === 'notifications/resources/updated')).toHaveLength(1);
});

test('specs are not scanned until a client requests them', async () => {
  await using session = await connect('memory', {
    ...FILES,
    'project/skills/kit/SKILL.md': skillText({ name: 'kit' }),
  });
  await session.skill('kit');
  session.folder.write({ 'project/skills/kit/SKILL.md': skillText({ name: 'kit', description: 'Another' }) });
  await session.nextNotification('notifications/tools/list_changed');
  session.folder.write({ 'project/openspec/specs/late/spec.md': BILLING });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(session.log.filter((line) => /\bspecs?\b/u.test(line))).toEqual([]);
  expect(session.heard.filter(({ method }) => method === RESOURCES_CHANGED)).toHaveLength(1);
  expect(await specIds(session)).toContain('late');
  await expect.poll(() => session.log).toContain('3 specs, 1 change');
});
