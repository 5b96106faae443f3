/** The process at the end of a pipe: what it reads, what it writes, and how it ends. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { describe, expect, inject, test, vi } from 'vitest';
import { isRecord } from '../../src/core/json-file.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFile } from '../support/temp-folder.ts';
import { folderFlags } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { CLI } from '../support/run-lectern.ts';

const GOOD = { 'project/skills/good/SKILL.md': skillText({ name: 'good', body: 'All is well.' }) };
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

interface Reply {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

interface PipeOptions {
  command?: string[];
  flags?: string[];
  env?: Record<string, string>;
  /** Files that nobody may read. */
  closed?: string[];
}

class Pipe implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  stderr = '';
  readonly #folder;
  readonly exited: Promise<[code: number | null, signal: string | null]>;

  constructor(
    files: Record<string, TempFile> = GOOD,
    { command = ['mcp'], flags = [], env = {}, closed = [] }: PipeOptions = {},
  ) {
    this.#folder = project(files, 'disk');
    for (const place of closed) chmodSync(this.#folder.at(place), 0o000);
    // Root may read everything, so permissions are tried out as an ordinary user.
    const user = closed.length > 0 ? inject('ordinaryUser') : undefined;
    const { node, cli, ids } = user ?? { node: process.execPath, cli: CLI };
    this.child = spawn(node, [cli, ...command, ...folderFlags(this.#folder), ...flags], {
      cwd: this.#folder.at('project'),
      ...ids,
      env: { PATH: process.env['PATH'], HOME: this.#folder.at('home'), ...env },
    });
    let rest = '';
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.lines.push(...lines);
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => void (this.stderr += text));
    this.child.stdin.on('error', () => undefined);
    // Not at `exit`: what it wrote last may still be on its way then.
    this.exited = once(this.child, 'close').then(([code, signal]) => [code, signal]);
  }

  add(files: Record<string, TempFile>): void {
    this.#folder.write(files);
  }

  write(...messages: unknown[]): void {
    for (const message of messages)
      this.child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  }

  request(id: unknown, method: string, params?: unknown): void {
    this.write({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
  }

  load(id: unknown, name = 'good'): void {
    this.request(id, 'tools/call', { name: 'skill', arguments: { name } });
  }

  initialize(protocolVersion = '2025-06-18'): void {
    this.request('init', 'initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Every line so far; throws where one is not a JSON-RPC message. */
  get replies(): Reply[] {
    return this.lines.map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isRecord(value) || value['jsonrpc'] !== '2.0') throw new Error(`not JSON-RPC: ${line}`);
      return value;
    });
  }

  async until(check: (replies: Reply[]) => boolean): Promise<Reply[]> {
    await vi.waitUntil(() => check(this.replies), { timeout: 120_000, interval: 20 });
    return this.replies;
  }

  async reply(id: unknown): Promise<Reply> {
    const replies = await this.until((all) => all.some((each) => each.id === id));
    return replies.find((each) => each.id === id) ?? {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.exited;
    this.#folder[Symbol.dispose]();
  }
}

function textOf({ result }: Reply): string {
  const content = result?.['content'];
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return isRecord(first) && typeof first['text'] === 'string' ? first['text'] : '';
}

describe('input', () => {
  test('lines that are no message are answered, and the next request is served', async () => {
    await using pipe = new Pipe();
    pipe.initialize();
    pipe.write('{not json}\n', '42\n', 'null\n', '[]\n', '{"a":1}\n', '\n', '   \r\n');
    pipe.load(7);
    expect(textOf(await pipe.reply(7))).toContain('All is well.');
    const codes = pipe.replies.filter(({ id }) => id === null).map(({ error }) => error?.code);
    expect(codes).toEqual([-32700, -32600, -32600, -32600, -32600]);
    await expect.poll(() => pipe.stderr).toContain('the message is not JSON');
  });

  test('a line beyond the limit is answered and skipped', async () => {
    await using pipe = new Pipe();
    pipe.initialize();
    pipe.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(11 * 1024 * 1024)}"}\n`);
    pipe.load(2);
    expect(textOf(await pipe.reply(2))).toContain('All is well.');
    expect(pipe.replies.find(({ id }) => id === null)?.error?.code).toBe(-32700);
  });

  test('bytes one by one, CRLF, a batch, and a hundred requests in one write', async () => {
    await using pipe = new Pipe();
    pipe.initialize();
    for (const character of '{"jsonrpc":"2.0","id":"slow","method":"ping"}\r\n') pipe.write(character);
    await pipe.reply('slow');
    pipe.write([
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', id: 'b', method: 'ping' },
    ]);
    pipe.write(
      Array.from({ length: 100 }, (_, id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`).join(''),
    );
    const replies = await pipe.until((all) => all.length === 104);
    expect(replies.filter(({ id }) => typeof id === 'number').map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, id) => id),
    );
  });

  test('odd ids, cancellations of nothing and unknown methods do no harm', async () => {
    await using pipe = new Pipe();
    pipe.initialize();
    pipe.write(
      '{"jsonrpc":"2.0","id":null,"method":"ping"}\n',
      '{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n',
      '{"jsonrpc":"2.0","id":1e400,"method":"ping"}\n',
    );
    pipe.request('x'.repeat(1024 * 1024), 'ping');
    pipe.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never' } });
    pipe.write({ jsonrpc: '2.0', method: 'notifications/nonsense' }, { jsonrpc: '2.0', id: 99, result: {} });
    pipe.request('unknown', 'no/such');
    expect((await pipe.reply('unknown')).error?.code).toBe(-32601);
    pipe.load('end');
    expect(textOf(await pipe.reply('end'))).toContain('All is well.');
  });

  test('arguments nested fifty thousand deep, and a prototype for arguments, load nothing', async () => {
    await using pipe = new Pipe();
    pipe.initialize();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    pipe.write(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"skill","arguments":{"name":${deep}}}}\n`,
    );
    pipe.write(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"skill","arguments":{"__proto__":{"name":"good"}}}}\n',
    );
    const [first, second] = [await pipe.reply(1), await pipe.reply(2)];
    for (const reply of [first, second]) expect(textOf(reply)).not.toContain('All is well.');
    pipe.load(3);
    expect(textOf(await pipe.reply(3))).toContain('All is well.');
  });
});

describe('both eras', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'a client of %s gets its version back, and the tools',
    async (version) => {
      await using pipe = new Pipe();
      pipe.initialize(version);
      expect((await pipe.reply('init')).result).toMatchObject({
        protocolVersion: version,
        capabilities: { tools: { listChanged: true } },
      });
      pipe.request(1, 'tools/list');
      expect((await pipe.reply(1)).result).toMatchObject({
        tools: expect.arrayContaining(
          ['skill', 'skills_list', 'skills_search', 'skill_file'].map((name) => expect.objectContaining({ name })),
        ),
      });
    },
  );

  test('an unknown version is answered with a supported one', async () => {
    await using pipe = new Pipe();
    pipe.initialize('1999-01-01');
    expect((await pipe.reply('init')).result?.['protocolVersion']).toMatch(/^20\d\d-/u);
  });

  test('server/discover first, then requests without a handshake', async () => {
    await using pipe = new Pipe();
    pipe.request(1, 'server/discover', { _meta: MODERN });
    const { result } = await pipe.reply(1);
    expect(result).toMatchObject({
      supportedVersions: expect.arrayContaining(['2026-07-28']),
      ttlMs: 30_000,
      cacheScope: 'private',
    });
    expect(result?.['instructions']).toContain('skills_search');
    pipe.request(2, 'tools/list', { _meta: MODERN });
    expect((await pipe.reply(2)).result).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'skill' })]),
      ttlMs: 30_000,
    });
  });

  test('a client gets no change notification before it is initialized', async () => {
    await using pipe = new Pipe(GOOD, { flags: ['--refresh-interval', '100'] });
    pipe.request('init', 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    await expect.poll(() => pipe.stderr).toContain('1 skill in 1 folder');
    pipe.add({ 'project/skills/second/SKILL.md': skillText({ name: 'second' }) });
    await expect.poll(() => pipe.stderr).toContain('2 skills, 1 skill added');
    pipe.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    pipe.request('ready', 'ping');
    await pipe.reply('ready');
    pipe.add({ 'project/skills/third/SKILL.md': skillText({ name: 'third' }) });
    await pipe.until((all) =>
      all.some((each) => 'method' in each && each.method === 'notifications/tools/list_changed'),
    );
    expect(
      pipe.replies.filter((each) => 'method' in each && each.method === 'notifications/tools/list_changed'),
    ).toHaveLength(1);
  });

  test('with --no-refresh the server does not announce list changes', async () => {
    await using pipe = new Pipe(GOOD, { flags: ['--no-refresh'] });
    pipe.initialize();
    expect((await pipe.reply('init')).result).toMatchObject({ capabilities: { tools: { listChanged: false } } });
  });
});

