/** The HTTP server: who may call, what is refused, how many it bears, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isRecord } from '../../src/core/json-file.ts';
import { skillText } from '../support/skill-text.ts';
import { type ConnectOptions, startServer, textOf } from '../support/connect.ts';
import { times } from '../support/effort.ts';
import { project } from '../support/project.ts';
import { CLI } from '../support/run-lectern.ts';

const NAMES = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
const FILES = Object.fromEntries(
  NAMES.map((name) => [`project/skills/${name}/SKILL.md`, skillText({ name, body: `This is ${name}.` })]),
);
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function start(options: ConnectOptions & { kind?: 'http' | 'sse' } = {}) {
  const folder = project(FILES, 'disk');
  const server = await startServer(folder, options.kind ?? 'http', options);
  const { port, host } = new URL(server.url);
  return {
    ...server,
    folder,
    port: Number(port),
    host,
    /** Headers as they are given: fetch would not let us lie about the host. */
    send: (method: string, path: string, headers: Record<string, string | undefined> = {}, body?: string) =>
      send(Number(port), method, path, headers, body),
    async [Symbol.asyncDispose]() {
      await server.stop();
      folder[Symbol.dispose]();
    },
  };
}

/** The same in a process of its own, for what only the whole process can show. */
async function spawnHttp() {
  // Asked by a signal, the process clears up and says how much is then still in use.
  const hook = `process.on('SIGUSR2', () => { gc(); gc(); process.stderr.write('in use: ' + process.memoryUsage().heapUsed + ';'); });`;
  const folder = project({ ...FILES, 'hook.cjs': hook }, 'disk');
  const flags = ['--project-dir', folder.at('project'), '--user-dir', folder.at('home')];
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--require', folder.at('hook.cjs'), CLI, 'mcp', '--transport', 'http', '--port', '0', ...flags],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
  await expect.poll(() => log).toMatch(/at http:\S+?;/u);
  return {
    pid: child.pid,
    port: Number(/at http:\/\/[^:]+:(?<port>\d+)/u.exec(log)?.groups?.['port']),
    log: () => log,
    async bytesInUse(): Promise<number> {
      const start = log.length;
      child.kill('SIGUSR2');
      await expect.poll(() => log.slice(start)).toMatch(/in use: \d+;/u);
      return Number(/in use: (?<bytes>\d+);/u.exec(log.slice(start))?.groups?.['bytes']);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
      folder[Symbol.dispose]();
    },
  };
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string | undefined>,
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const given = Object.fromEntries(
      Object.entries({ host: `127.0.0.1:${port}`, ...headers }).filter(([, value]) => value !== undefined),
    );
    const request = http.request(
      { port, host: '127.0.0.1', method, path, headers: given, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          // A stream has said what it has to say.
          if (response.headers['content-type'] === 'text/event-stream' && method === 'GET') response.destroy();
        });
        response.on('close', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on('error', () => undefined);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function errorOf({ text }: Answer): unknown {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value['error'] : undefined;
}

describe('access control', () => {
  test.each([
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['OPTIONS', '/mcp'],
    ['POST', '/messages?sessionId=x'],
    ['GET', '/healthz'],
    ['GET', '/nope'],
  ])('%s %s: a foreign host or origin is refused, and no page is let in', async (method, path) => {
    await using server = await start();
    const wrong = [
      { host: 'evil.example' },
      { host: `evil.example:${server.port}` },
      { host: '127.0.0.1:1' },
      { host: `127.0.0.1.evil.example:${server.port}` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${server.port}@evil.example` },
      { origin: `file://127.0.0.1:${server.port}` },
    ];
    for (const headers of wrong) {
      const answer = await server.send(
        method,
        path,
        { ...JSON_HEADERS, ...headers },
        method === 'POST' ? JSON.stringify(INITIALIZE) : undefined,
      );
      expect([headers, answer.status]).toEqual([headers, 403]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('our own names are let in, at our port, with or without a page of ours', async () => {
    await using server = await start({
      flags: ['--allowed-host', 'skills.internal', '--allowed-host', 'proxy.internal:8443'],
    });
    const good = [
      { host: `localhost:${server.port}` },
      { host: `[::1]:${server.port}` },
      { origin: `http://localhost:${server.port}` },
      { host: 'skills.internal:99' },
      { host: 'proxy.internal:8443' },
    ];
    for (const headers of good)
      expect([headers, (await server.send('GET', '/healthz', headers)).status]).toEqual([headers, 200]);
    expect((await server.send('GET', '/healthz', { host: 'proxy.internal' })).status).toBe(403);
  });

  test.each(['*', '*.internal', 'http://x', 'a b', 'x/', '::1', 'bücher.example', 'x:port', ':80', 'x,y'])(
    'the host %j could never match, so the server does not start',
    async (host) => {
      using folder = project(FILES, 'disk');
      await expect(startServer(folder, 'http', { flags: ['--allowed-host', host] })).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining('--allowed-host must be a host name or an address'),
      });
    },
  );

  test('an empty LECTERN_TOKEN is refused, because its owner expects that callers need it', async () => {
    using folder = project(FILES, 'disk');
    const empty = startServer(folder, 'http', { environment: { LECTERN_TOKEN: '' } });
    await expect(empty).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('LECTERN_TOKEN') });
  });

  test('with a token: none and a wrong one are 401, the right one is served, and it shows nowhere', async () => {
    await using server = await start({ environment: { LECTERN_TOKEN: 'sesame-7781' } });
    for (const authorization of [undefined, 'Bearer wrong', 'Basic sesame-7781', 'Bearer ', 'sesame-7781']) {
      const answer = await server.send('POST', '/mcp', { ...JSON_HEADERS, authorization }, JSON.stringify(INITIALIZE));
      expect([authorization, answer.status, answer.headers['www-authenticate']]).toEqual([
        authorization,
        401,
        'Bearer realm="lectern"',
      ]);
      expect(
        (await server.send('POST', '/messages?sessionId=x', { ...JSON_HEADERS, authorization }, '{}')).status,
      ).toBe(401);
      expect((await server.send('GET', '/mcp', { accept: 'text/event-stream', authorization })).status).toBe(401);
    }
    expect((await server.send('GET', '/healthz')).text).toBe('{"status":"ok"}');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(server.transport({ authorization: 'Bearer sesame-7781' }));
    expect((await client.listTools()).tools).toHaveLength(4);
    await client.close();
    expect(server.log.join('\n')).not.toContain('sesame');
  });

  test('a session belongs to the token that opened it', async () => {
    await using server = await start({ flags: ['--token', 'token-a', '--token', 'token-b'] });
    const as = (token: string, id?: string) => ({
      ...JSON_HEADERS,
      authorization: `Bearer ${token}`,
      'mcp-session-id': id,
    });
    const opened = await server.send('POST', '/mcp', as('token-a'), JSON.stringify(INITIALIZE));
    const id = String(opened.headers['mcp-session-id']);
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect((await server.send('POST', '/mcp', as('token-b', id), ping)).status).toBe(404);
    expect((await server.send('DELETE', '/mcp', as('token-b', id))).status).toBe(404);
    expect((await server.send('POST', '/mcp', as('token-a', id), ping)).status).toBe(200);
    expect((await server.send('DELETE', '/mcp', as('token-a', id))).status).toBe(200);
    expect((await server.send('POST', '/mcp', as('token-a', id), ping)).status).toBe(404);
  });
});

describe('refused requests', () => {
  test('wrong methods, paths, types, sizes and texts', async () => {
    await using server = await start();
    const post = (headers: Record<string, string | undefined>, body: string) =>
      server.send('POST', '/mcp', { ...JSON_HEADERS, ...headers }, body);
    const put = await server.send('PUT', '/mcp');
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST, DELETE']);
    for (const path of ['/nope', '//mcp', '/mcp/', '/healthz/x', '/__proto__'])
      expect([path, (await server.send('GET', path)).status]).toEqual([path, 404]);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined])
      expect((await post({ 'content-type': type }, JSON.stringify(INITIALIZE))).status).toBe(415);
    expect(errorOf(await post({}, '{nope'))).toMatchObject({ code: -32700 });
    expect((await post({}, `"${'x'.repeat(5 * 1024 * 1024)}"`)).status).toBe(413);
    expect((await post({ accept: 'application/json' }, JSON.stringify(INITIALIZE))).status).toBe(406);
    expect((await server.send('GET', '/mcp', { accept: 'application/json' })).status).toBe(406);
  });

  test('sessions: none is 400, an unknown one 404, and one that the client made up is never taken over', async () => {
    await using server = await start();
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect((await server.send('POST', '/mcp', JSON_HEADERS, ping)).status).toBe(400);
    expect((await server.send('POST', '/mcp', { ...JSON_HEADERS, 'mcp-session-id': 'mine' }, ping)).status).toBe(404);
    expect(
      (await server.send('POST', '/mcp', { ...JSON_HEADERS, 'mcp-session-id': 'mine' }, JSON.stringify(INITIALIZE)))
        .status,
    ).toBe(404);
    const opened = await server.send('POST', '/mcp', JSON_HEADERS, JSON.stringify(INITIALIZE));
    expect(opened.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/u);
  });

  test('requests of the newer kind: headers must fit the body, and the version must be known', async () => {
    await using server = await start();
    const request = (method: string, params: Record<string, unknown>, version = '2026-07-28') =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      });
    const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28' };
    const call = request('tools/call', { name: 'skill', arguments: { name: 'skill-1' } });
    const ask = (more: Record<string, string>, body: string) =>
      server.send('POST', '/mcp', { ...headers, ...more }, body);
    expect((await ask({ 'mcp-method': 'tools/call', 'mcp-name': 'skill' }, call)).status).toBe(200);
    const mismatch = await ask({ 'mcp-method': 'tools/list', 'mcp-name': 'skill' }, call);
    expect([mismatch.status, errorOf(mismatch)]).toMatchObject([400, { code: -32020 }]);
    expect(errorOf(await ask({ 'mcp-method': 'tools/call', 'mcp-name': 'other' }, call))).toMatchObject({
      code: -32020,
    });
    const unknown = await server.send(
      'POST',
      '/mcp',
      { ...headers, 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' },
      request('tools/list', {}, '2031-01-01'),
    );
    expect([unknown.status, errorOf(unknown)]).toMatchObject([400, { code: -32022 }]);
    expect((await server.send('GET', '/mcp', { ...headers, accept: 'text/event-stream' })).status).toBe(405);
  });
});

