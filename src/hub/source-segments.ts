/**
 * Search index data per source. The publishing replica builds and stores it; other replicas download it with the files and cache it.
 * Data that is missing, damaged or in another format is rebuilt here in the background and stored for the others.
 */
import { Failure } from '../core/failure.ts';
import type { SegmentFiles, Slice } from '../search/document.ts';
import type { Indexer } from '../search/segments/indexer.ts';
import { vectorsFormat, WORDS_FORMAT } from '../search/segments/make-segment.ts';
import { decodeVectors } from '../search/segments/vectors-file.ts';
import { decodeWords } from '../search/segments/words-file.ts';
import type { CatalogStore, StoredFile } from '../store/catalog-store.ts';
import { digestOfFiles, type SegmentsOf, type SegmentStore, type StoredSegment } from '../store/segment-store.ts';
import type { BlobCache } from './blob-cache.ts';
import type { Completed } from './contents.ts';
import type { SharedSource } from './shared-source.ts';

export interface SourceSegmentsOptions {
  store: Pick<CatalogStore, 'announce' | 'download' | 'upload'>;
  segments: SegmentStore;
  blobs: BlobCache;
  indexer: Indexer;
  /** Name of the vector model; undefined if only words are indexed. */
  model: string | undefined;
  /** Runs work that reads contents, and repeats it if some were missing. */
  complete<T>(work: () => Promise<T>): Promise<Completed<T>>;
  warn(text: string): void;
  /** Reports errors of background work. */
  report(error: unknown): void;
}

const NOTHING: readonly StoredSegment[] = [];

export class SourceSegments {
  readonly #options: SourceSegmentsOptions;
  readonly #formats: readonly string[];
  /** Stored segments of each source version. */
  readonly #listed = new WeakMap<SharedSource, readonly StoredSegment[]>();
  /** Segments of the latest version by source ID, reused for the next version. */
  readonly #last = new Map<number, readonly StoredSegment[]>();
  #storing: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Segments in use at the last cleanup. */
  #seen: ReadonlySet<string> = new Set();

  constructor(options: SourceSegmentsOptions) {
    this.#options = options;
    this.#formats = [WORDS_FORMAT, ...(options.model === undefined ? [] : [vectorsFormat(options.model)])];
  }

