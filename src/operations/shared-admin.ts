/** Operations that set up a shared catalog: tables, teams, sources, grants and tokens. They need direct database access. */
import { DURATION, parseDuration } from '../core/duration.ts';
import { choice, flag, integer, list, object, optional, text } from '../core/fields/field.ts';
import { count } from '../core/text.ts';
import type { Scope } from '../store/catalog-store.ts';
import { adminOperation, databaseOperation, nameOf } from './shared-database.ts';

const SOURCE = { type: 'text', positional: true, required: true, help: 'Source, as team/name' } as const;
const READER = {
  type: 'text',
  positional: true,
  required: true,
  help: 'Team that may read it, or * for every team',
} as const;

const READS: readonly Scope[] = ['read'];
const DAY_MS = 24 * 60 * 60 * 1_000;

export const migrateDatabase = databaseOperation({
  name: 'db_migrate',
  title: 'Prepare the database',
  summary: 'Create or update the tables of the shared catalog',
  params: {},
  output: { ran: integer('Number of statements that ran'), done: integer('Number of statements that have ever run') },
  command: { name: 'db migrate', examples: [['lectern db migrate', 'create or update the tables; safe to repeat']] },
  async work(_, database, actor) {
    const { ran, done } = await (await import('../store/migrations.ts')).migrate(database, actor);
    return { ran, done };
  },
  sentence: ({ ran, done }) =>
    ran === 0
      ? `The tables are up to date (migration ${done})`
      : `The tables are ready (${count(ran, 'statement')} ran; migration ${done})`,
});

export const databaseStatus = databaseOperation({
  name: 'db_status',
  title: 'State of the database',
  summary: 'Show the state of the shared catalog’s database',
  params: {},
  output: {
    migrated: flag('Whether it has the tables of this version'),
    done: integer('Number of statements that have run'),
    known: integer('Number of statements in this version'),
    snapshot: integer('Number of the latest snapshot; 0 before the first'),
    replicas: list(
      object({
        id: text('Host, port and random characters, as in the first line of its log'),
        number: integer('Snapshot that it serves'),
        seenSecondsAgo: integer('Seconds since its last heartbeat'),
      }),
    ),
  },
  command: {
    name: 'db status',
    examples: [['lectern db status', 'show the latest snapshot, and the replicas that serve it']],
  },
  async work(_, database) {
    const [{ migrationState }, { CatalogStore }] = await Promise.all([
      import('../store/migrations.ts'),
      import('../store/catalog-store.ts'),
    ]);
    const { done, known, breaking } = await migrationState(database);
    const migrated = done >= known && breaking <= known;
    const store = new CatalogStore(database);
    return {
      migrated,
      done,
      known,
      snapshot: migrated ? await store.head() : 0,
      replicas: migrated ? await store.replicas(LIVE_MS) : [],
    };
  },
});

export const pruneDatabase = databaseOperation({
  name: 'db_prune',
  title: 'Remove old versions',
  summary: 'Remove old versions of the shared catalog, and files that only they use',
  params: {
    keep: {
      ...DURATION,
      required: true,
      help: 'Keep every version that was current in this period, such as 90d; at least 1d',
    },
    dry_run: { type: 'flag', default: false, help: 'Show the versions to remove, without removing them' },
  },
  output: {
    dryRun: flag(),
    before: text('Versions replaced before this time are removed'),
    versions: integer('Number of removed versions, which can no longer be restored'),
    contents: integer('Number of removed files, which no version uses'),
    bytes: integer('Size of the removed files'),
    sources: list(
      object({ source: text(), versions: integer(), keptFrom: integer('Oldest version that is kept') }),
      'Sources with removed versions',
    ),
  },
  command: {
    name: 'db prune',
    examples: [
      ['lectern db prune --keep 90d --dry-run', 'show the versions to remove'],
      ['lectern db prune --keep 90d', 'keep 90 days of versions for lectern rollback'],
    ],
  },
  async work({ keep, dry_run: dryRun }, database, actor) {
    const keepMs = parseDuration(keep, '--keep', { min: '1d' });
    const { prune } = await import('../store/prune.ts');
    return { dryRun, ...(await prune(database, { keepMs, dryRun, actor })) };
  },
});

