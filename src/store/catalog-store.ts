/** Stores published data: sources and their files, grants, and every version. */
import { createHash } from 'node:crypto';
import { Failure } from '../core/failure.ts';
import { changesBetween } from './changes.ts';
import { markDamaged } from './check.ts';
import type { Database, Query } from './database.ts';
import { requireMigratedNow } from './migrations.ts';
import { NAME } from './source-name.ts';
import {
  type About,
  type Head,
  type HistoryEntry,
  type LoadedSkill,
  type Publication,
  type Published,
  SCOPES,
  type StoredCatalog,
  type StoredFile,
  type StoredSource,
  type StoredToken,
} from './stored.ts';

export * from './stored.ts';

/** Channel that replicas listen to. */
export const HEAD_CHANNEL = 'lectern_head';

/** Maximum number of bytes to fetch with one statement. */
const BATCH_BYTES = 16 * 1024 * 1024;

export class CatalogStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async head(): Promise<number> {
    const [row] = await this.#database.query('select number from head');
    return Number(row?.['number'] ?? 0);
  }

  /** Returns the latest snapshot. Replicas poll it. */
  async look(): Promise<Head> {
    const [row] = await this.#database.query(
      `${HEAD}, extract(epoch from clock_timestamp()) * 1000 as now from head left join snapshot using (number)`,
    );
    return { ...headOf(row), now: Number(row?.['now']) };
  }

  /** Whether this snapshot is still part of the history. */
  async isPast({ number, stamp }: Pick<Head, 'number' | 'stamp'>): Promise<boolean> {
    const [row] = await this.#database.query('select 1 from snapshot where number = $1 and stamp::text = $2', [
      number,
      stamp,
    ]);
    return row !== undefined || number === 0;
  }

  /** Reads a consistent snapshot. `known` has the versions of sources whose files need not be sent. */
  read(known: ReadonlyMap<number, number> = new Map()): Promise<StoredCatalog> {
    return this.#database.transaction(async (query) => {
      const [head] = await query(`${HEAD} from head left join snapshot using (number)`);
      const teams = await query('select name from team where retired_in is null order by name');
      const sources = (
        await query(
          `select id, team, name, version, at, actor, git_commit
           from source left join snapshot on number = version and action <> 'source-remove' where retired_in is null order by team, name`,
        )
      ).map((row) => ({ ...sourceOf(row), ...(row['at'] === null ? {} : { published: publicationOf(row) }) }));
      const grants = await query('select source_id, reader from granted where removed_in is null order by 1, 2');
      const tokens = await query(
        `select id, name, encode(hash, 'hex') as hash, team, scopes, expires_at from token
         where removed_in is null order by id`,
      );
      const files = new Map<number, StoredFile[]>();
      for (const { id, version } of sources)
        if (known.get(id) !== version) files.set(id, await filesOf(query, id, version));
      return {
        ...headOf(head),
        teams: teams.map(({ name }) => String(name)),
        sources,
        grants: grants.map((row) => ({ sourceId: Number(row['source_id']), reader: String(row['reader']) })),
        tokens: tokens.map(tokenOf),
        files,
      };
    }, 'isolation level repeatable read read only');
  }

  async findSource(team: string, name: string): Promise<StoredSource | undefined> {
    // The names are untrusted, and PostgreSQL rejects some text.
    if (!NAME.test(team) || !NAME.test(name)) return undefined;
    const [row] = await this.#database.query(
      'select id, team, name, version from source where team = $1 and name = $2 and retired_in is null',
      [team, name],
    );
    return row && sourceOf(row);
  }

  /** Returns the files of a source at a snapshot number. */
  files(source: StoredSource, number: number): Promise<StoredFile[]> {
    return filesOf(this.#database.query, source.id, number);
  }

  /**
   * Returns the sizes of blobs that one of the teams uploaded or can read. Knowing a hash must not reveal whether a
   * blob exists, nor give access to it: visibility is decided first, and no content is read, so that the time reveals
   * nothing either. Blobs known to be damaged are treated as missing, so that they are uploaded again.
   */
  async sizes(hashes: Iterable<string>, teams: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#database.query(
      `with visible as materialized (
         select sha256 from uploaded where sha256 = any($1::bytea[]) and team = any($2::text[])
         union
         select entry.sha256 from entry join source on source.id = source_id
         where entry.sha256 = any($1::bytea[])
           and (source.team = any($2::text[]) or entry.removed_in is null and exists (
             select 1 from granted where granted.source_id = source.id and granted.removed_in is null
               and (reader = '*' or reader = any($2::text[])))))
       select encode(sha256, 'hex') as hash, found.size from visible, lateral (
         select size from blob where blob.sha256 = visible.sha256 and not is_damaged offset 0) as found`,
      [[...new Set(hashes)].map(bytesOf), [...teams]],
    );
    return new Map(rows.map((row) => [String(row['hash']), Number(row['size'])]));
  }

  /** Protects blobs that wait for a publication from pruning for another day, even if they were uploaded long ago. */
  async announce(hashes: Iterable<string>): Promise<void> {
    await this.#database.query(
      `update blob set created_at = now() where sha256 = any($1::bytea[]) and created_at < now() - interval '1 hour'
         and not exists (select 1 from entry where entry.sha256 = blob.sha256 and removed_in is null)`,
      [[...new Set(hashes)].map(bytesOf)],
    );
  }

  /** Stores a blob under its hash, which is computed here. Members of these teams may publish it. */
  async upload(content: Uint8Array, teams: readonly string[] = []): Promise<string> {
    const hash = createHash('sha256').update(content).digest();
    await this.#database.query(
      `insert into blob (sha256, size, content) values ($1, $2, $3)
       on conflict (sha256) do update set size = excluded.size, content = excluded.content, is_damaged = false
       where blob.is_damaged or blob.content <> excluded.content`,
      [hash, content.length, Buffer.from(content.buffer, content.byteOffset, content.byteLength)],
    );
    if (teams.length > 0)
      await this.#database.query(
        'insert into uploaded (sha256, team) select $1, team from unnest($2::text[]) as t (team) on conflict do nothing',
        [hash, [...teams]],
      );
    return hash.toString('hex');
  }

  /** Fetches blobs in batches. Blobs that do not match their hash were damaged in the database: they are marked and skipped. */
  async download(
    wanted: readonly { sha256: string; size: number }[],
    take: (sha256: string, content: Uint8Array) => void,
  ): Promise<void> {
    for (const batch of batches(wanted)) {
      const rows = await this.#database.query<{ sha256: Buffer; content: Buffer }>(
        'select sha256, content from blob where sha256 = any($1::bytea[])',
        [batch.map(bytesOf)],
      );
      const damaged: Buffer[] = [];
      for (const { sha256, content } of rows)
        if (createHash('sha256').update(content).digest().equals(sha256)) take(sha256.toString('hex'), content);
        else damaged.push(sha256);
      // The database may be read-only.
      if (damaged.length > 0) await markDamaged(this.#database, damaged).catch(() => undefined);
    }
  }

  /** Replaces the files of a source if it is still at the version `base`. Their blobs must be uploaded first. */
  async publish(
    source: StoredSource,
    base: number,
    files: readonly StoredFile[],
    about: About,
    /** The version that the files come from, if this is a rollback. */
    restored?: number,
  ): Promise<Published> {
    return this.#database.transaction(async (query) => {
      const head = await lockHead(query);
      await requireGoodToken(query, about.tokenId);
      const [row] = await query('select version from source where id = $1', [source.id]);
      const version = Number(row?.['version']);
      if (version !== base) return { outcome: 'conflict', number: version };
      const { added, changed, removed } = changesBetween(await filesOf(query, source.id, version), files);
      const after = new Map(files.map((file) => [file.path, file]));
      if (added.length + removed.length + changed.length === 0)
        return { outcome: 'unchanged', number: version, added, changed, removed };
      const counts = { added: added.length, changed: changed.length, removed: removed.length };
      const how = restored === undefined ? { action: 'publish' } : { action: 'rollback', restored };
      const number = await advance(query, head, { ...about, ...how, sourceId: source.id, counts });
      // Two statements: in one, new rows would conflict with rows that are not closed yet.
      await query(
        'update entry set removed_in = $2 where source_id = $1 and removed_in is null and path = any($3::text[])',
        [source.id, number, [...removed, ...changed]],
      );
      const fresh = [...added, ...changed].map((path) => after.get(path) as StoredFile);
      await query(
        `insert into entry (source_id, path, sha256, size, executable, added_in)
         select $1, path, hash, size, executable, $2
         from unnest($3::text[], $4::bytea[], $5::integer[], $6::boolean[]) as f (path, hash, size, executable)`,
        [
          source.id,
          number,
          fresh.map(({ path }) => path),
          fresh.map(({ sha256 }) => bytesOf(sha256)),
          fresh.map(({ size }) => size),
          fresh.map(({ executable }) => executable),
        ],
      );
      await query('update source set version = $2 where id = $1', [source.id, number]);
      return { outcome: 'published', number, added, changed, removed };
    });
  }

  /** Publishes the files of an earlier snapshot. `prepare` receives these files first. */
  async rollback(
    source: StoredSource,
    to: number,
    about: About,
    prepare: (files: readonly StoredFile[]) => Promise<void> = async () => undefined,
  ): Promise<Published> {
    const files = await this.restorable(source, to);
    await prepare(files);
    return this.publish(source, source.version, files, about, to);
  }

  /** Returns the files of an earlier version. Throws if the version does not exist or was pruned. */
  async restorable(source: StoredSource, to: number): Promise<StoredFile[]> {
    const name = `${source.team}/${source.name}`;
    // Read consistently: a version that is being pruned is either complete or missing.
    return this.#database.transaction(async (query) => {
      const [row] = await query(
        `select number < pruned_before as pruned from snapshot join source on source.id = source_id
         where number = $1 and source_id = $2`,
        [to, source.id],
      );
      if (!row) {
        throw new Failure('NOT_FOUND', `${name} has no version ${to}.`, {
          hint: `Run \`lectern history ${name}\` to see every version.`,
        });
      }
      if (row['pruned'] === true) {
        throw new Failure('NOT_FOUND', `Version ${to} of ${name} was pruned and cannot be restored.`, {
          hint: `Run \`lectern history ${name}\` to see the remaining versions.`,
        });
      }
      return filesOf(query, source.id, to);
    }, 'isolation level repeatable read read only');
  }

  /** Returns versions, newest first. With `before`, only those with a smaller number. */
  async history(source: Pick<StoredSource, 'id'>, limit: number, before?: number): Promise<HistoryEntry[]> {
    const rows = await this.#database.query(
      `select number, at, actor, action, git_commit, added, changed, removed, skipped, number < pruned_before as pruned
       from snapshot join source on source.id = source_id
       where source_id = $1 and action in ('publish', 'rollback') and ($3::bigint is null or number < $3)
       order by number desc limit $2`,
      [source.id, limit, before ?? null],
    );
    const restored = await this.#restored(rows.flatMap((row) => (row['action'] === 'rollback' ? [row['number']] : [])));
    return rows.map((row) => ({
      number: Number(row['number']),
      ...publicationOf(row),
      action: String(row['action']),
      ...restored.get(Number(row['number'])),
      added: Number(row['added']),
      changed: Number(row['changed']),
      removed: Number(row['removed']),
      ...(row['skipped'] === 0 ? {} : { skipped: Number(row['skipped']) }),
      ...(row['pruned'] === true ? { pruned: true } : {}),
    }));
  }

  /** Returns the targets of rollbacks. Only the audit has them, and most histories need no query. */
  async #restored(numbers: readonly unknown[]): Promise<Map<number, { restored: number }>> {
    if (numbers.length === 0) return new Map();
    const rows = await this.#database.query(
      `select number, substring(subject from ' to ([0-9]+)$') as restored from audit
       where action = 'rollback' and number = any($1::bigint[]) and subject ~ ' to [0-9]+$'`,
      [numbers],
    );
    return new Map(rows.map((row) => [Number(row['number']), { restored: Number(row['restored']) }]));
  }

  /** Records that a replica is alive, and the snapshot it serves. */
  async beat(id: string, number: number, version: string): Promise<void> {
    await this.#database.query(
      `insert into replica (id, number, version) values ($1, $2, $3)
       on conflict (id) do update set number = $2, version = $3, seen_at = now()`,
      [id, number, version],
    );
  }

  /** Adds usage counts. Rows are locked in a fixed order, so that replicas cannot deadlock. */
  async recordUse(tokens: ReadonlyMap<number, number>, loads: readonly LoadedSkill[]): Promise<void> {
    await this.#database.transaction(async (query) => {
      await query('select 1 from token where id = any($1::integer[]) order by id for update', [[...tokens.keys()]]);
      await query(
        `update token set last_used_at = greatest(last_used_at, to_timestamp(ms / 1000.0))
         from unnest($1::integer[], $2::double precision[]) as used (token_id, ms) where id = token_id`,
        [[...tokens.keys()], [...tokens.values()]],
      );
      await query(
        `insert into usage (source_id, folder, day, loads)
         select source.id, folder, day, loads
         from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::bigint[]) as l (team, name, folder, day, loads)
           join source using (team, name)
         order by 1, 2, 3
         on conflict (source_id, folder, day) do update set loads = usage.loads + excluded.loads`,
        [
          loads.map(({ team }) => team),
          loads.map(({ name }) => name),
          loads.map(({ folder }) => folder),
          loads.map(({ day }) => day),
          loads.map((each) => each.loads),
        ],
      );
    });
  }

  async forget(replica: string): Promise<void> {
    await this.#database.query('delete from replica where id = $1', [replica]);
  }

  /** Returns replicas that were active recently. */
  async replicas(withinMs: number): Promise<{ id: string; number: number; seenSecondsAgo: number }[]> {
    const rows = await this.#database.query(
      // A time in the future means that the clock was set back since.
      `select id, number, extract(epoch from clock_timestamp() - seen_at) as age from replica
       where seen_at > now() - $1 * interval '1 millisecond' and seen_at <= clock_timestamp() order by id`,
      [withinMs],
    );
    return rows.map((row) => ({
      id: String(row['id']),
      number: Number(row['number']),
      seenSecondsAgo: Math.floor(Number(row['age'])),
    }));
  }
}

