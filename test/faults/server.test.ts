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

async function serve(env: Record<string, string> = {}) {
  const folder = tempFolder(FILES);
  const child = spawn(process.execPath, [CLI, 'mcp', '--transport', 'http', '--port', '0'], {
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
    log: () => log,
    post: (token?: string) => post(port, agent, token),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      child.kill();
      await once(child, 'exit');
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

test('two hundred senders of one byte now and then are cut off, and keep nobody waiting', async () => {
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

test('five thousand callers that hang up at any moment harm nobody', async () => {
  await using server = await serve();
  for (let batch = 0; batch < 20; batch++)
    await Promise.all(Array.from({ length: 250 }, (_, index) => post(server.port, false, undefined, index % 25)));
  expect(await server.post()).toBe(200);
  expect(server.log()).not.toMatch(/internal error|unhandled|write after end|MaxListeners/iu);
});

test('a thousand wrong tokens in a row are refused, and the right one is served in between', async () => {
  await using server = await serve({ LECTERN_TOKEN: TOKEN });
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