describe('output', () => {
  test('standard output carries nothing but the protocol, whatever is switched on and however broken the skills are', async () => {
    const files = {
      ...GOOD,
      'project/skills/broken/SKILL.md': 'no frontmatter',
      'project/skills/bad/SKILL.md': '---\nname: bad\n---\n',
    };
    await using pipe = new Pipe(files, {
      flags: ['--verbose'],
      env: { DEBUG: '*', NODE_OPTIONS: '--trace-warnings', FORCE_COLOR: '1' },
    });
    pipe.initialize();
    pipe.request(1, 'tools/list');
    await pipe.reply(1);
    expect(pipe.replies).toHaveLength(2);
    await expect.poll(() => pipe.stderr).toMatch(/lectern: 1 skill in 1 folder, 2 problems/u);
    await expect.poll(() => pipe.stderr).toMatch(/frontmatter-missing.*broken/u);
    await expect.poll(() => pipe.stderr).toMatch(/description-missing/u);
  });

  test.skipIf(!inject('ordinaryUser'))(
    'a skill that may not be read is skipped and named, and the others are served',
    async () => {
      const files = { ...GOOD, 'project/skills/shut/SKILL.md': skillText({ name: 'shut' }) };
      await using pipe = new Pipe(files, { closed: ['project/skills/shut/SKILL.md'] });
      pipe.initialize();
      pipe.load(1);
      expect(textOf(await pipe.reply(1))).toContain('All is well.');
      await expect.poll(() => pipe.stderr).toMatch(/file-unreadable\] .*shut.*permission denied/u);
    },
  );

  test('the configurations of the systems before it keep working', async () => {
    await using skills = new Pipe(GOOD, { command: ['mcp-server'], flags: ['--root', './skills'] });
    skills.initialize('2025-03-26');
    expect((await skills.reply('init')).result).toMatchObject({
      protocolVersion: '2025-03-26',
      serverInfo: { name: 'sk-mcp' },
      instructions: expect.stringMatching(/skills\.list.*skills\.search/su),
    });
    skills.request(1, 'tools/list');
    expect((await skills.reply(1)).result).toMatchObject({
      tools: [{ name: 'skills.list' }, { name: 'skills.search' }, { name: 'skill.file' }],
    });
    skills.request(2, 'tools/call', { name: 'skills.search', arguments: { query: 'WELL all' } });
    expect((await skills.reply(2)).result).toMatchObject({
      structuredContent: { query: 'WELL all', limit: 10, total: 1, results: [{ installName: 'good', score: 2 }] },
    });

    await using specs = new Pipe(GOOD, { command: ['mcp', 'serve'] });
    specs.initialize();
    expect((await specs.reply('init')).result).toMatchObject({ serverInfo: { name: 'spox' } });
  });
});

