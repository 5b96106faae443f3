// Runs a program of Node.js several times and reports what it cost: CPU from the program's own account, wall time, peak memory.
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

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Medians over `runs`, after one run that warms the file cache. */
export function measure(node, args, { cwd, env = {}, runs = 7 }) {
  const samples = [];
  let output = '';
  let status = 0;
  for (let run = 0; run <= runs; run++) {
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
  return {
    cpu: median(samples.map(({ cpu }) => cpu)),
    wall: median(samples.map(({ wall }) => wall)),
    rss: Math.max(...samples.map(({ rss }) => rss)),
    output,
    status,
  };
}
