/** What a server does with a shared catalog that does not answer, or answers with something else. */
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { connect, errorOf, listedNames, type Session, textOf } from '../../support/connect.ts';
import { expectSameAnswers } from '../../support/same-answers.ts';
import { skillText } from '../../support/skill-text.ts';
import { CAP } from '../../support/spec-text.ts';

const FILES = {
  'project/.agents/skills/refund/SKILL.md': skillText({ name: 'refund', body: 'The local way.' }),
  'project/.agents/skills/deploy/SKILL.md': skillText({ name: 'deploy' }),
  'project/openspec/specs/checkout/spec.md': CAP,
};

const TOKEN = { LECTERN_CATALOG_TOKEN: 'lct_secret' };

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

interface Server extends AsyncDisposable {
  url: string;
  /** The headers of every request. */
  asked: http.IncomingHttpHeaders[];
}

async function listenWith(answer: Answer): Promise<Server> {
  const asked: Server['asked'] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.headers);
    request.resume();
    answer(request, response);
  });
  return { ...(await started(server)), asked };
}

async function started(server: net.Server): Promise<{ url: string } & AsyncDisposable> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Every request gets this reply. */
const reply =
  (value: unknown): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** A result of `skill`. */
const FARAWAY = {
  name: 'faraway',
  fullName: 'a/b:faraway',
  baseDirectory: '/a/b/faraway',
  path: '/a/b/faraway/SKILL.md',
  location: 'project',
  provider: 'repo',
  source: 'a/b',
  content: 'Far and away.',
};
const GOOD = { snapshot: 3, output: FARAWAY };

const join = (url: string, options: object = {}): Promise<Session> =>
  connect('memory', FILES, { flags: ['--catalog', url], environment: TOKEN, ...options });

