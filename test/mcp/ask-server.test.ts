/** Real servers, most of which misbehave: their tools, and that nothing is left running. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ServerAnswer } from '../../src/agents/context/servers.ts';
import { askServer } from '../../src/mcp/ask-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SERVER = fileURLToPath(new URL('../fixtures/mcp-servers/server.mjs', import.meta.url));
const LONG_MS = 60_000;

interface Run {
  answer: ServerAnswer;
  /** Working folder and environment of each process. */
  processes: { id: number; dir: string; environment: Record<string, string> }[];
}

async function run(
  words: readonly string[],
  { timeoutMs = LONG_MS, signal = new AbortController().signal } = {},
): Promise<Run> {
  using folder = tempFolder();
  const dir = fs.realpathSync(folder.dir);
  const answer = await askServer(
    { kind: 'program', command: process.execPath, args: [SERVER, dir, ...words], dir, environment: { OWN: 'own' } },
    { timeoutMs, environment: { PATH: process.env['PATH'], API_TOKEN: 'secret' }, signal },
  );
  const processes = fs.readdirSync(dir).map((name) => {
    const [cwd = '', environment = ''] = fs.readFileSync(path.join(dir, name), 'utf8').split('\n');
    return { id: Number(name.slice('pid-'.length)), dir: cwd, environment: JSON.parse(environment) };
  });
  expect(processes.map(({ dir: cwd }) => cwd)).toEqual(processes.map(() => dir));
  return { answer, processes };
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch {
    return false;
  }
  // A process that has ended may still wait for its parent.
  return !/^State:\s+Z/mu.test(
    fs.existsSync(`/proc/${id}/status`) ? fs.readFileSync(`/proc/${id}/status`, 'utf8') : '',
  );
}

const namesOf = (answer: ServerAnswer): string[] => ('tools' in answer ? answer.tools.map(({ name }) => name) : []);
const reasonOf = (answer: ServerAnswer): string => ('reason' in answer ? answer.reason : '');

test('all pages of tools and the instructions are read, and the program gets no secret variables', async () => {
  const { answer, processes } = await run(['good', 'Use it well.']);
  expect(namesOf(answer)).toEqual(Array.from({ length: 12 }, (_, index) => `tool_${String(index).padStart(2, '0')}`));
  expect(answer).toMatchObject({ instructions: 'Use it well.' });
  expect(processes).toMatchObject([{ environment: { OWN: 'own' } }]);
  expect(Object.keys(processes[0]?.environment ?? {})).not.toContain('API_TOKEN');
  expect(processes.filter(({ id }) => isRunning(id))).toEqual([]);
});

test('other output is ignored', async () => {
  expect(namesOf((await run(['junk'])).answer)).toHaveLength(12);
});

describe('a server without a usable answer has a reason, and is ended', () => {
  test.each([
    ['crash', 'cannot find the database', LONG_MS],
    ['huge', 'it sent more than 8388608 bytes', LONG_MS],
    ['endless', 'its list of tools does not end', LONG_MS],
    ['refuse', 'it answered with an error: No [31mlicense', LONG_MS],
    ['slow', 'it did not answer within 1 second', 1_000],
  ])('%s', async (behavior, reason, timeoutMs) => {
    const { answer, processes } = await run([behavior], { timeoutMs });
    expect(reasonOf(answer)).toBe(reason);
    expect(processes.filter(({ id }) => isRunning(id))).toEqual([]);
  });

  test('a command that does not exist', async () => {
    const answer = await askServer(
      { kind: 'program', command: 'lectern-no-such-command', args: [], dir: '/', environment: {} },
      { timeoutMs: LONG_MS, environment: {} },
    );
    expect(reasonOf(answer)).toBe('its command lectern-no-such-command was not found');
  });

  test('a command that cannot be passed to the system', async () => {
    const answer = await askServer(
      { kind: 'program', command: 'node\0', args: [], dir: '/', environment: {} },
      { timeoutMs: LONG_MS, environment: {} },
    );
    expect(reasonOf(answer)).toContain('it could not be started');
  });
});

