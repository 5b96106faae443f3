/** Operations with direct access to the database of a shared catalog. */
import os from 'node:os';
import { Failure } from '../core/failure.ts';
import type { Fields, InputOf, ObjectOf } from '../core/fields/field.ts';
import type { AdminStore } from '../store/admin-store.ts';
import type { Database } from '../store/database.ts';
import type { SourceName } from '../store/source-name.ts';
import { type CommandFace, defineOperation, type Operation, type Params, type RunContext } from './define.ts';

type Environment = RunContext['environment'];

/** The parameter with the database URL. */
export const DATABASE = {
  database: {
    type: 'text',
    placeholder: 'url',
    help: 'PostgreSQL URL of the catalog; LECTERN_DATABASE_URL is safer',
  },
} as const;

/** Returns the database URL from the parameter or the environment. Fails with USAGE if there is none. */
export function databaseUrl(given: string | undefined, environment: Environment): string {
  const url = given ?? environment?.['LECTERN_DATABASE_URL'];
  if (url) return url;
  throw new Failure('USAGE', 'No database URL given.', {
    hint: 'Set LECTERN_DATABASE_URL, such as postgres://lectern@db.example.com/lectern.',
  });
}

/** An operation without its `database` parameter. `work` runs while the database is open. */
interface DatabaseWork<P extends Params, O extends Fields, Store, N extends string> extends Pick<
  Operation<P, O, never, N>,
  'name' | 'title' | 'summary' | 'params' | 'output' | 'sentence' | 'next' | 'hasErrors'
> {
  command: Pick<CommandFace, 'name' | 'examples'>;
  work(input: InputOf<P>, store: Store, actor: string): Promise<ObjectOf<O>>;
}

type WithDatabase<P extends Params> = P & typeof DATABASE;

export function databaseOperation<const P extends Params, const O extends Fields, const N extends string>({
  params,
  command,
  work,
  ...about
}: DatabaseWork<P, O, Database, N>): Operation<WithDatabase<P>, O, never, N> {
  return defineOperation<WithDatabase<P>, O, never, N>({
    ...about,
    params: { ...params, ...DATABASE },
    reads: 'none',
    command: { ...command, group: 'Shared catalog' },
    async run(input, _workspace, { environment }) {
      // The compiler cannot split the input of generic parameters into the two tables it was checked against.
      const own = input as InputOf<P> & InputOf<typeof DATABASE>;
      const url = databaseUrl(own.database, environment);
      const database = new (await import('../store/database.ts')).Database({ url });
      try {
        return await work(own, database, actorOf(environment));
      } finally {
        await database.close();
      }
    },
  });
}

/** An operation on teams, sources, grants, tokens or the audit log. */
export function adminOperation<const P extends Params, const O extends Fields, const N extends string>({
  work,
  ...about
}: DatabaseWork<P, O, AdminStore, N>): Operation<WithDatabase<P>, O, never, N> {
  return databaseOperation<P, O, N>({
    ...about,
    async work(input, database, actor) {
      const { AdminStore: Store } = await import('../store/admin-store.ts');
      return work(input, new Store(database, actor), actor);
    },
  });
}

export async function nameOf(source: string): Promise<SourceName> {
  return (await import('../store/source-name.ts')).parseSourceName(source);
}

/** Returns the user name for the audit log. Falls back to the system user, because containers and cron often set no variable. */
function actorOf(environment: Environment = {}): string {
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
