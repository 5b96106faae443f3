/** The HTTP room with routes of our own making: what any face that moves in can rely on. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { listen, type ListenOptions } from '../../src/http/listen.ts';
import type { Handler, Route } from '../../src/http/routes.ts';

const echo: Handler = async (request, { params, caller }) =>
  Response.json({ method: request.method, params, caller, text: await request.text() });

const page: Handler = ({ headers }) =>
  headers.get('if-none-match') === '"v1"'
    ? new Response(null, { status: 304, headers: { etag: '"v1"' } })
    : new Response('<p>hello</p>', {
        headers: { 'content-type': 'text/html', etag: '"v1"', 'cache-control': 'no-cache' },
      });

const ROUTES: Route[] = [
  { path: '/', methods: { GET: page, HEAD: page } },
  { path: '/skills/:name', methods: { GET: echo } },
  { path: '/skills/special', methods: { GET: () => new Response('special') } },
  { path: '/skills/:name/files/:file', methods: { GET: echo } },
  { path: '/echo', methods: { POST: echo } },
  { path: '/login', methods: { POST: echo }, accepts: 'application/x-www-form-urlencoded', isPublic: true },
  { path: '/cookies', methods: { GET: () => new Response(null, { headers: COOKIES }) } },
  {
    path: '/broken',
    methods: {
      GET: () => {
        throw new TypeError('a secret');
      },
    },
  },
];
const COOKIES: [string, string][] = [
  ['set-cookie', 'a=1'],
  ['set-cookie', 'b=2'],
];

async function start(routes: readonly Route[] = ROUTES, options: Partial<ListenOptions> = {}) {
  const bugs: unknown[] = [];
  let closedServices = 0;
  const service = { routes, close: async () => void (closedServices += 1) };
  const server = await listen([service], {
    host: '127.0.0.1',
    port: 0,
    tokens: [],
    allowedHosts: [],
    bug: (error) => void bugs.push(error),
    warn: () => undefined,
    ...options,
  });
  return {
    ...server,
    bugs,
    closedServices: () => closedServices,
    get: (path: string, init: RequestInit = {}) => fetch(server.url + path, init),
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}

function deferred() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => void (resolve = done));
  return { promise, resolve: () => resolve() };
}

describe('routes', () => {
  test('a path may have parameters, which are decoded once; a fixed path wins', async () => {
    await using server = await start();
    const seen = async (path: string): Promise<unknown> => (await server.get(path)).json();
    expect(await seen('/skills/pdf')).toMatchObject({ params: { name: 'pdf' } });
    expect(await seen('/skills/claude%3Apdf?x=1')).toMatchObject({ params: { name: 'claude:pdf' } });
    expect(await seen('/skills/a%2Fb/files/%252e%252e')).toMatchObject({ params: { name: 'a/b', file: '%2e%2e' } });
    expect(await (await server.get('/skills/special')).text()).toBe('special');
    for (const path of ['/skills/', '/skills/%zz', '/skills/a/b', '//skills/a', '/skills/a/'])
      expect([path, (await server.get(path)).status]).toEqual([path, 404]);
  });

  test('an unknown path is 404 and a wrong method 405, both in JSON', async () => {
    await using server = await start();
    const unknown = await server.get('/nope');
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: { code: 'NOT_FOUND', message: expect.stringMatching(/answers at \/healthz, \/, [^:*]*$/u) } },
    ]);
    const wrong = await server.get('/', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow'), await wrong.json()]).toEqual([
      405,
      'GET, HEAD',
      { error: { code: 'USAGE', message: 'Only GET, HEAD here.' } },
    ]);
  });

  test('HEAD has the head of GET and no body; headers of a handler win; a tag that fits is 304', async () => {
    await using server = await start();
    for (const method of ['GET', 'HEAD']) {
      const answer = await server.get('/', { method });
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'text/html',
        'no-cache',
      ]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await answer.text()).toBe(method === 'GET' ? '<p>hello</p>' : '');
    }
    const same = await server.get('/', { headers: { 'if-none-match': '"v1"' } });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, '"v1"', '']);
  });

  test('several cookies stay several', async () => {
    await using server = await start();
    expect((await server.get('/cookies')).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });
});

describe('guards', () => {
  test('every route except the public ones requires the token, which identifies the caller', async () => {
    await using server = await start(ROUTES, { tokens: ['one', 'two'] });
    const refused = await server.get('/skills/pdf');
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { error: { code: 'REFUSED', message: 'A bearer token is required.' } },
    ]);
    const admitted = await server.get('/skills/pdf', { headers: { authorization: 'Bearer two' } });
    expect(await admitted.json()).toMatchObject({ caller: '1' });
    expect((await server.get('/healthz')).status).toBe(200);
  });

  test('a body must have the type of its route', async () => {
    await using server = await start();
    const post = (path: string, type: string) =>
      server.get(path, { method: 'POST', body: 'a=1', headers: { 'content-type': type } });
    const [json, form] = ['Application/JSON; charset=utf-8', 'application/x-www-form-urlencoded'];
    expect((await post('/echo', json)).status).toBe(200);
    expect((await post('/echo', form)).status).toBe(415);
    expect((await post('/echo', 'text/plain; application/json')).status).toBe(415);
    expect((await post('/login', json)).status).toBe(415);
    expect(await (await post('/login', form)).json()).toMatchObject({ text: 'a=1' });
  });

  test('an oversized body is refused even without a declared length', async () => {
    await using server = await start();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(
        `${server.url}/echo`,
        { method: 'POST', headers: { 'content-type': 'application/json' } },
        (response) => {
          resolve(response.statusCode);
          request.destroy();
        },
      );
      request.on('error', reject);
      request.write(Buffer.alloc(LIMITS.requestBytes.value));
      request.write('x');
    });
    expect(status).toBe(413);
    expect((await server.get('/healthz')).status).toBe(200);
  });
});

describe('headers that decide', () => {
  /** Headers as they are given; a client of Node.js would merge them. */
  const raw = (url: string, ...headers: string[]) =>
    new Promise<string>((resolve, reject) => {
      const { port, host } = new URL(url);
      const socket = net.connect(Number(port), '127.0.0.1', () =>
        socket.write(
          ['GET /skills/pdf HTTP/1.1', `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n'),
        ),
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      socket.on('error', reject).on('close', () => resolve(text.split('\r\n')[0] ?? ''));
    });

  test.each([
    'Host: evil.example',
    'host: 127.0.0.1',
    'Authorization: Bearer two',
    'AUTHORIZATION: Bearer one',
    'Content-Type: text/plain',
    'Origin: http://127.0.0.1',
  ])('%s beside another of its name is 400', async (second) => {
    await using server = await start(ROUTES, { tokens: ['one'] });
    const first = ['Authorization: Bearer one', 'Content-Type: application/json', `Origin: ${server.url}`];
    expect(await raw(server.url, ...first)).toBe('HTTP/1.1 200 OK');
    expect(await raw(server.url, ...first, second)).toBe('HTTP/1.1 400 Bad Request');
  });
});

test.each(['', ' ', 'two words', 'tab\t', 'schlüssel', 'line\nbreak', '\u00a0'])(
  'the token %j could never be sent, so the server does not start, and the message does not show it',
  async (token) => {
    const failure = await start(ROUTES, { tokens: ['good', token] }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('LECTERN_TOKEN') });
    if (token.trim() !== '') expect(JSON.stringify(failure)).not.toContain(token);
  },
);

describe('connections', () => {
  const open = (port: number, text = '') =>
    new Promise<net.Socket>((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write(text);
        resolve(socket);
      });
      socket.on('error', reject);
    });

  test('idle connections make room for new clients, unused ones first', async () => {
    const release = deferred();
    const arrived = deferred();
    const slow: Handler = async () => {
      arrived.resolve();
      await release.promise;
      return new Response('done');
    };
    await using server = await start([{ path: '/slow', methods: { GET: slow } }], { maxConnections: 4 });
    const port = Number(new URL(server.url).port);
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const closed = (socket: net.Socket) => once(socket, 'close');

    const busy = await open(port, get('/slow'));
    await arrived.promise;
    const between = await open(port, get('/healthz'));
    await once(between, 'data');
    const silent = await open(port);
    const half = await open(port, 'POST /slow HT');
    const silentIsGone = closed(silent);
    const [halfIsGone, betweenIsGone] = [closed(half), closed(between)];

    const third = await open(port, get('/healthz'));
    await once(third, 'data');
    await silentIsGone;
    expect([half.closed, between.closed]).toEqual([false, false]);
    const fourth = await open(port, get('/healthz'));
    await once(fourth, 'data');
    await halfIsGone;
    expect(between.closed).toBe(false);
    const fifth = await open(port, get('/healthz'));
    await once(fifth, 'data');
    await betweenIsGone;

    release.resolve();
    expect(String((await once(busy, 'data'))[0])).toContain('done');
    for (const socket of [busy, third, fourth, fifth]) socket.destroy();
  });

  test('if all are in use, one more is refused and the others continue', async () => {
    const release = deferred();
    let waiting = 0;
    const slow: Handler = async () => {
      waiting += 1;
      await release.promise;
      return new Response('done');
    };
    await using server = await start([{ path: '/slow', methods: { GET: slow } }], { maxConnections: 2 });
    const calls = [server.get('/slow'), server.get('/slow')];
    await expect.poll(() => waiting).toBe(2);
    await expect(server.get('/healthz')).rejects.toThrow('fetch failed');
    release.resolve();
    for (const call of calls) expect(await (await call).text()).toBe('done');
    expect((await server.get('/healthz')).status).toBe(200);
  });
});

test('a caller that hangs up while it sends is no error of ours', async () => {
  await using server = await start();
  const { port } = new URL(server.url);
  for (const rest of ['{"half":', '']) {
    const socket = net.connect(Number(port), '127.0.0.1');
    const head = [
      'POST /echo HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${rest}`);
    await once(socket, 'connect');
    socket.resetAndDestroy();
  }
  expect((await server.get('/healthz')).status).toBe(200);
  expect(server.bugs).toEqual([]);
});

describe('responses', () => {
  test('an exception in a handler becomes a 500 without details, and is reported in full', async () => {
    await using server = await start();
    const answer = await server.get('/broken');
    expect([answer.status, await answer.json()]).toEqual([
      500,
      {
        error: {
          code: 'INTERNAL',
          message: expect.stringMatching(/^Something went wrong inside Lectern \(error [0-9a-f]{8}\)\.$/u),
        },
      },
    ]);
    expect(server.bugs).toEqual([expect.any(TypeError)]);
  });

  test('a body that fails midway is cut off, not ended as if it were whole', async () => {
    let pulls = 0;
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(new TextEncoder().encode('half'));
        else controller.error(new Error('no more'));
      },
    });
    await using server = await start([{ path: '/', methods: { GET: () => new Response(failing) } }]);
    await expect(server.get('/').then((answer) => answer.text())).rejects.toThrow(TypeError);
  });

  test('a stream waits for a slow reader and is canceled when the reader disconnects', async () => {
    let sent = 0;
    let finished = false;
    const canceled = deferred();
    const endless: Handler = (_, context) => {
      void context.finished.then(() => (finished = true));
      return new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            sent += 1;
            controller.enqueue(new Uint8Array(1024 * 1024));
          },
          cancel: () => canceled.resolve(),
        }),
      );
    };
    await using server = await start([{ path: '/', methods: { GET: endless } }]);
    const answer = await server.get('/');
    const reader = answer.body?.getReader();
    await reader?.read();
    // The buffers of both ends take a few megabytes; the rest is never made.
    expect(sent).toBeLessThan(100);
    await reader?.cancel();
    await canceled.promise;
    await expect.poll(() => finished).toBe(true);
  });

  test('closing waits for replies that are due on a stream, but not for the stream', async () => {
    let pending = 1;
    const opened = deferred();
    const endless: Handler = (_, { isStream }) => {
      isStream();
      opened.resolve();
      return new Response(new ReadableStream<Uint8Array>());
    };
    const order: string[] = [];
    const service = {
      routes: [{ path: '/stream', methods: { POST: endless } }],
      pending: () => pending,
      close: async () => void order.push('closed'),
    };
    const ignore = (): void => undefined;
    const options = { host: '127.0.0.1', port: 0, tokens: [], allowedHosts: [], bug: ignore, warn: ignore };
    const server = await listen([service], options);
    const headers = { 'content-type': 'application/json' };
    const stream = fetch(`${server.url}/stream`, { method: 'POST', body: '{}', headers });
    await opened.promise;
    const closing = server.close();
    setImmediate(() => {
      order.push('replied');
      pending = 0;
    });
    await closing;
    expect(order).toEqual(['replied', 'closed']);
    await stream.catch(() => undefined);
  });

  test('closing waits for a call that takes longer than a few seconds', async () => {
    const [release, arrived] = [deferred(), deferred()];
    const slow: Handler = async () => {
      arrived.resolve();
      await release.promise;
      return new Response('late');
    };
    const server = await start([{ path: '/slow', methods: { GET: slow } }]);
    const reply = server.get('/slow').then((response) => response.text());
    reply.catch(() => undefined);
    await arrived.promise;
    const closing = server.close();
    setTimeout(release.resolve, 4_000);
    expect(await reply).toBe('late');
    await closing;
  });

  test('a request that was sent before the server closes is answered, even if it is still unread', async () => {
    await using server = await start();
    const { hostname, port } = new URL(server.url);
    const socket = net.connect(Number(port), hostname);
    await once(socket, 'connect');
    const reply = once(socket.setEncoding('utf8'), 'data');
    socket.write(`GET /skills/pdf HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`);
    // No turn of the event loop in between, so the server has not seen the request yet.
    const closing = server.close();
    expect(String(await reply)).toMatch(/^HTTP\/1\.1 200/u);
    await closing;
  });

  test('closing lets calls finish, closes every service once, and then refuses connections', async () => {
    const release = deferred();
    const arrived = deferred();
    const slow: Handler = async () => {
      arrived.resolve();
      await release.promise;
      return new Response('done');
    };
    const server = await start([{ path: '/slow', methods: { POST: slow } }]);
    const call = server.get('/slow', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    await arrived.promise;
    const closing = Promise.all([server.close(), server.close()]);
    release.resolve();
    expect(await (await call).text()).toBe('done');
    await closing;
    await server.closed;
    expect(server.closedServices()).toBe(1);
    await expect(server.get('/slow')).rejects.toThrow('fetch failed');
  });
});
