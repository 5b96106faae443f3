// npm run soak: how the HTTP server bears long use. Prints errors, memory and open files; takes some minutes.
// Usage: node bench/soak.mjs [seconds of load] [calls of the soak]
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { costOf, startHttp } from './server.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const place = join(root, '.bench', 'soak');
const cli = join(root, 'dist/cli.cjs');
const bare = join(root, '.bench/bare/mcp-bare.cjs');
const SECONDS = Number(process.argv[2] ?? 60);
const CALLS = Number(process.argv[3] ?? 100_000);
const CLIENTS = 100;
const SKILLS = 50;
/** One call in five looks at all files again. */
const REFRESH_EVERY = 5;
const WARM_UP = 0.3;

const nameOf = (index) => `skill-${index % SKILLS}`;
const textOf = (index, version) =>
  `---\nname: ${nameOf(index)}\ndescription: The skill ${index}, version ${version}.\n---\n\nBody of ${nameOf(index)}.\n`;
const write = (index, version) => {
  const dir = join(place, '.claude/skills', nameOf(index));
  mkdirSync(dir, { recursive: true });
  // In one step: a file that is being written over is empty for a moment, and would be reported as such.
  writeFileSync(join(dir, 'next'), textOf(index, version));
  renameSync(join(dir, 'next'), join(dir, 'SKILL.md'));
};
rmSync(place, { recursive: true, force: true });
for (let index = 0; index < SKILLS; index++) write(index, 0);

await load();
await soak();

function caller(url, sockets) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: sockets });
  return (tool, args) => {
    const params = {
      name: tool,
      arguments: args,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    };
    return new Promise((resolve, reject) => {
      const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      request.on('error', reject);
      request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    });
  };
}

/** Many clients at once that list, load and search. */
async function load() {
  for (const [what, args, cwd, mixed] of [
    ['bare SDK server, load only', [bare, 'http'], root, false],
    ['lectern mcp, load only', [cli, 'mcp', '--transport', 'http', '--port', '0'], place, false],
    ['lectern mcp, list, load and search', [cli, 'mcp', '--transport', 'http', '--port', '0'], place, true],
  ]) {
    if (args[0] === bare && !existsSync(bare)) {
      console.log(`${what}: skipped; node bench/mcp.mjs makes the bare server`);
      continue;
    }
    const { child, url } = await startHttp(args, cwd);
    const call = caller(url, CLIENTS);
    const end = performance.now() + SECONDS * 1000;
    const before = costOf(child.pid);
    let [calls, errors] = [0, 0];
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let round = client; performance.now() < end; round++) {
          const kind = mixed ? round % 3 : 0;
          const [tool, input] = [
            ['skill', { name: nameOf(round) }],
            ['skills_list', {}],
            ['skills_search', { query: nameOf(round) }],
          ][kind];
          const { status, text } = await call(tool, input);
          calls += 1;
          const isRight =
            args[0] === bare ||
            (kind === 0 ? text.includes(`Body of ${nameOf(round)}.`) : text.includes(`"${nameOf(round)}"`));
          if (status !== 200 || text.includes('"isError":true') || !isRight) errors += 1;
        }
      }),
    );
    const after = costOf(child.pid);
    console.log(
      `${what}: ${CLIENTS} clients, ${SECONDS} s: ${calls} calls, ${errors} errors, ${((after.cpu - before.cpu) / calls).toFixed(3)} ms CPU a call, ${after.now.toFixed(0)} MB`,
    );
    child.kill();
    await once(child, 'exit');
  }
}

/** Calls without end while files change; without a watcher, every list is a look at all files. */
async function soak() {
  const { child, url } = await startHttp([cli, 'mcp', '--transport', 'http', '--port', '0', '--no-watch'], place);
  const call = caller(url, 10);
  const samples = [];
  let [done, wrong] = [0, 0];
  const started = performance.now();
  const sample = () =>
    samples.push({ calls: done, seconds: (performance.now() - started) / 1000, ...costOf(child.pid) });
  sample();
  let next = 0;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let index = next++; index < CALLS; index = next++) {
        if (index % 100 === 0) write(index / 100, index);
        const { text } = await (index % REFRESH_EVERY === 0
          ? call('skills_list', {})
          : call('skill', { name: nameOf(index) }));
        if (!text.includes(nameOf(index)) || text.includes('"isError":true')) wrong += 1;
        done += 1;
        if (done % Math.ceil(CALLS / 50) === 0) sample();
      }
    }),
  );
  sample();
  child.kill();
  await once(child, 'exit');
  const steady = samples.filter(({ calls }) => calls >= CALLS * WARM_UP);
  console.log(
    `soak: ${CALLS} calls, ${CALLS / REFRESH_EVERY} looks at all files, ${wrong} wrong; ${samples.at(-1).seconds.toFixed(0)} s; ` +
      `memory ${steady[0].now.toFixed(0)} MB after the warm-up, ${samples.at(-1).now.toFixed(0)} MB at the end, at most ${Math.max(...steady.map(({ now }) => now)).toFixed(0)} MB, ` +
      `slope ${slope(steady).toFixed(1)} MB per 100,000 calls; open files ${Math.min(...steady.map(({ files }) => files))} to ${Math.max(...steady.map(({ files }) => files))}`,
  );
}

/** Least squares of memory over calls. */
function slope(list) {
  const mean = (key) => list.reduce((sum, each) => sum + each[key], 0) / list.length;
  const [x, y] = [mean('calls'), mean('now')];
  const over = list.reduce((sum, { calls, now }) => sum + (calls - x) * (now - y), 0);
  return (over / list.reduce((sum, { calls }) => sum + (calls - x) ** 2, 0)) * 100_000;
}
