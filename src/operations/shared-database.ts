/** Shared parts of the operations that need direct access to the database of a shared catalog. */
import os from 'node:os';
import { Failure } from '../core/failure.ts';
import type { AdminStore } from '../store/admin-store.ts';
import type { Database } from '../store/database.ts';
import type { SourceName } from '../store/source-name.ts';
import type { Examples, RunContext } from './define.ts';

export const DATABASE = {
  database: {
    type: 'text',
    placeholder: 'url',
    help: 'The PostgreSQL database of the catalog; LECTERN_DATABASE_URL is safer',
  },
} as const;

export const COMMON = { reads: 'none' } as const;
export const command = (name: string, ...examples: Examples) => ({ name, group: 'Share', examples }) as const;

export async function nameOf(source: string): Promise<SourceName> {
  return (await import('../store/source-name.ts')).parseSourceName(source);
}

export async function withDatabase<T>(
  given: string | undefined,
  environment: RunContext['environment'],
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const url = given ?? environment?.['LECTERN_DATABASE_URL'];
  if (!url) {
    throw new Failure('USAGE', 'No database was named.', {
      hint: 'Set LECTERN_DATABASE_URL, such as postgres://lectern@db.example.com/lectern.',
    });
  }
  const database = new (await import('../store/database.ts')).Database({ url });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export function administer<T>(
  given: string | undefined,
  environment: RunContext['environment'],
  work: (admin: AdminStore) => Promise<T>,
): Promise<T> {
  return withDatabase(given, environment, async (database) => {
    return work(new (await import('../store/admin-store.ts')).AdminStore(database, actorOf(environment)));
  });
}

/** Returns the user name for the audit log. Falls back to the system user, because containers and cron often set no variable. */
export function actorOf(environment: RunContext['environment'] = {}): string {
  return environment['USER'] || environment['USERNAME'] || environment['LOGNAME'] || systemUser() || 'operator';
}

/** Returns undefined in a container whose user has an ID but no name. */
function systemUser(): string | undefined {
  try {
    return os.userInfo().username;
  } catch {
    return undefined;
  }
}