export const checkDatabase = databaseOperation({
  name: 'db_check',
  title: 'Check the database',
  summary: 'Compare every file in the database of the shared catalog with its hash',
  params: {},
  output: {
    contents: integer('Number of stored files'),
    bytes: integer('Their size'),
    damaged: list(
      object({
        sha256: text(),
        size: integer(),
        usedBy: list(text(), 'Where current versions use it, as team/name:path; at most 10'),
      }),
      'Files that do not match their hash. The next publication uploads them again',
    ),
  },
  command: {
    name: 'db check',
    examples: [['lectern db check', 'find files that were damaged in the database; exit code 1 if there are any']],
  },
  async work(_, database) {
    const [{ checkContents }, { requireMigrated }] = await Promise.all([
      import('../store/check.ts'),
      import('../store/migrations.ts'),
    ]);
    await requireMigrated(database);
    return checkContents(database);
  },
  hasErrors: ({ damaged }) => damaged.length > 0,
});

/** Replicas send a heartbeat every few seconds. */
const LIVE_MS = 30_000;

export const addTeam = adminOperation({
  name: 'team_add',
  title: 'Add a team',
  summary: 'Add a team to the shared catalog',
  params: { team: { type: 'text', positional: true, required: true, help: 'Name of the team' } },
  output: { team: text() },
  command: { name: 'team add', examples: [['lectern team add payments', 'add the team payments']] },
  async work({ team }, admin) {
    await admin.addTeam(team);
    return { team };
  },
  sentence: ({ team }) => `Added team ${team}`,
  next: ({ team }) => `lectern source add ${team}/skills`,
});

export const addSource = adminOperation({
  name: 'source_add',
  title: 'Add a source',
  summary: 'Add a source to a team, so that it can be published',
  params: { source: SOURCE },
  output: { source: text() },
  command: {
    name: 'source add',
    examples: [['lectern source add payments/skills', 'let the team payments publish it']],
  },
  async work({ source }, admin) {
    await admin.addSource(await nameOf(source));
    return { source };
  },
  sentence: ({ source }) => `Added source ${source}`,
  next: ({ source }) => `lectern publish . --source ${source} --url <url>`,
});

export const removeSource = adminOperation({
  name: 'source_remove',
  title: 'Remove a source',
  summary: 'Remove a source from every team’s view',
  params: { source: SOURCE },
  output: { source: text() },
  command: {
    name: 'source remove',
    examples: [
      [
        'lectern source remove payments/skills',
        'its versions are kept; add it again and run lectern rollback to restore it',
      ],
    ],
  },
  async work({ source }, admin) {
    await admin.removeSource(await nameOf(source));
    return { source };
  },
  sentence: ({ source }) =>
    `Removed source ${source}; to restore it, run lectern source add ${source}, then lectern rollback`,
});

export const removeTeam = adminOperation({
  name: 'team_remove',
  title: 'Remove a team',
  summary: 'Remove a team without sources and tokens',
  params: { team: { type: 'text', positional: true, required: true, help: 'Name of the team' } },
  output: { team: text() },
  command: {
    name: 'team remove',
    examples: [['lectern team remove payments', 'remove its sources and tokens first']],
  },
  async work({ team }, admin) {
    await admin.removeTeam(team);
    return { team };
  },
  sentence: ({ team }) => `Removed team ${team}`,
});

