/** Real replicas of a shared catalog, as processes of the built command. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'vitest';
import { CLI } from './run-lectern.ts';

/** JSON whose shape each test knows. */
// oxlint-disable-next-line typescript/no-explicit-any -- spelling every answer out would hide what is tested
export type Told = any;

export interface Replica extends AsyncDisposable {
  url: string;
  process: ChildProcess;
  /** What it said on standard error. */
  log: () => string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface ReplicaOptions {
  /** Flags of Node.js. */
  node?: readonly string[];
  /** Another build of the command. */
  cli?: string;
  env?: Record<string, string>;
  ids?: { uid: number; gid: number } | undefined;
  /** The URL in the line of the log to wait for. */
  until?: RegExp;
}

export async function startReplica(
  database: string,
  cache: string,
  flags: readonly string[] = [],
  { node = [], cli = CLI, env = {}, ids, until = /at (http:\/\/\S+)\/mcp/u }: ReplicaOptions = {},
): Promise<Replica> {
  const started = spawn(
    process.execPath,
    [...node, cli, 'serve', '--cache', cache, '--port', '0', '--poll', '200ms', ...flags],
    {
      env: { PATH: process.env['PATH'], LECTERN_DATABASE_URL: database, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...ids,
    },
  );
  let said = '';
  started.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = new Promise<void>((resolve) => started.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const found = until.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    started.stderr?.on('data', look);
    void gone.then(() => reject(new Error(`the replica ended: ${said}`)));
  });
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    started.kill(signal);
    await gone;
  };
  return {
    url,
    process: started,
    log: () => said,
    kill,
    [Symbol.asyncDispose]: () => kill('SIGKILL'),
  };
}

/** One call of a tool, in the manner of clients without a session. */
export async function callTool(
  url: string,
  token: string,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ status: number; body: Told }> {
  return post(`${url}/mcp`, token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

export async function post(url: string, token: string, body: unknown): Promise<{ status: number; body: Told }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const data = /^data: (.*)$/mu.exec(text)?.[1] ?? text;
  return { status: response.status, body: data === '' ? undefined : JSON.parse(data) };
}

/** What a replica says of itself to a balancer. */
export async function readiness({ url }: Replica): Promise<Told> {
  return (await fetch(`${url}/readyz`)).json();
}

/** Resolves when it serves a snapshot with at least this number. */
export async function shows(replica: Replica, snapshot: number): Promise<void> {
  await expect.poll(async () => (await readiness(replica)).snapshot).toBeGreaterThanOrEqual(snapshot);
}
