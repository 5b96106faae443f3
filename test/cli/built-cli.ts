import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const CLI = path.resolve('dist/cli.cjs');

/** Builds the command when a source file is newer than it; tests that start it call this once. */
export function buildCli(): void {
  const built = fs.statSync(CLI, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = fs.readdirSync('src', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const isStale = sources.some((entry) => fs.statSync(path.join(entry.parentPath, entry.name)).mtimeMs > built);
  if (isStale) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'ignore' });
}

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built command in a folder, with a home of its own and nothing else of the caller's environment. */
export function runCli(
  args: readonly string[],
  { cwd, home, env = {} }: { cwd: string; home: string; env?: Record<string, string> },
): CliRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
    encoding: 'utf8',
    input: '',
  });
  return { code: status, stdout, stderr };
}
