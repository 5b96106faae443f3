import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { endpointEmbedder, endpointUrl } from '../../src/search/embed/endpoint.ts';

type Answer = (
  body: { model: string; input: string[] },
  response: http.ServerResponse,
  request: http.IncomingMessage,
  call: number,
) => void;

let server: http.Server | https.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serve(answer: Answer): Promise<string> {
  let call = 0;
  server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(JSON.parse(Buffer.concat(chunks).toString()), response, request, ++call));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const reply = (response: http.ServerResponse, body: unknown, status = 200): void => {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
};
const vectorsFor = (input: readonly string[]): object => ({
  data: input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })),
});
const quick = { model: 'm', pauseMs: 1, attempts: 3, timeoutMs: 300_000 };

describe('an embeddings endpoint', () => {
  test('texts go in batches with model, prefix and key, and vectors come back in order', async () => {
    const seen: { input: string[]; key: string | undefined; path: string | undefined }[] = [];
    const url = await serve((body, response, request) => {
      seen.push({ input: body.input, key: request.headers.authorization, path: request.url });
      const { data } = vectorsFor(body.input) as { data: object[] };
      reply(response, { data: data.reverse() });
    });
    const embedder = endpointEmbedder({ ...quick, url, key: 's3cret', batch: 2, documentPrefix: 'doc: ' });
    const vectors = await embedder.embed(['a', 'bb', 'ccc'], 'document');
    expect(vectors.map((vector) => vector[0])).toEqual([6, 7, 8]);
    expect(seen).toEqual([
      { input: ['doc: a', 'doc: bb'], key: 'Bearer s3cret', path: '/v1/embeddings' },
      { input: ['doc: ccc'], key: 'Bearer s3cret', path: '/v1/embeddings' },
    ]);
  });

  test('a temporary 500 or 429 is retried', async () => {
    const url = await serve((body, response, _request, call) => {
      if (call === 1) reply(response, 'oops', 500);
      else if (call === 2) response.writeHead(429, { 'retry-after': '0' }).end();
      else reply(response, vectorsFor(body.input));
    });
    await expect(endpointEmbedder({ ...quick, url }).embed(['a'], 'query')).resolves.toHaveLength(1);
  });

  test.each<[string, Answer, RegExp]>([
    [
      '500 for ever',
      (_, response) => reply(response, { error: { message: 'GPU on fire' } }, 500),
      /answered 500: GPU on fire \(tried 3 times\)/u,
    ],
    [
      '404 for an unknown model',
      (_, response) => reply(response, { error: { message: 'model "m" not found' } }, 404),
      /answered 404: model "m" not found\.$/u,
    ],
    ['401', (_, response) => reply(response, '', 401), /answered 401\.$/u],
    ['no JSON', (_, response) => reply(response, '<html>'), /not JSON/u],
    ['too few vectors', (_, response) => reply(response, { data: [] }), /0 vectors for 1/u],
    ['no data', (_, response) => reply(response, {}), /no vectors/u],
    ['NaN', (_, response) => reply(response, '{"data":[{"embedding":[1,null,3]}]}'), /not numbers/u],
    ['an empty vector', (_, response) => reply(response, { data: [{ embedding: [] }] }), /not numbers/u],
    [
      'a cut connection',
      (_, response) => response.socket?.destroy(),
      /\/embeddings closed the connection without an answer \(tried 3 times\)\.$/u,
    ],
  ])('%s is a clear error', async (_, answer, message) => {
    const url = await serve(answer);
    const failure = await endpointEmbedder({ ...quick, url, key: 's3cret' })
      .embed(['a'], 'query')
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('"m"'),
    });
    expect(JSON.stringify(failure)).not.toContain('s3cret');
  });

  test('a certificate that is not trusted is reported with the variable that helps, and not retried', async () => {
    const tls = https.createServer({
      key: fs.readFileSync(new URL('../fixtures/tls/server.key', import.meta.url)),
      cert: fs.readFileSync(new URL('../fixtures/tls/server.crt', import.meta.url)),
    });
    let connections = 0;
    tls.on('connection', () => connections++);
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    server = tls;
    const url = `https://127.0.0.1:${(tls.address() as AddressInfo).port}`;
    await expect(endpointEmbedder({ ...quick, url }).embed(['a'], 'query')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: `The embeddings endpoint ${url}/v1/embeddings has a certificate that is not trusted here.`,
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(connections).toBe(1);
  });

  test('a redirect is reported with its target, and neither followed nor retried', async () => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls++;
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    });
    await expect(endpointEmbedder({ ...quick, url, key: 's3cret' }).embed(['a'], 'query')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(/ answered 307, a redirect to http:\/\/127\.0\.0\.1:1\.$/u),
    });
    expect(calls).toBe(1);
  });

  test('a server that hangs is given up', async () => {
    const url = await serve(() => undefined);
    await expect(endpointEmbedder({ ...quick, url, timeoutMs: 50, attempts: 2 }).embed(['a'], 'query')).rejects.toThrow(
      /no answer within 50 ms \(tried 2 times\)/u,
    );
  });

  test('a server that hangs in the middle of its reply is given up', async () => {
    const url = await serve((_, response) => void response.writeHead(200).write('{"data":['));
    await expect(endpointEmbedder({ ...quick, url, timeoutMs: 50, attempts: 1 }).embed(['a'], 'query')).rejects.toThrow(
      /no answer within 50 ms/u,
    );
  });

  test('a refused connection is a clear error', async () => {
    await expect(
      endpointEmbedder({ ...quick, url: 'http://127.0.0.1:1', attempts: 1 }).embed(['a'], 'query'),
    ).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });

  test('an abort ends the wait immediately', async () => {
    const url = await serve(() => undefined);
    const controller = new AbortController();
    const waiting = endpointEmbedder({ ...quick, url }).embed(['a'], 'query', controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    ['http://h:1', 'http://h:1/v1/embeddings'],
    ['http://h:1/v1/', 'http://h:1/v1/embeddings'],
    ['http://h:1/api/v1/embeddings', 'http://h:1/api/v1/embeddings'],
    ['https://h/openai', 'https://h/openai/v1/embeddings'],
  ])('%s leads to %s', (url, expected) => {
    expect(endpointUrl(url).href).toBe(expected);
  });

  test.each(['nonsense', 'ftp://h', 'file:///etc/passwd', 'http://user:pw@h'])('%s is refused', (url) => {
    expect(() => endpointUrl(url)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});