const STRANGE: Record<string, Answer> = {
  'answers 500': (_request, response) => void response.writeHead(500).end('<h1>Oops</h1>'),
  'answers 404': (_request, response) => void response.writeHead(404).end(),
  'hangs up': (request) => void request.socket.destroy(),
  'sends what is not JSON': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"snapshot":'),
  'sends an event without data': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: message\n\n'),
  'sends null': reply(null),
  'sends a list': reply([GOOD]),
  'sends a reply of MCP': reply({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x' }] } }),
  'names no snapshot': reply({ output: FARAWAY }),
  'names half a snapshot': reply({ ...GOOD, snapshot: 1.5 }),
  'sends neither an output nor an error': reply({ snapshot: 3 }),
  'sends an output without a required field': reply({ snapshot: 3, output: { ...FARAWAY, fullName: undefined } }),
  'sends data of another shape': reply({
    snapshot: 3,
    output: { skills: [{ name: 1 }], results: {}, specs: [null], total: 'many', mode: 'magic', content: [] },
  }),
  'sends an output that is too long': reply({ snapshot: 3, output: { ...FARAWAY, name: 'x'.repeat(1_100_000) } }),
  'fails with a code that does not exist': reply({ snapshot: 3, error: { code: 'EXPLODED', message: 'no' } }),
  'fails without a message': reply({ snapshot: 3, error: { code: 'NOT_FOUND' } }),
};

describe('a shared catalog that is no catalog', () => {
  test.each(Object.entries(STRANGE))('one that %s changes no local answer', async (_name, answer) => {
    await using server = await listenWith(answer);
    await using joined = await join(server.url);
    await using alone = await connect('memory', {}, { folder: joined.folder });
    await expectSameAnswers(joined, alone);
    expect(errorOf(await joined.skill('elsewhere'))).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining(`The shared catalog at ${server.url} `),
    });
    expect(server.asked.length).toBeGreaterThan(0);
  });

  test.each(['identity', 'gzip'])('50 MB (%s) are not read, whatever they end with', async (encoding) => {
    const text = Buffer.from(' '.repeat(50_000_000) + JSON.stringify(GOOD));
    const body = encoding === 'gzip' ? zlib.gzipSync(text) : text;
    await using server = await listenWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);
    });
    await using joined = await join(server.url);
    expect(textOf(await joined.skill('elsewhere'))).toContain('returned an unusable answer');
    expect(textOf(await joined.skill('refund'))).toContain('The local way.');
  });

  test('a catalog of an older version is called that, with the next step', async () => {
    await using server = await listenWith((_request, response) => response.writeHead(404).end());
    await using joined = await join(server.url);
    expect(errorOf(await joined.skill('elsewhere'))).toMatchObject({
      hint: expect.stringContaining(
        'runs an older version without /api/operations, so only local items were searched. Ask the operator of the catalog to upgrade it.',
      ),
    });
  });

  test('an error of the catalog reads like a local one, and has no path', async () => {
    const error = {
      code: 'AMBIGUOUS',
      message: "'faraway' is ambiguous.",
      hint: 'Use a full name.',
      suggestions: ['a/b:faraway', 'c/d:faraway'],
      available: { noun: 'files', names: ['one.md', 'two.md'] },
      path: '/srv/secret',
    };
    await using server = await listenWith(reply({ snapshot: 3, error }));
    await using joined = await join(server.url);
    const answer = await joined.skill('faraway');
    expect(textOf(answer)).toBe("'faraway' is ambiguous.\n\nUse a full name.\n\nAvailable files:\n- one.md\n- two.md");
    expect(errorOf(answer)).toEqual({
      code: error.code,
      message: error.message,
      hint: error.hint,
      suggestions: error.suggestions,
    });
  });

  test('only fields of the table arrive, whatever else the catalog sends', async () => {
    const output = { ...FARAWAY, secret: 'x', content: 'Far.', 'lectern/error': {}, isError: true };
    await using server = await listenWith(reply({ snapshot: 3, output, _meta: { evil: true } }));
    await using joined = await join(server.url);
    const { content, isError = false, _meta } = await joined.skill('faraway');
    expect({ isError, blocks: content.length, ..._meta }).toMatchObject({
      isError: false,
      blocks: 1,
      'lectern/snapshot': 3,
      'lectern/catalog': { url: server.url, snapshot: 3 },
    });
    expect(Object.keys(_meta?.['lectern/facts'] ?? {})).toEqual(
      Object.keys(FARAWAY).filter((key) => key !== 'content'),
    );
    expect(Object.keys(_meta ?? {})).not.toContain('evil');
  });

  test.each<[string, object, string]>([
    ['half a character', { path: '\ud800/x.bin', blob: 'AAAA', unit: 'bytes', offset: 4 }, '\ufffd/x.bin'],
    [
      'more files than a reply has room for',
      { files: Array.from({ length: 9_000 }, (_, i) => ({ path: `${'x'.repeat(50)}${i}`, size: 1, mimeType: 'a/b' })) },
      'too long for one reply',
    ],
  ])('a file list with %s is rendered safely', async (_name, fields, shown) => {
    const output = { name: 'faraway', fullName: 'a/b:faraway', total: 9_000, ...fields };
    await using server = await listenWith(reply({ snapshot: 3, output }));
    await using joined = await join(server.url);
    const answer = await joined.call('skill_file', { name: 'faraway' });
    expect(JSON.stringify(answer).length).toBeLessThan(1_000_000);
    expect(JSON.stringify(answer)).toContain(shown);
    expect(JSON.stringify(answer)).not.toContain('INTERNAL');
  });

  test('a token does not follow to where the catalog sends it', async () => {
    await using elsewhere = await listenWith(reply(GOOD));
    await using server = await listenWith((_request, response) =>
      response.writeHead(307, { location: `${elsewhere.url}/api/operations/skill` }).end(),
    );
    await using joined = await join(server.url);
    expect(textOf(await joined.skill('elsewhere'))).toContain(`answered 307, a redirect to ${elsewhere.url}`);
    expect(server.asked.map(({ authorization }) => authorization)).toContain('Bearer lct_secret');
    expect(elsewhere.asked).toEqual([]);
  });

  test('an untrusted certificate is reported in replies and in the log, with a fix', async () => {
    const [key, cert] = ['server.key', 'server.crt'].map((name) =>
      fs.readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url)),
    );
    await using server = await started(https.createServer({ key, cert }));
    const url = server.url.replace('http:', 'https:');
    await using joined = await connect('stdio', FILES, { flags: ['--catalog', url], environment: TOKEN });
    const why = /has a certificate that is not trusted here.* NODE_EXTRA_CA_CERTS/u;
    expect(errorOf(await joined.skill('elsewhere'))).toMatchObject({ hint: expect.stringMatching(why) });
    await expect.poll(() => joined.log.join('\n')).toMatch(why);
  });

  test('local answers arrive even if the catalog accepts connections but never responds', async () => {
    await using server = await started(net.createServer());
    await using joined = await join(server.url);
    await using alone = await connect('memory', {}, { folder: joined.folder });
    expect(await joined.description()).toBe(await alone.description());
    for (const [tool, args] of [
      ['skill', { name: 'refund' }],
      ['skills_list', {}],
      ['skills_search', { query: 'refund' }],
      ['list_specs', {}],
    ] as const)
      expect((await joined.call(tool, args)).isError ?? false).toBe(false);
    expect(textOf(await joined.skill('elsewhere'))).toContain('does not answer');
  });

  test('a catalog that is down from the start changes no local answer, and is reported in the log', async () => {
    const { url, ...gone } = await started(net.createServer());
    await gone[Symbol.asyncDispose]();
    await using joined = await connect('stdio', FILES, { flags: ['--catalog', url], environment: TOKEN });
    await using alone = await connect('stdio', {}, { folder: joined.folder });
    await expectSameAnswers(joined, alone);
    await expect
      .poll(() => joined.log.join('\n'))
      .toContain(`the shared catalog at ${url} cannot be reached: the connection is refused`);
    expect(joined.log.join('\n')).not.toContain('lct_secret');
  });
});

