/**
 * The tables, as an append-only list of numbered statements. Each statement runs once, all under one lock.
 *
 * Older versions of Lectern keep working with newer tables unless a statement is marked as breaking. Then they can no
 * longer read or publish, keep serving their last snapshot, and report it.
 */
import { type Database, DatabaseFailure, type Query } from './database.ts';

const NAME = `~ '^[a-z0-9][a-z0-9._-]{0,62}$'`;

type Migration = string | { readonly breaking: string };

const MIGRATIONS: readonly Migration[] = [
  `create table team (name text primary key check (name ${NAME}), created_at timestamptz not null default now())`,
  `create table source (
     id integer generated always as identity primary key,
     team text not null references team,
     name text not null check (name ${NAME}),
     version bigint not null default 0,
     created_at timestamptz not null default now(),
     unique (team, name))`,
  // Not a sequence: its numbers become visible out of order, so a follower could miss one permanently.
  `create table head (is_head boolean primary key default true check (is_head), number bigint not null)`,
  `insert into head (number) values (0)`,
  `create table snapshot (
     number bigint primary key,
     at timestamptz not null default now(),
     actor text not null,
     action text not null,
     source_id integer references source,
     git_commit text,
     added integer not null default 0,
     changed integer not null default 0,
     removed integer not null default 0)`,
  `create index snapshot_source on snapshot (source_id, number)`,
  `create table blob (
     sha256 bytea primary key check (length(sha256) = 32),
     size integer not null,
     content bytea not null,
     created_at timestamptz not null default now())`,
  // Skill texts are small or already compressed, and reading them should cost the server nothing.
  `alter table blob alter column content set storage external`,
  // A row is valid from added_in until removed_in, so every snapshot stays readable.
  `create table entry (
     source_id integer not null references source,
     path text collate "C" not null,
     sha256 bytea not null references blob,
     size integer not null,
     executable boolean not null,
     added_in bigint not null references snapshot,
     removed_in bigint references snapshot)`,
  `create unique index entry_live on entry (source_id, path) where removed_in is null`,
  `create index entry_history on entry (source_id, added_in, removed_in)`,
  `create table granted (
     source_id integer not null references source,
     reader text not null,
     added_in bigint not null references snapshot,
     removed_in bigint references snapshot)`,
  `create unique index granted_live on granted (source_id, reader) where removed_in is null`,
  `create table token (
     id integer generated always as identity primary key,
     hash bytea not null unique check (length(hash) = 32),
     name text not null,
     team text not null references team,
     scopes text[] not null,
     expires_at timestamptz not null,
     last_used_at timestamptz,
     added_in bigint not null references snapshot,
     removed_in bigint references snapshot)`,
  `create table audit (
     id bigint generated always as identity primary key,
     at timestamptz not null default now(),
     actor text not null,
     action text not null,
     subject text not null,
     number bigint references snapshot)`,
  `create function audit_is_final() returns trigger language plpgsql as
     $$ begin raise exception 'the audit is never changed'; end $$`,
  `create trigger audit_is_final before update or delete or truncate on audit
     for each statement execute function audit_is_final()`,
  `create table replica (
     id text primary key,
     number bigint not null,
     version text not null,
     seen_at timestamptz not null default now())`,
  // Versions of the source before this number can no longer be restored.
  `alter table source add column pruned_before bigint not null default 0`,
  `create index entry_content on entry (sha256)`,
  `alter table snapshot add column stamp uuid not null default gen_random_uuid()`,
  // Callers are not recorded, and a day is the smallest unit of time.
  `create table usage (
     source_id integer not null references source,
     folder text collate "C" not null,
     day date not null,
     loads bigint not null,
     primary key (source_id, folder, day))`,
  // No foreign key to blob: older versions would find blobs that they cannot remove.
  `create table segment (
     source_id integer not null references source,
     files bytea not null check (length(files) = 32),
     format text collate "C" not null,
     position integer not null,
     sha256 bytea not null check (length(sha256) = 32),
     size integer not null,
     primary key (source_id, files, format, position))`,
  `create index segment_content on segment (sha256)`,
  // A text without vectors waits for a worker.
  `create table embedding (
     model text collate "C" not null,
     text_key bytea not null check (length(text_key) = 16),
     texts bytea,
     vectors bytea,
     attempts integer not null default 0,
     not_before timestamptz not null default now(),
     used_at timestamptz not null default now(),
     primary key (model, text_key))`,
  `create index embedding_queue on embedding (model, not_before, text_key) where vectors is null`,
  // Vectors of an endpoint are valid for a range of snapshots, so that the same snapshot always gives the same answers.
  `create table embedded (
     source_id integer not null references source,
     model text collate "C" not null,
     files bytea not null check (length(files) = 32),
     format text collate "C" not null,
     position integer not null,
     sha256 bytea not null check (length(sha256) = 32),
     size integer not null,
     added_in bigint not null references snapshot,
     removed_in bigint references snapshot)`,
  `create unique index embedded_live on embedded (source_id, model, format, position) where removed_in is null`,
  `create index embedded_content on embedded (sha256) where removed_in is null`,
  // Rows are kept because old versions refer to them. Not called removed_in, because joins in older versions use that
  // name unqualified. Older replicas keep serving a removed source, which has no files.
  `alter table source add column retired_in bigint references snapshot`,
  `alter table team add column retired_in bigint references snapshot`,
  // Knowing the hash of a blob must not be enough to publish it.
  `create table uploaded (
     sha256 bytea not null references blob on delete cascade,
     team text not null references team,
     primary key (sha256, team))`,
  // Vectors of an embeddings endpoint were an option of shared catalogs. Older replicas read these tables.
  { breaking: `drop table if exists embedded, embedding` },
  `alter table snapshot add column skipped integer not null default 0`,
  // Found by a replica or by `lectern db check`, because hashing contents whenever they are looked up takes too long.
  `alter table blob add column is_damaged boolean not null default false`,
];

