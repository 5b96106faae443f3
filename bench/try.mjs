// npm run bench:try-cost: processor time of lectern try with 300 skills for each of three agents. A request to a warm server, with the
// ratio to a request that ranks nothing, and a check of 50 saved requests, with the ratio to a bare start of Node.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCorpus } from './corpus.mjs';
import { measureTogether } from './measure.mjs';
import { costOf } from './server.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'dist/cli.cjs');
const SKILLS = 300;
const REQUESTS = 200;
const RUNS = 7;
const WORDS = [
  'invoice',
  'database',
  'deployment',
  'review',
  'plan',
  'audit',
  'migrate',
  'measure',
  'repair',
  'convert',
];
const requestAt = (at) =>
  `${WORDS[at % WORDS.length]} the ${WORDS[(at * 7 + 3) % WORDS.length]} of customer ${at} before the next ${WORDS[(at * 3) % WORDS.length]}`;

mkdirSync(join(root, '.bench'), { recursive: true });
const project = makeCorpus(join(root, '.bench', `try-${SKILLS}`), SKILLS);
// The second folder is read by Codex and Gemini CLI, which are found by their own folders.
if (!existsSync(join(project, '.agents'))) {
  cpSync(join(project, '.claude/skills'), join(project, '.agents/skills'), { recursive: true });
  for (const dir of ['.git', '.codex', '.gemini']) mkdirSync(join(project, dir), { recursive: true });
}
const names = JSON.parse(run(['list', '--json']).stdout).skills.map(({ name }) => name);
const entries = Array.from({ length: 50 }, (_, at) => `  - request: ${requestAt(at)}\n    expect: ${names[at]}\n`);
writeFileSync(join(project, 'skills.requests.yaml'), `version: 1\nrequests:\n${entries.join('')}`);

const { url, child } = await startWeb();
const ask = async (address) => (await fetch(`${url}${address}`)).text();
const warm = JSON.parse(await ask(`/api/agents/try?q=${encodeURIComponent(requestAt(0))}`));
console.log(`${warm.agents.length} agents (${warm.agents.map(({ id }) => id).join(', ')}), ${names.length} skills`);
for (let at = 0; at < 20; at++) await ask(`/api/agents/try?q=${encodeURIComponent(requestAt(at))}`);
const ranked = await cpuOfEach((at) => `/api/agents/try?q=${encodeURIComponent(requestAt(at))}`);
const page = await cpuOfEach((at) => `/agents/try?q=${encodeURIComponent(requestAt(at))}`);
const bare = await cpuOfEach(() => '/healthz');
child.kill('SIGTERM');
console.log(
  `a request to a warm server: ${ranked.toFixed(1)} ms of processor time, ${(ranked / bare).toFixed(0)}x /healthz`,
);
console.log(`the page: ${page.toFixed(1)} ms`);

const [check, node] = measureTogether(
  [
    { node: process.execPath, args: [cli, 'try', '--check', '--json'] },
    { node: process.execPath, args: ['-e', '0'] },
  ],
  { cwd: project, env: { PATH: '', HOME: join(project, 'home') }, runs: RUNS },
);
console.log(
  `try --check, 50 requests: ${check.cpu.toFixed(0)} ms of processor time, ${(check.cpu / node.cpu).toFixed(1)}x bare Node`,
);

function run(args) {
  return spawnSync(process.execPath, [cli, ...args], {
    cwd: project,
    env: { PATH: '', HOME: join(project, 'home') },
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
}

async function startWeb() {
  const started = spawn(process.execPath, [cli, 'web', '--port', '0'], {
    cwd: project,
    env: { PATH: '', HOME: join(project, 'home') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  for await (const chunk of started.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += chunk;
    const [, found] = /the page is at (http:\/\/\S+)\//u.exec(log) ?? [];
    if (found === undefined) continue;
    started.stderr.resume();
    return { url: found, child: started };
  }
  throw new Error(log);
}

async function cpuOfEach(addressAt) {
  const before = costOf(child.pid).cpu;
  for (let at = 0; at < REQUESTS; at++) await ask(addressAt(at));
  return Math.max(costOf(child.pid).cpu - before, 1) / REQUESTS;
}
