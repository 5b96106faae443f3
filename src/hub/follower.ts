/**
 * Keeps the catalog of a replica current by polling the database for the snapshot number. Notifications only make it faster. The
 * next catalog is built from the changed sources while the old one is served, and is swapped in with one assignment. Without the
 * database, the replica keeps serving the last catalog, and starts with the one in its cache folder.
 */
import { breather } from '../core/breathe.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure, type FailureCode } from '../core/failure.ts';
import { VERSION } from '../core/version.ts';
import { warnOnce } from '../core/warn-once.ts';
import { within } from '../core/within.ts';
import type { Slice } from '../search/document.ts';
import type { Indexer } from '../search/segments/indexer.ts';
import { slicesOf } from '../search/segments/slice.ts';
import { type CatalogStore, HEAD_CHANNEL, type StoredCatalog, type StoredFile } from '../store/catalog-store.ts';
import type { Database } from '../store/database.ts';
import { requireMigrated } from '../store/migrations.ts';
import { SegmentStore } from '../store/segment-store.ts';
import { openSharedSearch } from '../workspace/open-search.ts';
import { BlobCache } from './blob-cache.ts';
import { CatalogClock } from './catalog-clock.ts';
import { Contents } from './contents.ts';
import { type FileLists, CachedCatalog, type SegmentLists } from './cached-catalog.ts';
import { CachedLists } from './cached-lists.ts';
import { Fill } from './fill.ts';
import { LoadedTexts } from './loaded-texts.ts';
import { SharedCatalog } from './shared-catalog.ts';
import { openPublished, type SharedSource } from './shared-source.ts';
import { SourceSegments } from './source-segments.ts';
import { sourceIndexOf, type Shared, sharedBodies } from './view.ts';

export interface FollowerOptions {
  database: Database;
  store: CatalogStore;
  disk: Disk;
  cacheDir: string;
  /** Unique name of this replica. */
  id: string;
  pollMs: number;
  /** Whether search uses vectors. Default: bundled. */
  embeddings?: 'bundled' | 'none' | undefined;
  log: { info(text: string): void; warn(text: string): void; bug(error: unknown): void };
}

/** Progress of loading a catalog: files are downloaded, then sources are opened. */
export interface Loading {
  step: 'files' | 'sources';
  done: number;
  total: number;
}

/** Shutdown waits at most this long for the database. */
const LEAVING_MS = 2_000;
/** Polling does not wait longer for a heartbeat. */
const BEAT_MS = 2_000;
/** Several files may be missing while a source is indexed, and each is noticed only when it is read. */
const INDEX_ATTEMPTS = 5;
/** After a restart without the database, the catalog may appear older by this much. */
const CONFIRMED_EVERY_MS = 10_000;

