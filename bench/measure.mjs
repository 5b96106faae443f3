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

/** Medians over `runs`, after one run that warms the file cache. */
export function measure(node, args, { cwd, env = {}, runs = 7 }) {
  const samples = [];
  let output = '';
  let status = 0;
  let before = childrenCpu();
  for (let run = 0; run <= runs; run++) {
    if (run === 1) before = childrenCpu();
    const account = join(folder, `account-${run}`);
    const started = process.hrtime.bigint();
    const result = spawnSync(node, ['--require', hook, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, CI: '1', NO_COLOR: '1', BENCH_ACCOUNT: account, ...env },
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const wall = Number(process.hrtime.bigint() - started) / 1e6;
    ({ status, stdout: output } = result);
    let cost;
    try {
      cost = JSON.parse(readFileSync(account, 'utf8'));
    } catch {
      return { failed: (result.stderr || `exit ${result.status}`).trim().split('\n').slice(-1)[0] };
    }
    if (run > 0) samples.push({ cpu: cost[0] / 1000, rss: cost[1] / 1024, wall });
  }
  const after = childrenCpu();
  return {
    // The kernel counts in steps of ten milliseconds, so the mean over all runs is the finer number.
    cpu: before === undefined || after === undefined ? median(samples.map(({ cpu }) => cpu)) : (after - before) / runs,
    wall: median(samples.map(({ wall }) => wall)),
    rss: Math.max(...samples.map(({ rss }) => rss)),
    output,
    status,
  };
}
