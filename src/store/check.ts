/** Finds damaged contents in the database. */
import type { Database } from './database.ts';

export interface DamagedContent {
  sha256: string;
  size: number;
  /** Places in the current versions, as `team/name:path`. Empty if only earlier versions or search data use it. */
  usedBy: string[];
}

export interface CheckedContents {
  contents: number;
  bytes: number;
  damaged: DamagedContent[];
}

/** One statement must end long before its timeout, with the largest files and a slow disk. */
const AT_ONCE = 100;
const PLACES_MAX = 10;

/** Compares every content with its hash, and records the damaged ones, so that the next publication uploads them again. */
export async function checkContents(database: Database): Promise<CheckedContents> {
  const checked: CheckedContents = { contents: 0, bytes: 0, damaged: [] };
  const changed: { damaged: Buffer[]; intact: Buffer[] } = { damaged: [], intact: [] };
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await database.query<{ sha256: Buffer; size: number; is_damaged: boolean; is_intact: boolean }>(
      `select sha256, size, is_damaged, sha256(content) = sha256 and length(content) = size as is_intact
       from blob where sha256 > $1 order by sha256 limit ${AT_ONCE}`,
      [after],
    );
    for (const { sha256, size, is_damaged: isMarked, is_intact: isIntact } of rows) {
      checked.contents += 1;
      checked.bytes += size;
      if (!isIntact)
        checked.damaged.push({ sha256: sha256.toString('hex'), size, usedBy: await usersOf(database, sha256) });
      if (isMarked === isIntact) changed[isIntact ? 'intact' : 'damaged'].push(sha256);
    }
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) break;
    after = last.sha256;
  }
  // Without changes, this works on a standby too.
  if (changed.damaged.length > 0) await markDamaged(database, changed.damaged);
  if (changed.intact.length > 0)
    await database.query('update blob set is_damaged = false where sha256 = any($1::bytea[])', [changed.intact]);
  return checked;
}

/** Contents that were replaced in the meantime stay unmarked. */
export async function markDamaged(database: Pick<Database, 'query'>, hashes: readonly Buffer[]): Promise<void> {
  await database.query(
    'update blob set is_damaged = true where sha256 = any($1::bytea[]) and (sha256(content) <> sha256 or length(content) <> size)',
    [hashes],
  );
}

async function usersOf(database: Database, sha256: Buffer): Promise<string[]> {
  const rows = await database.query<{ place: string }>(
    `select team || '/' || name || ':' || path as place from entry join source on source.id = source_id
     where sha256 = $1 and removed_in is null order by 1 limit ${PLACES_MAX}`,
    [sha256],
  );
  return rows.map(({ place }) => place);
}
