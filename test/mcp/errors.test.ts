/** Errors while a request is answered: what the client gets, and what standard error gets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { describe, expect, inject, test } from 'vitest';
import { logTo } from '../../src/cli/commands/mcp.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { FileTrouble } from '../../src/core/disk/tree.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { CallLog } from '../../src/mcp/call-log.ts';
import { serve } from '../../src/server/serve-workspace.ts';
import { readSettings } from '../../src/workspace/settings.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { connect, errorOf, folderFlags, LinesTransport, textOf } from '../support/connect.ts';
import { CLI } from '../support/run-lectern.ts';
import { project, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { CAP } from '../support/spec-text.ts';

const TRANSPORTS = ['stdio', 'http', 'sse'] as const;
type TransportKind = (typeof TRANSPORTS)[number];

function httpTransport(kind: TransportKind, log: readonly string[]): Transport {
  const url = new URL(/at (http:\S+?);/u.exec(log.join('\n'))?.[1] ?? '');
  return kind === 'http' ? new StreamableHTTPClientTransport(url) : new SSEClientTransport(url);
}

async function clientOf(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

describe.each(TRANSPORTS)('a bug while a request is answered, over %s', (kind) => {
  /** Every read of a file fails once the server has started, as a bug would. */
  async function startBroken() {
    const folder = project({ 'project/skills/good/SKILL.md': skillText({ name: 'good' }) }, 'disk');
    const options = { projectDir: folder.at('project'), userDir: folder.at('home') };
    const disk: Disk = {
      ...nodeDisk,
      read: () => {
        throw new TypeError(`secret of ${folder.dir}`);
      },
    };
    const log: string[] = [];
    const [input, output] = [new PassThrough(), new PassThrough()];
    const running = await serve({
      open: () => Workspace.open(options, disk),
      settings: readSettings(nodeDisk, options).settings,
      findSpecs: () => false,
      log: logTo({ say: (line) => void log.push(line) }),
      transport:
        kind === 'stdio' ? { kind, input, output } : { kind, host: '127.0.0.1', port: 0, tokens: [], allowedHosts: [] },
    });
    const client = await clientOf(kind === 'stdio' ? new LinesTransport(output, input) : httpTransport(kind, log));
    return {
      client,
      log,
      async [Symbol.asyncDispose]() {
        await client.close();
        await running.close();
        folder[Symbol.dispose]();
      },
    };
  }

  test('the client gets a neutral sentence with an id, and the log has the stack under that id', async () => {
    await using server = await startBroken();
    const result = await server.client.callTool({ name: 'skill', arguments: { name: 'good' } });
    const id = /\(error (?<id>[0-9a-f]{8})\)/u.exec(textOf(result))?.groups?.['id'] ?? 'none';
    expect(errorOf(result)).toMatchObject({ code: 'INTERNAL', id });
    expect(JSON.stringify(result)).not.toMatch(/secret|TypeError/u);
    const log = server.log.join('\n');
    expect(log).toMatch(new RegExp(`skill failed\ninternal error ${id}: TypeError: secret of .*\n +at `, 'u'));
  });

  test.each([
    ['resources/read', (client: Client) => client.readResource({ uri: 'skill://agents/good/SKILL.md' })],
    ['prompts/get', (client: Client) => client.getPrompt({ name: 'good' })],
  ])('%s also hides the message and logs the stack', async (method, request) => {
    await using server = await startBroken();
    await server.client.listPrompts();
    const uri = (await server.client.listResources()).resources[0]?.uri ?? '';
    const answer = method === 'resources/read' ? server.client.readResource({ uri }) : request(server.client);
    const error = await answer.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32_603, message: expect.stringMatching(/\(error [0-9a-f]{8}\)\.$/u) });
    const id = /\(error (?<id>[0-9a-f]{8})\)/u.exec(String(error))?.groups?.['id'] ?? 'none';
    expect(server.log.join('\n')).toMatch(
      new RegExp(`${method} failed\ninternal error ${id}: TypeError: secret of .*\n +at `, 'u'),
    );
  });
});

