/**
 * Search index data of sources, stored by the replica that published them. Segments belong to a list of files rather
 * than to a version: any version of the source with the same files can use them. They can always be rebuilt, so nothing
 * refers to them and they may be missing.
 */
import { sha256Of } from '../core/sha256.ts';
import { compareText } from '../core/text.ts';
import type { StoredFile, StoredSource } from './catalog-store.ts';
import type { Database } from './database.ts';

export interface StoredSegment {
  /** Format of the segment. Segments in other formats cannot be used. */
  format: string;
  /** Position among the segments of the same format. */
  position: number;
  /** Hash of the blob with the content. */
  sha256: string;
  size: number;
}

/** Identifies the segments of a source. */
export interface SegmentsOf {
  sourceId: number;
  /** Result of `digestOfFiles` for the source's files. */
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

  /** Returns the segments by source ID. */
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

  /**
   * Stores segments whose blobs were uploaded before. All replicas build identical segments, so the last write may
   * win.
   */
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

  /** Removes segments of other files if the source is still at this version. Pruning removes their blobs. */
  async keepOnly({ sourceId, files }: SegmentsOf, version: StoredSource['version']): Promise<void> {
    await this.#database.query(
      `delete from segment where source_id = $1 and files <> $2
         and exists (select 1 from source where id = $1 and version = $3)`,
      [sourceId, Buffer.from(files, 'hex'), version],
    );
  }
}
