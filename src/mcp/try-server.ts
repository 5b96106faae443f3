/** Starts the server of an entry once, like a client, and waits for its first reply. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Clients wait about this long. */
const ANSWERS_WITHIN_MS = 30_000;

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'lectern-setup', version: '1' } },
};

/** Returns the reason why the server did not reply, or undefined if it did. */
export async function whyServerFails(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string | undefined> {
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString('utf8')).slice(-2000)));
  // The process may end before reading its input.
  child.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    return await new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(() => resolve('it did not answer in time'), ANSWERS_WITHIN_MS);
      timer.unref();
      child.once('error', (error) => resolve(error.message));
      child.once('close', () => resolve(said.trim().split('\n').at(-1) || 'it ended without an answer'));
      createInterface(child.stdout).once('line', (line) =>
        resolve(line.includes('"result"') ? undefined : `it answered ${line.slice(0, 200)}`),
      );
      child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    });
  } finally {
    child.stdin.end();
    child.kill();
    await closed.catch(() => undefined);
  }
}
