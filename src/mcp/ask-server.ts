/** Starts or calls an MCP server once, and lists its tools. */
import type { ServerAnswer } from '../agents/context/servers.ts';
import type { ServerStart } from '../clients/server-start.ts';
import { LIMITS } from '../core/limits.ts';
import { count } from '../core/text.ts';
import { listTools, NoServerAnswer } from './channel.ts';
import { ServerAddress } from './server-address.ts';
import { ServerProcess } from './server-process.ts';

/** Variables that programs need to start. Others may be secret, and the entry of the server names those that it needs. */
const PASSED_ON =
  /^(?:path|pathext|home|user|username|logname|shell|term|tz|lang|language|lc_[a-z]+|tmpdir|temp|tmp|xdg_[a-z_]+|appdata|localappdata|programdata|programfiles|programfiles\(x86\)|systemroot|systemdrive|windir|comspec|userprofile|homedrive|homepath|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir)$/iu;

export interface AskOptions {
  timeoutMs: number;
  environment: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

/** Returns when everything that was started has ended. */
export async function askServer(start: ServerStart, options: AskOptions): Promise<ServerAnswer> {
  const { timeoutMs, environment, signal: given } = options;
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new NoServerAnswer(`it did not answer within ${count(timeoutMs / 1000, 'second')}`)),
    timeoutMs,
  );
  const signal = given ? AbortSignal.any([late.signal, given]) : late.signal;
  const maxBytes = LIMITS.askedBytes.value;
  let server: ServerProcess | ServerAddress | undefined;
  try {
    signal.throwIfAborted();
    server =
      start.kind === 'program'
        ? new ServerProcess({
            ...start,
            environment: { ...passedOn(environment), ...start.environment },
            signal,
            maxBytes,
          })
        : new ServerAddress({ ...start, timeoutMs, signal, maxBytes });
    return await listTools(server);
  } catch (error) {
    if (error instanceof NoServerAnswer) return { reason: error.message };
    if (signal.aborted) return { reason: 'it was stopped, because all servers together took too long' };
    throw error;
  } finally {
    clearTimeout(timer);
    await server?.end();
  }
}

function passedOn(environment: AskOptions['environment']): Record<string, string> {
  const all = Object.entries(environment).filter((each): each is [string, string] => each[1] !== undefined);
  return Object.fromEntries(all.filter(([name]) => PASSED_ON.test(name)));
}
