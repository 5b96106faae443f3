import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/all.ts';
import type { Server } from '../../src/clients/client.ts';
import { launchServer } from '../../src/clients/launch.ts';
import { snippetFor } from '../../src/clients/snippet.ts';
import { clientStates } from '../../src/clients/states.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { ask } from '../support/ask.ts';
import { CLIENT_SCOPES } from '../support/client-scopes.ts';

const WHERE = { projectDir: PROJECT, userDir: HOME, environment: {}, platform: 'linux' };
const CURSOR = `${PROJECT}/.cursor/mcp.json`;
const states = async (files: ProjectFiles, platform = 'linux') =>
  clientStates(
    (await project(files).open()).disk,
    { projectDir: PROJECT, projectRoot: PROJECT, userDir: HOME },
    platform,
  );
const inCursor = async (entry: unknown, name = 'lectern', more: Record<string, string> = {}) =>
  (await states({ [CURSOR]: JSON.stringify({ mcpServers: { other: { command: 'o' }, [name]: entry } }), ...more }))[0];

describe.each(CLIENT_SCOPES.filter(([name]) => CLIENTS[name].format !== 'yaml'))('%s, %s', (name, scope) => {
  const client = CLIENTS[name];
  const file = client.files(scope, WHERE)?.at(-1) ?? '';
  const found = async (text: string) =>
    (await states({ [file]: text })).find((each) => each.client === name && each.scope === scope);

  test.each([
    ['the published package', launchServer({ platform: 'linux', flags: ['--no-plugins'] })],
    ...(client.startsOnly
      ? []
      : [['an address', { transport: 'http', url: 'http://127.0.0.1:3000/mcp' }] satisfies [string, Server]]),
  ])('the entry that setup writes for %s is recognized', async (_, server) => {
    expect(await found(snippetFor(client, 'lectern', server, scope))).toEqual({
      client: name,
      title: client.title,
      scope,
      file,
      name: 'lectern',
      state: 'present',
    });
  });

  test('without an entry it is absent, and a file that cannot be read is named', async () => {
    expect(await found('')).toMatchObject({ state: 'absent' });
    // Where setup would refuse to write, "not set up" would be half the truth.
    if (client.format === 'json')
      expect(await found('[]')).toMatchObject({
        state: 'unreadable',
        reason: 'the document is not an object',
        line: 1,
      });
    expect(await found('{ = ')).toMatchObject({
      state: 'unreadable',
      reason: expect.stringMatching(/^not (?:JSON|TOML)/u),
    });
  });
});

describe('an entry', () => {
  test.each([
    [{ command: 'lectern', args: ['mcp'] }, { state: 'unknown' }],
    [{ command: 'npx', args: ['-y', 'lectern@0.1', 'mcp'] }, { state: 'unknown' }],
    [
      { command: 'npx', args: ['-y', 'lectern', 'serve'] },
      { state: 'outdated', reason: expect.stringContaining('lectern mcp') },
    ],
    [
      { command: 'npx', args: ['lectern', 'mcp'] },
      { state: 'unknown', reason: expect.stringContaining('lectern setup cursor') },
    ],
    [
      { command: 'node', args: ['/gone/dist/cli.js', 'mcp'] },
      { state: 'outdated', reason: expect.stringContaining('/gone/dist/cli.js') },
    ],
    [
      { command: '/gone/bin/node', args: ['/here/dist/cli.js', 'mcp'] },
      { state: 'outdated', reason: 'the entry starts /gone/bin/node, which is not installed' },
    ],
    [{ command: 'npx', args: ['-y', 'lectern', 'mcp'], disabled: true }, { state: 'off' }],
    ['lectern mcp', { state: 'outdated' }],
  ])('%j', async (entry, expected) => {
    expect(await inCursor(entry)).toMatchObject(expected);
  });

  test('of an installation that is there is present', async () => {
    expect(
      await inCursor({ command: 'node', args: ['/here/dist/cli.js', 'mcp'] }, 'lectern', { '/here/dist/cli.js': '' }),
    ).toMatchObject({
      state: 'present',
    });
  });

  test('under another name is recognized by its command', async () => {
    expect(await inCursor({ command: 'npx', args: ['-y', 'lectern', 'mcp'] }, 'skills')).toMatchObject({
      state: 'present',
      name: 'skills',
    });
    expect(await inCursor({ command: 'npx', args: ['-y', 'another', 'mcp'] }, 'skills')).toMatchObject({
      state: 'absent',
    });
  });

  test('that starts npx directly differs from the Windows setup', async () => {
    const file = {
      [CURSOR]: JSON.stringify({ mcpServers: { lectern: { command: 'npx', args: ['-y', 'lectern', 'mcp'] } } }),
    };
    expect(await states(file, 'win32')).toMatchObject([{ state: 'unknown' }]);
  });
});

