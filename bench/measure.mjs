// Runs a program of Node.js several times and reports what it cost: CPU time, wall time, peak memory. Where the system tells
// (Linux), CPU time is that of the whole process from start to end, as the kernel counted it; elsewhere the program's own
// account shortly before its end, which leaves out the clearing up.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
const hook = join(folder, 'account.cjs');
// Loaded into every measured program, the bare one too, so that its own cost cancels out.
writeFileSync(
  hook,
  `process.on('exit', () => { const u = process.resourceUsage(); require('fs').writeFileSync(process.env.BENCH_ACCOUNT, JSON.stringify([u.userCPUTime + u.systemCPUTime, u.maxRSS])); });`,
);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** What all finished children of this process have used, in milliseconds; undefined where nobody tells. */
function childrenCpu() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return undefined;
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The mean of the middle half: the kernel counts in steps of ten milliseconds, so a mean is finer than a median. */
function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 4);
  const half = sorted.slice(cut, sorted.length - cut);
  return half.reduce((sum, value) => sum + value, 0) / half.length;
}

/** The middle of `runs`, after one run that warms the file cache, unless `warmUp` is false. */
export function measure(node, args, options) {
  return measureTogether([{ node, args }], options)[0];
}

/**
 * The same for several programs that are compared with each other: they take turns, so that a machine that is slow for a while
 * is slow for all of them.
 */
export function measureTogether(programs, { cwd, env = {}, runs = 7, warmUp = true }) {
  const results = programs.map(({ node, args }) => ({
    node,
    args,
    samples: [],
    output: '',
    status: 0,
    failed: undefined,
  }));
  for (let run = warmUp ? 0 : 1; run <= runs; run++) {
    for (const result of results) {
      if (result.failed !== undefined) continue;
      const sample = runOnce(result, cwd, env);
      if (run > 0 && sample) result.samples.push(sample);
    }
  }
  return results.map(({ samples, output, status, failed }) =>
    failed === undefined
      ? {
          cpu: middle(samples.map(({ cpu }) => cpu)),
          wall: median(samples.map(({ wall }) => wall)),
          rss: Math.max(...samples.map(({ rss }) => rss)),
          output,
          status,
        }
      : { failed },
  );
}

function runOnce(result, cwd, env) {
  const account = join(folder, 'account');
  rmSync(account, { force: true });
  const before = childrenCpu();
  const started = process.hrtime.bigint();
  const ended = spawnSync(result.node, ['--require', hook, ...result.args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, CI: '1', NO_COLOR: '1', BENCH_ACCOUNT: account, ...env },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const wall = Number(process.hrtime.bigint() - started) / 1e6;
  const after = childrenCpu();
  ({ status: result.status, stdout: result.output } = ended);
  try {
    const [own, rss] = JSON.parse(readFileSync(account, 'utf8'));
    return { cpu: before === undefined || after === undefined ? own / 1000 : after - before, rss: rss / 1024, wall };
  } catch {
    result.failed = (ended.stderr || `exit ${ended.status}`).trim().split('\n').slice(-1)[0];
    return undefined;
  }
}
