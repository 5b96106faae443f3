/**
 * Keeps a workspace up to date: rescans at an interval, and sooner if a watched folder changes. Scans never overlap, requests do
 * not wait for them, and a failed scan leaves the last good snapshot in place.
 */
import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import { LIMITS } from '../core/limits.ts';
import { deliverPending, watchNodeFolder, WATCHES_ARE_PROMPT, type WatchFolder } from '../core/disk/watch.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import { LAYOUT_FOLDERS } from './spec-layout.ts';
import { FolderWatcher } from './watch.ts';
import type { Snapshot, Workspace } from './workspace.ts';

/** Editors and version control write in bursts. Waiting this long after the last event turns one burst into one scan. */
const DEBOUNCE_MS = 500;
/** Continuous writes must not delay the scan forever. */
const DEBOUNCE_MAX_MS = 2_500;
/** Polling interval if watching is impossible: a compromise between fast updates and unnecessary scans. */
const POLL_MS = 5_000;

export type RefreshEvent =
  | { kind: 'refreshed'; reason: 'interval' | 'change'; snapshot: Snapshot; durationMs: number }
  | { kind: 'failed'; error: unknown }
  | { kind: 'polling'; everyMs: number };

export interface RefreshOptions {
  /** Milliseconds between two scans. Undefined for no periodic scan. */
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
  /** The number of change events, and how many of them the last finished scan has certainly covered. */
  #signs = 1;
  #signsAtStart = 0;
  #signsSeen = 0;
  #arming: Promise<void> | undefined;
  /** The specs that are watched, and the number of their folders. */
  #armedSpecs: { catalog: SpecCatalog; folders: number } | undefined;
  #stopped = false;

  constructor(workspace: Workspace, options: RefreshOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.#stopObserving = workspace.observe({
      started: () => void (this.#signsAtStart = this.#signs),
      finished: ({ discovery }) => {
        this.#signsSeen = this.#signsAtStart;
        if (discovery.unsettled) this.#sign();
        void this.#arm();
      },
      failed: (error) => {
        if (!this.#stopped) options.notice({ kind: 'failed', error });
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
      // A request may have rescanned in the meantime.
      if (this.#signsSeen < this.#signs) void this.#refresh('change');
    }, wait).unref();
  }

  async #refresh(reason: 'interval' | 'change'): Promise<void> {
    const started = performance.now();
    try {
      const snapshot = await this.#workspace.reload();
      if (!this.#stopped)
        this.#options.notice({ kind: 'refreshed', reason, snapshot, durationMs: performance.now() - started });
    } catch {
      // The observer above has reported it.
    }
  }

  #scheduleInterval(): void {
    if (this.#options.intervalMs === undefined || this.#stopped) return;
    // The next wait starts after the scan has ended, so that scans of a slow disk do not pile up.
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
      roots: [...discovery.roots, ...(specs?.candidates ?? this.#layoutFolders()).map((dir) => ({ dir }))],
    });
    this.#armedSpecs = catalog && specs && { catalog, folders: specs.folders.size };
    if (this.#stopped) return;
    if (outOfRoom) this.#poll();
    // The new folders may have changed between the scan and the watch.
    else if (added) this.#sign();
  }

  /** Until specs are requested, it matters only whether there are any. */
  #layoutFolders(): string[] {
    return LAYOUT_FOLDERS.map((name) => path.join(this.#workspace.options.projectDir, name));
  }

  /** Not every folder can be watched. Existing watches stay, and polling finds the other changes. */
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

  /** Whether all spec folders that were read are watched. A request may have read the archive since. */
  #watchesSpecs(): boolean {
    const { openedSpecs } = this.#workspace.snapshot;
    if (!openedSpecs) return true;
    return (
      openedSpecs === this.#armedSpecs?.catalog && openedSpecs.watchPlaces.folders.size === this.#armedSpecs.folders
    );
  }
}
