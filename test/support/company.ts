/** A company with a shared catalog, for tests with real replicas. */
import fs from 'node:fs';
import { AdminStore } from '../../src/store/admin-store.ts';
import { Database } from '../../src/store/database.ts';
import type { TestPostgres } from './postgres.ts';
import type { Told } from './replica.ts';
import { lectern } from './run-lectern.ts';
import { tempFolder, type TempFolder } from './temp-folder.ts';

/** Two teams with a source and tokens each. */
export interface Company extends Disposable {
  folder: TempFolder;
  database: string;
  tokens: Record<'payments' | 'checkout', { read: string; publish: string }>;
  run(args: readonly string[], env?: Record<string, string>): Promise<Told>;
  /** Writes these files and publishes them. */
  publish(url: string, team: 'payments' | 'checkout', files: Record<string, string>, flags?: string[]): Promise<Told>;
}

export async function companyOn(server: TestPostgres): Promise<Company> {
  const folder = tempFolder();
  const database = await server.database();
  const run: Company['run'] = async (args, env = {}) => {
    const { code, stdout, stderr } = await lectern(folder, [...args, '--json'], {
      env: { LECTERN_DATABASE_URL: database, ...env },
    });
    if (stdout === '') throw new Error(stderr);
    return { code, ...JSON.parse(stdout) };
  };
  const tokens = { payments: { read: '', publish: '' }, checkout: { read: '', publish: '' } };
  const opened = new Database({ url: database });
  const admin = new AdminStore(opened, 'operator');
  const expiresAt = new Date(Date.now() + 24 * 60 * 60 * 1_000);
  for (const team of ['payments', 'checkout'] as const) {
    await admin.addTeam(team);
    await admin.addSource({ team, name: 'skills' });
    for (const scope of ['read', 'publish'] as const)
      tokens[team][scope] = (await admin.addToken({ name: scope, team, scopes: [scope], expiresAt })).secret;
  }
  await opened.close();
  return {
    folder,
    database,
    tokens,
    run,
    async publish(url, team, files, flags = ['--wait']) {
      const dir = folder.at(`published-${team}`);
      fs.rmSync(dir, { recursive: true, force: true });
      folder.write(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [`published-${team}/${name}`, text])),
      );
      return run(['publish', dir, '--to', url, '--source', `${team}/skills`, ...flags], {
        LECTERN_PUBLISH_TOKEN: tokens[team].publish,
        GITHUB_SHA: 'abc123',
      });
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
