/**
 * Keeps a replica's catalog current. Asking the database for its number is what counts; notifications only make it sooner. The
 * next catalog is built beside the old one, from the sources that changed, and swapped in with one assignment. Without the
 * database the last catalog stays, and a replica starts with the one that it kept in its cache folder.
 */
import path from 'node:path';
import { tryRead } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { VERSION } from '../core/version.ts';
import { type CatalogStore, HEAD_CHANNEL, type StoredCatalog, type StoredFile } from '../store/catalog-store.ts';
import type { Database } from '../store/database.ts';
import { requireMigrated } from '../store/migrations.ts';
import { openSharedSearch } from '../workspace/open-search.ts';
import { BlobCache } from './blob-cache.ts';
import { type Shared, SharedCatalog } from './shared-catalog.ts';
import { openSource, type SharedSource } from './shared-source.ts';
import { sharedBodies } from './view.ts';

export interface FollowerOptions {
  database: Database;
  store: CatalogStore;
  disk: Disk;
  cacheDir: string;
  /** Names this replica among the others. */
  id: string;
  pollMs: number;
  log: { info(text: string): void; warn(text: string): void; bug(error: unknown): void };
}

const MANIFEST = 'catalog.json';
/** Another form of the kept catalog is not read. */
const MANIFEST_FORMAT = 2;
const MANIFEST_MAX_BYTES = 1024 * 1024 * 1024;

export class Follower {
  readonly blobs: BlobCache;
  readonly #options: FollowerOptions;
  readonly #shared: Shared;
  readonly #warned = new Set<string>();
  #current: SharedCatalog | undefined;
  /** When the database last said what is current; undefined if it never did. */
  #confirmedAt: number | undefined;
  #trouble: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #again = false;
  #stopListening: (() => Promise<void>) | undefined;
  #isListening = false;
  #stopped = false;
  /** How often the catalog was replaced, and how often the database could not be used. */
  swaps = 0;
  failures = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.blobs = new BlobCache(options.disk, options.cacheDir, (text) => this.#warnOnce(text));
    this.#shared = { search: openSharedSearch(options.disk, options.cacheDir), bodies: sharedBodies() };
  }

  /** Undefined until there is one. */
  get current(): SharedCatalog | undefined {
    return this.#current;
  }

  /** For how long the catalog has not been confirmed by the database; undefined if it never was. */
  staleMs(now = performance.now()): number | undefined {
    return this.#confirmedAt === undefined ? undefined : now - this.#confirmedAt;
  }

  /** Why the database could not be asked the last time. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Resolves when there is a catalog, or the database was asked once in vain. */
  async start(): Promise<void> {
    await this.#openKept();
    await this.poll();
    this.#schedule();
  }

