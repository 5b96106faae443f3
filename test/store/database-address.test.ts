import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { hasOwnPostgres, startPostgres, TLS_CERTIFICATE } from '../support/postgres.ts';

test.each([
  'lectern',
  'host=localhost dbname=lectern',
  'https://db.example.com/lectern',
  'mysql://me:secret@db.example.com/lectern',
  'postgres://me:secret@db.example.com:99999/lectern',
])('%s is rejected as a URL, with an example and without repeating it', (url) => {
  const failure = (() => {
    try {
      return new Database({ url });
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('postgres://') });
  expect(String(failure)).not.toContain('secret');
});

test('an unknown sslmode is rejected, with the known modes', () => {
  const open = (): Database => new Database({ url: 'postgres://db.example.com/lectern?sslmode=maybe' });
  expect(open).toThrow(expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('verify-full') }));
});

test('closing fails running queries and has no other effect', async () => {
  // Accepts connections and never responds.
  const silent = net.createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as net.AddressInfo;
  const database = new Database({ url: `postgres://127.0.0.1:${port}/none` });
  const asked = Promise.allSettled([database.query('select 1'), database.transaction(async () => undefined)]);
  await new Promise<void>((resolve) => void silent.once('connection', () => resolve()));
  await database.close();
  for (const { status } of await asked) expect(status).toBe('rejected');
  // An unhandled error would end the process here.
  await new Promise((resolve) => setImmediate(resolve));
  silent.close();
});

test('an unreadable certificate is a failure, for a statement and for a transaction', async () => {
  const url = 'postgres://127.0.0.1:1/none?sslmode=verify-full&sslrootcert=/nowhere/db.crt';
  const database = new Database({ url });
  const failure = { code: 'UNREACHABLE', message: expect.stringContaining('/nowhere/db.crt') };
  await expect(database.query('select 1')).rejects.toMatchObject(failure);
  await expect(database.transaction(async () => undefined)).rejects.toMatchObject(failure);
  await database.close();
});

describe.skipIf(!hasOwnPostgres)('a server with TLS', () => {
  test('is used only if its certificate is trusted, and the failure explains how to trust it', async () => {
    await using server = await startPostgres({ tls: true });
    const plain = await server.database();
    const isEncrypted = async (host: string, parameters: string): Promise<unknown> => {
      const address = Object.assign(new URL(plain), { hostname: host, search: parameters }).href;
      const database = new Database({ url: address });
      try {
        const [row] = await database.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
        return row?.['ssl'];
      } finally {
        await database.close();
      }
    };
    const warnings: unknown[] = [];
    const warned = (warning: unknown): void => void warnings.push(warning);
    process.on('warning', warned);
    try {
      expect(await isEncrypted('127.0.0.1', '')).toBe(false);
      expect(await isEncrypted('127.0.0.1', 'sslmode=no-verify')).toBe(true);
      for (const mode of ['require', 'prefer', 'verify-ca', 'verify-full']) {
        expect(await isEncrypted('localhost', `sslmode=${mode}&sslrootcert=${TLS_CERTIFICATE}`)).toBe(true);
        await expect(isEncrypted('localhost', `sslmode=${mode}`)).rejects.toMatchObject({
          code: 'UNREACHABLE',
          message: expect.stringContaining('self-signed certificate'),
          hint: expect.stringContaining('sslrootcert'),
        });
        // A valid certificate for another host.
        await expect(isEncrypted('127.0.0.1', `sslmode=${mode}&sslrootcert=${TLS_CERTIFICATE}`)).rejects.toMatchObject({
          code: 'UNREACHABLE',
          hint: expect.stringContaining('sslrootcert'),
        });
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', warned);
    }
  });

  test('is not used unencrypted if it does not support TLS', async () => {
    await using server = await startPostgres();
    const database = new Database({ url: `${await server.database()}?sslmode=require` });
    await expect(database.query('select 1')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('does not support SSL'),
    });
    await database.close();
  });
});