  /** Downloads stored segments of these sources. Missing ones are built later. */
  async fetch(wanted: readonly { id: number; files: readonly StoredFile[] }[]): Promise<Map<number, StoredSegment[]>> {
    const { store, segments, blobs } = this.#options;
    const of = wanted.map(({ id, files }) => ({ sourceId: id, files: digestOfFiles(files) }));
    const found = await segments.find(of, this.#formats);
    const missing = new Map(
      [...found.values()]
        .flat()
        .filter(({ sha256, size }) => !blobs.has(sha256, size))
        .map((segment) => [segment.sha256, segment]),
    );
    if (missing.size > 0) await store.download([...missing.values()], (sha256, content) => blobs.add(sha256, content));
    return found;
  }

  /** Registers the downloaded or cached segments of a source. */
  expect(source: SharedSource, listed: readonly StoredSegment[]): void {
    this.#listed.set(source, listed);
    if (!this.#last.has(source.stored.id)) this.#last.set(source.stored.id, listed);
  }

  listed(source: SharedSource): readonly StoredSegment[] {
    return this.#listed.get(source) ?? NOTHING;
  }

  /** Removes segments of other sources from the cache folder. */
  forgetOthers(sources: readonly SharedSource[]): void {
    const needed = new Set(sources.flatMap((source) => this.listed(source).map(({ sha256 }) => sha256)));
    this.#options.blobs.remove([...this.#seen].filter((sha256) => !needed.has(sha256)));
    this.#seen = needed;
  }

  /** Returns the segments of a source, building them if necessary. */
  async of(source: SharedSource, slices: readonly Slice[]): Promise<readonly SegmentFiles[]> {
    const listed = this.listed(source);
    const kept = this.#read(listed, slices) ?? (await this.#fetchAgain(listed, slices));
    if (kept) {
      this.#last.set(source.stored.id, listed);
      return kept;
    }
    if (listed.length > 0)
      this.#options.warn(`the stored search data of ${source.name} is unusable and is being rebuilt`);
    const { files, stored } = await this.#make(source, slices);
    this.#storeLater(source, stored);
    return files;
  }

  /** Segments that are damaged in the cache folder may be intact in the database. */
  async #fetchAgain(listed: readonly StoredSegment[], slices: readonly Slice[]): Promise<SegmentFiles[] | undefined> {
    const { store, blobs, report } = this.#options;
    // Each damaged file is noticed only when it is read.
    for (let round = 0; round < listed.length; round++) {
      const missing = listed.filter(({ sha256, size }) => !blobs.has(sha256, size));
      if (missing.length === 0) return undefined;
      try {
        await store.download(missing, (sha256, content) => blobs.add(sha256, content));
      } catch (error) {
        report(error);
        return undefined;
      }
      const read = this.#read(listed, slices);
      if (read) return read;
    }
    return undefined;
  }

  /** Waits for pending writes and prevents new ones. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#storing;
  }

  /** Called before publication: builds and stores segments, so that other replicas need not. */
  async prepare(source: SharedSource, slices: readonly Slice[]): Promise<void> {
    const { stored } = await this.#make(source, slices);
    await this.#store(source, stored);
  }

  /** Called after publication: removes segments of other versions. */
  async published(source: SharedSource, version: number): Promise<void> {
    await this.#options.segments.keepOnly(ownerOf(source), version);
  }

  async #make(
    source: SharedSource,
    slices: readonly Slice[],
  ): Promise<{ files: readonly SegmentFiles[]; stored: Map<StoredSegment, Uint8Array> }> {
    const { blobs } = this.#options;
    const files = await this.#makeWhole(source, slices);
    const stored = new Map<StoredSegment, Uint8Array>();
    for (const [position, { words, vectors }] of files.entries()) {
      const contents = [words, ...(vectors ? [vectors] : [])];
      for (const [index, content] of contents.entries()) {
        const sha256 = blobs.addOwn(content);
        stored.set({ format: this.#formats[index] as string, position, sha256, size: content.length }, content);
      }
    }
    this.#listed.set(source, [...stored.keys()]);
    this.#last.set(source.stored.id, [...stored.keys()]);
    return { files, stored };
  }

  /** Retries until no text was missing, because an incomplete index would be stored. */
  async #makeWhole(source: SharedSource, slices: readonly Slice[]): Promise<readonly SegmentFiles[]> {
    const { indexer, complete } = this.#options;
    const { value, isComplete } = await complete(() => indexer.make(slices, this.#known(source.stored.id)));
    if (isComplete) return value;
    throw new Failure('UNREACHABLE', `${source.name} cannot be searched: one of its files is missing.`, {
      hint: 'Try again later.',
    });
  }

  /** Storing may fail: other replicas then build their own. */
  #storeLater(source: SharedSource, stored: ReadonlyMap<StoredSegment, Uint8Array>): void {
    this.#storing = this.#storing
      .then(() => (this.#isClosed ? undefined : this.#store(source, stored)))
      .catch((error: unknown) => this.#options.report(error));
  }

  async #store(source: SharedSource, stored: ReadonlyMap<StoredSegment, Uint8Array>): Promise<void> {
    const { store, segments } = this.#options;
    await store.announce([...stored.keys()].map(({ sha256 }) => sha256));
    for (const content of stored.values()) await store.upload(content);
    await segments.add(ownerOf(source), [...stored.keys()]);
  }

  /** Returns undefined unless every slice has an intact segment. */
  #read(listed: readonly StoredSegment[], slices: readonly Slice[]): SegmentFiles[] | undefined {
    const files: SegmentFiles[] = [];
    for (const [position, { id }] of slices.entries()) {
      const [words, vectors] = this.#formats.map((format) => this.#readOne(listed, format, position));
      if (!words || decodeWords(words)?.id !== id) return undefined;
      if (this.#formats.length > 1 && (!vectors || decodeVectors(vectors)?.id !== id)) return undefined;
      files.push({ words, vectors });
    }
    return files;
  }

  #readOne(listed: readonly StoredSegment[], format: string, position: number): Uint8Array | undefined {
    const found = listed.find((each) => each.format === format && each.position === position);
    return found && this.#options.blobs.read(found.sha256);
  }

  /** Segments of the previous version of a source. */
  #known(sourceId: number): SegmentFiles[] {
    const listed = this.#last.get(sourceId) ?? [];
    const files: SegmentFiles[] = [];
    for (const { format, position } of listed) {
      if (format !== WORDS_FORMAT) continue;
      const [words, vectors] = this.#formats.map((each) => this.#readOne(listed, each, position));
      if (words) files.push({ words, vectors });
    }
    return files;
  }
}

function ownerOf({ stored, files }: SharedSource): SegmentsOf {
  return { sourceId: stored.id, files: digestOfFiles(files) };
}
