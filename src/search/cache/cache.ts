/**
 * Caches segments between runs, for all projects of a user. Pack files are written once and never changed, so any number of
 * processes can share the folder without a lock: each adds its own packs, and a process that finds many merges them. Texts that
 * are missing, damaged or of another version are indexed again.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { entriesOf, tryRead } from '../../core/disk/answers.ts';
import { FileTrouble } from '../../core/disk/tree.ts';
import type { Disk } from '../../core/disk/writes.ts';
import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Entry } from '../entry.ts';
import { encodeEntries, knownEntries } from '../segments/make-segment.ts';
import { SLICE_DOCUMENTS } from '../segments/slice.ts';
import { bytesOf, type CachedSegment, openCached } from './cached-segment.ts';
import { decodePack, encodePack } from './pack.ts';

const PACK_NAME = /^[0-9a-f]{16}\.pack$/u;

/** More packs than this are merged. */
const PACKS_MAX = 8;

/** More segments than this in memory are merged. */
const UNWRITTEN_MAX = 256;

/** Smaller segments are combined when packs are merged. */
const SMALL_SEGMENT = SLICE_DOCUMENTS / 2;

export interface CacheState {
  dir: string;
  packs: number;
  entries: number;
  bytes: number;
}

interface OpenPack {
  segments: readonly CachedSegment[];
  /** Text keys, by the key of the file and its stamp. */
  files: ReadonlyMap<string, string>;
}

/** Position of a text. */
export interface CachedRow {
  cached: CachedSegment;
  row: number;
}

export class SearchCache {
  readonly #disk: Disk;
  readonly #dir: string | undefined;
  readonly #packs = new Map<string, { pack: OpenPack; bytes: number }>();
  /** Unusable packs, removed by the next write. */
  readonly #damaged = new Set<string>();
  /** Entries that are not yet in a segment. */
  readonly #entries = new Map<string, Entry>();
  readonly #files = new Map<string, string>();
  /** Segments that are not yet in a pack, newest last. They stay in memory if the folder cannot be written. */
  #unwritten: CachedSegment[] = [];
  /** Reason why the cache cannot be written. */
  problem: string | undefined;

  /** Without a folder, segments stay in memory. */
  constructor(disk: Disk, dir: string | undefined) {
    this.#disk = disk;
    this.#dir = dir;
    if (dir === undefined) this.problem = 'there is no home folder';
  }

