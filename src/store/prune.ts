/**
 * Removes old versions and unreferenced blobs. Publications can continue meanwhile: every step is a short
 * transaction, and blobs are removed only while no publication can start to refer to them.
 */
import { LIMITS } from '../core/limits.ts';
import { lockHead } from './catalog-store.ts';
import type { Database, Query } from './database.ts';

/** How long an uploaded or announced blob is kept before it is published. */
const WAITING_HOURS = 24;

/** Number of rows removed per transaction. Blobs are large, and publishers wait for each transaction. */
const ENTRIES_AT_ONCE = 10_000;
const CONTENTS_AT_ONCE = 200;

export interface PrunedSource {
  source: string;
  /** Number of versions that can no longer be restored. */
  versions: number;
  /** The oldest version that can still be restored. */
  keptFrom: number;
}

export interface Pruned {
  /** Versions replaced before this time are removed. */
  before: string;
  sources: PrunedSource[];
  versions: number;
  contents: number;
  bytes: number;
}

/** Selects the version that was current at that time. It is kept, and so are later versions. */
const KEPT_FROM = `select source_id, max(number) as number from snapshot
  where source_id is not null and action in ('publish', 'rollback', 'source-remove') and at <= $1 group by source_id`;

/** Matches blobs that the search index does not use. */
const NOT_FOR_SEARCH = `not exists (select 1 from segment where segment.sha256 = blob.sha256)`;

/**
 * Matches blobs that no longer wait for a publication. Rechecked when deleting, because the row may have changed
 * since.
 */
const WAITED = `created_at < now() - interval '${WAITING_HOURS} hours'`;

export async function prune(
  database: Database,
  { keepMs, dryRun, actor }: { keepMs: number; dryRun: boolean; actor: string },
): Promise<Pruned> {
  // Use the database's clock, like all times it is compared with.
  const [clock] = await database.query(`select now() - $1 * interval '1 millisecond' as before`, [keepMs]);
  const before = clock?.['before'] as Date;
  const sources = await prunable(database.query, before);
  const versions = sources.reduce((sum, each) => sum + each.versions, 0);
  const removed = dryRun ? await countContents(database.query, before) : await remove(database, before);
  if (!dryRun) {
    const subject = `before ${before.toISOString()}: ${versions} versions, ${removed.contents} contents`;
    await database.query(`insert into audit (actor, action, subject) values ($1, 'db-prune', $2)`, [actor, subject]);
  }
  return { before: before.toISOString(), sources, versions, ...removed };
}

async function prunable(query: Query, before: Date): Promise<PrunedSource[]> {
  const rows = await query(
    `select team || '/' || name as source, kept.number as kept, count(*) as versions
     from (${KEPT_FROM}) as kept join source on source.id = kept.source_id
       join snapshot on snapshot.source_id = source.id and snapshot.action in ('publish', 'rollback')
         and snapshot.number < kept.number and snapshot.number >= source.pruned_before
     group by 1, 2 order by 1`,
    [before],
  );
  return rows.map((row) => ({
    source: String(row['source']),
    versions: Number(row['versions']),
    keptFrom: Number(row['kept']),
  }));
}

async function countContents(query: Query, before: Date): Promise<{ contents: number; bytes: number }> {
  const [row] = await query(
    `with kept as (${KEPT_FROM})
     select count(*) as contents, coalesce(sum(size), 0) as bytes from blob
     where ${WAITED} and ${NOT_FOR_SEARCH} and not exists (
       select 1 from entry left join kept on kept.source_id = entry.source_id
       where entry.sha256 = blob.sha256
         and (entry.removed_in is null or entry.removed_in > coalesce(kept.number, 0)))`,
    [before],
  );
  return { contents: Number(row?.['contents']), bytes: Number(row?.['bytes']) };
}

async function remove(database: Database, before: Date): Promise<{ contents: number; bytes: number }> {
  // First mark the versions as pruned: a rollback that starts now must not find an incomplete one.
  await database.query(
    `update source set pruned_before = kept.number from (${KEPT_FROM}) as kept
     where kept.source_id = source.id and source.pruned_before < kept.number`,
    [before],
  );
  await repeat(ENTRIES_AT_ONCE, async () => {
    const rows = await database.query(
      `with gone as (delete from entry where ctid in (
         select entry.ctid from entry join source on source.id = source_id
         where removed_in <= pruned_before limit $1) returning 1)
       select count(*) as count from gone`,
      [ENTRIES_AT_ONCE],
    );
    return Number(rows[0]?.['count']);
  });
  await database.query(`delete from usage where day < current_date - $1::integer`, [LIMITS.usageDays.value]);
  await database.query(`delete from replica where seen_at < now() - interval '1 day'`);
  let [contents, bytes] = [0, 0];
  await repeat(CONTENTS_AT_ONCE, () =>
    database.transaction(async (query) => {
      // The lock blocks publications, so none can start to refer to blobs being removed.
      await lockHead(query);
      const [row] = await query(
        `with gone as (delete from blob where sha256 in (
           select sha256 from blob
           where ${WAITED} and not exists (select 1 from entry where entry.sha256 = blob.sha256)
             and ${NOT_FOR_SEARCH} limit $1)
           and ${WAITED} returning size)
         select count(*) as count, coalesce(sum(size), 0) as bytes from gone`,
        [CONTENTS_AT_ONCE],
      );
      bytes += Number(row?.['bytes']);
      contents += Number(row?.['count']);
      return Number(row?.['count']);
    }),
  );
  return { contents, bytes };
}

/** Repeats until a batch is not full. */
async function repeat(size: number, batch: () => Promise<number>): Promise<void> {
  while ((await batch()) >= size);
}
