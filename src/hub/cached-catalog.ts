/**
 * Caches the last snapshot in the cache folder, for starting without the database. The file list of each source is a separate file, so
 * a publication rewrites one list only. Every file begins with its hash: without it, a damaged file would be served under a number
 * that the database confirms.
 */
import path from 'node:path';
import { sha256Of } from '../core/sha256.ts';
import { entriesOf, tryRead } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import type { StoredCatalog, StoredFile } from '../store/catalog-store.ts';
import type { StoredSegment } from '../store/segment-store.ts';

const CATALOG = 'catalog.json';
/** Other formats are ignored. */
const FORMAT = 4;
const MAX_BYTES = 512 * 1024 * 1024;
const LISTS = 'lists';
/** Search segments of the cached snapshot. */
const SEGMENTS = 'segments.json';
/** Time at which the database last confirmed the cached snapshot. */
const CONFIRMED = 'confirmed';
/** Stored with the contents: if it is missing, the contents were removed too. */
const MARK = 'blobs/mark';

export type FileLists = ReadonlyMap<number, readonly StoredFile[]>;
export type SegmentLists = ReadonlyMap<number, readonly StoredSegment[]>;

export interface OpenedCatalog {
  stored: Omit<StoredCatalog, 'files'>;
  /** By source ID. */
  files: FileLists;
  segments: SegmentLists;
  /** Milliseconds since 1970; undefined if unknown. */
  confirmedAt: number | undefined;
}

type CachedCatalogFile = Omit<StoredCatalog, 'files'> & { format: number; files: [id: number, list: string][] };

interface CachedSegments {
  /** Stamp of the snapshot that they belong to. */
  stamp: string;
  lists: [number, readonly StoredSegment[]][];
}

export class CachedCatalog {
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #warn: (text: string) => void;
  /** Name of the file of each list. */
  readonly #written = new WeakMap<readonly StoredFile[], string>();
  #isMarked = false;

  constructor(disk: Disk, dir: string, warn: (text: string) => void) {
    this.#disk = disk;
    this.#dir = dir;
    this.#warn = warn;
  }

  /** Reads the snapshot of the last run. Returns undefined if there is none in this format; fails if it is damaged. */
  open(): OpenedCatalog | undefined {
    const text = this.#read(CATALOG);
    if (text === undefined) return undefined;
    const { format, files, ...stored } = JSON.parse(text) as CachedCatalogFile;
    if (format !== FORMAT) return undefined;
    const lists = JSON.parse(this.#read(SEGMENTS) ?? '{}') as Partial<CachedSegments>;
    const confirmedAt = this.#read(CONFIRMED);
    return {
      stored,
      files: new Map(files.map(([id, name]) => [id, this.#readList(name)])),
      segments: new Map(lists.stamp === stored.stamp ? lists.lists : []),
      confirmedAt: confirmedAt === undefined ? undefined : Number(confirmedAt),
    };
  }

  /** Returns whether writing succeeded. */
  write(stored: Omit<StoredCatalog, 'files'>, files: FileLists): boolean {
    const lists = [...files].map(([id, list]): [number, string] => [id, this.#writeList(list)]);
    const cached: CachedCatalogFile = { format: FORMAT, ...stored, files: lists };
    if (!this.#write(CATALOG, JSON.stringify(cached))) return false;
    this.#removeOtherLists(new Set(lists.map(([, name]) => name)));
    return true;
  }

  writeSegments(stamp: string, lists: SegmentLists): void {
    const cached: CachedSegments = { stamp, lists: [...lists] };
    this.#write(SEGMENTS, JSON.stringify(cached));
  }

  writeConfirmation(at: number): void {
    this.#write(CONFIRMED, String(Math.floor(at)));
  }

  /** Marks the folder as complete. */
  mark(): void {
    this.#isMarked = this.#write(MARK, 'complete');
  }

  /** Whether the folder was emptied since it was marked. */
  get wasEmptied(): boolean {
    if (!this.#isMarked) return false;
    try {
      return [CATALOG, MARK].some((name) => this.#disk.look(path.join(this.#dir, name)) === undefined);
    } catch (error) {
      if (error instanceof FileTrouble) return false;
      throw error;
    }
  }

  /** Makes the next `write` rewrite everything. */
  forget(files: FileLists): void {
    this.#isMarked = false;
    for (const list of files.values()) this.#written.delete(list);
  }

  #readList(name: string): readonly StoredFile[] {
    const text = this.#read(path.join(LISTS, name));
    if (text === undefined) throw new Error('a list of files is missing');
    const list = JSON.parse(text) as StoredFile[];
    this.#written.set(list, name);
    return list;
  }

  /** The file name is the hash of the content. */
  #writeList(list: readonly StoredFile[]): string {
    const known = this.#written.get(list);
    if (known !== undefined) return known;
    const text = JSON.stringify(list);
    const name = hashOf(text);
    if (this.#write(path.join(LISTS, name), text)) this.#written.set(list, name);
    return name;
  }

  #removeOtherLists(needed: ReadonlySet<string>): void {
    const dir = path.join(this.#dir, LISTS);
    for (const { name } of entriesOf(this.#disk, dir)) {
      if (needed.has(name)) continue;
      this.#attempt(() => this.#disk.remove(path.join(dir, name)));
    }
  }

  #read(name: string): string | undefined {
    const read = tryRead(this.#disk, path.join(this.#dir, name), MAX_BYTES);
    if (read instanceof FileTrouble) return undefined;
    const file = Buffer.from(read.bytes).toString('utf8');
    const text = file.slice(file.indexOf('\n') + 1);
    if (`${hashOf(text)}\n${text}` !== file) throw new Error('a file in the cache folder was damaged');
    return text;
  }

  #write(name: string, text: string): boolean {
    // Private: it contains token hashes and the data of every team.
    const replace = (): void =>
      this.#disk.replace(path.join(this.#dir, name), `${hashOf(text)}\n${text}`, undefined, { isPrivate: true });
    return this.#attempt(replace);
  }

  #attempt(act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#warn(`the snapshot cannot be cached for a start without the database: ${error.message}`);
      return false;
    }
  }
}

function hashOf(text: string): string {
  return sha256Of(text);
}
