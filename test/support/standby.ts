/** A hot standby of a PostgreSQL server, as a process. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { findPrograms } from './find-postgres.ts';
import { freePort } from './postgres.ts';

const [FIRST] = findPrograms();
/** The program that copies a server. Some packages lack it, or have it in another folder. */
const COPY = FIRST && findCopy(FIRST.bin);
export const hasStandby = COPY !== undefined;

function findCopy(bin: string): string | undefined {
  const real = path.dirname(fs.realpathSync(path.join(bin, 'initdb')));
  const folders = [bin, real, ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return folders.map((dir) => path.join(dir, 'pg_basebackup')).find((program) => fs.existsSync(program));
}

if (!hasStandby) process.stderr.write('no pg_basebackup here; the tests with a standby are skipped\n');

export interface Standby extends AsyncDisposable {
  /** The same database on the standby. */
  url(primary: string): string;
  promote(database: string): Promise<void>;
}

export async function standbyOf(primary: string): Promise<Standby> {
  const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-standby-'));
  if (ids.uid !== undefined) fs.chownSync(dir, ids.uid, ids.gid);
  const data = path.join(dir, 'data');
  const { hostname, port: from } = new URL(primary);
  const words = [
    '-h',
    hostname,
    '-p',
    from,
    '-U',
    'postgres',
    '-D',
    data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ];
  const copied = spawnSync(COPY ?? '', words, { ...ids, cwd: dir, encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`pg_basebackup: ${copied.stderr}`);
  const port = await freePort();
  const server = spawn(
    path.join(FIRST?.bin ?? '', 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', '-c', 'shared_buffers=16MB', '-c', 'fsync=off'],
    { ...ids, cwd: dir, stdio: 'ignore' },
  );
  const gone = new Promise((resolve) => server.once('exit', resolve));
  const url = (given: string): string => Object.assign(new URL(given), { port: String(port) }).href;
  const ask = async (database: string, statement: string): Promise<void> => {
    const client = new Client({ connectionString: url(database) });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  for (;;) {
    if (server.exitCode !== null) throw new Error('the standby ended');
    const isUp = await ask(primary, 'select 1').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    promote: (database) => ask(database, 'select pg_promote()'),
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT');
      await gone;
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
