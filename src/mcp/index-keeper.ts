/**
 * Keeps the search index of a running server up to date, where there is one: a change of the files is followed by a build of
 * what changed. Builds run beside the requests and never two at once; until one is done, the index answers as it is.
 */
import { explain, Failure } from '../core/failure.js';
import { count } from '../core/text.js';
import { buildWithProgress, type RebuildIndexOutput } from '../operations/rebuild-index.js';
import type { Workspace } from '../workspace/workspace.js';
import type { ServerLog } from './log.js';

/** An agent that edits writes again and again; a build for every save would be wasted. */
const QUIET_MS = 2_000;

export class IndexKeeper {
  readonly #workspace: Workspace;
  readonly #log: ServerLog;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #building: Promise<void> | undefined;
  #again = false;
  #lastTrouble = '';

  constructor(workspace: Workspace, log: ServerLog) {
    this.#workspace = workspace;
    this.#log = log;
  }

  /** Builds the index whether there is one or not. */
  build(): void {
    this.#log.info('the search index is being built in the background');
    this.#start();
  }

  /** The files are not what they were. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Nobody who never asked for an index gets one.
      if (this.#building || this.#workspace.hasIndex()) this.#start();
    }, QUIET_MS).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort(new Failure('INTERRUPTED', 'The server is shutting down'));
    await this.#workspace.close();
    await this.#building;
  }

  #start(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#building) {
      this.#again = true;
      return;
    }
    this.#building = this.#run().finally(() => {
      this.#building = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.#start();
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const report = await buildWithProgress(this.#workspace, { full: false, signal });
      this.#lastTrouble = '';
      if (report.written) this.#log.info(`search index: ${sentence(report)}`);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** What fails now will fail at the next change too; it is told once. */
  #failed(error: unknown): void {
    const { message, hint } = explain(error);
    if (message === this.#lastTrouble) return;
    this.#lastTrouble = message;
    this.#log.warn(`the search index could not be built: ${message}${hint === undefined ? '' : `. ${hint}`}`);
    if (!(error instanceof Failure)) this.#log.bug(error);
  }
}

function sentence({ documents, added, changed, removed, reason }: RebuildIndexOutput): string {
  const parts = [count(documents, 'document'), `${added} added`, `${changed} changed`, `${removed} removed`];
  return `${parts.join(', ')}${reason === undefined ? '' : ` (words only: ${reason})`}`;
}