describe('a file that vanishes', () => {
  test('a file that vanishes between the list and the call is reported as not found', async () => {
    await using session = await connect('memory', {
      'project/skills/gone/SKILL.md': skillText({ name: 'gone' }),
      'project/skills/good/SKILL.md': skillText({ name: 'good' }),
    });
    await session.description();
    session.folder[Symbol.dispose]();
    expect(textOf(await session.skill('gone'))).toContain("Skill 'gone' not found.");
  });
});

describe('foreseen failures', () => {
  test('a failed call is logged with its tool, code and message', async () => {
    await using session = await connect('memory', { 'project/skills/good/SKILL.md': skillText({ name: 'good' }) });
    await session.skill('nonexistent');
    await session.call('skill', {});
    await session.client.readResource({ uri: 'skill://nowhere/none/SKILL.md' }).catch(() => undefined);
    expect(session.log).toContain("skill: NOT_FOUND: Skill 'nonexistent' not found.");
    expect(session.log.join('\n')).toMatch(/^skill: USAGE: Invalid params \(-32602\): name is required/mu);
    expect(session.log.join('\n')).toMatch(/^resources\/read: -32602: Resource not found/mu);
  });

  test('a call that succeeds logs nothing', async () => {
    await using session = await connect('memory', { 'project/skills/good/SKILL.md': skillText({ name: 'good' }) });
    await session.description();
    const before = [...session.log];
    await session.skill('good');
    await session.call('skills_list', { includeBody: true });
    await session.call('skills_search', { query: 'good' });
    expect(session.log).toEqual(before);
  });
});

test('each request logs its failed reads, ten one by one and the rest as a number', async () => {
  const lines: string[] = [];
  const calls = new CallLog(logTo({ say: (line) => void lines.push(line) }), { logsFailures: true });
  const fail = (number: number): void => {
    for (let index = 1; index <= number; index++)
      calls.failedRead(new FileTrouble('not-permitted', `/p/${index}`, undefined, 'EACCES'));
  };
  fail(1);
  expect(lines).toEqual([]);
  await calls.during('first', async () => {
    fail(1);
    await calls.during('second', async () => fail(12));
  });
  expect(lines.slice(0, 3)).toEqual([
    'first: UNREADABLE: permission denied (EACCES, /p/1)',
    'second: UNREADABLE: permission denied (EACCES, /p/1)',
    'first, second: UNREADABLE: permission denied (EACCES, /p/2)',
  ]);
  expect(lines.slice(-2)).toEqual(['second: UNREADABLE: 2 more paths', 'first: UNREADABLE: 2 more paths']);
  expect(lines).toHaveLength(1 + 10 + 2);
});

const user = inject('ordinaryUser');