  /** An empty cache that stays in memory. */
  inMemory(): SearchCache {
    return new SearchCache(this.#disk, undefined);
  }

  /** Reads packs added since the last call. */
  open(): void {
    if (this.#dir === undefined) return;
    const names = entriesOf(this.#disk, this.#dir)
      .map(({ name }) => name)
      .filter((name) => PACK_NAME.test(name));
    for (const name of this.#packs.keys()) if (!names.includes(name)) this.#packs.delete(name);
    for (const name of names) {
      if (this.#packs.has(name)) continue;
      const read = tryRead(this.#disk, path.join(this.#dir, name), LIMITS.searchCacheBytes.value);
      if (read instanceof FileTrouble) continue;
      const pack = openPack(read.bytes);
      if (pack) this.#packs.set(name, { pack, bytes: read.bytes.length });
      else this.#damaged.add(name);
    }
  }

  /** The key of a file's text, if the file was read before in this state. */
  textOf(file: string): string | undefined {
    const added = this.#files.get(file);
    if (added !== undefined) return added;
    for (const { pack } of this.#packs.values()) {
      const found = pack.files.get(file);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether the text is indexed. */
  has(text: string): boolean {
    return this.#entries.has(text) || this.rowOf(text) !== undefined;
  }

  /** Position of a text. New entries have one after `encode`. */
  rowOf(text: string): CachedRow | undefined {
    for (const cached of this.#segments()) {
      const row = cached.rows.get(text);
      if (row !== undefined) return { cached, row };
    }
    return undefined;
  }

  addFile(file: string, text: string): void {
    this.#files.set(file, text);
  }

  addEntry(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    if (this.#entries.size >= SLICE_DOCUMENTS) this.encode();
  }

  /** Writes new entries. A failure is stored in `problem`; search continues without the cache. */
  save(): void {
    this.encode();
    if (this.#dir === undefined || (this.#unwritten.length === 0 && this.#files.size === 0)) return;
    try {
      const merges = this.#packs.size >= PACKS_MAX;
      const old = merges ? [...this.#packs.keys()] : [];
      this.#write(this.#dir, merges ? this.#merged() : { segments: this.#unwritten, files: new Map(this.#files) });
      this.#remove(this.#dir, old);
      this.#unwritten = [];
      this.#files.clear();
      this.problem = undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.problem = error.message;
    }
  }

  get state(): CacheState | undefined {
    if (this.#dir === undefined) return undefined;
    const packs = [...this.#packs.values()];
    const texts = packs.flatMap(({ pack }) => pack.segments.flatMap(({ rows }) => [...rows.keys()]));
    return {
      dir: this.#dir,
      packs: packs.length,
      entries: new Set(texts).size,
      bytes: packs.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  /** Removes these texts, or all. Returns the number of cached texts removed. */
  clear(texts?: ReadonlySet<string>): number {
    this.#entries.clear();
    this.#files.clear();
    this.#unwritten = [];
    if (this.#dir === undefined) return 0;
    this.open();
    const { segments, files } = this.#merged();
    const isCleared = (text: string): boolean => texts === undefined || texts.has(text);
    const gone = new Set(segments.flatMap(({ rows }) => [...rows.keys()].filter(isCleared)));
    if (gone.size === 0) {
      this.#remove(this.#dir, []);
      return 0;
    }
    const left = segments.flatMap((cached) => withoutTexts(cached, gone));
    const old = [...this.#packs.keys()];
    if (left.length > 0)
      this.#write(this.#dir, { segments: left, files: new Map([...files].filter(([, text]) => !gone.has(text))) });
    this.#remove(this.#dir, old);
    return gone.size;
  }

  /** All segments, newest first as far as known. */
  *#segments(): Generator<CachedSegment> {
    for (let at = this.#unwritten.length - 1; at >= 0; at--) {
      const cached = this.#unwritten[at];
      if (cached) yield cached;
    }
    for (const { pack } of [...this.#packs.values()].reverse()) yield* pack.segments;
  }

  /** Turns new entries into a segment, so that they have a position. */
  encode(): void {
    if (this.#entries.size === 0) return;
    this.#unwritten.push(...cachedFrom(this.#entries));
    this.#entries.clear();
    // Reached only if nothing can be written.
    if (this.#unwritten.length > UNWRITTEN_MAX) this.#unwritten = merged(this.#unwritten.reverse()).reverse();
  }

  #remove(dir: string, names: readonly string[]): void {
    for (const name of [...names, ...this.#damaged]) {
      this.#disk.remove(path.join(dir, name));
      this.#packs.delete(name);
    }
    this.#damaged.clear();
  }

  #write(dir: string, pack: OpenPack): void {
    const name = `${randomBytes(8).toString('hex')}.pack`;
    const bytes = encodePack({ ...pack, segments: pack.segments.map(({ files }) => files) });
    this.#disk.create(path.join(dir, name), bytes);
    this.#packs.set(name, { pack, bytes: bytes.length });
  }

  /** Merges all packs up to the size limit. */
  #merged(): OpenPack {
    const segments = merged(this.#segments());
    const files = new Map<string, string>();
    const isKept = (text: string): boolean => segments.some(({ rows }) => rows.has(text));
    for (const known of [...[...this.#packs.values()].map(({ pack }) => pack.files), this.#files])
      for (const [file, text] of known) if (isKept(text)) files.set(file, text);
    return { segments, files };
  }
}

function openPack(bytes: Uint8Array): OpenPack | undefined {
  const pack = decodePack(bytes);
  const segments = pack?.segments.map(openCached).filter((cached) => cached !== undefined) ?? [];
  return pack && segments.length === pack.segments.length ? { segments, files: pack.files } : undefined;
}

function cachedFrom(entries: ReadonlyMap<string, Entry>): CachedSegment[] {
  const cached = openCached(encodeEntries([...entries.keys()], [...entries.values()]));
  return cached ? [cached] : [];
}

/** The newest segments up to the size limit, with small ones combined. */
function merged(newestFirst: Iterable<CachedSegment>): CachedSegment[] {
  const large: CachedSegment[] = [];
  const small: CachedSegment[] = [];
  let bytes = 0;
  for (const cached of newestFirst) {
    bytes += bytesOf(cached);
    if (bytes > LIMITS.searchCacheBytes.value / 2) break;
    (cached.rows.size < SMALL_SEGMENT ? small : large).push(cached);
  }
  return [...large, ...combined(small)];
}

/** Combines segments, newest first, into as few as possible. */
function combined(small: readonly CachedSegment[]): CachedSegment[] {
  if (small.length < 2) return [...small];
  const made: CachedSegment[] = [];
  let entries = new Map<string, Entry>();
  for (const { files } of small) {
    for (const [key, entry] of knownEntries([files])) if (!entries.has(key)) entries.set(key, entry);
    if (entries.size < SLICE_DOCUMENTS) continue;
    made.push(...cachedFrom(entries));
    entries = new Map();
  }
  return entries.size > 0 ? [...made, ...cachedFrom(entries)] : made;
}

/** The segment without these texts; nothing if none is left. */
function withoutTexts(cached: CachedSegment, gone: ReadonlySet<string>): CachedSegment[] {
  if (![...cached.rows.keys()].some((text) => gone.has(text))) return [cached];
  const left = new Map([...knownEntries([cached.files])].filter(([key]) => !gone.has(key)));
  return left.size > 0 ? cachedFrom(left) : [];
}
