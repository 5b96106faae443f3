/** Hostile ids, names and files, through the tools. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connect, errorOf, type Session, textOf } from '../support/connect.ts';
import { BILLING, CHANGES, PROPOSAL, SPECS, WORDS_ONLY } from '../support/spec-files.ts';

const CANARY = 'CANARY-7f3a91';
const FILES = {
  ...SPECS,
  ...CHANGES,
  outside: CANARY,
  'project/secret/spec.md': CANARY,
  'project/secret/proposal.md': CANARY,
};
const SERVE = { command: ['mcp', 'serve'] };

/** The server still answers, and nothing that it must not tell was told. */
async function isWell(session: Session, replies: readonly string[]): Promise<void> {
  expect(textOf(await session.call('get_spec_requirements', { spec_id: 'billing' }))).toContain('Monthly invoice');
  const told = [...replies, ...session.log].join('\n');
  expect(told).not.toContain(CANARY);
  expect(told).not.toMatch(/\[object Object\]|undefined|\n {4}at /u);
}

test('ids that climb, absolute ones and encoded ones are not found', async () => {
  await using session = await connect('stdio', FILES, SERVE);
  const replies: string[] = [];
  const ids = [
    '../../secret',
    '../secret',
    'identity/../../../secret',
    session.folder.at('project/secret'),
    '/etc/passwd',
    'C:\\secret',
    '..%2f..%2fsecret',
    '%2e%2e/secret',
    '..%252fsecret',
    'billing/../billing',
    'billing\0',
    '\ud800',
    '__proto__',
    'constructor',
    'x'.repeat(256),
  ];
  for (const id of ids) {
    for (const [tool, args] of [
      ['get_spec_requirements', { spec_id: id }],
      ['get_scenario', { spec_id: id, requirement: 'Monthly invoice' }],
      ['validate_spec', { spec_id: id }],
      ['get_change', { change_id: id }],
      ['validate_change', { change_id: id }],
    ] as const) {
      const result = await session.call(tool, args);
      expect([tool, id, errorOf(result)]).toMatchObject([tool, id, { code: 'NOT_FOUND' }]);
      expect(textOf(result).length).toBeLessThan(1_000);
      replies.push(textOf(result));
    }
  }
  await isWell(session, replies);
});

describe('a project without specs', () => {
  test.each([
    ['no folder', {}],
    [
      'an empty folder',
      { 'project/openspec/project.md': '', 'project/openspec/specs/.keep': '', 'project/openspec/changes/.keep': '' },
    ],
  ])('%s: every list is empty and nothing fails', async (_, files) => {
    await using session = await connect('memory', { ...files, ...WORDS_ONLY });
    const ask = async (tool: string, args = {}) => (await session.call(tool, args)).structuredContent;
    expect(await ask('list_specs')).toEqual({ specs: [] });
    expect(await ask('list_changes')).toEqual({ changes: [] });
    expect(await ask('validate_spec')).toMatchObject({
      valid: true,
      errors: [],
      items: [],
      summary: 'No specs to validate.',
    });
    expect(await ask('validate_change')).toMatchObject({ valid: true, errors: [], items: [] });
    expect(await ask('rebuild_index')).toMatchObject({ documents: 0 });
    expect(await ask('search_specs', { query: 'anything' })).toMatchObject({ results: [] });
    expect((await session.client.listResources()).resources).toEqual([]);
  });
});