/** An arbitrary number, unique to this lock. */
const LOCK = 5_132_753;

export interface MigrationState {
  /** Number of statements that have run. */
  done: number;
  /** Number of statements in this version. */
  known: number;
  /** Number of the last statement that older versions do not support; 0 if there is none. */
  breaking: number;
}

/** Runs pending statements. Safe to run concurrently. Tests pass the statements of a newer version as `further`. */
export async function migrate(
  database: Database,
  actor = 'operator',
  further: readonly Migration[] = [],
): Promise<{ ran: number; done: number }> {
  const migrations = [...MIGRATIONS, ...further];
  return database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [LOCK]);
    await query(
      `create table if not exists lectern_migration (
         number integer primary key,
         at timestamptz not null default now(),
         is_breaking boolean not null default false)`,
    );
    await query('alter table lectern_migration add column if not exists is_breaking boolean not null default false');
    const { done, breaking } = await stateIn(query);
    refuseIfTooOld({ breaking, known: migrations.length });
    const missing = migrations.slice(done);
    // Publications in progress finish first. Publishers waiting for the lock will find that they are too old.
    if (done > 0 && missing.some((each) => typeof each !== 'string')) await query('select 1 from head for update');
    for (const [index, each] of missing.entries()) {
      await query(typeof each === 'string' ? each : each.breaking);
      const values = [done + index + 1, typeof each !== 'string'];
      await query('insert into lectern_migration (number, is_breaking) values ($1, $2)', values);
    }
    if (missing.length > 0) {
      const subject = `from ${done} to ${migrations.length}`;
      await query(`insert into audit (actor, action, subject) values ($1, 'db-migrate', $2)`, [actor, subject]);
    }
    return { ran: missing.length, done: done + missing.length };
  });
}

export async function migrationState(database: Database): Promise<MigrationState> {
  const [found] = await database.query(`select to_regclass('lectern_migration') is not null as exists`);
  if (found?.['exists'] !== true) return { done: 0, known: MIGRATIONS.length, breaking: 0 };
  return stateIn(database.query);
}

/** Throws unless this version supports the tables. Newer tables are fine unless a newer statement is breaking. */
export async function requireMigrated(database: Database): Promise<void> {
  refuseUnlessFitting(await migrationState(database));
}

/** Like `requireMigrated`, in a writing transaction. Requires the lock that publishers and breaking statements take. */
export async function requireMigratedNow(query: Query): Promise<void> {
  refuseUnlessFitting(await stateIn(query));
}

function refuseUnlessFitting(state: MigrationState): void {
  refuseIfTooOld(state);
  const { done, known } = state;
  if (done >= known) return;
  throw new DatabaseFailure('REFUSED', `The database is at migration ${done}; this version needs ${known}.`, {
    hint: 'Run `lectern db migrate`.',
  });
}

function refuseIfTooOld({ breaking, known }: Pick<MigrationState, 'breaking' | 'known'>): void {
  if (breaking <= known) return;
  const message = `The database was migrated for a newer version of Lectern: migration ${breaking}; this version supports ${known}.`;
  throw new DatabaseFailure('REFUSED', message, { hint: 'Update Lectern on this machine.' });
}

/** Also works on tables from before statements were marked. */
async function stateIn(query: Query): Promise<MigrationState> {
  const [row] = await query(
    `select coalesce(max(number), 0) as done,
       coalesce(max(number) filter (where to_jsonb(m) @> '{"is_breaking": true}'), 0) as breaking
     from lectern_migration m`,
  );
  return { done: Number(row?.['done']), known: MIGRATIONS.length, breaking: Number(row?.['breaking']) };
}