describe('a shared catalog that changes its mind', () => {
  const good: Answer = (request, response) => {
    if (request.url?.startsWith('/api/operations/')) return reply(GOOD)(request, response);
    const skills = [{ name: 'faraway', description: 'Far <b>away</b>.', location: 'project', provider: 'repo' }];
    response.end(JSON.stringify({ snapshot: 3, total: 1, hasSpecs: false, skills }));
  };

  test.each([401, 403])('%i counts as an answer and clears the cache', async (status) => {
    let answer = good;
    await using server = await listenWith((request, response) => answer(request, response));
    await using session = await join(server.url, { flags: ['--catalog', server.url, '--refresh-interval', '100'] });
    await expect.poll(() => session.description()).toContain('<description>Far &lt;b&gt;away&lt;/b&gt;.</description>');
    expect(textOf(await session.skill('faraway'))).toContain('Loading: faraway');
    // Silence does not take it away, however it comes about.
    for (const strange of Object.values(STRANGE)) {
      answer = strange;
      expect(textOf(await session.skill('faraway'))).toContain('this is a cached answer of');
    }
    answer = (_request, response) => void response.writeHead(status).end();
    expect(textOf(await session.skill('faraway'))).toContain('rejected the token');
    await session.nextNotification('notifications/tools/list_changed');
    await expect.poll(() => session.description()).not.toContain('faraway');
    answer = (request) => void request.socket.destroy();
    expect(errorOf(await session.skill('faraway'))).toMatchObject({ code: 'NOT_FOUND' });
    answer = good;
    expect(textOf(await session.skill('faraway'))).toContain('Loading: faraway');
  });

  test.each([401, 403])(
    'the first call that gets %i removes the shared skills from the list and notifies clients',
    async (status) => {
      let isRefused = false;
      await using server = await listenWith((request, response) =>
        isRefused ? void response.writeHead(status).end() : good(request, response),
      );
      // Nothing looks for changes by itself while this test runs.
      await using session = await join(server.url, {
        flags: ['--catalog', server.url, '--refresh-interval', '600000'],
      });
      await expect.poll(() => session.description()).toContain('faraway');
      isRefused = true;
      expect(textOf(await session.skill('faraway'))).toContain('rejected the token');
      await session.nextNotification('notifications/tools/list_changed');
      expect(await session.description()).not.toContain('faraway');
    },
  );
});