test.each([
  ['their version', { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' }],
  ['that they take anything', { accept: '*/*' }],
])('a stream of the older transport opens for clients that send %s', async (_, headers) => {
  await using server = await start();
  const response = await fetch(server.url, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await response.body?.cancel();
});

test('a notification stream opens immediately, not with the first notification', async () => {
  // Without keep-alives nothing is ever sent on the stream.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await start();
  const opened = await server.send('POST', '/mcp', JSON_HEADERS, JSON.stringify(INITIALIZE));
  const headers = {
    accept: 'text/event-stream',
    'mcp-session-id': String(opened.headers['mcp-session-id']),
    'mcp-protocol-version': '2025-06-18',
  };
  const stream = await fetch(server.url, { headers });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await stream.body?.cancel();
});

describe('the older transport', () => {
  test('GET /mcp opens a stream, POST /messages delivers to it, and only to it', async () => {
    await using server = await start({ kind: 'sse' });
    const opened = await server.send('GET', '/mcp', { accept: 'text/event-stream' });
    expect(opened.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    const endpoint = /^event: endpoint\ndata: (\/messages\?sessionId=[0-9a-f-]{36})\n\n/u.exec(opened.text)?.[1] ?? '';
    expect(endpoint).not.toBe('');
    const post = async (path: string, body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })) =>
      (await server.send('POST', path, JSON_HEADERS, body)).status;
    // The stream of above is closed by now.
    await expect.poll(() => post(endpoint)).toBe(404);
    expect(await post('/messages')).toBe(400);
    expect(await post('/messages?sessionId=bogus')).toBe(404);

    const client = new Client({ name: 'test', version: '1' });
    const transport = new SSEClientTransport(new URL(server.url));
    await client.connect(transport);
    expect(textOf(await client.callTool({ name: 'skill', arguments: { name: 'skill-3' } }))).toContain(
      'This is skill-3.',
    );
    await client.close();
  });

  test('no text of a skill can end its event early', async () => {
    await using server = await start({ kind: 'sse' });
    server.folder.write({
      'project/skills/odd/SKILL.md': skillText({ name: 'odd', body: 'a\r\n\r\nevent: x\ndata: y\n\ndata: z' }),
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new SSEClientTransport(new URL(server.url)));
    expect(textOf(await client.callTool({ name: 'skill', arguments: { name: 'odd' } }))).toContain(
      'a\r\n\r\nevent: x\ndata: y\n\ndata: z',
    );
    await client.close();
  });
});

describe('concurrent clients', () => {
  test('fifty clients with equal ids call different skills, and each gets its own answers', async () => {
    await using server = await start();
    const client = async (index: number): Promise<number> => {
      const transport = new StreamableHTTPClientTransport(new URL(server.url));
      const own = new Client(
        { name: `client-${index}`, version: '1' },
        index % 2 === 0 ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
      );
      await own.connect(transport);
      let wrong = 0;
      for (let round = 0; round < times(20); round++) {
        const name = NAMES[(index * 7 + round) % NAMES.length] ?? '';
        const text = textOf(await own.callTool({ name: 'skill', arguments: { name } }));
        if (!text.endsWith(`This is ${name}.`)) wrong += 1;
      }
      await own.close();
      return wrong;
    };
    const wrong = await Promise.all(Array.from({ length: 50 }, (_, index) => client(index)));
    expect(wrong.reduce((sum, each) => sum + each, 0)).toBe(0);
  });

  test('abandoned sessions are closed to make room, and a new client is always served', async () => {
    await using server = await start();
    const ids: string[] = [];
    for (let index = 0; index < 300; index++) {
      const { headers } = await server.send('POST', '/mcp', JSON_HEADERS, JSON.stringify(INITIALIZE));
      ids.push(String(headers['mcp-session-id']));
    }
    const ping = (id: string | undefined) =>
      server.send(
        'POST',
        '/mcp',
        { ...JSON_HEADERS, 'mcp-session-id': id },
        JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
      );
    expect((await ping(ids[0])).status).toBe(404);
    expect((await ping(ids.at(-1))).status).toBe(200);
  });

  test('clients that disconnect mid-request do no harm', async () => {
    await using server = await start();
    const call = JSON.stringify(INITIALIZE);
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const abort = new AbortController();
        setTimeout(() => abort.abort(), index % 12);
        await fetch(server.url, { method: 'POST', headers: JSON_HEADERS, body: call, signal: abort.signal }).catch(
          () => undefined,
        );
      }),
    );
    expect((await server.send('POST', '/mcp', JSON_HEADERS, call)).status).toBe(200);
    expect(server.log.join('\n')).not.toContain('internal error');
  });

  test.skipIf(process.platform !== 'linux')('five hundred streams that are cut off leave nothing behind', async () => {
    await using server = await spawnHttp();
    const open = (): number => fs.readdirSync(`/proc/${server.pid}/fd`).length;
    const listen = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
        notifications: { toolsListChanged: true },
      },
    });
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: subscriptions/listen\r\ncontent-length: ${Buffer.byteLength(listen)}\r\n\r\n`;
    const round = async (): Promise<void> => {
      const sockets = await Promise.all(
        Array.from(
          { length: 500 },
          () =>
            new Promise<net.Socket>((resolve, reject) => {
              const socket = net.connect(server.port, '127.0.0.1').on('error', reject);
              socket.once('data', (chunk: Buffer) =>
                chunk.toString('latin1').startsWith('HTTP/1.1 200')
                  ? resolve(socket)
                  : reject(new Error(chunk.toString('latin1'))),
              );
              socket.write(head + listen);
            }),
        ),
      );
      for (const socket of sockets) socket.resetAndDestroy();
    };
    const before = open();
    // The first round fills what is kept for later; the others must not add to it.
    await round();
    await expect.poll(open).toBeLessThanOrEqual(before + 5);
    const settled = await server.bytesInUse();
    for (let more = 0; more < 3; more++) await round();
    await expect.poll(open).toBeLessThanOrEqual(before + 5);
    await expect.poll(() => server.bytesInUse()).toBeLessThan(settled + 5_000_000);
    expect((await send(server.port, 'POST', '/mcp', JSON_HEADERS, JSON.stringify(INITIALIZE))).status).toBe(200);
    expect(server.log()).not.toMatch(/MaxListeners|internal error/u);
  });

  test('senders that never finish do not keep the others waiting', async () => {
    await using server = await start();
    const sockets = Array.from({ length: 100 }, () =>
      net.connect(server.port, '127.0.0.1').on('error', () => undefined),
    );
    for (const socket of sockets) socket.write('POST /mcp HT');
    expect((await server.send('POST', '/mcp', JSON_HEADERS, JSON.stringify(INITIALIZE))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('how it starts and ends', () => {
  test('a port in use is one sentence with the way out', async () => {
    await using server = await start();
    const folder = project(FILES, 'disk');
    await expect(startServer(folder, 'http', { flags: ['--port', String(server.port)] })).rejects.toMatchObject({
      code: 'REFUSED',
      message: `Port ${server.port} is in use.`,
      hint: expect.stringContaining('--port 0'),
    });
    folder[Symbol.dispose]();
  });

  test.each(['0.0.0.0', '::', '192.0.2.1'])('%s without a token is refused', async (host) => {
    const folder = project(FILES, 'disk');
    await expect(startServer(folder, 'http', { flags: ['--host', host] })).rejects.toMatchObject({
      code: 'REFUSED',
      hint: expect.stringContaining('LECTERN_TOKEN'),
    });
    folder[Symbol.dispose]();
  });

  test.each([
    ['in LECTERN_TOKEN', ['mcp'], [], { LECTERN_TOKEN: 'abc' }],
    ['of 15 characters', ['mcp'], ['--token', 'x'.repeat(15)], {}],
    ['beside a long one', ['mcp'], ['--token', 'x'.repeat(16), '--token', 'abc'], {}],
    ['of the page', ['web'], [], { LECTERN_TOKEN: 'abc' }],
  ])('a short token %s is refused where other machines can reach the server', async (_, command, more, environment) => {
    const folder = project(FILES, 'disk');
    const kind = command[0] === 'web' ? 'web' : 'http';
    const flags = ['--host', '0.0.0.0', ...more];
    const starting =
      kind === 'web'
        ? startServer(folder, 'memory', { command, flags: [...flags, '--port', '0'], environment })
        : startServer(folder, 'http', { command, flags, environment });
    const error: unknown = await starting.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'REFUSED',
      message: 'A token of fewer than 16 characters is easily guessed.',
      hint: expect.stringContaining('LECTERN_TOKEN'),
    });
    expect(JSON.stringify(error)).not.toContain('abc');
    folder[Symbol.dispose]();
  });

  test('on this machine alone, a token may be short', async () => {
    await using server = await start({ environment: { LECTERN_TOKEN: 'abc' } });
    expect(
      (await server.send('POST', '/mcp', { ...JSON_HEADERS, authorization: 'Bearer abc' }, JSON.stringify(INITIALIZE)))
        .status,
    ).toBe(200);
  });

  test('with a token it starts on all interfaces and logs a warning', async () => {
    const environment = { LECTERN_TOKEN: 'x'.repeat(16) };
    await using server = await start({ flags: ['--host', '0.0.0.0'], environment });
    expect(server.log.join('\n')).toContain('other machines can reach this server');
  });

  test('where other machines can reach it, it does not show the context of agents', async () => {
    const token = 'x'.repeat(16);
    await using server = await start({ flags: ['--host', '0.0.0.0'], environment: { LECTERN_TOKEN: token } });
    const url = new URL(server.url);
    url.hostname = '127.0.0.1';
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const { resourceTemplates } = await client.listResourceTemplates();
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates).toContain('agent://{agent}');
    expect(templates).not.toContain('context://{agent}');
    await expect(client.readResource({ uri: 'context://claude' })).rejects.toThrow();
    await client.close();
  });

  test('on stop, it answers running calls and ends every stream', async () => {
    const folder = project(FILES, 'disk');
    const server = await startServer(folder, 'http');
    const clients = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const client = new Client({ name: 'test', version: '1' });
        await client.connect(
          index % 2 === 0
            ? new StreamableHTTPClientTransport(new URL(server.url))
            : new SSEClientTransport(new URL(server.url)),
        );
        return client;
      }),
    );
    const calls = await Promise.all(Array.from({ length: 5 }, () => halfSent(server.url)));
    const stopped = server.stop();
    const statuses = await Promise.all(calls.map((finish) => finish()));
    await stopped;
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    await Promise.allSettled(clients.map((client) => client.close()));
    folder[Symbol.dispose]();
  });
});

/** A call whose headers the server has taken and whose body is half there; the function sends the rest and tells the status. */
async function halfSent(url: string): Promise<() => Promise<number | undefined>> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': body.length,
    expect: '100-continue',
  };
  const call = http.request(url, { method: 'POST', headers });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    call.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
  });
  await new Promise((resolve) => call.on('continue', resolve));
  call.write(body.slice(0, 10));
  return () => {
    call.end(body.slice(10));
    return answered;
  };
}

describe('a caller that opens more streams than there are places', () => {
  const TOKENS = ['first-token-that-is-long', 'second-token-that-is-long'];
  const flags = TOKENS.flatMap((token) => ['--token', token]);
  const bearer = (index: number): Record<string, string> => ({ authorization: `Bearer ${TOKENS[index]}` });

  /** Opens streams and keeps them, until the test is over. */
  async function openMany(url: string, path: string, count: number, headers: Record<string, string>) {
    const over = new AbortController();
    onTestFinished(() => over.abort());
    const open = { ended: 0 };
    for (let opened = 0; opened < count; opened += 16) {
      await Promise.all(
        Array.from({ length: Math.min(16, count - opened) }, async () => {
          const init = { headers: { accept: 'text/event-stream', ...headers }, signal: over.signal };
          const { status, body } = await fetch(new URL(path, url), init);
          expect(status).toBe(200);
          const end = (): void => void (open.ended += 1);
          void body?.pipeTo(new WritableStream()).then(end, end);
        }),
      );
    }
    return open;
  }

  test.each(['/mcp', '/api/events'])('does not lock out another caller: %s', async (path) => {
    await using server = await start({ kind: 'sse', flags });
    const other = await openMany(server.url, path, 1, bearer(1));
    const flood = await openMany(server.url, path, 300, bearer(0));
    const late = await openMany(server.url, path, 1, bearer(1));
    expect(flood.ended).toBeGreaterThanOrEqual(46);
    expect([other.ended, late.ended]).toEqual([0, 0]);
  });

  test.each(['/mcp', '/api/events'])('closes its oldest ones if callers cannot be distinguished: %s', async (path) => {
    await using server = await start({ kind: 'sse' });
    const flood = await openMany(server.url, path, 256, {});
    const late = await openMany(server.url, path, 1, {});
    await expect.poll(() => flood.ended).toBe(1);
    expect(late.ended).toBe(0);
  });

  test('keeps the older transport of a client that is in use', async () => {
    await using server = await start({ kind: 'sse' });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(server.transport());
    const flood = await openMany(server.url, '/mcp', 300, {});
    await expect.poll(() => flood.ended).toBeGreaterThanOrEqual(45);
    expect(textOf(await client.callTool({ name: 'skill', arguments: { name: 'skill-3' } }))).toContain(
      'This is skill-3',
    );
    await client.close();
  });

  test('does not lock another caller out of subscriptions', async () => {
    await using server = await start({ flags });
    const modern = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: modern },
    });
    const over = new AbortController();
    onTestFinished(() => over.abort());
    const ended = [0, 0];
    const listen = async (caller: 0 | 1): Promise<number> => {
      const protocol = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
      const all = { ...JSON_HEADERS, ...protocol, ...bearer(caller) };
      const response = await fetch(server.url, { method: 'POST', body, headers: all, signal: over.signal });
      const end = (): void => void (ended[caller] = (ended[caller] ?? 0) + 1);
      void response.body?.pipeTo(new WritableStream()).then(end, end);
      return response.status;
    };
    for (let opened = 0; opened < 1_100; opened += 20)
      for (const status of await Promise.all(Array.from({ length: 20 }, () => listen(0)))) expect(status).toBe(200);
    expect(await listen(1)).toBe(200);
    await expect.poll(() => ended).toEqual([77, 0]);
  });
});
