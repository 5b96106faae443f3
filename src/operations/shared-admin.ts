/** Operations that set up a shared catalog: tables, teams, sources, grants and tokens. They need direct database access. */
import { DURATION, parseDuration } from '../core/duration.ts';
import { choice, flag, integer, list, object, optional, text } from '../core/fields/field.ts';
import type { Scope } from '../store/catalog-store.ts';
import { defineOperation } from './define.ts';
import { actorOf, administer, COMMON, command, DATABASE, nameOf, withDatabase } from './shared-database.ts';

const SOURCE = { type: 'text', positional: true, required: true, help: 'The source, as team/name' } as const;
const READER = {
  type: 'text',
  positional: true,
  required: true,
  help: 'The team that may read it; * for everyone',
} as const;

const READS: readonly Scope[] = ['read'];
const DAY_MS = 24 * 60 * 60 * 1_000;

export const migrateDatabase = defineOperation({
  name: 'db_migrate',
  title: 'Prepare the database',
  summary: 'Create or update the tables of the shared catalog',
  params: DATABASE,
  output: { ran: integer('Statements that ran now'), done: integer('Statements that have run in all') },
  ...COMMON,
  command: command('db migrate', ['lectern db migrate', 'create the tables; safe to run again']),
  run: ({ database }, _workspace, { environment }) =>
    withDatabase(database, environment, async (opened) => {
      const { ran, done } = await (await import('../store/migrations.ts')).migrate(opened, actorOf(environment));
      return { ran, done };
    }),
});

export const databaseStatus = defineOperation({
  name: 'db_status',
  title: 'State of the database',
  summary: 'Show the state of the shared catalog’s database',
  params: DATABASE,
  output: {
    migrated: flag('Whether it has the tables of this version'),
    done: integer('Statements that have run'),
    known: integer('Statements that this version knows'),
    snapshot: integer('The number of the last snapshot; 0 before the first'),
    replicas: list(
      object({
        id: text('Its host, port and some random characters, as at the beginning of its log'),
        number: integer('The snapshot that it serves'),
        seenSecondsAgo: integer('How long ago it last wrote to the database that it lives'),
      }),
    ),
  },
  ...COMMON,
  command: command('db status', ['lectern db status', 'show the last snapshot, and which replicas serve it']),
  run: ({ database }, _workspace, { environment }) =>
    withDatabase(database, environment, async (opened) => {
      const [{ migrationState }, { CatalogStore }] = await Promise.all([
        import('../store/migrations.ts'),
        import('../store/catalog-store.ts'),
      ]);
      const { done, known, breaking } = await migrationState(opened);
      const migrated = done >= known && breaking <= known;
      const store = new CatalogStore(opened);
      return {
        migrated,
        done,
        known,
        snapshot: migrated ? await store.head() : 0,
        replicas: migrated ? await store.replicas(LIVE_MS) : [],
      };
    }),
});

export const pruneDatabase = defineOperation({
  name: 'db_prune',
  title: 'Remove old versions',
  summary: 'Remove old versions of the shared catalog, and contents that no version needs any more',
  params: {
    keep: {
      ...DURATION,
      required: true,
      help: 'Keep every version that was current in this time, such as 90d; at least 1d',
    },
    dry_run: { type: 'flag', default: false, help: 'Show what would be removed, and remove nothing' },
    ...DATABASE,
  },
  output: {
    dryRun: flag(),
    before: text('Versions that were replaced before this moment are removed'),
    versions: integer('Versions that can no longer be restored'),
    contents: integer('Contents that no version needs any more'),
    bytes: integer('Their size'),
    sources: list(
      object({ source: text(), versions: integer(), keptFrom: integer('The oldest version that is kept') }),
      'The sources that lose versions',
    ),
  },
  ...COMMON,
  command: command(
    'db prune',
    ['lectern db prune --keep 90d --dry-run', 'show what would be removed'],
    ['lectern db prune --keep 90d', 'rollback reaches back 90 days from now on'],
  ),
  run: ({ database, keep, dry_run: dryRun }, _workspace, { environment }) => {
    const keepMs = parseDuration(keep, '--keep', { min: '1d' });
    return withDatabase(database, environment, async (opened) => {
      const { prune } = await import('../store/prune.ts');
      return { dryRun, ...(await prune(opened, { keepMs, dryRun, actor: actorOf(environment) })) };
    });
  },
});

/** Replicas send a heartbeat every few seconds. */
const LIVE_MS = 30_000;

export const addTeam = defineOperation({
  name: 'team_add',
  title: 'Add a team',
  summary: 'Add a team to the shared catalog',
  params: { team: { type: 'text', positional: true, required: true, help: 'The name of the team' }, ...DATABASE },
  output: { team: text() },
  ...COMMON,
  command: command('team add', ['lectern team add payments', 'add the team payments']),
  run: ({ database, team }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      await admin.addTeam(team);
      return { team };
    }),
});

