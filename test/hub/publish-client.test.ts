/** What those who publish are told if no catalog answers at the address. */
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { whyNoAnswer } from '../../src/core/no-answer.ts';
import { PublishClient } from '../../src/hub/publish-client.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TLS = {
  key: fs.readFileSync(new URL('../fixtures/tls/server.key', import.meta.url)),
  cert: fs.readFileSync(new URL('../fixtures/tls/server.crt', import.meta.url)),
};

async function listening(server: net.Server): Promise<{ port: number } & AsyncDisposable> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      if ('closeAllConnections' in server) (server as http.Server).closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const answering = (status: number, headers: Record<string, string>, body: string) =>
  listening(
    http.createServer((request, response) => {
      request.resume();
      response.writeHead(status, headers).end(body);
    }),
  );

async function told(url: string): Promise<Pick<Failure, 'code' | 'message' | 'hint'>> {
  const error = await new PublishClient({ url, token: 'lct_secret' }).history('a/b').then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error('it must fail', { cause: error });
  return error;
}

test('a certificate that is not trusted is called that, with the variable that helps', async () => {
  await using server = await listening(https.createServer(TLS));
  const url = `https://127.0.0.1:${server.port}`;
  expect(await told(url)).toMatchObject({
    code: 'UNREACHABLE',
    message: `${url} has a certificate that is not trusted here.`,
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
});

test('a server without https and a refused connection give different errors', async () => {
  await using server = await answering(200, {}, '');
  expect((await told(`https://127.0.0.1:${server.port}`)).message).toMatch(/ does not support https there\.$/u);
  const { port, ...gone } = await listening(net.createServer());
  await gone[Symbol.asyncDispose]();
  expect((await told(`http://127.0.0.1:${port}`)).message).toMatch(/ cannot be reached: the connection is refused\.$/u);
});

test('an unknown host name and a slow server give different reasons', () => {
  const failed = (cause: Error) => whyNoAnswer(new TypeError('fetch failed', { cause })).reason;
  expect(failed(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))).toBe(
    'cannot be reached: its host name is not found',
  );
  expect(failed(Object.assign(new Error('x'), { code: 'UND_ERR_CONNECT_TIMEOUT' }))).toBe('does not answer in time');
  expect(whyNoAnswer(new DOMException('x', 'TimeoutError')).reason).toBe('does not answer in time');
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  expect(failed(new AggregateError([refused, refused]))).toBe('cannot be reached: the connection is refused');
  expect(failed(new Error('something new'))).toBe('does not answer');
});

test('an answer that is too long is not read to its end', async () => {
  const tooMuch = ' '.repeat(LIMITS.publishAnswerBytes.value);
  await using server = await answering(200, {}, `${tooMuch}{"versions":[]}`);
  const url = `http://127.0.0.1:${server.port}`;
  expect(await told(url)).toMatchObject({
    code: 'UNREACHABLE',
    message: `${url} sent an answer of more than 16,777,216 bytes.`,
  });
});

test('a refusal is shortened to a readable length', async () => {
  const error = { code: 'REFUSED', message: 'm'.repeat(1e6), hint: 'h'.repeat(1e6), suggestions: Array(1e4).fill('s') };
  await using server = await answering(409, {}, JSON.stringify({ error }));
  const failure = (await told(`http://127.0.0.1:${server.port}`)) as Failure;
  expect([failure.message.length, failure.hint?.length, failure.suggestions.length]).toEqual([4_096, 4_096, 100]);
});

test('a redirect is named with the place it leads to, and not followed', async () => {
  const location = 'https://login.example.com/sign-in?state=secret';
  await using server = await answering(302, { location }, '');
  const url = `http://127.0.0.1:${server.port}`;
  expect(await told(url)).toMatchObject({
    code: 'UNREACHABLE',
    message: `${url} answered 302, a redirect to https://login.example.com.`,
  });
});

test.each(['<!doctype html>', '{}', '[]', '{"versions":[{"number":"1"}]}', ''])(
  'a server that answers %j is no Lectern catalog, for every command',
  async (body) => {
    await using server = await answering(200, {}, body);
    const url = `http://127.0.0.1:${server.port}`;
    using folder = tempFolder();
    folder.write({ 'project/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    for (const words of [
      ['publish', '--source', 'a/b', '--url', url],
      ['publish', '--source', 'a/b', '--dry-run', '--url', url],
      ['history', 'a/b', '--url', url],
      ['rollback', 'a/b', '--to', '1', '--url', url],
    ]) {
      const { code, stdout } = await lectern(folder, [...words, '--json'], {
        env: { LECTERN_PUBLISH_TOKEN: 'lct_secret' },
      });
      expect(code).toBe(2);
      expect(JSON.parse(stdout).error).toMatchObject({
        code: 'UNREACHABLE',
        message: `${url} is not a Lectern catalog.`,
        hint: expect.stringContaining('lectern serve'),
      });
    }
  },
);

test('a proxy error is not mistaken for a refusal by the catalog', async () => {
  await using server = await answering(502, {}, '<h1>Bad Gateway</h1>');
  expect(await told(`http://127.0.0.1:${server.port}`)).toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringMatching(/ returned 502, but not from a Lectern catalog\.$/u),
    hint: expect.stringContaining('proxy'),
  });
});
