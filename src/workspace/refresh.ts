/**
 * Keeps a workspace up to date: looks again every so often, and sooner when a watched folder changes. Scans never overlap,
 * nobody waits for them, and a scan that fails leaves the last good snapshot in place.
 */
import { isFolder } from '../core/disk/answers.ts';
import { LIMITS } from '../core/limits.ts';
import { deliverPending, watchNodeFolder, WATCHES_ARE_PROMPT, type WatchFolder } from '../core/disk/watch.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import { FolderWatcher } from './watch.ts';
import type { Snapshot, Workspace } from './workspace.ts';

/** Editors and version control write in bursts; waiting this long after the last sign turns one burst into one scan. */
const DEBOUNCE_MS = 500;
/** But somebody who never stops writing does not put the scan off for ever. */
const DEBOUNCE_MAX_MS = 2_500;
/** Where watching is impossible, this often is a fair compromise between noticing soon and scanning for nothing. */
const POLL_MS = 5_000;

export type RefreshEvent =
  | { kind: 'refreshed'; reason: 'interval' | 'change'; snapshot: Snapshot; durationMs: number }
  | { kind: 'failed'; error: unknown }
  | { kind: 'polling'; everyMs: number };

export interface RefreshOptions {
  /** Milliseconds between two looks; undefined for none. */
  intervalMs: number | undefined;
  watch: boolean;
  notice: (event: RefreshEvent) => void;
  watchFolder?: WatchFolder;
}

export class Refresher {
  readonly #workspace: Workspace;
  readonly #options: RefreshOptions;
  readonly #watcher: FolderWatcher | undefined;
  readonly #stopObserving: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  #debounce: NodeJS.Timeout | undefined;
  #firstSign: number | undefined;
  /** Signs of change counted, and how many of them the last finished scan had certainly seen. */
  #signs = 1;
  #signsAtStart = 0;
  #signsSeen = 0;
  #arming: Promise<void> | undefined;
  /** The specs that are watched, and how many folders of theirs. */
  #armedSpecs: { catalog: SpecCatalog; folders: number } | undefined;
  #stopped = false;

  constructor(workspace: Workspace, options: RefreshOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.#stopObserving = workspace.observe({
      started: () => void (this.#signsAtStart = this.#signs),
      finished: () => {
        this.#signsSeen = this.#signsAtStart;
        void this.#arm();
      },
      openedSpecs: () => void this.#arm(),
    });
    if (options.watch) {
      this.#watcher = new FolderWatcher({
        watchFolder: options.watchFolder ?? watchNodeFolder,
        exists: (dir) => isFolder(workspace.disk, dir),
        maxFolders: LIMITS.watchedFolders.value,
        changed: () => this.#sign(),
      });
      workspace.isCurrent = () => this.#isCurrent();
    }
  }

  start(): void {
    if (this.#stopped) return;
    this.#scheduleInterval();
    void this.#arm();
  }

  /** Resolves when the folders of the current snapshot are watched. */
  async armed(): Promise<void> {
    await this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopObserving();
    this.#workspace.isCurrent = undefined;
    for (const timer of [this.#timer, this.#pollTimer, this.#debounce]) clearTimeout(timer);
    this.#watcher?.close();
  }

  #sign(): void {
    if (this.#stopped) return;
    this.#signs += 1;
    const now = performance.now();
    this.#firstSign ??= now;
    clearTimeout(this.#debounce);
    const wait = Math.max(0, Math.min(DEBOUNCE_MS, this.#firstSign + DEBOUNCE_MAX_MS - now));
    this.#debounce = setTimeout(() => {
      this.#firstSign = undefined;
      // A request that could not wait may have looked already.
      if (this.#signsSeen < this.#signs) void this.#refresh('change');
    }, wait).unref();
  }

  async #refresh(reason: 'interval' | 'change'): Promise<void> {
    const started = performance.now();
    try {
      const snapshot = await this.#workspace.reload();
      if (!this.#stopped)
        this.#options.notice({ kind: 'refreshed', reason, snapshot, durationMs: performance.now() - started });
    } catch (error) {
      if (!this.#stopped) this.#options.notice({ kind: 'failed', error });
    }
  }

  #scheduleInterval(): void {
    if (this.#options.intervalMs === undefined || this.#stopped) return;
    // The next wait starts when the scan has ended, so a slow disk is never asked twice at once.
    this.#timer = setTimeout(
      () => void this.#refresh('interval').then(() => this.#scheduleInterval()),
      this.#options.intervalMs,
    ).unref();
  }

  async #arm(): Promise<void> {
    if (!this.#watcher || this.#stopped || this.#pollTimer) return;
    while (this.#arming) await this.#arming;
    this.#arming = this.#armNow(this.#watcher).finally(() => void (this.#arming = undefined));
    await this.#arming;
  }

  async #armNow(watcher: FolderWatcher): Promise<void> {
    const { discovery, openedSpecs: catalog } = this.#workspace.snapshot;
    const specs = (await catalog?.readAll())?.watchPlaces;
    const { added, outOfRoom } = await watcher.arm({
      folders: [...discovery.folders(), ...[...(specs?.folders ?? [])].map((dir) => ({ dir, leaf: false }))],
      roots: [...discovery.roots, ...(specs?.candidates ?? []).map((dir) => ({ dir }))],
    });
    this.#armedSpecs = catalog && specs && { catalog, folders: specs.folders.size };
    if (this.#stopped) return;
    if (outOfRoom) this.#poll();
    // Between the look and the watch something may have happened in the new folders.
    else if (added) this.#sign();
  }

  /** Watching is not possible for all: the watches that stand stay, and the rest is found by looking. */
  #poll(): void {
    if (this.#pollTimer) return;
    const everyMs = Math.min(POLL_MS, this.#options.intervalMs ?? POLL_MS);
    this.#options.notice({ kind: 'polling', everyMs });
    const again = (): void => {
      if (!this.#stopped) this.#pollTimer = setTimeout(() => void this.#refresh('change').then(again), everyMs).unref();
    };
    again();
  }

  async #isCurrent(): Promise<boolean> {
    if (!WATCHES_ARE_PROMPT || !this.#watcher?.complete || this.#arming) return false;
    await deliverPending();
    return this.#watcher.complete && !this.#arming && this.#signs === this.#signsSeen && this.#watchesSpecs();
  }

  /** What was read of the specs is watched; somebody may have looked into the archive since. */
  #watchesSpecs(): boolean {
    const { openedSpecs } = this.#workspace.snapshot;
    if (!openedSpecs) return true;
    return (
      openedSpecs === this.#armedSpecs?.catalog && openedSpecs.watchPlaces.folders.size === this.#armedSpecs.folders
    );
  }
}