test('neither a skill the agent reads itself nor a shared skill of that name is listed', async () => {
  const skills = ['refund', 'invoice'].map((name) => ({
    name,
    description: 'x',
    location: 'project',
    provider: 'repo',
  }));
  await using server = await listenWith((_request, response) =>
    response.end(JSON.stringify({ snapshot: 3, total: 2, hasSpecs: false, skills })),
  );
  const files = { 'project/.claude/skills/refund/SKILL.md': skillText({ name: 'refund' }) };
  const flags = ['--catalog', server.url, '--for', 'claude'];
  await using session = await connect('memory', files, { flags, environment: TOKEN });
  await expect.poll(async () => listedNames(await session.description())).toEqual(['invoice']);
});

test('a connection that ends with its replica is retried', async () => {
  let requests = 0;
  await using server = await listenWith((request, response) => {
    requests += 1;
    if (request.url !== '/api/operations/skill') return void response.writeHead(404).end();
    if (requests % 2 === 0) return void request.socket.destroy();
    reply(GOOD)(request, response);
  });
  await using session = await join(server.url, { flags: ['--catalog', server.url, '--no-refresh'] });
  await expect.poll(() => session.log.join('\n')).toContain('answered 404');
  for (let index = 0; index < 3; index++) expect(textOf(await session.skill('faraway'))).toContain('Far and away.');
  expect(requests).toBe(7);
});

describe('which catalog', () => {
  test.each([
    ['http://skills.example.com', 'is not encrypted'],
    ['ftp://skills.example.com', 'is not the address of a catalog'],
    ['https://user:secret@skills.example.com', 'must not contain a user or a password'],
    ['skills', 'is not the address of a catalog'],
  ])('%s is refused before a client waits', async (url, why) => {
    const refused = await join(url).catch((error: unknown) => String(error));
    expect(refused).toContain(why);
    expect(refused).not.toContain('secret');
  });

  test('a project cannot name one', async () => {
    await using server = await listenWith(reply(null));
    const files = { ...FILES, 'project/.lectern/config.json': JSON.stringify({ catalog: server.url }) };
    await using session = await connect('memory', files, { environment: TOKEN });
    expect(errorOf(await session.skill('elsewhere'))).toMatchObject({ message: "Skill 'elsewhere' not found." });
    expect(server.asked).toEqual([]);
    await expect.poll(() => session.log.join('\n')).toContain('catalog');
  });

  test('the user can, and over stdio LECTERN_TOKEN will do', async () => {
    await using server = await listenWith(reply(null));
    const files = { ...FILES, 'home/.config/lectern/config.json': JSON.stringify({ catalog: server.url }) };
    await using session = await connect('stdio', files, { environment: { LECTERN_TOKEN: 'lct_usual' } });
    await session.skill('elsewhere');
    expect(new Set(server.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer lct_usual']));
  });

  test('without a token, the reply and the log name the variable to set', async () => {
    await using server = await listenWith((_request, response) => response.writeHead(401).end());
    await using session = await connect('stdio', FILES, { flags: ['--catalog', server.url] });
    const reason = 'requires a token, and LECTERN_TOKEN is not set';
    expect(errorOf(await session.skill('elsewhere'))).toMatchObject({
      hint: expect.stringMatching(new RegExp(`${reason}.* Set LECTERN_TOKEN to a valid token`, 'u')),
    });
    await expect.poll(() => session.log.join('\n')).toContain(reason);
  });

  test('over HTTP, LECTERN_TOKEN is for the callers of this server, and never sent on', async () => {
    await using server = await listenWith((_request, response) => response.writeHead(401).end());
    const options = { environment: { LECTERN_TOKEN: 'callers' }, headers: { authorization: 'Bearer callers' } };
    await using session = await connect('http', FILES, { flags: ['--catalog', server.url], ...options });
    expect(textOf(await session.skill('elsewhere'))).toContain(
      'requires a token, and LECTERN_CATALOG_TOKEN is not set',
    );
    expect(new Set(server.asked.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
  });
});
