/** Signals at any moment of a server's life, from its first statement on. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { folderFlags } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { CLI } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';

const MARKER = path.join(import.meta.dirname, '../support/marked-start.cjs');
const MOMENTS = 30;
const AT_ONCE = 5;
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start(args: readonly string[], folder: TempFolder, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--require', MARKER, CLI, ...args], {
    cwd: folder.at('project'),
    env: { PATH: process.env['PATH'], HOME: folder.at('home'), ...environment },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  started.push(child);
  const [, stdout, stderr, marker] = child.stdio as unknown as [unknown, Readable, Readable, Readable];
  let log = '';
  stderr.setEncoding('utf8').on('data', (text: string) => void (log += text));
  child.stdin?.on('error', () => undefined);
  stdout.resume();
  return {
    child,
    stdout,
    /** Resolves with the first byte of the marker. */
    started: once(marker, 'data'),
    exited: once(child, 'close') as Promise<[code: number | null, signal: string | null]>,
    log: () => log,
  };
}

type Started = ReturnType<typeof start>;

const SERVERS = {
  stdio: {
    flags: [],
    async firstReply({ child, stdout }: Started) {
      child.stdin?.write(`${INITIALIZE}\n`);
      await once(stdout, 'data');
    },
  },
  http: {
    flags: ['--transport', 'http', '--port', '0'],
    async firstReply(server: Started) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      await fetch(await urlOf(server), { method: 'POST', body: INITIALIZE, headers });
    },
  },
  sse: {
    flags: ['--transport', 'sse', '--port', '0'],
    async firstReply(server: Started) {
      const stream = await fetch(await urlOf(server), { headers: { accept: 'text/event-stream' } });
      await stream.body?.getReader().read();
    },
  },
};

async function urlOf({ log }: Started): Promise<string> {
  const found = (): string | undefined => /at (http:\S+?);/u.exec(log())?.[1];
  await expect.poll(found, { interval: 1 }).toBeDefined();
  return found() ?? '';
}

describe.each(['stdio', 'http', 'sse'] as const)('a server over %s', (kind) => {
  const { flags, firstReply } = SERVERS[kind];

  test('a signal at 30 moments up to the first reply ends it with the shutdown message and exit code 0', async () => {
    using folder = project({ 'project/skills/good/SKILL.md': skillText({ name: 'good' }) }, 'disk');
    const args = ['mcp', ...folderFlags(folder), ...flags];
    const sample = start(args, folder);
    await sample.started;
    const startedAt = performance.now();
    await firstReply(sample);
    const wholeMs = performance.now() - startedAt;
    sample.child.kill('SIGTERM');
    expect(await sample.exited).toEqual([0, null]);

    const endAt = async (moment: number): Promise<void> => {
      const signal = moment % 2 === 0 ? 'SIGTERM' : 'SIGINT';
      const server = start(args, folder);
      await server.started;
      // Whether it is answered depends on the moment.
      void firstReply(server).catch(() => undefined);
      if (moment > 0) await new Promise((resolve) => setTimeout(resolve, (wholeMs * moment) / (MOMENTS - 1)));
      server.child.kill(signal);
      expect([moment, await server.exited, server.log()]).toEqual([
        moment,
        [0, null],
        expect.stringMatching(new RegExp(`lectern: ${signal}: shutting down\n(?:.*\n)*lectern: stopped\n`, 'u')),
      ]);
    };
    for (let moment = 0; moment < MOMENTS; moment += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => endAt(moment + index)));
  });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s before a server has loaded anything ends it with the message and exit code 0',
  async (signal) => {
    using folder = project({}, 'disk');
    folder.write({ 'project/x': '', 'home/x': '' });
    const servers = [['mcp'], ['mcp', 'serve'], ['mcp-server'], ['web', '--port', '0'], ['--json', 'mcp']];
    for (const args of servers) {
      const server = start(args, folder, { TEST_SIGNAL_AT_START: signal });
      expect(await server.exited).toEqual([0, null]);
      expect(server.log()).toMatch(new RegExp(`lectern: ${signal}: shutting down\nlectern: stopped\n$`, 'u'));
    }
  },
);

test('other commands end by the signal as usual, even if one of their words is the name of a server', async () => {
  using folder = project({}, 'disk');
  folder.write({ 'project/x': '', 'home/x': '' });
  const search = start(['search', 'mcp'], folder, { TEST_SIGNAL_AT_START: 'SIGTERM' });
  expect(await search.exited).toEqual([null, 'SIGTERM']);
});

test('signals are held from the start for every command that serves', () => {
  const bin = ['mcp', 'mcp-server', 'web', 'serve'];
  const serving = COMMANDS.filter(({ serves }) => serves).map(({ name }) => name.split(' ')[0]);
  expect(new Set(serving)).toEqual(new Set(bin));
});