test('pipes, links that lead out and huge files are skipped with a reason', async () => {
  await using session = await connect('stdio', {
    ...FILES,
    'project/openspec/specs/link-out/spec.md': { link: '../../../../outside' },
    'project/openspec/specs/giant/spec.md': '',
    'project/openspec/changes/link-out': { link: '../../secret' },
    'project/openspec/changes/linked-file/proposal.md': { link: '../../../../outside' },
    'project/openspec/changes/archive/proposal.md': PROPOSAL,
  });
  truncateSync(session.folder.at('project/openspec/specs/giant/spec.md'), 3 * 1024 ** 3);
  mkdirSync(session.folder.at('project/openspec/specs/pipe'));
  execFileSync('mkfifo', [session.folder.at('project/openspec/specs/pipe/spec.md')]);
  const replies: string[] = [];
  const ask = async (tool: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    const result = await session.call(tool, args);
    replies.push(textOf(result));
    return result.structuredContent ?? { error: errorOf(result) };
  };
  expect(await ask('list_specs')).toMatchObject({ specs: [{ id: 'billing' }, { id: 'identity/login' }] });
  expect(await ask('list_changes')).toMatchObject({ changes: [{ id: 'add-code' }, { id: 'linked-file' }] });
  expect(await ask('get_change', { change_id: 'linked-file' })).toMatchObject({ proposal: '' });
  expect(await ask('get_change', { change_id: 'archive' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
  await ask('validate_spec');
  await ask('validate_change');
  await ask('validate_change', { archived: true });
  for (const code of ['spec-symlink-outside', 'spec-not-a-regular-file', 'spec-too-large', 'change-named-archive']) {
    expect([code, replies.join('\n').includes(`"code":"${code}"`)]).toEqual([code, true]);
  }
  await expect
    .poll(() => session.log.join('\n'))
    .toMatch(/pipe\/spec\.md[\s\S]*not a regular file|not a regular file[\s\S]*pipe/u);
  await isWell(session, replies);
});

test('names that look like patterns, prototypes or quotes match exactly; two of one name are ambiguous', async () => {
  const names = ['(a+)+$', '__proto__', 'constructor', 'He said "no" & \'yes\'', '.*', '$&'];
  const spec = [
    '# Names\n\n## Purpose\nNames that look like something else are still only names.\n\n## Requirements\n',
    ...[...names, 'Twice', 'Twice'].map(
      (name) =>
        `### Requirement: ${name}\nIt SHALL hold.\n\n#### Scenario: ${name}\n- **WHEN** a\n- **THEN** ${name}\n`,
    ),
  ].join('\n');
  await using session = await connect('memory', {
    ...FILES,
    'project/openspec/specs/names/spec.md': spec,
    'project/openspec/changes/proto/proposal.md': PROPOSAL,
    'project/openspec/changes/proto/specs/__proto__/spec.md': '## REMOVED Requirements\n\n### Requirement: X\n',
  });
  const replies: string[] = [];
  for (const name of names) {
    const result = await session.call('get_scenario', { spec_id: 'names', requirement: name, scenario: name });
    expect(result.structuredContent).toMatchObject({ requirement: name, name, then: [name] });
    replies.push(textOf(result));
  }
  const twice = await session.call('get_scenario', { spec_id: 'names', requirement: 'twice' });
  expect(errorOf(twice)).toMatchObject({
    code: 'AMBIGUOUS',
    suggestions: [/^Twice \(line \d+\)$/u, /^Twice \(line \d+\)$/u].map((form) => expect.stringMatching(form)),
  });
  const [first = ''] = /Twice \(line \d+\)/u.exec(textOf(twice)) ?? [];
  expect(
    (await session.call('get_scenario', { spec_id: 'names', requirement: first })).structuredContent,
  ).toMatchObject({ name: 'Twice' });
  const started = process.cpuUsage();
  await session.call('get_scenario', { spec_id: 'names', requirement: `${'a'.repeat(5_000)}!` });
  const { user } = process.cpuUsage(started);
  const hostile = process.cpuUsage();
  for (let round = 0; round < 20; round++) await session.call('get_scenario', { spec_id: 'names', requirement: 'a' });
  // A pattern would take for ever; a comparison takes about as long as any other call.
  expect(user).toBeLessThan(Math.max(200_000, 20 * process.cpuUsage(hostile).user));
  expect(textOf(await session.call('get_change', { change_id: 'proto', section: 'deltas' }))).toContain(
    '"__proto__":{"added":[]',
  );
  await isWell(session, replies);
});

describe('search without a usable index', () => {
  test('explains how to build one, for any query', async () => {
    await using session = await connect('stdio', FILES, SERVE);
    const replies: string[] = [];
    for (const query of ['invoice', '(a+)+$', '\0', '"', 'x'.repeat(2_000), '发票']) {
      const result = await session.call('search_specs', { query });
      expect([query, errorOf(result)]).toMatchObject([
        query,
        { code: 'NO_INDEX', hint: expect.stringContaining('lectern index') },
      ]);
      replies.push(textOf(result));
    }
    await isWell(session, replies);
  });

  test('an index that an earlier version left in the project does not count', async () => {
    await using session = await connect('memory', { ...FILES, 'project/.lectern/index/current.json': '{}' }, SERVE);
    expect((await session.call('search_specs', { query: 'invoice' })).isError).toBe(true);
    await session.call('rebuild_index', {});
    expect((await session.call('search_specs', { query: 'invoice' })).structuredContent).toMatchObject({
      results: [{ spec_id: 'billing' }],
    });
  });
});

test('a spec of a hundred thousand lines does not keep the others waiting for long', async () => {
  const long = Array.from(
    { length: 5_000 },
    (_, index) => `### Requirement: R${index}\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`,
  ).join('\n');
  await using session = await connect(
    'memory',
    { ...FILES, 'project/openspec/specs/long/spec.md': `${BILLING}\n${long}` },
    SERVE,
  );
  const answers = await Promise.all([
    session.call('get_spec_requirements', { spec_id: 'long' }),
    session.call('list_changes', {}),
  ]);
  expect(answers.map(({ isError }) => isError ?? false)).toEqual([false, false]);
});