/** Serializes publishers. The lock ends with the transaction. */
export async function lockHead(query: Query): Promise<number> {
  const [row] = await query('select number from head for update');
  // A separate statement, because the one above started before the lock was granted and may see outdated tables.
  await requireMigratedNow(query);
  return Number(row?.['number']);
}

/** Checks the token in the database: a replica that is behind does not know about recently revoked tokens. */
async function requireGoodToken(query: Query, tokenId: number | undefined): Promise<void> {
  if (tokenId === undefined) return;
  const found = await query('select 1 from token where id = $1 and removed_in is null and expires_at > now()', [
    tokenId,
  ]);
  if (found.length === 0) throw new Failure('REFUSED', 'The token was revoked or has expired.');
}

/** Creates the next snapshot. The caller holds the lock. */
export async function advance(
  query: Query,
  head: number,
  about: About & {
    action: string;
    subject?: string;
    sourceId?: number;
    /** The version that a rollback restores. It has the same skipped skills. */
    restored?: number;
    counts?: { added: number; changed: number; removed: number };
  },
): Promise<number> {
  const number = head + 1;
  const { actor, action, commit = null, sourceId = null, subject = '', skipped = 0, restored = null } = about;
  const { added, changed, removed } = about.counts ?? { added: 0, changed: 0, removed: 0 };
  await query(
    `insert into snapshot (number, actor, action, source_id, git_commit, added, changed, removed, skipped)
     values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce((select skipped from snapshot where number = $10), $9))`,
    [number, actor, action, sourceId, commit, added, changed, removed, skipped, restored],
  );
  await query(
    `insert into audit (actor, action, subject, number)
     values ($1, $2, coalesce((select team || '/' || name || $6 from source where id = $3), $4), $5)`,
    [actor, action, sourceId, subject, number, restored === null ? '' : ` to ${restored}`],
  );
  await query('update head set number = $1', [number]);
  await query('select pg_notify($1, $2)', [HEAD_CHANNEL, String(number)]);
  return number;
}