  /** Asks now. Calls during a round share the one that starts after it. */
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

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await this.#stopListening?.();
    await this.#options.store.forget(this.#options.id).catch(() => undefined);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.poll().finally(() => this.#schedule()), this.#options.pollMs).unref();
  }

  async #round(): Promise<void> {
    const { database, store, id, log } = this.#options;
    try {
      await requireMigrated(database);
      if ((await store.head()) !== this.#current?.number) await this.#advance();
      this.#confirmedAt = performance.now();
      if (this.#trouble !== undefined) log.info('the database answers again');
      this.#trouble = undefined;
      await store.beat(id, this.#current?.number ?? 0, VERSION);
      if (!this.#isListening) await this.#listen();
    } catch (error) {
      this.failures += 1;
      const isForeseen = error instanceof Failure || error instanceof FileTrouble;
      if (!isForeseen) log.bug(error);
      const said = isForeseen ? error.message : 'internal error';
      if (this.#trouble !== said) log.warn(`the catalog cannot be brought up to date: ${said}`);
      this.#trouble = said;
    }
  }

  async #listen(): Promise<void> {
    this.#isListening = true;
    const lost = (): void => void (this.#isListening = false);
    try {
      this.#stopListening = await this.#options.database.listen(HEAD_CHANNEL, () => void this.poll(), lost);
    } catch {
      // Polling goes on, and tries again.
      lost();
    }
  }

  async #advance(): Promise<void> {
    const before = new Map(this.#current?.sources.map((source) => [source.stored.id, source]));
    const known = new Map([...before.values()].map(({ stored }) => [stored.id, stored.version]));
    const stored = await this.#options.store.read(known);
    const files = new Map<number, readonly StoredFile[]>();
    for (const { id } of stored.sources) files.set(id, stored.files.get(id) ?? before.get(id)?.files ?? []);
    await this.fetch([...stored.files.values()].flat());
    await this.#swap(stored, files);
    this.#keep(stored, files);
  }

  /** Brings contents into the cache folder. */
  async fetch(files: readonly StoredFile[]): Promise<void> {
    const missing = new Map(
      files.filter(({ sha256, size }) => !this.blobs.has(sha256, size)).map((file) => [file.sha256, file]),
    );
    if (missing.size > 0)
      await this.#options.store.download([...missing.values()], (sha256, content) => this.blobs.add(sha256, content));
  }

  async #swap(stored: Omit<StoredCatalog, 'files'>, files: ReadonlyMap<number, readonly StoredFile[]>): Promise<void> {
    const before = new Map(this.#current?.sources.map((source) => [source.stored.id, source]));
    const sources: SharedSource[] = [];
    for (const source of stored.sources) {
      const known = before.get(source.id);
      sources.push(
        known?.stored.version === source.version ? known : await this.open(source, files.get(source.id) ?? []),
      );
    }
    this.#current = new SharedCatalog({ ...stored, sources }, this.#shared, this.#current);
    this.swaps += 1;
    this.#options.log.info(
      `serving snapshot ${stored.number}: ${sources.length} sources, ${sources.reduce((sum, { skills }) => sum + skills.length, 0)} skills`,
    );
  }

  /** A source with these files, whose contents are in the cache folder. */
  open(source: SharedSource['stored'], files: readonly StoredFile[]): Promise<SharedSource> {
    return openSource(source, files, ({ sha256, size }) => {
      const content = this.blobs.read(sha256);
      // A file that was lost or damaged is fetched for the next time; this time it is refused.
      if (!content)
        void this.fetch([{ path: '', sha256, size, executable: false }]).catch(() =>
          this.#warnOnce(`${sha256} is missing in the cache folder, and the database cannot be asked`),
        );
      return content;
    });
  }

  #keep(stored: StoredCatalog, files: ReadonlyMap<number, readonly StoredFile[]>): void {
    const { disk, cacheDir } = this.#options;
    const kept = { format: MANIFEST_FORMAT, ...stored, files: [...files] };
    try {
      disk.replace(path.join(cacheDir, MANIFEST), JSON.stringify(kept));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#warnOnce(`the catalog cannot be kept for a start without the database: ${error.message}`);
    }
  }

  /** What the last run kept. If it cannot be used, the database is needed. */
  async #openKept(): Promise<void> {
    const { disk, cacheDir, log } = this.#options;
    const read = tryRead(disk, path.join(cacheDir, MANIFEST), MANIFEST_MAX_BYTES);
    if (read instanceof FileTrouble) return;
    try {
      const kept: unknown = JSON.parse(Buffer.from(read.bytes).toString('utf8'));
      if (!isRecord(kept) || kept['format'] !== MANIFEST_FORMAT) return;
      const { files, ...stored } = kept as unknown as Omit<StoredCatalog, 'files'> & {
        files: [number, StoredFile[]][];
      };
      await this.#swap(stored, new Map(files));
      log.info(`from the cache folder, until the database confirms it`);
    } catch (error) {
      // A damaged file, or contents that are gone.
      log.warn(`the kept catalog cannot be used: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }

  #warnOnce(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#options.log.warn(text);
  }
}
