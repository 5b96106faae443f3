/** The HTTP and stdio servers as processes, with callers that mean no good or die. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, test } from 'vitest';
import { CLI } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = { 'project/skills/good/SKILL.md': skillText({ name: 'good' }), 'home/x': '' };
const TOKEN = 'a-token-that-nobody-guesses';
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

interface ServeOptions {
  env?: Record<string, string>;
  files?: Record<string, string>;
  flags?: readonly string[];
  /** Runs below this. */
  through?: readonly string[];
}

async function serve({ env = {}, files = {}, flags = [], through = [] }: ServeOptions = {}) {
  const folder = tempFolder({ 'hook.cjs': '', ...FILES, ...files });
  const run = [process.execPath, '--require', folder.at('hook.cjs'), CLI, 'mcp', '--transport', 'http', '--port', '0'];
  const [command = '', ...args] = [...through, ...run, ...flags];
  const child = spawn(command, args, {
    cwd: folder.at('project'),
    env: { PATH: process.env['PATH'], HOME: folder.at('home'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
  await expect.poll(() => log).toMatch(/at http:\S+?;/u);
  const port = Number(/at http:\/\/[^:]+:(?<port>\d+)/u.exec(log)?.groups?.['port']);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });
  return {
    port,
    child,
    log: () => log,
    post: (token?: string) => post(port, agent, token),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      if (child.exitCode === null && child.kill()) await once(child, 'exit');
      folder[Symbol.dispose]();
    },
  };
}

function post(port: number, agent: http.Agent | false, token?: string, hangUpAfterMs?: number): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const request = http.request(
      { port, host: '127.0.0.1', method: 'POST', path: '/mcp', agent, headers },
      (response) => {
        response.resume().on('close', () => resolve(response.statusCode ?? 0));
      },
    );
    request.on('error', () => resolve(0));
    request.end(INITIALIZE);
    if (hangUpAfterMs !== undefined) setTimeout(() => request.destroy(), hangUpAfterMs);
  });
}

test('two hundred clients that trickle single bytes are cut off and delay no other client', async () => {
  await using server = await serve();
  let open = 0;
  const sockets = Array.from({ length: 200 }, () => {
    const socket = net.connect(server.port, '127.0.0.1');
    open += 1;
    return socket.on('error', () => undefined).on('close', () => (open -= 1));
  });
  const text = 'POST /mcp HTTP/1.1\r\n';
  let sent = 0;
  const trickle = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(text[sent % text.length] ?? 'x');
    sent += 1;
  }, 3_000);
  try {
    for (let round = 0; round < 20; round++) expect(await server.post()).toBe(200);
    await expect.poll(() => open).toBe(0);
    expect(await server.post()).toBe(200);
  } finally {
    clearInterval(trickle);
    for (const socket of sockets) socket.destroy();
  }
});