async function filesOf(query: Query, sourceId: number, number: number): Promise<StoredFile[]> {
  const rows = await query(
    `select path, encode(sha256, 'hex') as sha256, size, executable from entry
     where source_id = $1 and added_in <= $2 and (removed_in is null or removed_in > $2) order by path`,
    [sourceId, number],
  );
  return rows.map((row) => ({
    path: String(row['path']),
    sha256: String(row['sha256']),
    size: Number(row['size']),
    executable: row['executable'] === true,
  }));
}

const HEAD = `select number, coalesce(stamp::text, '') as stamp`;

function headOf(row: Record<string, unknown> | undefined): Pick<Head, 'number' | 'stamp'> {
  return { number: Number(row?.['number'] ?? 0), stamp: String(row?.['stamp'] ?? '') };
}

function sourceOf(row: Record<string, unknown>): StoredSource {
  return {
    id: Number(row['id']),
    team: String(row['team']),
    name: String(row['name']),
    version: Number(row['version']),
  };
}

function publicationOf(row: Record<string, unknown>): Publication {
  return {
    at: (row['at'] as Date).toISOString(),
    actor: String(row['actor']),
    ...(row['git_commit'] === null ? {} : { commit: String(row['git_commit']) }),
  };
}

function tokenOf(row: Record<string, unknown>): StoredToken {
  return {
    id: Number(row['id']),
    name: String(row['name']),
    hash: String(row['hash']),
    team: String(row['team']),
    scopes: SCOPES.filter((scope) => (row['scopes'] as string[]).includes(scope)),
    expiresAt: (row['expires_at'] as Date).getTime(),
  };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

function* batches(wanted: readonly { sha256: string; size: number }[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const { sha256, size } of wanted) {
    if (batch.length > 0 && (bytes + size > BATCH_BYTES || batch.length >= 1_000)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(sha256);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
