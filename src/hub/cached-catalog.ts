/**
 * Caches the last snapshot in the cache folder, for starting without the database. The file list of each source is a separate file, so
 * a publication rewrites one list only. Every file begins with its hash: without it, a damaged file would be served under a number
 * that the database confirms.
 */
import path from 'node:path';
import { sha256Of } from '../core/sha256.ts';
import { entriesOf } from '../core/disk/answers.ts';
import { CachedFiles } from '../core/disk/cached-file.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { isRecord } from '../core/json-file.ts';
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
  readonly #files: CachedFiles;
  readonly #dir: string;
  readonly #warn: (text: string) => void;
  /** Name of the file of each list. */
  readonly #written = new WeakMap<readonly StoredFile[], string>();
  #isMarked = false;

  constructor(disk: Disk, dir: string, warn: (text: string) => void) {
    this.#disk = disk;
    // Private: they contain token hashes and the data of every team.
    this.#files = new CachedFiles(disk, { maxBytes: MAX_BYTES, isPrivate: true });
    this.#dir = dir;
    this.#warn = warn;
  }

  /** Reads the snapshot of the last run. Returns undefined if there is none in this format; fails if it is damaged. */
  open(): OpenedCatalog | undefined {
    const catalog = this.#read(CATALOG, catalogIn);
    if (!catalog) return undefined;
    const { format: _format, files, ...stored } = catalog;
    const segments = this.#read(SEGMENTS, segmentsIn);
    return {
      stored,
      files: new Map(files.map(([id, name]) => [id, this.#readList(name)])),
      segments: new Map(segments?.stamp === stored.stamp ? segments.lists : []),
      confirmedAt: this.#read(CONFIRMED, (value) => (typeof value === 'number' ? value : undefined)),
    };
  }

  /** Returns whether writing succeeded. */
  write(stored: Omit<StoredCatalog, 'files'>, files: FileLists): boolean {
    const lists = [...files].map(([id, list]): [number, string] => [id, this.#writeList(list)]);
    const cached: CachedCatalogFile = { format: FORMAT, ...stored, files: lists };
    if (!this.#write(CATALOG, cached)) return false;
    this.#removeOtherLists(new Set(lists.map(([, name]) => name)));
    return true;
  }

  writeSegments(stamp: string, lists: SegmentLists): void {
    const cached: CachedSegments = { stamp, lists: [...lists] };
    this.#write(SEGMENTS, cached);
  }

  writeConfirmation(at: number): void {
    this.#write(CONFIRMED, Math.floor(at));
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
    const list = this.#read(path.join(LISTS, name), listIn);
    if (!list) throw new Error('a list of files is missing');
    this.#written.set(list, name);
    return list;
  }

  /** The file name is the hash of the content. */
  #writeList(list: readonly StoredFile[]): string {
    const known = this.#written.get(list);
    if (known !== undefined) return known;
    const name = sha256Of(JSON.stringify(list));
    if (this.#write(path.join(LISTS, name), list)) this.#written.set(list, name);
    return name;
  }

  #removeOtherLists(needed: ReadonlySet<string>): void {
    const dir = path.join(this.#dir, LISTS);
    for (const { name } of entriesOf(this.#disk, dir))
      if (!needed.has(name)) this.#isDone(this.#files.remove(path.join(dir, name)));
  }

  #read<T>(name: string, check: (value: unknown) => T | undefined): T | undefined {
    const read = this.#files.read(path.join(this.#dir, name), check);
    if (read.kind === 'damaged') throw new Error('a file in the cache folder was damaged');
    return read.kind === 'value' ? read.value : undefined;
  }

  #write(name: string, value: unknown): boolean {
    return this.#isDone(this.#files.write(path.join(this.#dir, name), value));
  }

  #isDone(problem: string | undefined): boolean {
    if (problem !== undefined) this.#warn(`the snapshot cannot be cached for a start without the database: ${problem}`);
    return problem === undefined;
  }
}

// The hash of each file was checked, so these checks only guard against another format.
function catalogIn(value: unknown): CachedCatalogFile | undefined {
  return isRecord(value) && value['format'] === FORMAT ? (value as unknown as CachedCatalogFile) : undefined;
}

function segmentsIn(value: unknown): CachedSegments | undefined {
  return isRecord(value) ? (value as unknown as CachedSegments) : undefined;
}

function listIn(value: unknown): readonly StoredFile[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