describe('everything that a server started is ended', () => {
  test.each([
    ['a server that ignores SIGTERM', 'stubborn', 1],
    ['a child that ignores SIGTERM', 'child', 2],
    ['a child in a group of its own', 'runaway', 2],
  ])('%s', async (_, behavior, count) => {
    const { answer, processes } = await run([behavior]);
    expect(namesOf(answer)).toHaveLength(12);
    expect(processes).toHaveLength(count);
    expect(processes.filter(({ id }) => isRunning(id))).toEqual([]);
  });

  test('when the caller stops', async () => {
    const caller = new AbortController();
    const running = run(['slow'], { signal: caller.signal });
    setImmediate(() => caller.abort());
    const { answer, processes } = await running;
    expect(reasonOf(answer)).toContain('it was stopped');
    expect(processes.filter(({ id }) => isRunning(id))).toEqual([]);
  });
});

describe('a server at an address', () => {
  const RESULTS: Record<string, object> = {
    initialize: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, instructions: 'Hi.' },
    'tools/list': { tools: [{ name: 'far', description: 'Far', inputSchema: {} }] },
  };

  interface Received {
    method: string;
    rpc: string | undefined;
    headers: http.IncomingHttpHeaders;
  }

  async function serve(
    answer: (rpc: { id?: number; method: string }, response: http.ServerResponse) => void,
    use: (url: string, received: Received[]) => Promise<void>,
  ): Promise<void> {
    const received: Received[] = [];
    const server = http.createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const rpc = body === '' ? undefined : JSON.parse(body);
      received.push({ method: request.method ?? '', rpc: rpc?.method, headers: request.headers });
      if (rpc?.id === undefined) response.writeHead(202).end();
      else answer(rpc, response);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      await use(`http://127.0.0.1:${port}/mcp`, received);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const call = (url: string): Promise<ServerAnswer> =>
    askServer(
      { kind: 'address', url, headers: { Authorization: 'Bearer t' } },
      { timeoutMs: LONG_MS, environment: {} },
    );

  test.each([
    ['application/json', (text: string) => text],
    [
      'text/event-stream',
      (text: string) => `: hello\n\nevent: message\nid: 1\ndata: {"method":"log"}\n\ndata: ${text}\n\n`,
    ],
  ])('lists its tools as %s, and its session is ended', async (type, wrap) => {
    await serve(
      ({ id, method }, response) =>
        response
          .writeHead(200, { 'content-type': type, 'mcp-session-id': 's1' })
          .end(wrap(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] }))),
      async (url, received) => {
        expect(await call(url)).toEqual({
          instructions: 'Hi.',
          tools: [{ name: 'far', description: 'Far', schema: {} }],
        });
        expect(received.map(({ method, rpc }) => rpc ?? method)).toEqual([
          'initialize',
          'notifications/initialized',
          'tools/list',
          'DELETE',
        ]);
        expect(received.map(({ headers }) => headers.authorization)).toEqual(received.map(() => 'Bearer t'));
        expect(received.slice(1).map(({ headers }) => headers['mcp-session-id'])).toEqual(['s1', 's1', 's1']);
        expect(received.at(-1)?.headers['mcp-protocol-version']).toBe('2025-03-26');
      },
    );
  });

  test.each([
    [401, 'it answered 401: the agent may be signed in, Lectern is not'],
    [500, 'it answered 500'],
    [200, 'its answer is not one of an MCP server'],
  ])('has a reason if it answers %i', async (status, reason) => {
    await serve(
      (_, response) => response.writeHead(status).end('<html>'),
      async (url) => expect(reasonOf(await call(url))).toBe(reason),
    );
  });

  test('is not followed elsewhere, so its token stays there', async () => {
    await serve(
      (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/mcp' }).end(),
      async (url) => expect(reasonOf(await call(url))).toContain('a redirect to https://elsewhere.example'),
    );
  });
});
