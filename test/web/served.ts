/** A server with the web interface, for tests with and without a browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import { CLI, PACKAGE_DIR } from '../support/run-lectern.ts';
import type { TempFolder } from '../support/temp-folder.ts';

export interface Served {
  /** Without a trailing slash. */
  url: string;
  port: number;
  /** Standard error output so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts the built command on a free port, unless a port is given. */
export async function serve(args: readonly string[], env: Record<string, string> = {}): Promise<Served> {
  const ports = args.includes('--port') ? [] : ['--port', '0'];
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args, ...ports], {
    cwd: PACKAGE_DIR,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const [, found] = /the page is at (http:\/\/\S+)\//u.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${log}`)));
  });
  return {
    url,
    port: Number(new URL(url).port),
    log: () => log,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The example that `npm start` shows. */
export const BOOKSHOP = ['web', '--project-dir', 'examples/bookshop', '--user-dir', 'examples/home'];

/** Flags for a project and a home in a test folder. */
export function ofFolder(folder: TempFolder): string[] {
  return ['web', '--project-dir', folder.at('project'), '--user-dir', folder.at('home')];
}

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends a raw request: the address is not normalized, and any `Host` is allowed. */
export function send(
  { port }: Served,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | undefined } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

export const BROWSER = { accept: 'text/html,application/xhtml+xml' };
