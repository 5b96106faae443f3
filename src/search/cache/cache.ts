/**
 * Caches entries between runs, for all projects of a user. Pack files are written once and never changed, so any number of
 * processes can share the folder without a lock: each adds its own packs, and a process that finds many merges them. Entries
 * that are missing, damaged or of another version are rebuilt.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { entriesOf, tryRead } from '../../core/disk/answers.ts';
import { FileTrouble } from '../../core/disk/tree.ts';
import type { Disk } from '../../core/disk/writes.ts';
import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { decodePack, encodePack, type Pack } from './pack.ts';

const PACK_NAME = /^[0-9a-f]{16}\.pack$/u;

/** More packs than this are merged. */
const PACKS_MAX = 8;

export interface CacheState {
  dir: string;
  packs: number;
  entries: number;
  bytes: number;
}

export class SearchCache {
  readonly #disk: Disk;
  readonly #dir: string | undefined;
  readonly #packs = new Map<string, { pack: Pack; bytes: number }>();
  /** Unusable packs, removed by the next write. */
  readonly #damaged = new Set<string>();
  readonly #added: Pack = { entries: new Map(), files: new Map() };
  /** Reason why the cache cannot be written. */
  problem: string | undefined;

  /** Without a folder, nothing is cached. */
  constructor(disk: Disk, dir: string | undefined) {
    this.#disk = disk;
    this.#dir = dir;
    if (dir === undefined) this.problem = 'there is no home folder';
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
      const pack = decodePack(read.bytes);
      if (pack) this.#packs.set(name, { pack, bytes: read.bytes.length });
      else this.#damaged.add(name);
    }
  }

  /** The key of a file's text, if the file was read before in this state. */
  textOf(file: string): string | undefined {
    const added = this.#added.files.get(file);
    if (added !== undefined) return added;
    for (const { pack } of this.#packs.values()) {
      const found = pack.files.get(file);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The entry of a text. */
  entry(text: string): Uint8Array | undefined {
    const added = this.#added.entries.get(text);
    if (added !== undefined) return added;
    for (const { pack } of this.#packs.values()) {
      const found = pack.entries.get(text);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  addFile(file: string, text: string): void {
    this.#added.files.set(file, text);
  }

  addEntry(key: string, bytes: Uint8Array): void {
    this.#added.entries.set(key, bytes);
  }

  /** Writes new entries. A failure is stored in `problem`; search continues without the cache. */
  save(): void {
    const { entries, files } = this.#added;
    if (this.#dir === undefined || (entries.size === 0 && files.size === 0)) return;
    try {
      const merges = this.#packs.size >= PACKS_MAX;
      const old = merges ? [...this.#packs.keys()] : [];
      const pack = merges ? this.#merged() : { entries: new Map(entries), files: new Map(files) };
      this.#write(this.#dir, pack);
      this.#remove(this.#dir, old);
      this.problem = undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.problem = error.message;
    } finally {
      entries.clear();
      files.clear();
    }
  }

  get state(): CacheState | undefined {
    if (this.#dir === undefined) return undefined;
    const packs = [...this.#packs.values()];
    return {
      dir: this.#dir,
      packs: packs.length,
      entries: new Set(packs.flatMap(({ pack }) => [...pack.entries.keys()])).size,
      bytes: packs.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  /** Removes the entries of these texts, or all entries. Returns the number removed. */
  clear(texts?: ReadonlySet<string>): number {
    if (this.#dir === undefined) return 0;
    this.open();
    const all = this.#merged();
    const gone = [...all.entries.keys()].filter((text) => texts === undefined || texts.has(text));
    for (const text of gone) all.entries.delete(text);
    for (const [file, text] of all.files) if (!all.entries.has(text)) all.files.delete(file);
    const old = gone.length === 0 ? [] : [...this.#packs.keys()];
    if (gone.length > 0 && all.entries.size > 0) this.#write(this.#dir, all);
    this.#remove(this.#dir, old);
    return gone.length;
  }

  #remove(dir: string, names: readonly string[]): void {
    for (const name of [...names, ...this.#damaged]) {
      this.#disk.remove(path.join(dir, name));
      this.#packs.delete(name);
    }
    this.#damaged.clear();
  }

  #write(dir: string, pack: Pack): void {
    const name = `${randomBytes(8).toString('hex')}.pack`;
    const bytes = encodePack(pack);
    this.#disk.create(path.join(dir, name), bytes);
    this.#packs.set(name, { pack, bytes: bytes.length });
  }

  /** Merges all packs, newest first, up to the size limit. */
  #merged(): Pack {
    const merged: Pack = { entries: new Map(), files: new Map() };
    let bytes = 0;
    for (const pack of [this.#added, ...[...this.#packs.values()].map((each) => each.pack).reverse()]) {
      for (const [key, entry] of pack.entries) {
        if (merged.entries.has(key) || bytes + entry.length > LIMITS.searchCacheBytes.value / 2) continue;
        merged.entries.set(key, entry);
        bytes += entry.length;
      }
      for (const [file, text] of pack.files) if (merged.entries.has(text)) merged.files.set(file, text);
    }
    return merged;
  }
}
