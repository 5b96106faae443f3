/**
 * What search needs of a source, as the replica that published it made it. It belongs to a list of files, not to a version: who has
 * the same files can use it, and nobody else. It can always be made again, so nothing refers to it, and it may be missing.
 */
import { sha256Of } from '../core/sha256.ts';
import { compareText } from '../core/text.ts';
import type { StoredFile, StoredSource } from './catalog-store.ts';
import type { Database } from './database.ts';

export interface StoredSegment {
  /** How it was made; those of another format are of no use. */
  format: string;
  /** Its place among those of the format. */
  position: number;
  /** Of its content, which is kept like that of a file. */
  sha256: string;
  size: number;
}

/** Whose segments they are. */
export interface SegmentsOf {
  sourceId: number;
  /** What `digestOfFiles` says of its files. */
  files: string;
}

export function digestOfFiles(files: readonly StoredFile[]): string {
  const list = files
    .map(({ path, sha256, executable }) => [path, sha256, executable] as const)
    .sort(([a], [b]) => compareText(a, b));
  return sha256Of(JSON.stringify(list));
}

export class SegmentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By the id of the source. */
  async find(wanted: readonly SegmentsOf[], formats: readonly string[]): Promise<Map<number, StoredSegment[]>> {
    const rows = await this.#database.query(
      `select source_id, format, position, encode(sha256, 'hex') as sha256, size
       from segment join unnest($1::integer[], $2::bytea[]) as wanted (source_id, files) using (source_id, files)
       where format = any($3::text[]) order by source_id, format, position`,
      [wanted.map(({ sourceId }) => sourceId), wanted.map(({ files }) => Buffer.from(files, 'hex')), formats],
    );
    const found = new Map<number, StoredSegment[]>();
    for (const row of rows) {
      const id = Number(row['source_id']);
      const list = found.get(id) ?? [];
      found.set(id, list);
      list.push({
        format: String(row['format']),
        position: Number(row['position']),
        sha256: String(row['sha256']),
        size: Number(row['size']),
      });
    }
    return found;
  }

  /** Their contents must be uploaded. Whoever makes them makes the same, so the last one may win. */
  async add({ sourceId, files }: SegmentsOf, segments: readonly StoredSegment[]): Promise<void> {
    await this.#database.query(
      `insert into segment (source_id, files, format, position, sha256, size)
       select $1, $2, format, position, sha256, size
       from unnest($3::text[], $4::integer[], $5::bytea[], $6::integer[]) as s (format, position, sha256, size)
       order by format, position
       on conflict (source_id, files, format, position) do update set sha256 = excluded.sha256, size = excluded.size`,
      [
        sourceId,
        Buffer.from(files, 'hex'),
        segments.map(({ format }) => format),
        segments.map(({ position }) => position),
        segments.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
        segments.map(({ size }) => size),
      ],
    );
  }

  /** Forgets those of other files, if the source is still at this version. Their contents go when the catalog is pruned. */
  async keepOnly({ sourceId, files }: SegmentsOf, version: StoredSource['version']): Promise<void> {
    await this.#database.query(
      `delete from segment where source_id = $1 and files <> $2
         and exists (select 1 from source where id = $1 and version = $3)`,
      [sourceId, Buffer.from(files, 'hex'), version],
    );
  }
}