describe.skipIf(!user).each(TRANSPORTS)('files that may not be read, over %s', (kind) => {
  const FILES: ProjectFiles = {
    'project/skills/good/SKILL.md': skillText({ name: 'good', body: 'All is well.' }),
    'project/skills/good/references/guide.md': 'A guide.',
    'project/skills/shut/SKILL.md': skillText({ name: 'shut' }),
    'project/skills/locked/SKILL.md': skillText({ name: 'locked' }),
    'project/openspec/specs/auth/spec.md': CAP,
    'project/openspec/specs/pay/spec.md': CAP,
    'project/openspec/changes/add-login/proposal.md': '# Add login\n',
    'project/openspec/changes/add-login/tasks.md': '- [ ] Do it\n',
  };

  async function start() {
    const folder = project(FILES, 'disk');
    const { node, cli, ids } = user ?? { node: process.execPath, cli: CLI, ids: undefined };
    const flags = kind === 'stdio' ? [] : ['--transport', kind, '--port', '0'];
    const child = spawn(node, [cli, 'mcp', ...folderFlags(folder), '--no-refresh', ...flags], {
      cwd: folder.at('project'),
      ...ids,
      env: { PATH: process.env['PATH'], HOME: folder.at('home') },
    });
    const log: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => void log.push(text));
    const exited = once(child, 'close');
    if (kind !== 'stdio') await expect.poll(() => log.join('')).toMatch(/at http:\S+?;/u);
    const client = await clientOf(
      kind === 'stdio' ? new LinesTransport(child.stdout, child.stdin) : httpTransport(kind, log),
    );
    await client.listTools();
    return {
      client,
      close: (place: string) => chmodSync(folder.at(`project/${place}`), 0o000),
      at: (place: string) => folder.at(`project/${place}`),
      log: () => log.join(''),
      call: (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args }),
      /** Resolves when the log has the line: the code, the place and the tool. */
      async logged(...parts: string[]) {
        await expect
          .poll(() =>
            log
              .join('')
              .split('\n')
              .some((line) => parts.every((part) => line.includes(part))),
          )
          .toBe(true);
      },
      async [Symbol.asyncDispose]() {
        await client.close();
        child.kill('SIGKILL');
        await exited;
        for (const place of Object.keys(FILES))
          for (let at = place; at !== '.'; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '.')
            try {
              chmodSync(folder.at(at), 0o755);
            } catch {
              // A folder above it is still closed; the next round opens it.
            }
        folder[Symbol.dispose]();
      },
    };
  }

  test('a failed read of a skill is logged at the call with code and path, and the client gets the message', async () => {
    await using server = await start();
    server.close('skills/shut/SKILL.md');
    const file = server.at('skills/shut/SKILL.md');
    const result = await server.call('skill', { name: 'shut' });
    expect(errorOf(result)).toMatchObject({ code: 'UNREADABLE' });
    expect(textOf(result)).toContain(`Skill 'shut' cannot be read: permission denied (${file}).`);
    await server.logged('skill: UNREADABLE', 'EACCES', file);
    await server.call('skills_list', { includeBody: true });
    await server.logged('skills_list: UNREADABLE', 'EACCES', file);
    await server.call('skills_search', { query: 'anything' });
    await server.logged('skills_search: UNREADABLE', 'EACCES', file);
  });

  test('a folder that cannot be read is named instead of "not found", also at the second call', async () => {
    await using server = await start();
    server.close('skills/locked');
    for (let round = 0; round < 2; round++) {
      const result = await server.call('skill', { name: 'locked' });
      expect(errorOf(result)).toMatchObject({ code: 'UNREADABLE' });
      expect(textOf(result)).toContain(server.at('skills/locked'));
      expect(textOf(result)).not.toContain('not found');
    }
    await server.logged('skill: UNREADABLE', server.at('skills/locked'));
    server.close('skills/good/references');
    const file = await server.call('skill_file', { name: 'good', path: 'references/guide.md' });
    expect(errorOf(file)).toMatchObject({ code: 'UNREADABLE' });
    expect(textOf(file)).toContain(server.at('skills/good/references'));
    const { resources } = await server.client.listResources();
    const uri = (resources.find(({ name }) => name === 'good')?.uri ?? '').replace('SKILL.md', 'references/guide.md');
    await expect(server.client.readResource({ uri })).rejects.toThrow(server.at('skills/good/references'));
    server.close('skills');
    expect(textOf(await server.call('skill', { name: 'never-seen' }))).toContain(server.at('skills'));
  });

  test('specs and changes that cannot be read are named instead of "not found" or empty', async () => {
    await using server = await start();
    const refusal = async (tool: string, args: Record<string, unknown>, place: string) => {
      const result = await server.call(tool, args);
      expect([tool, errorOf(result)]).toMatchObject([tool, { code: 'UNREADABLE' }]);
      expect(textOf(result)).toContain(server.at(place));
      await server.logged(`${tool}: UNREADABLE`, server.at(place));
    };
    server.close('openspec/specs/auth/spec.md');
    await refusal('get_spec_requirements', { spec_id: 'auth' }, 'openspec/specs/auth/spec.md');
    server.close('openspec/specs/pay');
    await refusal('validate_spec', { spec_id: 'pay' }, 'openspec/specs/pay');
    await refusal('list_specs', {}, 'openspec/specs/auth/spec.md');
    await expect(server.client.readResource({ uri: 'spec://pay' })).rejects.toThrow(server.at('openspec/specs/pay'));
    server.close('openspec/changes/add-login/proposal.md');
    await refusal('get_change', { change_id: 'add-login' }, 'openspec/changes/add-login/proposal.md');
    expect(textOf(await server.call('get_change', { change_id: 'add-login', section: 'tasks' }))).toContain('Do it');
    server.close('openspec/changes');
    await refusal('get_change', { change_id: 'add-login' }, 'openspec/changes');
    await refusal('list_changes', {}, 'openspec/changes');
    server.close('openspec');
    await refusal('list_specs', {}, 'openspec/specs');
  });
});
