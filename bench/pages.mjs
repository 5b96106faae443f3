// What the pages of the web interface cost a server: the first overview, and warm pages of files that do not change, in turns
// with an asset. CPU time of the whole process, as the kernel counts it (Linux).
// Usage: node bench/pages.mjs [sizes…]
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCorpus } from './corpus.mjs';
import { measure, median } from './measure.mjs';
import { costOf, startHttp } from './server.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'dist/cli.cjs');
const words = process.argv.slice(2).map(Number).filter(Boolean);
const SIZES = words.length > 0 ? words : [79, 3_000, 10_000];
/** Milliseconds of a warm page, by the number of skills. */
const TARGETS = { 79: 8, 3_000: 50 };
const ROUNDS = 5;
const NAME = 'shared-notes';

for (const size of SIZES) {
  const cwd = makeHome(size);
  const list = measure(process.execPath, [cli, 'list'], { cwd, runs: 3 });
  const { child, url } = await startHttp([cli, 'mcp', '--transport', 'http', '--port', '0'], cwd);
  try {
    await measurePages({ size, list, url, pid: child.pid });
  } finally {
    child.kill();
  }
}

async function measurePages({ size, list, url, pid }) {
  const cost = async (path, times = 1) => {
    const before = costOf(pid).cpu;
    for (let time = 0; time < times; time++) await get(new URL(path, url));
    return (costOf(pid).cpu - before) / times;
  };
  console.log(`${size} skills; lectern list: ${list.cpu.toFixed(0)} ms CPU, ${list.rss.toFixed(0)} MB`);
  const first = await cost('/');
  const { rss } = costOf(pid);
  const target = size >= 10_000 ? ', target 1.5x and 350 MB' : '';
  report('first overview', first, `, ${(first / list.cpu).toFixed(1)}x lectern list, ${rss.toFixed(0)} MB${target}`);
  const pages = ['/', '/skills', '/agents', '/problems', `/skills/${NAME}`];
  for (const path of pages) report(`first ${path}`, await cost(path));
  const asset = /href="(\/assets\/[^"]+css)"/u.exec(await get(new URL('/', url)))[1];
  const times = size >= 1_000 ? 5 : 30;
  const results = new Map([asset, ...pages].map((path) => [path, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [path, samples] of results) samples.push(await cost(path, path === asset ? 100 : times));
  for (const [path, samples] of results) {
    const aim = path === asset || TARGETS[size] === undefined ? '' : `, target ${TARGETS[size]} ms`;
    report(path === asset ? 'an asset' : path, median(samples), aim);
  }
  console.log(`  peak memory: ${costOf(pid).rss.toFixed(0)} MB\n`);
}

function report(what, cpu, note = '') {
  console.log(`  ${what.padEnd(28)} ${cpu.toFixed(1).padStart(7)} ms CPU${note}`);
}

/** A home with traces of several agents. */
function makeHome(size) {
  const dir = makeCorpus(join(root, '.bench', `home-${size}`), size);
  for (const name of ['.codex', '.copilot', '.gemini']) mkdirSync(join(dir, name), { recursive: true });
  const folder = join(dir, '.agents/skills', NAME);
  mkdirSync(folder, { recursive: true });
  const header = `---\nname: ${NAME}\ndescription: Use when notes are shared between agents.\n---\n`;
  writeFileSync(join(folder, 'SKILL.md'), `${header}\n# Notes\n`);
  return dir;
}

function get(url) {
  return new Promise((resolve, reject) => {
    http
      .get(url, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () =>
          response.statusCode === 200 ? resolve(text) : reject(new Error(`${url}: ${response.statusCode}`)),
        );
      })
      .on('error', reject);
  });
}
