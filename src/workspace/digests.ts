import { breather } from '../core/breathe.ts';
import { orTrouble } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, sameStamp, type Stamp } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import type { BundledFile } from '../skills/bundle.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Covers the largest catalogs and needs only a few megabytes. */
const ENTRIES_MAX = 50_000;

/** Computes the SHA-256 of bundled files on demand and caches it until the file's stamp changes. */
export class Digests {
  readonly #tree: FileTree;
  readonly #known = new Map<string, { stamp: Stamp; sha256: string }>();

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  /** Returns the digest of the file as it was listed, or undefined if it is too large, missing or changed since. */
  async of(file: BundledFile, realDir: string): Promise<string | undefined> {
    const known = this.#known.get(file.realPath);
    if (known && sameStamp(known.stamp, file.stamp)) return known.sha256;
    if (file.bytes > LIMITS.bundledFileBytes.value) return undefined;
    const sha256 = await this.#compute(file, realDir);
    if (sha256 === undefined) return undefined;
    if (this.#known.size >= ENTRIES_MAX) this.#known.clear();
    this.#known.set(file.realPath, { stamp: file.stamp, sha256 });
    return sha256;
  }

  async #compute(file: BundledFile, realDir: string): Promise<string | undefined> {
    // Loaded lazily, because loading the hash functions takes as long as many commands.
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256');
    const breathe = breather();
    for (let at = 0; at < file.bytes || at === 0; at += CHUNK_BYTES) {
      const read = orTrouble(() => this.#tree.readWithin(realDir, file.realPath, at, CHUNK_BYTES));
      if (read instanceof FileTrouble || !sameStamp(read.stamp, file.stamp)) return undefined;
      hash.update(read.bytes);
      const pause = breathe();
      if (pause) await pause;
    }
    return hash.digest('hex');
  }
}
