import { Failure } from '../core/failure.ts';
import { corpusToIndex } from './search-documents.ts';
import type { Workspace } from './workspace.ts';

export interface IndexKeeperOptions {
  /** Build an index where there is none; without it only one that somebody has built is kept up to date. */
  autoIndex: boolean;
  /** One line about what was done, or why it could not be. */
  notice: (text: string, kind: 'info' | 'warn') => void;
  /** Anything we did not foresee. */
  bug: (error: unknown) => void;
  quietMs?: number;
}

/** Editors and git change many files in a row; the index follows when they are done. */
const QUIET_MS = 2_000;

/**
 * Keeps the index of a running server up to date: after a scan that found something new, quietly and one build at a time.
 * Whatever goes wrong is a notice; the index in place stays, and answers say what they lack.
 */
export class IndexKeeper {
  readonly #workspace: Workspace;
  readonly #options: IndexKeeperOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #building: Promise<void> | undefined;
  #unobserve: (() => void) | undefined;
  #said = '';

  constructor(workspace: Workspace, options: IndexKeeperOptions) {
    this.#workspace = workspace;
    this.#options = options;
  }

  start(): void {
    this.#unobserve = this.#workspace.observe({ finished: () => this.#soon() });
    this.#soon();
  }

  async stop(): Promise<void> {
    this.#unobserve?.();
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#building;
  }

  #soon(): void {
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
      if (written) this.#say(`search index: ${added} added, ${changed} changed, ${removed} removed`, 'info');
    } catch (error) {
      if (!(error instanceof Failure)) this.#options.bug(error);
      else if (error.code !== 'INTERRUPTED') this.#say(`search index not refreshed: ${error.message}`, 'warn');
    }
  }

  /** The same trouble at every scan is said once. */
  #say(text: string, kind: 'info' | 'warn'): void {
    if (kind === 'warn' && text === this.#said) return;
    this.#said = text;
    this.#options.notice(text, kind);
  }
}