describe('how it ends', () => {
  test('at the end of its input it answers pending requests and exits with 0', async () => {
    await using pipe = new Pipe();
    pipe.initialize();
    pipe.load(1);
    pipe.child.stdin.end();
    expect(await pipe.exited).toEqual([0, null]);
    expect(textOf(pipe.replies.find(({ id }) => id === 1) ?? {})).toContain('All is well.');
    expect(pipe.stderr).toContain('lectern: stopped');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'on %s it cleans up, says so and exits with 0',
    async (signal) => {
      await using pipe = new Pipe();
      pipe.initialize();
      await pipe.reply('init');
      pipe.child.kill(signal);
      expect(await pipe.exited).toEqual([0, null]);
      expect(pipe.stderr).toContain(`lectern: ${signal}: shutting down`);
    },
  );

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'on %s it answers the calls that are under way',
    async (signal) => {
      await using pipe = new Pipe();
      pipe.initialize();
      await pipe.reply('init');
      for (const id of [1, 2, 3]) pipe.load(id);
      pipe.request(4, 'tools/call', { name: 'skills_list', arguments: { includeBody: true } });
      pipe.request(5, 'resources/list');
      pipe.child.kill(signal);
      expect(await pipe.exited).toEqual([0, null]);
      for (const id of [1, 2, 3, 4]) expect(JSON.stringify(await pipe.reply(id))).toContain('All is well.');
      expect((await pipe.reply(5)).result).toMatchObject({ resources: [{ name: 'good' }] });
      expect(pipe.stderr).toContain('lectern: stopped');
    },
  );

  test('on a signal it ends although its client does not read', async () => {
    await using pipe = new Pipe({
      'project/skills/good/SKILL.md': skillText({ name: 'good', body: 'x'.repeat(30_000) }),
    });
    pipe.initialize();
    await pipe.reply('init');
    pipe.child.stdout.pause();
    for (let id = 0; id < 100; id++) pipe.load(id);
    pipe.child.kill('SIGTERM');
    const [code] = await once(pipe.child, 'exit');
    pipe.child.stdout.resume();
    expect(code).toBe(0);
  });

  test('a client that closes its end of the output ends the server without a trace', async () => {
    await using pipe = new Pipe();
    pipe.initialize();
    await pipe.reply('init');
    pipe.child.stdout.destroy();
    for (let id = 0; id < 50; id++) pipe.request(id, 'tools/list');
    expect((await pipe.exited)[0]).toBe(0);
    expect(pipe.stderr).not.toMatch(/\n\s+at /u);
  });

  test.each([
    [['--refresh-interval', '0'], /--refresh-interval must be a whole number from 100/u],
    [['--refresh-interval=-1'], /--refresh-interval/u],
    [['--refresh-interval', 'abc'], /--refresh-interval/u],
    [['--refresh-interval', '1e99'], /--refresh-interval/u],
    [['--tools', 'skils'], /Did you mean skills/u],
    [['--transport', 'http', '--port', '70000'], /--port must be a whole number from 0 to 65535/u],
    [['--transport', 'http', '--port', 'abc'], /--port/u],
    [['--transport', 'http', '--host', '0.0.0.0', '--port', '0'], /LECTERN_TOKEN/u],
    [['--include', 'codex:@plugins'], /codex has no plugins/u],
  ])('%j is refused with one sentence and exit code 2', async (flags, message) => {
    await using pipe = new Pipe(GOOD, { flags });
    expect((await pipe.exited)[0]).toBe(2);
    expect(pipe.stderr).toMatch(message);
    expect(pipe.lines).toEqual([]);
  });
});

