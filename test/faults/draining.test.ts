/** Servers that are asked to end while calls are under way. The calls wait for a shared catalog that the test answers late. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { CLI } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const MANY = 40;
const FILES = {
  'project/skills/good/SKILL.md': skillText({ name: 'good', body: `All is well. ${'x'.repeat(20_000)}` }),
  'home/x': '',
};
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const load = (id: number, name: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'skill', arguments: { name } },
});

/** A catalog that answers no call before `release`. */
async function lateCatalog() {
  const held: http.ServerResponse[] = [];
  let isReleased = false;
  const answer = (response: http.ServerResponse): void => {
    const output = {
      name: 'elsewhere',
      fullName: 'acme/skills:elsewhere',
      baseDirectory: '/acme/skills/elsewhere',
      path: '/acme/skills/elsewhere/SKILL.md',
      location: 'project',
      provider: 'repo',
      source: 'acme/skills',
      content: 'From the catalog.',
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ snapshot: 3, output }));
  };
  const server = http.createServer((request, response) => {
    request.resume();
    if (request.method !== 'POST') return void response.writeHead(404).end();
    if (isReleased) answer(response);
    else held.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    release: () => {
      isReleased = true;
      for (const response of held) answer(response);
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function start(folder: TempFolder, flags: readonly string[]) {
  const child = spawn(process.execPath, [CLI, 'mcp', ...flags], {
    cwd: folder.at('project'),
    env: { PATH: process.env['PATH'], HOME: folder.at('home'), LECTERN_CATALOG_TOKEN: 'lct_secret' },
    stdio: 'pipe',
  });
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (seen[name] += text));
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  return { child, seen, ended };
}

const stop = (child: ChildProcess): void => void (child.exitCode === null && child.kill('SIGKILL'));

/** Longer than the three seconds that a server used to wait after the end of its input. */
const LATE_MS = 4_000;

describe('calls under way', () => {
  test.each(['EOF', 'SIGTERM'] as const)('over stdio are all answered at %s', async (how) => {
    using folder = tempFolder(FILES);
    using catalog = await lateCatalog();
    const { child, seen, ended } = start(folder, ['--catalog', catalog.url]);
    try {
      child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      await expect.poll(() => seen.stdout).toContain('"init"');
      for (let id = 0; id < MANY; id++) child.stdin.write(`${JSON.stringify(load(id, 'good'))}\n`);
      for (let id = MANY; id < MANY + 5; id++) child.stdin.write(`${JSON.stringify(load(id, `elsewhere-${id}`))}\n`);
      await expect.poll(() => catalog.held.length).toBeGreaterThanOrEqual(5);
      if (how === 'EOF') child.stdin.end();
      else child.kill(how);
      if (how === 'SIGTERM') await expect.poll(() => seen.stderr).toContain('shutting down');
      else await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      catalog.release();
      expect(await ended).toEqual([0, null]);
      const replies = seen.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id?: number });
      const ids = new Set(replies.map(({ id }) => id));
      expect(Array.from({ length: MANY + 5 }, (_, id) => id).filter((id) => !ids.has(id))).toEqual([]);
      if (how === 'SIGTERM') expect(seen.stdout.split('From the catalog').length - 1).toBe(5);
      expect(seen.stderr).not.toContain('dropped');
    } finally {
      stop(child);
    }
  });

  test.each(['streamable HTTP', 'SSE'] as const)('over %s are all answered at SIGTERM', async (kind) => {
    using folder = tempFolder(FILES);
    using catalog = await lateCatalog();
    const { child, seen, ended } = start(folder, ['--transport', 'http', '--port', '0', '--catalog', catalog.url]);
    try {
      await expect.poll(() => seen.stderr).toMatch(/at http:\S+?;/u);
      const [, url = ''] = /at (http:\/\/[^/;]+)\/mcp;/u.exec(seen.stderr) ?? [];
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const ask = (path: string, message: object, more: Record<string, string> = {}): Promise<Response> =>
        fetch(url + path, { method: 'POST', body: JSON.stringify(message), headers: { ...headers, ...more } });
      let replies: Promise<string>;
      if (kind === 'SSE') {
        const stream = await fetch(`${url}/mcp`, { headers: { accept: 'text/event-stream' } });
        const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
        const [, endpoint = ''] = /data: (\S+)/u.exec((await events?.read())?.value ?? '') ?? [];
        await ask(endpoint, INITIALIZE);
        for (let id = 0; id < 5; id++) await ask(endpoint, load(id, `elsewhere-${id}`));
        replies = (async () => {
          let text = '';
          for (let next = await events?.read(); next?.done === false; next = await events?.read()) text += next.value;
          return text;
        })();
      } else {
        const opened = await ask('/mcp', INITIALIZE);
        const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
        await opened.text();
        const all = Array.from({ length: 5 }, async (_, id) => {
          const response = await ask('/mcp', load(id, `elsewhere-${id}`), session);
          return response.text();
        });
        replies = Promise.all(all).then((texts) => texts.join('\n'));
      }
      replies.catch(() => undefined);
      await expect.poll(() => catalog.held.length).toBeGreaterThanOrEqual(5);
      child.kill('SIGTERM');
      await expect.poll(() => seen.stderr).toContain('shutting down');
      catalog.release();
      expect((await replies).split('From the catalog').length - 1).toBe(5);
      expect(await ended).toEqual([0, null]);
      expect(seen.stderr).not.toContain('dropped');
    } finally {
      stop(child);
    }
  });
});
