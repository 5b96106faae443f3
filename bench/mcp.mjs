// npm run bench:mcp: what the MCP server costs, as ratios against a bare server on the same SDK that is bundled the same way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCorpus } from './corpus.mjs';
import { median } from './measure.mjs';
import { bundleBare, costOf, modern, post, startHttp } from './server.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const store = join(root, '.bench');
const cli = join(root, 'dist/cli.cjs');
const RUNS = Number(process.argv[2] ?? 15);
const CALLS = 4_000;
const CONNECTIONS = 10;

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

mkdirSync(store, { recursive: true });
const bare = await bundleBare(root, join(store, 'bare'));
const corpora = Object.fromEntries(
  [100, 10_000].map((size) => [size, makeCorpus(join(store, `skills-${size}`), size)]),
);

await startUp();
await calls();
await rescans();
await sessions();

/** From the start of the process to the replies to `initialize` and `tools/list`, in turns, so that a busy moment hits all alike. */
async function startUp() {
  const kinds = {
    'bare SDK server': { args: [bare], cwd: store },
    'lectern mcp, 100 skills': { args: [cli, 'mcp'], cwd: corpora[100] },
    'lectern mcp, 10,000 skills': { args: [cli, 'mcp'], cwd: corpora[10_000] },
    'reads everything first, 100 skills': { args: [bare], cwd: store, env: { SCAN: corpora[100] } },
    'reads everything first, 10,000 skills': { args: [bare], cwd: store, env: { SCAN: corpora[10_000] } },
  };
  const samples = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  for (let run = 0; run <= RUNS; run++) {
    for (const [name, kind] of Object.entries(kinds)) {
      const sample = await startOnce(kind);
      if (run > 0) samples[name].push(sample);
    }
  }
  const base = samples['bare SDK server'];
  print(
    [
      'from the start of the process',
      'initialize ms',
      'ratio',
      'CPU ms',
      'tools/list ms',
      'ratio',
      'CPU ms',
      'peak MB',
    ],
    Object.entries(samples).map(([name, list]) => {
      const of = (key, from = list) => median(from.map((sample) => sample[key]));
      const ratio = (key) => `${(of(key) / of(key, base)).toFixed(2)}x`;
      return [
        name,
        of('initialize').toFixed(0),
        ratio('initialize'),
        of('initializeCpu').toFixed(0),
        of('list').toFixed(0),
        ratio('list'),
        of('cpu').toFixed(0),
        of('rss').toFixed(0),
      ];
    }),
  );
}

async function startOnce({ args, cwd, env = {} }) {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const seen = {};
  let rest = '';
  const done = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      rest += text;
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
        const { id } = JSON.parse(rest.slice(0, end));
        rest = rest.slice(end + 1);
        if (id === 1) {
          seen.initialize = performance.now() - started;
          seen.initializeCpu = costOf(child.pid).cpu;
          send({ method: 'notifications/initialized' });
          send({ id: 2, method: 'tools/list' });
        }
        if (id === 2) {
          seen.list = performance.now() - started;
          resolve();
        }
      }
    });
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  });
  await done;
  Object.assign(seen, costOf(child.pid));
  child.stdin.end();
  await once(child, 'exit');
  return seen;
}

/** Calls per second and processor time per call over HTTP, in turns. */
async function calls() {
  const servers = {
    'bare SDK server': await startHttp([bare, 'http'], store),
    'lectern mcp, 100 skills': await startHttp([cli, 'mcp', '--transport', 'http', '--port', '0'], corpora[100]),
  };
  const name = await firstSkill(servers['lectern mcp, 100 skills'].url);
  const samples = Object.fromEntries(Object.keys(servers).map((each) => [each, []]));
  for (let run = 0; run <= 5; run++) {
    for (const [each, { url, child }] of Object.entries(servers)) {
      const sample = await callMany(url, child.pid, name);
      if (run > 0) samples[each].push(sample);
    }
  }
  const base = samples['bare SDK server'];
  print(
    [`tools/call over HTTP, ${CONNECTIONS} connections`, 'calls/s', 'CPU ms per call', 'ratio', 'MB after'],
    Object.entries(samples).map(([each, list]) => {
      const of = (key, from = list) => median(from.map((sample) => sample[key]));
      return [
        each,
        of('perSecond').toFixed(0),
        of('cpu').toFixed(3),
        `${(of('cpu') / of('cpu', base)).toFixed(2)}x`,
        costOf(servers[each].child.pid).rss.toFixed(0),
      ];
    }),
  );
  for (const { child } of Object.values(servers)) child.kill();
}

async function firstSkill(url) {
  const { text } = await post(
    url,
    ...modern('tools/call', { name: 'skills_list', arguments: {} }, 'skills_list'),
    agent,
  );
  return JSON.parse(text).result.structuredContent.skills[0].name;
}

async function callMany(url, pid, name) {
  const request = modern('tools/call', { name: 'skill', arguments: { name } }, 'skill');
  const before = costOf(pid);
  const started = performance.now();
  let left = CALLS;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const { status, text } = await post(url, ...request, agent);
        if (status !== 200 || text.includes('"isError":true')) throw new Error(text);
      }
    }),
  );
  return { perSecond: CALLS / ((performance.now() - started) / 1000), cpu: (costOf(pid).cpu - before.cpu) / CALLS };
}

/** With refresh off, each call of `skills_list` rescans the folders. */
async function rescans() {
  const rows = [];
  for (const [size, cwd] of Object.entries(corpora)) {
    const { child, url } = await startHttp([cli, 'mcp', '--transport', 'http', '--port', '0', '--no-refresh'], cwd);
    const request = modern('tools/call', { name: 'skills_list', arguments: { limit: 1 } }, 'skills_list');
    const times = [];
    for (let run = 0; run <= RUNS; run++) {
      const started = performance.now();
      await post(url, ...request, agent);
      if (run > 0) times.push(performance.now() - started);
    }
    rows.push([size, median(times).toFixed(1), 'at most 1000']);
    child.kill();
  }
  print(['skills', 'ms per rescan', 'target'], rows);
}

/** Memory when idle, without skills and with 100, and how much abandoned sessions add. */
async function sessions() {
  const command = [cli, 'mcp', '--transport', 'http', '--port', '0'];
  // The list is answered after the first scan.
  const idleMemory = async ({ child, url }) => {
    await post(url, ...modern('tools/list', {}), agent);
    return costOf(child.pid).now;
  };
  mkdirSync(join(store, 'empty'), { recursive: true });
  const empty = await startHttp(command, join(store, 'empty'));
  const idleEmpty = await idleMemory(empty);
  empty.child.kill();
  const { child, url } = await startHttp(command, corpora[100]);
  const idle = await idleMemory({ child, url });
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  });
  const rows = [
    ['idle, no skills', idleEmpty.toFixed(0), ''],
    ['idle, 100 skills', idle.toFixed(0), `+${(idle - idleEmpty).toFixed(0)}, target at most 10`],
  ];
  for (const thousands of [1, 2, 3, 4, 5]) {
    for (let index = 0; index < 1_000; index++) await post(url, {}, body, agent);
    rows.push([
      `${thousands},000 abandoned sessions`,
      costOf(child.pid).now.toFixed(0),
      `+${(costOf(child.pid).now - idle).toFixed(0)}`,
    ]);
  }
  print(['memory of the HTTP server', 'MB', 'growth'], rows);
  child.kill();
}

function print(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)));
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows])
    console.log(row.map((cell, column) => String(cell).padEnd(widths[column])).join('  '));
  console.log();
}
