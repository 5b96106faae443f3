/**
 * Caches file contents in a folder, named by their SHA-256. Everything can be downloaded again, so nothing is flushed. Reads verify
 * the hash: a damaged file is removed and never served.
 */
import path from 'node:path';
import { sha256Of } from '../core/sha256.ts';
import { breather } from '../core/breathe.ts';
import { entriesOf, findEntry, tryRead } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';

const SWEPT_AFTER_MS = 60 * 60 * 1_000;

export class BlobCache {
  readonly #disk: Disk;
  readonly #dir: string;
  /** Contents that could not be written: a full or read-only folder must not stop a replica. */
  readonly #unwritten = new Map<string, Uint8Array>();
  /** Hashes of damaged files in a read-only folder. */
  readonly #damaged = new Set<string>();
  readonly #warn: (text: string) => void;
  #isWarned = false;
  #isDamageKnown = false;
  #temporaries = 0;

  constructor(disk: Disk, dir: string, warn: (text: string) => void) {
    this.#disk = disk;
    this.#dir = path.join(dir, 'blobs');
    this.#warn = warn;
  }

  has(sha256: string, size: number): boolean {
    if (this.#unwritten.has(sha256)) return true;
    if (this.#damaged.has(sha256)) return false;
    try {
      const found = this.#disk.look(this.#fileOf(sha256));
      return found?.kind === 'file' && found.stamp.size === size;
    } catch {
      return false;
    }
  }

  /** Returns undefined if the content is missing or damaged. */
  read(sha256: string): Uint8Array | undefined {
    const kept = this.#unwritten.get(sha256);
    if (kept) return kept;
    const file = this.#fileOf(sha256);
    const read = tryRead(this.#disk, file, Number.MAX_SAFE_INTEGER);
    if (read instanceof FileTrouble) return undefined;
    if (sha256Of(read.bytes) === sha256) return read.bytes;
    // Reported once: thousands of files may be damaged.
    if (!this.#isDamageKnown) this.#warn(`${file} was damaged. Damaged files are downloaded again`);
    this.#isDamageKnown = true;
    if (!this.#attempt(() => this.#disk.remove(file))) this.#damaged.add(sha256);
    return undefined;
  }

  add(sha256: string, content: Uint8Array): void {
    const file = this.#fileOf(sha256);
    // Written under a temporary name first, because a second replica may use the same folder.
    const temporary = `${file}.${process.pid}.${++this.#temporaries}`;
    const isWritten = this.#attempt(() => {
      this.#disk.append(temporary, content, { isPrivate: true });
      this.#disk.move(temporary, file, { replace: true });
    });
    if (isWritten) return void this.#damaged.delete(sha256);
    this.#attempt(() => this.#disk.remove(temporary), false);
    // Copied, because a view would keep the whole larger buffer alive.
    this.#unwritten.set(sha256, content.slice());
  }

  /** Stores locally created content and returns its hash. */
  addOwn(content: Uint8Array): string {
    const sha256 = sha256Of(content);
    if (!this.has(sha256, content.length)) this.add(sha256, content);
    return sha256;
  }

  /** Removes contents from memory and from the folder. */
  remove(hashes: Iterable<string>): void {
    for (const sha256 of hashes) {
      this.#unwritten.delete(sha256);
      this.#attempt(() => this.#disk.remove(this.#fileOf(sha256)), false);
    }
  }

  /** Removes all other contents except recent ones, which may be about to be used. */
  async sweep(keep: ReadonlySet<string>): Promise<void> {
    const breathe = breather();
    const old = Date.now() - SWEPT_AFTER_MS;
    for (const { name } of entriesOf(this.#disk, this.#dir)) {
      await breathe();
      const below = path.join(this.#dir, name);
      for (const entry of entriesOf(this.#disk, below)) {
        if (keep.has(entry.name)) continue;
        const file = path.join(below, entry.name);
        const { stamp } = findEntry(this.#disk, file) ?? {};
        if (stamp && stamp.mtimeMs < old) this.#attempt(() => this.#disk.remove(file), false);
      }
    }
  }

  /** True if contents are held in memory because the folder cannot be written. */
  get isInMemory(): boolean {
    return this.#unwritten.size > 0;
  }

  /** Releases contents held in memory. */
  forget(hashes: Iterable<string>): void {
    for (const sha256 of hashes) this.#unwritten.delete(sha256);
  }

  #fileOf(sha256: string): string {
    return path.join(this.#dir, sha256.slice(0, 2), sha256);
  }

  #attempt(act: () => void, isReported = true): boolean {
    try {
      act();
      return true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Reported once rather than for each of thousands of files.
      if (isReported && !this.#isWarned) {
        this.#isWarned = true;
        this.#warn(`the cache folder cannot be written, so contents stay in memory: ${error.message}`);
      }
      return false;
    }
  }
}
