/** Runs a command to its end, and ends every process that it leaves behind. */
import { spawn } from 'node:child_process';

const ENDS_WITHIN_MS = 180_000;

/** The command gets a process group, so that nothing it started outlives it. */
export function runToItsEnd(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
  withinMs = ENDS_WITHIN_MS,
): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const timer = setTimeout(() => endGroup(child.pid), withinMs);
    child.on('error', ({ message }) => resolve({ exitCode: null, output: message }));
    child.on('exit', (exitCode) => {
      clearTimeout(timer);
      endGroup(child.pid);
      setTimeout(() => resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8') }), 100);
    });
  });
}

/** Ends the process group with this ID. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}
