/** The one client for requests to other servers. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ask, type AskOptions } from '../../src/core/ask.ts';

type Reply = (response: http.ServerResponse, request: http.IncomingMessage) => void;

interface Server extends AsyncDisposable {
  url: string;
  requests: http.IncomingHttpHeaders[];
}

async function serve(...replies: Reply[]): Promise<Server> {
  const requests: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    request.resume();
    requests.push(request.headers);
    replies[Math.min(requests.length, replies.length) - 1]?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/path`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const BOUNDS: AskOptions = { timeoutMs: 300_000, maxBytes: 100 };
const disconnect: Reply = (_, request) => void request.socket.destroy();
const hang: Reply = () => undefined;

test('the response has its status, headers and text, whatever the status is', async () => {
  await using server = await serve((response) => response.writeHead(404, { etag: '"7"' }).end('grün'));
  const answer = await ask(server.url, { ...BOUNDS, token: 's3cret', headers: { accept: 'text/plain' } });
  expect(answer).toMatchObject({ kind: 'answer', status: 404, text: 'grün' });
  expect(answer.kind === 'answer' && answer.headers.get('etag')).toBe('"7"');
  expect(server.requests).toMatchObject([{ authorization: 'Bearer s3cret', accept: 'text/plain' }]);
});

test('a request without a token has no authorization', async () => {
  await using server = await serve((response) => response.end());
  await ask(server.url, { ...BOUNDS, token: undefined });
  expect(server.requests[0]).not.toHaveProperty('authorization');
});

test('a response that never ends is read only up to the limit', async () => {
  await using server = await serve((response) => {
    const more = (): void => void response.write('x'.repeat(64), (error) => error ?? setImmediate(more));
    more();
  });
  expect(await ask(server.url, BOUNDS)).toEqual({ kind: 'too-long' });
});

test('a redirect is reported with its target, and the target gets no request', async () => {
  await using target = await serve((response) => response.end('{}'));
  await using server = await serve((response) => response.writeHead(302, { location: target.url }).end());
  expect(await ask(server.url, { ...BOUNDS, token: 's3cret', isRepeatable: true })).toMatchObject({
    kind: 'away',
    reason: `answered 302, a redirect to ${new URL(target.url).origin}`,
    lasts: true,
    isSlow: false,
  });
  expect([server.requests.length, target.requests]).toEqual([1, []]);
});

test('304 is an answer, because it leads nowhere', async () => {
  await using server = await serve((response) => response.writeHead(304).end());
  expect(await ask(server.url, BOUNDS)).toMatchObject({ kind: 'answer', status: 304, text: '' });
});

test.each<[string, Reply]>([
  ['no response', hang],
  ['half a response', (response) => void response.writeHead(200).write('{')],
])('%s within the time is reported as slow', async (_, reply) => {
  await using server = await serve(reply);
  expect(await ask(server.url, { ...BOUNDS, timeoutMs: 50 })).toMatchObject({
    kind: 'away',
    isSlow: true,
    reason: 'does not answer in time',
  });
});

test('the caller can end the request', async () => {
  await using server = await serve(hang);
  expect(await ask(server.url, { ...BOUNDS, signal: AbortSignal.abort() })).toMatchObject({
    kind: 'away',
    isSlow: false,
  });
});

test('a lost connection is explained, and only a repeatable request is sent a second time', async () => {
  await using server = await serve(disconnect, disconnect, (response) => response.end('fine'));
  expect(await ask(server.url, BOUNDS)).toMatchObject({
    kind: 'away',
    reason: 'closed the connection without an answer',
    isSlow: false,
    lasts: false,
  });
  expect(server.requests).toHaveLength(1);
  expect(await ask(server.url, { ...BOUNDS, isRepeatable: true })).toMatchObject({ kind: 'answer', text: 'fine' });
  expect(server.requests).toHaveLength(3);
});

test('an address that cannot be requested is explained, not thrown', async () => {
  expect(await ask('http://127.0.0.1:1/', BOUNDS)).toMatchObject({ kind: 'away', lasts: false });
});
