/** The tables, as numbered statements that are only ever added to. Each runs once, all of them under one lock. */
import { Failure } from '../core/failure.ts';
import type { Database, Query } from './database.ts';

const NAME = `~ '^[a-z0-9][a-z0-9._-]{0,62}$'`;

const MIGRATIONS: readonly string[] = [
  `create table team (name text primary key check (name ${NAME}), created_at timestamptz not null default now())`,
  `create table source (
     id integer generated always as identity primary key,
     team text not null references team,
     name text not null check (name ${NAME}),
     version bigint not null default 0,
     created_at timestamptz not null default now(),
     unique (team, name))`,
  // Never a sequence: its numbers become visible out of order, and a follower would miss one for ever.
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
  // Texts of skills are small or already compressed; reading them must not cost the server anything.
  `alter table blob alter column content set storage external`,
  // A row lives from added_in up to removed_in, so every snapshot stays readable.
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
  // Older versions of the source cannot be restored any more.
  `alter table source add column pruned_before bigint not null default 0`,
  `create index entry_content on entry (sha256)`,
];

/** Any number that nobody else uses. */
const LOCK = 5_132_753;

export interface MigrationState {
  /** How many statements have run. */
  done: number;
  /** How many this version knows. */
  known: number;
}

/** Runs what has not run yet. Safe to start several times at once. */
export async function migrate(database: Database, actor = 'operator'): Promise<MigrationState & { ran: number }> {
  return database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [LOCK]);
    await query(
      'create table if not exists lectern_migration (number integer primary key, at timestamptz not null default now())',
    );
    const done = await countDone(query);
    for (const [index, statement] of MIGRATIONS.entries()) {
      if (index < done) continue;
      await query(statement);
      await query('insert into lectern_migration (number) values ($1)', [index + 1]);
    }
    if (done < MIGRATIONS.length) {
      const subject = `from ${done} to ${MIGRATIONS.length}`;
      await query(`insert into audit (actor, action, subject) values ($1, 'db-migrate', $2)`, [actor, subject]);
    }
    return {
      ran: Math.max(0, MIGRATIONS.length - done),
      done: Math.max(done, MIGRATIONS.length),
      known: MIGRATIONS.length,
    };
  });
}

export async function migrationState(database: Database): Promise<MigrationState> {
  const [found] = await database.query(`select to_regclass('lectern_migration') is not null as exists`);
  const done = found?.['exists'] === true ? await countDone(database.query) : 0;
  return { done, known: MIGRATIONS.length };
}

/** Fails unless the tables are at least as new as this version. Newer ones are fine: statements are only added. */
export async function requireMigrated(database: Database): Promise<void> {
  const { done, known } = await migrationState(database);
  if (done >= known) return;
  throw new Failure('REFUSED', `The database is at migration ${done}, and this version needs ${known}.`, {
    hint: 'Run `lectern db migrate`.',
  });
}

async function countDone(query: Query): Promise<number> {
  const [row] = await query('select coalesce(max(number), 0) as number from lectern_migration');
  return Number(row?.['number']);
}
