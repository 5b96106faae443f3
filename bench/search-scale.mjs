// What search costs at several sizes, with the real command on real folders: npm run bench:search-scale [-- 100 1000 10000]
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeCorpus } from './corpus.mjs';
import { measure, measureTogether, median } from './measure.mjs';

const store = fileURLToPath(new URL('../.bench', import.meta.url));
const CLI = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));
const QUESTIONS = [
  'which invoices were not paid',
  'audit the queue for warnings',
  'my deployment fails at night',
  'translate the release notes',
  'a customer sees an old page',
  'k8s rollout',
];
const BARE = { node: process.execPath, args: ['-e', '0'] };
/** Runs of a first search, each with an empty home folder. */
const FIRST_RUNS = 5;
const sizes = process.argv.slice(2).map(Number);

for (const size of sizes.length > 0 ? sizes : [100, 300, 1_000, 10_000]) {
  const project = makeCorpus(join(store, `skills-${size}`), size);
  const home = mkdtempSync(join(tmpdir(), 'lectern-home-'));
  const search = ['search', QUESTIONS[0], '--json'];
  const show = (label, [bare, { cpu, wall, rss }]) =>
    console.log(
      `  ${label.padEnd(34)}${cpu.toFixed(0).padStart(7)} ms CPU ${(cpu / bare.cpu).toFixed(1).padStart(6)}x bare ${wall.toFixed(0).padStart(7)} ms wall ${rss.toFixed(0).padStart(5)} MB peak`,
    );
  console.log(`${size} skills`);
  show('first search, from nothing', firstSearch(search, project));
  once(search, project, home);
  show('second search, new process', inTurns(search, project, home));
  appendFileSync(firstSkill(project), '\n');
  show('after one change', [measure(BARE.node, BARE.args, { cwd: tmpdir() }), once(search, project, home)]);
  const { p50, p95 } = await warm(project, home);
  console.log(`  ${'warm, through the MCP server'.padEnd(34)}    p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  console.log(`  ${'cache'.padEnd(34)}${(bytesBelow(home) / 1e6).toFixed(1).padStart(7)} MB\n`);
  rmSync(home, { recursive: true, force: true });
}

/** The search and a bare start of Node.js take turns, so that both have the same share of the machine. */
function inTurns(args, cwd, home, runs = 7) {
  const programs = [BARE, { node: process.execPath, args: [CLI, ...args] }];
  return measureTogether(programs, { cwd, env: { HOME: home }, runs, warmUp: runs > 1 });
}

function firstSearch(args, cwd) {
  const runs = Array.from({ length: FIRST_RUNS }, () => {
    const home = mkdtempSync(join(tmpdir(), 'lectern-home-'));
    const pair = inTurns(args, cwd, home, 1);
    rmSync(home, { recursive: true, force: true });
    return pair;
  });
  const of = (place, key) => median(runs.map((pair) => pair[place][key]));
  return [0, 1].map((place) => ({ cpu: of(place, 'cpu'), wall: of(place, 'wall'), rss: of(place, 'rss') }));
}

/** One run alone: the second would find the cache of the first. */
function once(args, cwd, home) {
  return measure(process.execPath, [CLI, ...args], { cwd, env: { HOME: home }, runs: 1, warmUp: false });
}

function firstSkill(project) {
  const found = readdirSync(project, { recursive: true }).find((name) => String(name).endsWith('SKILL.md'));
  return join(project, String(found));
}

function bytesBelow(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Many questions to one server, one after the other; it watches the files, so it knows that nothing changed. */
async function warm(cwd, home) {
  const server = spawn(process.execPath, [CLI, 'mcp'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let text = '';
  const waiting = new Map();
  server.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      const message = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      waiting.get(message.id)?.(message);
    }
  });
  const call = (id, method, params) =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await call(0, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const times = [];
  for (let round = 0; round < 110; round++) {
    const started = process.hrtime.bigint();
    await call(round + 1, 'tools/call', {
      name: 'skills_search',
      arguments: { query: QUESTIONS[round % QUESTIONS.length] },
    });
    if (round >= 10) times.push(Number(process.hrtime.bigint() - started) / 1e6);
  }
  server.kill();
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length / 2)], p95: times[Math.floor(times.length * 0.95)] };
}
