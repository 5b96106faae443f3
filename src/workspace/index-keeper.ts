import { Failure } from '../core/failure.ts';
import { corpusToIndex } from './search-documents.ts';
import type { Workspace } from './workspace.ts';

export interface IndexKeeperOptions {
  /** Build an index if there is none; otherwise only an existing one is kept up to date. */
  autoIndex: boolean;
  /** One line about what was done, or why it failed. */
  notice: (text: string, kind: 'info' | 'warn') => void;
  /** Receives unexpected errors. */
  bug: (error: unknown) => void;
  quietMs?: number;
}

/** Editors and git change many files in a row; the index is updated after the last one. */
const QUIET_MS = 2_000;

/**
 * Keeps the index of a running server up to date: updates it after each scan, one build at a time. If a build fails, the
 * old index stays in use, and search results say what may be missing.
 */
export class IndexKeeper {
  readonly #workspace: Workspace;
  readonly #options: IndexKeeperOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #building: Promise<void> | undefined;
  #unobserve: (() => void) | undefined;
  #lastNotice = '';

  constructor(workspace: Workspace, options: IndexKeeperOptions) {
    this.#workspace = workspace;
    this.#options = options;
  }

  start(): void {
    this.#unobserve = this.#workspace.observe({ finished: () => this.#schedule() });
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#unobserve?.();
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#building;
  }

  #schedule(): void {
    if (this.#stopping.signal.aborted || (!this.#options.autoIndex && !this.#workspace.hasIndex())) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void (this.#building = this.#refresh(this.#building)),
      this.#options.quietMs ?? QUIET_MS,
    );
    this.#timer.unref();
  }

  async #refresh(before: Promise<void> | undefined): Promise<void> {
    await before;
    if (this.#stopping.signal.aborted) return;
    try {
      const search = await this.#workspace.search();
      const corpus = await corpusToIndex(this.#workspace);
      const { written, added, changed, removed } = await search.build({
        ...corpus,
        pid: process.pid,
        now: Date.now,
        signal: this.#stopping.signal,
      });
      if (written) this.#notice(`search index: ${added} added, ${changed} changed, ${removed} removed`, 'info');
    } catch (error) {
      if (!(error instanceof Failure)) this.#options.bug(error);
      else if (error.code !== 'INTERRUPTED') this.#notice(`search index not updated: ${error.message}`, 'warn');
    }
  }

  /** Reports the same problem only once in a row. */
  #notice(text: string, kind: 'info' | 'warn'): void {
    if (kind === 'warn' && text === this.#lastNotice) return;
    this.#lastNotice = text;
    this.#options.notice(text, kind);
  }
}
