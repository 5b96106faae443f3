/**
 * Reads file contents from the cache folder, or from the database. Files needed to open a source are downloaded before it is served;
 * the rest follows in the background, or earlier on request.
 */
import path from 'node:path/posix';
import { breather } from '../core/breathe.ts';
import { within } from '../core/within.ts';
import { isSkillPath } from '../skills/skill.ts';
import type { CatalogStore, StoredFile } from '../store/catalog-store.ts';
import type { BlobCache } from './blob-cache.ts';

export type Content = Pick<StoredFile, 'sha256' | 'size'>;

export interface Completed<T> {
  value: T;
  /** False if some contents were missing in every attempt. */
  isComplete: boolean;
}

/** How long a read waits for the database. */
const ARRIVES_MS = 10_000;
/** Most publications change less than this. An empty cache folder lacks more. */
const WAITED_FOR_BYTES = 16 * 1024 * 1024;
/** Files per download while requests are served. */
const FILL_AT_ONCE = 200;

export class Contents {
  readonly #blobs: BlobCache;
  readonly #store: Pick<CatalogStore, 'download'>;
  readonly #warn: (text: string) => void;
  /** Downloads of missing contents, by hash. */
  readonly #arriving = new Map<string, Promise<void>>();
  /** Number of reads that did not find their content. */
  #missed = 0;

  constructor(blobs: BlobCache, store: Pick<CatalogStore, 'download'>, warn: (text: string) => void) {
    this.#blobs = blobs;
    this.#store = store;
    this.#warn = warn;
  }

  /** Downloads missing contents to the cache folder. */
  async fetch(files: readonly Content[], arrived: (files: number) => void = () => undefined): Promise<void> {
    const missing = new Map(
      files.filter(({ sha256, size }) => !this.#blobs.has(sha256, size)).map((file) => [file.sha256, file]),
    );
    let count = files.length - missing.size;
    arrived(count);
    if (missing.size > 0)
      await this.#store.download([...missing.values()], (sha256, content) => {
        this.#blobs.add(sha256, content);
        arrived((count += 1));
      });
  }

  /** Downloads the files needed to open a source. Includes the rest if it is small, so that serving does not need the database. */
  async fetchFirst(files: readonly StoredFile[], arrived?: (files: number, of: number) => void): Promise<void> {
    const { first, later } = neededFirst(files);
    const missing = later.filter(({ sha256, size }) => !this.#blobs.has(sha256, size));
    const isLittle = missing.reduce((sum, { size }) => sum + size, 0) <= WAITED_FOR_BYTES;
    const needed = isLittle ? [...first, ...missing] : first;
    await this.fetch(needed, (count) => arrived?.(count, needed.length));
  }

  /** Downloads contents in batches until `isWanted` returns false. Returns whether all were downloaded. */
  async fill(files: readonly Content[], isWanted: () => boolean): Promise<boolean> {
    const breathe = breather();
    for (let at = 0; at < files.length; at += FILL_AT_ONCE) {
      await breathe();
      if (!isWanted()) return false;
      await this.fetch(files.slice(at, at + FILL_AT_ONCE));
    }
    return isWanted();
  }

  /** Returns undefined if the content is missing or damaged, and starts a download. Await `arrived` and read again. */
  read(content: Content): Uint8Array | undefined {
    const { sha256 } = content;
    const found = this.#blobs.read(sha256);
    if (found) return found;
    this.#missed += 1;
    if (!this.#arriving.has(sha256)) {
      const arriving = this.fetch([content])
        .catch(() => this.#warn(`${sha256} is missing in the cache folder, and the database cannot be reached`))
        .finally(() => this.#arriving.delete(sha256));
      this.#arriving.set(sha256, arriving);
    }
    return undefined;
  }

  /** Waits for running downloads of missing contents. */
  async arrived(): Promise<void> {
    if (this.#arriving.size > 0) await within(ARRIVES_MS, Promise.all(this.#arriving.values()));
  }

  /** Runs work that reads contents, and repeats it after the downloads of missing ones. */
  async complete<T>(work: () => Promise<T>, attempts = 2): Promise<Completed<T>> {
    for (let attempt = 1; ; attempt++) {
      const before = this.#missed;
      const value = await work();
      const isComplete = this.#missed === before;
      if (isComplete || attempt >= attempts) return { value, isComplete };
      await this.arrived();
    }
  }
}

/** Splits files into those needed to open a source and the bundled files of its skills. */
function neededFirst<File extends { path: string }>(files: readonly File[]): { first: File[]; later: File[] } {
  const folders = new Set(files.filter((file) => isSkillPath(file.path)).map((file) => path.dirname(file.path)));
  const isBundled = (file: File): boolean => {
    const parts = file.path.split('/');
    if (isSkillPath(file.path) || isSpecFile(file.path)) return false;
    return parts.some((_, index) => folders.has(parts.slice(0, index).join('/') || '.'));
  };
  const later = files.filter(isBundled);
  const isLater = new Set(later);
  return { first: files.filter((file) => !isLater.has(file)), later };
}

const SPEC_FOLDERS: ReadonlySet<string> = new Set(['openspec', '.spox', 'specs']);

/** Whether the file is in a folder for specs and changes. */
export function isSpecFile(file: string): boolean {
  return file.split('/').some((part) => SPEC_FOLDERS.has(part));
}