export const addGrant = adminOperation({
  name: 'grant_add',
  title: 'Grant a source',
  summary: 'Let another team, or every team, read a source',
  params: { source: SOURCE, reader: READER },
  output: { source: text(), reader: text() },
  command: { name: 'grant add', examples: [["lectern grant add payments/skills '*'", 'let every team read it']] },
  async work({ source, reader }, admin) {
    await admin.grant(await nameOf(source), reader);
    return { source, reader };
  },
  sentence: ({ source, reader }) => `${reader === '*' ? 'Every team' : reader} can now read ${source}`,
});

export const removeGrant = adminOperation({
  name: 'grant_remove',
  title: 'Revoke a grant',
  summary: 'Revoke the access of a team, or of every team, to a source',
  params: { source: SOURCE, reader: READER },
  output: { source: text(), reader: text() },
  command: {
    name: 'grant remove',
    examples: [['lectern grant remove payments/skills checkout', 'checkout can no longer read it']],
  },
  async work({ source, reader }, admin) {
    await admin.revokeGrant(await nameOf(source), reader);
    return { source, reader };
  },
  sentence: ({ source, reader }) =>
    reader === '*' ? `${source} is no longer granted to every team` : `${reader} no longer has a grant for ${source}`,
});

export const addToken = adminOperation({
  name: 'token_add',
  title: 'Add a token',
  summary: 'Add a token for the members of a team, or for its CI',
  params: {
    team: { type: 'text', positional: true, required: true, help: 'Team of the token' },
    name: { type: 'text', required: true, placeholder: 'text', help: 'Purpose of the token, shown in the history' },
    scope: {
      type: 'list',
      of: { type: 'choice', choices: ['read', 'publish', 'admin'] },
      placeholder: 'scope',
      help: 'Permission: read (the default), publish, or admin, which publishes for every team',
    },
    days: { type: 'integer', default: 90, min: 1, max: 3_650, help: 'Number of days until it expires' },
  },
  output: {
    id: integer(),
    token: text('The secret. It is not stored and cannot be shown again.'),
    team: text(),
    scopes: list(choice(['read', 'publish', 'admin'])),
    expiresAt: text(),
  },
  command: {
    name: 'token add',
    examples: [
      ['lectern token add payments --name laptops', 'to read; agents send it as a bearer token'],
      ['lectern token add payments --name ci --scope publish', 'to publish from CI, as LECTERN_PUBLISH_TOKEN'],
    ],
  },
  async work({ team, name, scope = READS, days }, admin) {
    const expiresAt = new Date(Date.now() + days * DAY_MS);
    const { id, secret, scopes } = await admin.addToken({ name, team, scopes: scope, expiresAt });
    return { id, token: secret, team, scopes, expiresAt: expiresAt.toISOString() };
  },
});

export const listTokens = adminOperation({
  name: 'token_list',
  title: 'List tokens',
  summary: 'List the tokens of the shared catalog, without their secrets',
  params: {},
  output: {
    tokens: list(
      object({
        id: integer(),
        name: text(),
        team: text(),
        scopes: list(text()),
        expiresAt: text(),
        expired: optional(flag('Set if it has expired, according to the database clock')),
        lastUsedAt: optional(text('Accurate to a few seconds; missing if it was never used')),
      }),
    ),
  },
  command: {
    name: 'token list',
    examples: [['lectern token list', 'show each token, when it expires and when it was last used']],
  },
  work: async (_, admin) => ({ tokens: await admin.tokens() }),
});

export const revokeToken = adminOperation({
  name: 'token_revoke',
  title: 'Revoke a token',
  summary: 'Revoke a token on every replica',
  params: {
    id: { type: 'integer', positional: true, required: true, help: 'Token ID from `lectern token list`' },
  },
  output: { id: integer() },
  command: { name: 'token revoke', examples: [['lectern token revoke 7', 'reject requests with this token']] },
  async work({ id }, admin) {
    await admin.revokeToken(id);
    return { id };
  },
  sentence: ({ id }) => `Token ${id} is revoked; replicas reject it after their next update`,
});