test('requests of a client that does not read its replies wait in the pipe, and are all answered when it reads', async () => {
  const COUNT = 6_000;
  const BODY = 30_000;
  await using pipe = new Pipe({
    'project/skills/good/SKILL.md': skillText({ name: 'good', body: 'x'.repeat(BODY) }),
  });
  const { stdin, stdout } = pipe.child;
  pipe.initialize();
  await pipe.reply('init');
  // The baseline: the same requests with a client that reads.
  for (let id = 0; id < COUNT; id++) pipe.load(`read ${id}`);
  await vi.waitUntil(() => pipe.lines.length === COUNT + 1, { timeout: 120_000, interval: 50 });
  const baseline = peakBytes(pipe.child);
  stdout.pause();
  for (let id = 0; id < COUNT; id++) pipe.load(id);
  // Until the server takes no more.
  let left = -1;
  while (left !== stdin.writableLength) {
    left = stdin.writableLength;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(left).toBeGreaterThan(0);
  stdout.resume();
  await vi.waitUntil(() => pipe.lines.length === 2 * COUNT + 1, { timeout: 120_000, interval: 50 });
  expect(new Set(pipe.replies.map(({ id }) => id)).size).toBe(2 * COUNT + 1);
  // Less than half of the replies that were not read.
  expect(peakBytes(pipe.child) - baseline).toBeLessThan((COUNT * BODY) / 2);
});

/** The most memory that a process has used so far; 0 where the system does not report it. */
function peakBytes({ pid }: { pid?: number | undefined }): number {
  if (process.platform !== 'linux') return 0;
  return 1024 * Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

test('an id that is in use is refused, so that no request has two replies', async () => {
  await using pipe = new Pipe();
  pipe.initialize();
  pipe.write([1, 1, 2].map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`).join(''));
  await pipe.reply(2);
  await pipe.reply(1);
  expect(pipe.replies.filter(({ id }) => id === 1)).toHaveLength(1);
  expect(pipe.replies.filter(({ id }) => id === null)).toMatchObject([{ error: { code: -32600 } }]);
  pipe.load(1);
  expect(textOf((await pipe.until((all) => all.filter(({ id }) => id === 1).length === 2)).at(-1) ?? {})).toContain(
    'All is well.',
  );
});

test('a thousand calls in flight over fifty skills: every reply is the right one', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `skill-${index}`);
  await using pipe = new Pipe(
    Object.fromEntries(
      names.map((name) => [`project/skills/${name}/SKILL.md`, skillText({ name, body: `This is ${name}.` })]),
    ),
    {
      flags: ['--refresh-interval', '100'],
    },
  );
  pipe.initialize();
  for (let id = 0; id < 1000; id++) pipe.load(id, names[id % 50]);
  const replies = await pipe.until((all) => all.filter(({ id }) => typeof id === 'number').length === 1000);
  for (const reply of replies)
    if (typeof reply.id === 'number')
      expect(textOf(reply)).toMatch(new RegExp(`This is ${names[reply.id % 50]}\\.$`, 'u'));
});