test.skipIf(process.platform === 'win32')(
  'idle sockets up to the limit of open files lock nobody out, and leave files for the skills',
  async () => {
    await using server = await serve({ through: ['sh', '-c', 'ulimit -n 256 && exec "$@"', 'sh'] });
    const sockets = Array.from({ length: 400 }, () =>
      net.connect(server.port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(
      sockets.map((socket) => (socket.connecting ? once(socket, 'connect').catch(() => undefined) : undefined)),
    );
    for (let round = 0; round < 5; round++) expect(await server.post()).toBe(200);
    expect(server.log()).not.toMatch(/EMFILE|internal error/u);
    for (const socket of sockets) socket.destroy();
  },
);

test.each([
  ['SIGINT', 'streamable HTTP'],
  ['SIGTERM', 'streamable HTTP'],
  ['SIGTERM', 'SSE'],
] as const)('on %s calls under way over %s are answered, and the process ends with 0', async (signal, transport) => {
  const skills = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `project/skills/many-${index}/SKILL.md`,
      skillText({ name: `many-${index}` }),
    ]),
  );
  // The signal comes with the last of the requests, and each call scans a disk that takes its time.
  const hook = `
    require('node:diagnostics_channel').subscribe('http.server.request.start', ({ request }) => {
      if (request.headers['x-last']) process.kill(process.pid, '${signal}');
    });
    const fs = require('node:fs');
    const { readdirSync } = fs;
    fs.readdirSync = (...given) => {
      for (const end = performance.now() + 5; performance.now() < end; );
      return readdirSync(...given);
    };`;
  await using server = await serve({ files: { ...skills, 'hook.cjs': hook }, flags: ['--no-watch'] });
  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const call = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'skills_list', arguments: {} },
  };
  const ask = (path: string, message: object, more: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      body: JSON.stringify(message),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
    });
  const opened = await ask('/mcp', JSON.parse(INITIALIZE) as object);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const stream = await fetch(`http://127.0.0.1:${server.port}/mcp`, { headers: { accept: 'text/event-stream' } });
  const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const endpoint = /data: (?<path>\S+)/u.exec((await events?.read())?.value ?? '')?.groups?.['path'] ?? '';
  const listening = ask(
    '/mcp',
    { ...call, method: 'subscriptions/listen', params: { notifications: {}, _meta: modern } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
  );
  await listening;

  const ended = once(server.child, 'exit');
  const last = { 'x-last': '1' };
  if (transport === 'SSE') {
    await ask(endpoint, call, last);
    let heard = '';
    for (let next = await events?.read(); next?.done === false; next = await events?.read()) heard += next.value;
    expect(heard).toContain('many-52');
  } else {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'skills_list' };
    const answers = await Promise.all([
      ask('/mcp', { ...call, params: { ...call.params, _meta: modern } }, headers),
      ask('/mcp', call, { ...session, ...last }),
    ]);
    for (const answer of answers) expect(await answer.text()).toContain('many-52');
  }
  expect(await ended).toEqual([0, null]);
  expect(server.log()).toMatch(new RegExp(`${signal}: shutting down[^]*stopped`, 'u'));
});

test('five thousand clients that disconnect at any moment do no harm', async () => {
  await using server = await serve();
  for (let batch = 0; batch < 20; batch++)
    await Promise.all(Array.from({ length: 250 }, (_, index) => post(server.port, false, undefined, index % 25)));
  expect(await server.post()).toBe(200);
  expect(server.log()).not.toMatch(/internal error|unhandled|write after end|MaxListeners/iu);
});

test('a thousand wrong tokens in a row are refused, and the right one is served in between', async () => {
  await using server = await serve({ env: { LECTERN_TOKEN: TOKEN } });
  const answers = await Promise.all(
    Array.from({ length: 1_050 }, (_, index) =>
      index % 21 === 20 ? server.post(TOKEN) : server.post(`${TOKEN.slice(0, -1)}${index % 10}`),
    ),
  );
  const wrong = answers.filter((_, index) => index % 21 !== 20);
  expect(wrong.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  expect(new Set(answers.filter((_, index) => index % 21 === 20))).toEqual(new Set([200]));
  expect(server.log()).not.toContain(TOKEN);
});

test.skipIf(process.platform === 'win32')('a server whose client was killed is gone soon after', async () => {
  using folder = tempFolder(FILES);
  const script = `const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(CLI)}, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] }); child.stdin.write(${JSON.stringify(`${INITIALIZE}\n`)}); child.stdout.once('data', () => process.stdout.write(child.pid + '\\n')); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', script], {
    cwd: folder.at('project'),
    env: { PATH: process.env['PATH'], HOME: folder.at('home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  const pid = Number(line.trim());
  const isThere = (): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  expect(isThere()).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(isThere).toBe(false);
});

test.skipIf(spawnSync('sh', ['-c', 'command -v mkfifo']).status !== 0)(
  'a file that is never read to its end does not keep the server from ending',
  async () => {
    using folder = tempFolder(FILES);
    spawnSync('mkfifo', [folder.at('pipe')]);
    // Stands for a file system that hangs.
    folder.write({ 'hook.cjs': `require('node:fs').readFile(${JSON.stringify(folder.at('pipe'))}, () => undefined);` });
    const child = spawn(process.execPath, ['--require', folder.at('hook.cjs'), CLI, 'mcp'], {
      cwd: folder.at('project'),
      env: { PATH: process.env['PATH'], HOME: folder.at('home') },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write(`${INITIALIZE}\n`);
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  },
);