test('doctor counts an unusable configuration and an entry that starts a missing file as problems', async () => {
  const workspace = await project({
    [`${HOME}/.codex/config.toml`]: 'model = \n',
    [`${PROJECT}/.vscode/mcp.json`]: '[]',
    [CURSOR]: JSON.stringify({
      mcpServers: { skills: { command: 'node', args: ['/gone/lectern/dist/cli.js', 'mcp'] } },
    }),
    [`${PROJECT}/.mcp.json`]: JSON.stringify({
      mcpServers: { lectern: { command: 'lectern', args: ['mcp'], disabled: true } },
    }),
  }).open();
  const data = await ask(doctor, {}, workspace);
  expect(data.counts).toMatchObject({ errors: 0, warnings: 3 });
  expect(data.diagnostics).toMatchObject([
    {
      code: 'client-config-unusable',
      severity: 'warning',
      path: `${HOME}/.codex/config.toml`,
      line: 1,
      fix: 'Correct the file, then run lectern setup codex --scope user --write.',
    },
    {
      code: 'client-entry-outdated',
      path: CURSOR,
      message: 'the entry starts /gone/lectern/dist/cli.js, which is missing',
      fix: 'Run lectern setup cursor --scope project --name skills --write --force. Add --dry-run to preview the change.',
    },
    {
      code: 'client-config-unusable',
      path: `${PROJECT}/.vscode/mcp.json`,
      line: 1,
      message: 'the document is not an object',
    },
  ]);
});

test('an entry whose command is not on the path does not work', async () => {
  const entry = { mcpServers: { lectern: { command: 'npx', args: ['-y', 'lectern', 'mcp'] } } };
  const place = project({ [CURSOR]: JSON.stringify(entry), '/bin/npx': '' });
  const at = (PATH: string) =>
    clientStates(
      place.disk,
      { projectDir: PROJECT, projectRoot: PROJECT, userDir: HOME, environment: { PATH } },
      'linux',
    );
  expect(at('/bin')).toMatchObject([{ state: 'present' }]);
  expect(at('/usr/bin')).toMatchObject([{ state: 'outdated', reason: 'the entry starts npx, which is not installed' }]);
});

test('doctor reports every existing file, and shows no secrets', async () => {
  const workspace = await project({
    [CURSOR]: '{"mcpServers":{"lectern":{"command":"npx","args":["-y","lectern","mcp"],"env":{"KEY":"CANARY"}}}}',
    [`${HOME}/.codex/config.toml`]: 'model = "x"\n',
    [`${PROJECT}/.vscode/mcp.json`]: { link: 'nowhere' },
  }).open();
  const data = await ask(doctor, {}, workspace);
  expect(data.clients).toMatchObject([
    { client: 'codex', scope: 'user', state: 'absent' },
    { client: 'cursor', scope: 'project', state: 'present' },
    { client: 'vscode', scope: 'project', state: 'unreadable' },
  ]);
  expect(JSON.stringify(data)).not.toContain('CANARY');
});
