/** Starts the server of an entry once, like a client, and waits for its first reply. */
import { LIMITS } from '../core/limits.ts';
import { initialize, NoServerAnswer } from './channel.ts';
import { ServerProcess } from './server-process.ts';

/** Clients wait about this long. */
const ANSWERS_WITHIN_MS = 30_000;

/** Returns the reason why the server did not reply, or undefined if it did. */
export async function whyServerFails(
  command: string,
  args: readonly string[],
  dir: string,
): Promise<string | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new NoServerAnswer('it did not answer in time')), ANSWERS_WITHIN_MS);
  const server = new ServerProcess({
    command,
    args,
    dir,
    environment: process.env,
    signal: late.signal,
    maxBytes: LIMITS.askedBytes.value,
  });
  try {
    await initialize(server, 'lectern-setup');
    return undefined;
  } catch (error) {
    if (error instanceof NoServerAnswer) return error.message;
    throw error;
  } finally {
    clearTimeout(timer);
    await server.end();
  }
}
