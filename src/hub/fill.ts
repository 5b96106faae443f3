/** Downloads the remaining contents of the current catalog to the cache folder in the background. Earlier reads wait for theirs. */
import type { BlobCache } from './blob-cache.ts';
import type { Contents } from './contents.ts';
import type { SharedCatalog } from './shared-catalog.ts';
import type { SourceSegments } from './source-segments.ts';

/** Infrequent, because reading a folder of several hundred thousand files takes time. */
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1_000;

export interface FillOptions {
  blobs: BlobCache;
  contents: Contents;
  segments: SourceSegments;
  /** Returns undefined before the first catalog is loaded and after shutdown. */
  current: () => SharedCatalog | undefined;
  /** Called when the folder has all contents. */
  filled: () => void;
  report: (error: unknown) => void;
}

export class Fill {
  readonly #options: FillOptions;
  /** IDs of sources whose contents may be missing in the cache folder. */
  readonly #unfilled = new Set<number>();
  #isFilling = false;
  #sweptAt = -Infinity;

  constructor(options: FillOptions) {
    this.#options = options;
  }

  /** Contents of these sources may be missing. */
  add(sourceIds: Iterable<number>): void {
    for (const id of sourceIds) this.#unfilled.add(id);
  }

  async run(): Promise<void> {
    const { contents, segments, current, filled, report } = this.#options;
    const catalog = current();
    if (!catalog || this.#isFilling || this.#unfilled.size === 0) return;
    this.#isFilling = true;
    try {
      const sources = catalog.sources.filter(({ stored }) => this.#unfilled.has(stored.id));
      await segments.fetch(sources.map(({ stored, files }) => ({ id: stored.id, files })));
      const files = sources.flatMap((source) => source.files);
      if (await contents.fill(files, () => current() === catalog)) {
        this.#unfilled.clear();
        filled();
        await this.#sweep(catalog);
      }
    } catch (error) {
      // Retried after the next poll.
      report(error);
    } finally {
      this.#isFilling = false;
    }
    if (current() !== catalog) await this.run();
  }

  /** Removes blobs of old versions, which would otherwise accumulate. */
  async #sweep({ sources }: SharedCatalog): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = performance.now();
    const { blobs, segments } = this.#options;
    const used = sources.flatMap((source) => [...source.files, ...segments.listed(source)]);
    await blobs.sweep(new Set(used.map(({ sha256 }) => sha256)));
  }
}
