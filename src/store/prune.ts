/**
 * Removes old versions, and contents that nothing refers to any more. Publications go on in the meantime: every step is a short
 * transaction of its own, and contents go only while no publication can refer to them.
 */
import { LIMITS } from '../core/limits.ts';
import { lockHead } from './catalog-store.ts';
import type { Database, Query } from './database.ts';

/** A content may wait so long for the publication that it was uploaded or announced for. */
const WAITING_HOURS = 24;

/** Rows that one transaction removes. Contents are large, and publishers wait meanwhile. */
const ENTRIES_AT_ONCE = 10_000;
const CONTENTS_AT_ONCE = 200;

export interface PrunedSource {
  source: string;
  /** How many of its versions can no longer be restored. */
  versions: number;
  /** The oldest version that still can. */
  keptFrom: number;
}

export interface Pruned {
  /** Versions that were replaced before this moment are removed. */
  before: string;
  sources: PrunedSource[];
  versions: number;
  contents: number;
  bytes: number;
}

/** A version that was current at that moment, or came later, is kept. */
const KEPT_FROM = `select source_id, max(number) as number from snapshot
  where source_id is not null and action in ('publish', 'rollback', 'source-remove') and at <= $1 group by source_id`;

/** No search index refers to it. */
const NOT_FOR_SEARCH = `not exists (select 1 from segment where segment.sha256 = blob.sha256)`;

/** Nobody waits for it any more. Asked again of a row that was changed in the meantime. */
const WAITED = `created_at < now() - interval '${WAITING_HOURS} hours'`;

export async function prune(
  database: Database,
  { keepMs, dryRun, actor }: { keepMs: number; dryRun: boolean; actor: string },
): Promise<Pruned> {
  // By the clock of the database, as everything that is compared with it.
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
  // First it is said which versions are gone: a rollback that begins now must not find half of one.
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
      // No publication runs now, so none can begin to refer to what is removed.
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

/** Until less than a whole batch is left. */
async function repeat(size: number, batch: () => Promise<number>): Promise<void> {
  while ((await batch()) >= size);
}