export const addSource = defineOperation({
  name: 'source_add',
  title: 'Add a source',
  summary: 'Add a source of a team, which can then be published',
  params: { source: SOURCE, ...DATABASE },
  output: { source: text() },
  ...COMMON,
  command: command('source add', ['lectern source add payments/skills', 'the team payments can publish it now']),
  run: ({ database, source }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      await admin.addSource(await nameOf(source));
      return { source };
    }),
});

export const removeSource = defineOperation({
  name: 'source_remove',
  title: 'Remove a source',
  summary: 'Remove a source: nobody sees it any more',
  params: { source: SOURCE, ...DATABASE },
  output: { source: text() },
  ...COMMON,
  command: command('source remove', [
    'lectern source remove payments/skills',
    'its versions stay: add it again and roll back to bring it back',
  ]),
  run: ({ database, source }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      await admin.removeSource(await nameOf(source));
      return { source };
    }),
});

export const removeTeam = defineOperation({
  name: 'team_remove',
  title: 'Remove a team',
  summary: 'Remove a team that has no sources and no tokens any more',
  params: { team: { type: 'text', positional: true, required: true, help: 'Its name' }, ...DATABASE },
  output: { team: text() },
  ...COMMON,
  command: command('team remove', ['lectern team remove payments', 'sources and tokens must be removed first']),
  run: ({ database, team }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      await admin.removeTeam(team);
      return { team };
    }),
});

export const addGrant = defineOperation({
  name: 'grant_add',
  title: 'Grant a source',
  summary: 'Let another team, or everyone, read a source',
  params: { source: SOURCE, reader: READER, ...DATABASE },
  output: { source: text(), reader: text() },
  ...COMMON,
  command: command('grant add', ["lectern grant add payments/skills '*'", 'every team sees it']),
  run: ({ database, source, reader }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      await admin.grant(await nameOf(source), reader);
      return { source, reader };
    }),
});

export const removeGrant = defineOperation({
  name: 'grant_remove',
  title: 'Revoke a grant',
  summary: 'Take a source away from a team, or from everyone',
  params: { source: SOURCE, reader: READER, ...DATABASE },
  output: { source: text(), reader: text() },
  ...COMMON,
  command: command('grant remove', ['lectern grant remove payments/skills checkout', 'checkout sees it no longer']),
  run: ({ database, source, reader }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      await admin.revokeGrant(await nameOf(source), reader);
      return { source, reader };
    }),
});

export const addToken = defineOperation({
  name: 'token_add',
  title: 'Make a token',
  summary: 'Make a token for the members of a team, or for its CI',
  params: {
    team: { type: 'text', positional: true, required: true, help: 'The team that it stands for' },
    name: { type: 'text', required: true, placeholder: 'text', help: 'What it is for, as the history shows it' },
    scope: {
      type: 'list',
      of: { type: 'choice', choices: ['read', 'publish', 'admin'] },
      placeholder: 'scope',
      help: 'What it may do: read (the default), publish; admin publishes for every team',
    },
    days: { type: 'integer', default: 90, min: 1, max: 3_650, help: 'How long it is valid' },
    ...DATABASE,
  },
  output: {
    id: integer(),
    token: text('The secret. It is stored nowhere and cannot be shown again.'),
    team: text(),
    scopes: list(choice(['read', 'publish', 'admin'])),
    expiresAt: text(),
  },
  ...COMMON,
  command: command(
    'token add',
    ['lectern token add payments --name laptops', 'for reading; set it as the bearer token of agents'],
    ['lectern token add payments --name ci --scope publish', 'for LECTERN_PUBLISH_TOKEN'],
  ),
  run: ({ database, team, name, scope = READS, days }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      const expiresAt = new Date(Date.now() + days * DAY_MS);
      const { id, secret, scopes } = await admin.addToken({ name, team, scopes: scope, expiresAt });
      return { id, token: secret, team, scopes, expiresAt: expiresAt.toISOString() };
    }),
});

export const listTokens = defineOperation({
  name: 'token_list',
  title: 'List tokens',
  summary: 'List the tokens of the shared catalog, without their secrets',
  params: DATABASE,
  output: {
    tokens: list(
      object({
        id: integer(),
        name: text(),
        team: text(),
        scopes: list(text()),
        expiresAt: text(),
        expired: optional(flag('Set if it has expired, by the clock of the database')),
        lastUsedAt: optional(text('Within some seconds; missing if it never was')),
      }),
    ),
  },
  ...COMMON,
  command: command('token list', [
    'lectern token list',
    'show which tokens there are, until when, and when each was last used',
  ]),
  run: ({ database }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => ({ tokens: await admin.tokens() })),
});

export const revokeToken = defineOperation({
  name: 'token_revoke',
  title: 'Revoke a token',
  summary: 'Make a token invalid on every replica',
  params: {
    id: { type: 'integer', positional: true, required: true, help: 'As `lectern token list` shows it' },
    ...DATABASE,
  },
  output: { id: integer() },
  ...COMMON,
  command: command('token revoke', ['lectern token revoke 7', 'whoever sends it is refused from now on']),
  run: ({ database, id }, _workspace, { environment }) =>
    administer(database, environment, async (admin) => {
      await admin.revokeToken(id);
      return { id };
    }),
});
