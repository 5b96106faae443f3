/**
 * The contents of files, from the cache folder or else from the database. What opening a source reads is fetched before it is served; the
 * rest follows while it is, and earlier if somebody asks for it.
 */
import path from 'node:path/posix';
import { breather } from '../core/breathe.ts';
import { isSkillPath } from '../skills/skill.ts';
import type { CatalogStore, StoredFile } from '../store/catalog-store.ts';
import type { BlobCache } from './blob-cache.ts';

export type Content = Pick<StoredFile, 'sha256' | 'size'>;

/** So long somebody who asks for a content waits for the database. */
const ARRIVES_MS = 10_000;
/** A publication changes less, as a rule; an empty cache folder lacks more. */
const WAITED_FOR_BYTES = 16 * 1024 * 1024;
/** Fetched at once while others are served. */
const FILL_AT_ONCE = 200;

export class Contents {
  readonly #blobs: BlobCache;
  readonly #store: Pick<CatalogStore, 'download'>;
  readonly #warn: (text: string) => void;
  /** By hash: what was asked for in vain and is being fetched. */
  readonly #arriving = new Map<string, Promise<void>>();
  /** How often a content was not there when it was needed. */
  lost = 0;

  constructor(blobs: BlobCache, store: Pick<CatalogStore, 'download'>, warn: (text: string) => void) {
    this.#blobs = blobs;
    this.#store = store;
    this.#warn = warn;
  }

  /** Brings contents into the cache folder. */
  async fetch(files: readonly Content[]): Promise<void> {
    const missing = new Map(
      files.filter(({ sha256, size }) => !this.#blobs.has(sha256, size)).map((file) => [file.sha256, file]),
    );
    if (missing.size > 0)
      await this.#store.download([...missing.values()], (sha256, content) => this.#blobs.add(sha256, content));
  }

  /** What a source is opened with; and the rest too, if it is not much: then nothing that is served needs the database. */
  async fetchFirst(files: readonly StoredFile[]): Promise<void> {
    const { first, later } = neededFirst(files);
    const missing = later.filter(({ sha256, size }) => !this.#blobs.has(sha256, size));
    const isLittle = missing.reduce((sum, { size }) => sum + size, 0) <= WAITED_FOR_BYTES;
    await this.fetch(isLittle ? [...first, ...missing] : first);
  }

  /** Contents a few at a time, as long as they are wanted. Returns whether all of them were. */
  async fill(files: readonly Content[], isWanted: () => boolean): Promise<boolean> {
    const breathe = breather();
    for (let at = 0; at < files.length; at += FILL_AT_ONCE) {
      await breathe();
      if (!isWanted()) return false;
      await this.fetch(files.slice(at, at + FILL_AT_ONCE));
    }
    return isWanted();
  }

  /** Undefined if it is not there, or was damaged. Then it is fetched: who can wait for it asks `arrived`, and then again. */
  read(content: Content): Uint8Array | undefined {
    const { sha256 } = content;
    const found = this.#blobs.read(sha256);
    if (found) return found;
    this.lost += 1;
    if (!this.#arriving.has(sha256)) {
      const arriving = this.fetch([content])
        .catch(() => this.#warn(`${sha256} is missing in the cache folder, and the database cannot be asked`))
        .finally(() => this.#arriving.delete(sha256));
      this.#arriving.set(sha256, arriving);
    }
    return undefined;
  }

  /** Waits for what was asked for in vain. False if there is nothing to wait for. */
  async arrived(): Promise<boolean> {
    if (this.#arriving.size === 0) return false;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, ARRIVES_MS)));
    await Promise.race([Promise.all(this.#arriving.values()), patience]);
    clearTimeout(timer);
    return true;
  }
}

/** What opening a source reads, and the rest: the files beside each SKILL.md. */
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

/** Whether it is in a folder where specs and changes are looked for. */
export function isSpecFile(file: string): boolean {
  return file.split('/').some((part) => SPEC_FOLDERS.has(part));
}