export class Follower {
  readonly blobs: BlobCache;
  readonly contents: Contents;
  readonly segments: SourceSegments;
  /** Clock for token expiry. */
  readonly clock = new CatalogClock();
  readonly #options: FollowerOptions;
  readonly #cached: CachedCatalog;
  readonly #shared: Shared;
  readonly #indexer: Indexer;
  readonly #fill: Fill;
  readonly #warnOnce: (text: string) => void;
  #current: SharedCatalog | undefined;
  #loading: Loading | undefined;
  #stored: Omit<StoredCatalog, 'files'> | undefined;
  /** Contents that the last swap made obsolete. */
  #replaced: ReadonlySet<string> = new Set();
  /** When the database last confirmed the catalog. Initially the start of this replica, minus the age of the cached catalog. */
  #confirmedAt = performance.now();
  #confirmationCachedAt = -Infinity;
  #trouble: { code: FailureCode | undefined; message: string } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #again = false;
  #beating: Promise<void> = Promise.resolve();
  #nextBeat: Promise<void> | undefined;
  #stopListening: (() => Promise<void>) | undefined;
  #isListening = false;
  #stopped = false;
  /** Number of catalog swaps and of failed polls. */
  swaps = 0;
  failures = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { disk, cacheDir } = options;
    const warn = warnOnce((text) => options.log.warn(text));
    this.#warnOnce = warn;
    this.#cached = new CachedCatalog(disk, cacheDir, warn);
    this.blobs = new BlobCache(disk, cacheDir, warn);
    this.contents = new Contents(this.blobs, options.store, warn);
    const { search, model, openIndexer } = openSharedSearch(disk, cacheDir, {
      embeddings: options.embeddings,
      complete: (work) => this.contents.complete(work).then(({ value }) => value),
    });
    this.#indexer = openIndexer(warn);
    this.segments = new SourceSegments({
      store: options.store,
      segments: new SegmentStore(options.database),
      blobs: this.blobs,
      indexer: this.#indexer,
      model,
      complete: (work) => this.contents.complete(work, INDEX_ATTEMPTS),
      warn,
      report: (error) => this.report(error),
    });
    this.#fill = new Fill({
      blobs: this.blobs,
      contents: this.contents,
      segments: this.segments,
      current: () => (this.#stopped ? undefined : this.#current),
      filled: () => this.#cached.mark(),
      report: (error) => this.report(error),
    });
    this.#shared = {
      search,
      bodies: sharedBodies(),
      sharedNames: {},
      lists: new CachedLists(),
      texts: new LoadedTexts(),
      arrived: () => this.contents.arrived(),
      segments: (source, slices) => this.segments.of(source, slices),
    };
  }

  /** Undefined until the first catalog is loaded. */
  get current(): SharedCatalog | undefined {
    return this.#current;
  }

  /** Undefined if no catalog is being loaded. */
  get loading(): Loading | undefined {
    return this.#loading;
  }

  /** Time since the database last confirmed the catalog. */
  staleMs(): number {
    return performance.now() - this.#confirmedAt;
  }

  /** Error of the last poll. */
  get trouble(): string | undefined {
    return this.#trouble?.message;
  }

  /** The error without addresses and paths, safe to show to callers. */
  get publicTrouble(): string | undefined {
    if (this.#trouble === undefined) return undefined;
    const { code, message } = this.#trouble;
    if (code === 'REFUSED') return message;
    return code === 'UNREACHABLE' ? 'the database does not answer' : 'the last snapshot cannot be read';
  }

  /** Resolves when there is a catalog, or after the first failed poll. */
  async start(): Promise<void> {
    await this.#openCached();
    if (!this.#stopped) await this.poll();
    this.#schedule();
  }

  /** Polls now. Calls during a poll share the next one. */
  async poll(): Promise<void> {
    if (this.#polling) {
      this.#again = true;
      return this.#polling;
    }
    this.#polling = (async () => {
      do {
        this.#again = false;
        await this.#round();
      } while (this.#again && !this.#stopped);
    })().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  /** Also returns if the database does not respond: pending queries fail when the database is closed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#indexer.close();
    const leave = async (): Promise<void> => {
      await this.#polling;
      await this.#beating;
      await this.segments.close();
      await this.#stopListening?.();
      await this.#options.store.forget(this.#options.id).catch(() => undefined);
    };
    await within(LEAVING_MS, leave());
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.poll().finally(() => this.#schedule()), this.#options.pollMs).unref();
  }

  async #round(): Promise<void> {
    const { database, store, log } = this.#options;
    try {
      await requireMigrated(database);
      const head = await store.look();
      this.clock.sync(head.now);
      if (head.number !== this.#current?.number || head.stamp !== this.#stored?.stamp) {
        // Advancing may take a while, and `publish --wait` must not consider this replica dead.
        void this.#beat();
        await this.#advance();
      } else if (this.#cached.wasEmptied) this.#rewriteCache();
      this.#confirmedAt = performance.now();
      this.#cacheConfirmation(head.now);
      if (this.#trouble !== undefined) log.info('the catalog is up to date again');
      this.#trouble = undefined;
      void this.#fill.run();
      await within(BEAT_MS, this.#beat());
      if (!this.#isListening) await this.#listen();
    } catch (error) {
      this.failures += 1;
      const isForeseen = error instanceof Failure || error instanceof FileTrouble;
      if (!isForeseen) log.bug(error);
      const message = isForeseen ? error.message : 'internal error';
      const hint = error instanceof Failure && error.hint !== undefined ? ` ${error.hint}` : '';
      if (this.trouble !== message) log.warn(`the catalog cannot be updated: ${message}${hint}`);
      this.#trouble = { code: error instanceof Failure ? error.code : undefined, message };
      // Still alive: keep serving the last snapshot.
      if (this.#trouble.code !== 'UNREACHABLE') await within(BEAT_MS, this.#beat());
    }
  }

  /**
   * Sends the heartbeat after any that is being sent. Never fails: a database that accepts no changes, such as a standby, can
   * still be followed.
   */
  #beat(): Promise<void> {
    return (this.#nextBeat ??= this.#beating.then(() => {
      this.#nextBeat = undefined;
      this.#beating = this.#sendBeat();
      return this.#beating;
    }));
  }

  async #sendBeat(): Promise<void> {
    if (this.#stopped) return;
    const { store, id } = this.#options;
    try {
      await store.beat(id, this.#current?.number ?? 0, VERSION);
    } catch (error) {
      if (error instanceof Failure) this.#warnOnce(`the heartbeat cannot be stored: ${error.message}`);
      else this.#options.log.bug(error);
    }
  }

  async #listen(): Promise<void> {
    this.#isListening = true;
    const lost = (): void => void (this.#isListening = false);
    try {
      this.#stopListening = await this.#options.database.listen(HEAD_CHANNEL, () => void this.poll(), lost);
    } catch {
      // Polling continues and retries.
      lost();
    }
  }

  async #advance(): Promise<void> {
    const { database, store } = this.#options;
    // A database restored from a backup reuses numbers, so nothing identified by number can be trusted.
    const past = this.#stored;
    const before = past && (await store.isPast(past)) ? this.#current : undefined;
    const sources = new Map(before?.sources.map((source) => [source.stored.id, source]));
    const known = new Map([...sources.values()].map(({ stored }) => [stored.id, stored.version]));
    const stored = await store.read(known);
    // Data read during a migration may be inconsistent.
    await requireMigrated(database);
    const files = new Map<number, readonly StoredFile[]>();
    for (const { id } of stored.sources) files.set(id, stored.files.get(id) ?? sources.get(id)?.files ?? []);
    await this.contents.fetchFirst([...stored.files.values()].flat(), (done, total) => {
      this.#loading = { step: 'files', done, total };
    });
    const segments = await this.segments.fetch([...stored.files].map(([id, list]) => ({ id, files: list })));
    const current = await this.#swap(stored, files, segments, before);
    // One poll later, because requests in progress may still read replaced contents.
    this.blobs.forget(this.#replaced);
    this.#replaced = replacedFiles(sources, files);
    if (this.#cached.wasEmptied) this.#rewriteCache();
    else this.#writeCache(current);
    this.segments.forgetOthers([...sources.values(), ...current.sources]);
    this.#fill.add(stored.files.keys());
    void this.#index(current);
  }

  /** Indexes the sources for search until the next catalog replaces this one. Searches that arrive earlier wait. */
  async #index(catalog: SharedCatalog): Promise<void> {
    const before = catalog.sources.map((source) => this.segments.listed(source));
    for (const source of catalog.sources) {
      if (this.#current !== catalog || this.#stopped) return;
      try {
        await this.#shared.search.indexSource(sourceIndexOf(source, this.#shared));
      } catch (error) {
        if (!this.#stopped) this.report(error);
      }
    }
    if (this.#current !== catalog) return;
    // Some segments were built here.
    if (catalog.sources.some((source, index) => this.segments.listed(source) !== before[index]))
      this.#cached.writeSegments(this.#stored?.stamp ?? '', this.#listedIn(catalog));
  }

  async #swap(
    stored: Omit<StoredCatalog, 'files'>,
    files: FileLists,
    segments: SegmentLists,
    before: SharedCatalog | undefined,
  ): Promise<SharedCatalog> {
    const knownSources = new Map(before?.sources.map((source) => [source.stored.id, source]));
    const sources: SharedSource[] = [];
    const breathe = breather();
    for (const source of stored.sources) {
      this.#loading = { step: 'sources', done: sources.length, total: stored.sources.length };
      await breathe();
      const known = knownSources.get(source.id);
      if (known?.stored.version === source.version) {
        sources.push(known);
        continue;
      }
      const opened = await this.open(source, files.get(source.id) ?? []);
      this.segments.expect(opened, segments.get(source.id) ?? []);
      sources.push(opened);
    }
    const current = new SharedCatalog({ ...stored, sources }, this.#shared, before);
    this.#current = current;
    this.#stored = stored;
    this.#loading = undefined;
    this.swaps += 1;
    this.#options.log.info(
      `serving snapshot ${stored.number}: ${sources.length} sources, ${sources.reduce((sum, { skills }) => sum + skills.length, 0)} skills`,
    );
    return current;
  }

  /** Search slices of a source. */
  async slices(source: SharedSource): Promise<Slice[]> {
    return slicesOf(await sourceIndexOf(source, this.#shared).documents());
  }

  /** Opens a source with these files. Contents that are not in the cache folder are downloaded. */
  async open(source: SharedSource['stored'], files: readonly StoredFile[]): Promise<SharedSource> {
    let missed = 0;
    const open = (): Promise<SharedSource> =>
      openPublished(source, files, (file) => {
        const content = this.contents.read(file);
        if (!content) missed += 1;
        return content;
      });
    const first = await open().catch((error: unknown) => {
      if (!(error instanceof FileTrouble)) throw error;
      return undefined;
    });
    if (first && missed === 0) return first;
    await this.contents.arrived();
    missed = 0;
    const second = await open().catch((error: unknown) => {
      if (!(error instanceof FileTrouble)) throw error;
      return undefined;
    });
    if (second && missed === 0) return second;
    throw new Failure('UNREADABLE', `A file of ${source.team}/${source.name} is missing or damaged.`, {
      hint: 'If the database responds, the file is damaged there: publish the source again.',
    });
  }

  /** Releases contents held in memory for a failed publication. */
  release(files: readonly StoredFile[]): void {
    if (!this.blobs.isInMemory) return;
    const served = new Set(this.#current?.sources.flatMap((source) => source.files.map(({ sha256 }) => sha256)));
    this.blobs.forget(files.map(({ sha256 }) => sha256).filter((sha256) => !served.has(sha256)));
  }

  #writeCache(catalog: SharedCatalog): boolean {
    this.#confirmationCachedAt = -Infinity;
    if (!this.#stored || !this.#cached.write(this.#stored, filesIn(catalog))) return false;
    this.#cached.writeSegments(this.#stored.stamp, this.#listedIn(catalog));
    return true;
  }

  /** The cache folder was emptied: rebuild everything an offline start needs. */
  #rewriteCache(): void {
    if (!this.#current) return;
    this.#cached.forget(filesIn(this.#current));
    // With a read-only folder, everything would be held in memory.
    if (!this.#writeCache(this.#current)) return;
    this.#fill.add(this.#current.sources.map(({ stored }) => stored.id));
    this.#options.log.warn('the cache folder was emptied and is being refilled');
  }

  #listedIn({ sources }: SharedCatalog): SegmentLists {
    return new Map(sources.map((source) => [source.stored.id, this.segments.listed(source)]));
  }

  #cacheConfirmation(at: number): void {
    if (this.#confirmedAt - this.#confirmationCachedAt < CONFIRMED_EVERY_MS) return;
    this.#confirmationCachedAt = this.#confirmedAt;
    this.#cached.writeConfirmation(at);
  }

  /** Opens the catalog cached by the last run. If it is unusable, the database is required. */
  async #openCached(): Promise<void> {
    const { log } = this.#options;
    try {
      const cached = this.#cached.open();
      if (!cached) return;
      const { stored, files, segments } = cached;
      const opened = await this.#swap(stored, files, segments, undefined);
      // Some contents may be missing.
      this.#fill.add(stored.sources.map(({ id }) => id));
      void this.#index(opened);
      // If the clock was set back, the age is unknown and counts from now.
      const age = Math.max(0, Date.now() - (cached.confirmedAt ?? Date.now()));
      this.clock.remember(cached.confirmedAt ?? 0);
      this.#confirmedAt = performance.now() - age;
      log.info(`loaded from the cache folder, last confirmed ${Math.round(age / 1_000)} seconds ago`);
    } catch (error) {
      // A file is damaged, or contents are missing.
      log.warn(`the cached catalog cannot be used: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }

  /** Reports errors of background work. */
  report(error: unknown): void {
    if (error instanceof Failure || error instanceof FileTrouble) this.#warnOnce(error.message);
    else this.#options.log.bug(error);
  }
}

/** Contents that no source uses anymore. */
function replacedFiles(
  before: ReadonlyMap<number, SharedSource>,
  after: ReadonlyMap<number, readonly StoredFile[]>,
): Set<string> {
  const changed = [...before].filter(([id, source]) => source.files !== after.get(id));
  const replaced = new Set(changed.flatMap(([, { files }]) => files.map(({ sha256 }) => sha256)));
  if (replaced.size > 0) for (const { sha256 } of [...after.values()].flat()) replaced.delete(sha256);
  return replaced;
}

function filesIn({ sources }: SharedCatalog): FileLists {
  return new Map(sources.map(({ stored, files }) => [stored.id, files]));
}
