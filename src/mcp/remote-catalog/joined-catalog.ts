/** Joins a shared catalog with the local skills and specs. The `join` row of each operation defines how. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { count } from '../../core/text.ts';
import { within } from '../../core/within.ts';
import type { AnyOperation } from '../../operations/define.ts';
import { OPERATIONS } from '../../operations/index.ts';
import type { ServerLog } from '../log.ts';
import type { JoinableCatalog, ServedWorkspace } from '../served-workspace.ts';
import type { RemoteCatalog } from './remote-catalog.ts';
import { joinList, joinPages } from './join-lists.ts';
import { joinNamed } from './join-named.ts';
import { joinSkillSearch, joinSpecSearch } from './join-searches.ts';
import { type Join, LOAD_MS } from './joining.ts';
import type { SharedListing } from './shared-listing.ts';

/** Returns undefined if the tool uses local files only. */
function joinOf(tool: string): Join | undefined {
  const operations: readonly AnyOperation[] = OPERATIONS;
  const row = operations.find(({ name }) => name === tool)?.join;
  if (row === undefined || row === 'none') return undefined;
  if (row.how === 'named') return joinNamed(row);
  if (row.how === 'score') return row.kind === 'skill' ? joinSkillSearch : joinSpecSearch;
  return row.how === 'pages' ? joinPages : joinList(row.field, row.kind);
}

/** How long `tools/list` waits for the listing if no earlier run has cached one. */
const FIRST_LISTING_MS = 1_000;

export interface JoinedCatalogOptions {
  /** Polling interval; undefined to check only on request. */
  intervalMs: number | undefined;
  log: ServerLog;
  close: () => void;
}

export class JoinedCatalog implements JoinableCatalog {
  readonly #catalog: RemoteCatalog;
  readonly #options: JoinedCatalogOptions;
  readonly #listeners = new Set<() => void>();
  #listing: SharedListing | undefined;
  #tag: string | undefined;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #said = '';
  #isOver = false;

  constructor(catalog: RemoteCatalog, options: JoinedCatalogOptions) {
    this.#catalog = catalog;
    this.#options = options;
    this.#listing = catalog.keptListing();
    // After any rejected call: skills that can no longer be loaded must not be listed.
    catalog.onDenied((reason) => this.#drop(reason));
  }

  start(): void {
    void this.#refresh();
    const { intervalMs } = this.#options;
    if (intervalMs !== undefined) this.#timer = setInterval(() => void this.#refresh(), intervalMs).unref();
  }

  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#options.close();
  }

  async answer(
    { tool, args = {}, served }: { tool: string; args: unknown; served: ServedWorkspace },
    local: (args: unknown) => Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    const join = joinOf(tool);
    const given = argumentsOf(tool, args);
    if (!join || !given) return local(args);
    try {
      return await join({
        tool,
        args: given,
        served,
        catalog: this.#catalog,
        sharedSkills: this.#listing?.total ?? 0,
        local,
      });
    } catch (error) {
      // An error while joining must not hide local results.
      this.#options.log.bug(error);
      return local(args);
    }
  }

  async listing(): Promise<SharedListing | undefined> {
    // Clients that cannot be notified get the current listing.
    if (!this.#listing || this.#options.intervalMs === undefined) await within(FIRST_LISTING_MS, this.#refresh());
    return this.#listing;
  }

  get hasSpecs(): boolean {
    return this.#listing?.hasSpecs ?? false;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #refresh(): Promise<void> {
    return (this.#refreshing ??= this.#look()
      .catch((error: unknown) => this.#options.log.bug(error))
      .finally(() => (this.#refreshing = undefined)));
  }

  async #look(): Promise<void> {
    const response = await this.#catalog.listing(this.#tag, LOAD_MS);
    if (this.#isOver) return;
    const { url } = this.#catalog;
    if ('unchanged' in response) {
      const advice = response.advice === undefined ? '' : `. ${response.advice}`;
      if (response.reason !== undefined) this.#logNews(`the shared catalog at ${url} ${response.reason}${advice}`);
      return;
    }
    this.#logNews(`joined with the shared catalog at ${url}: ${count(response.listing.total, 'skill')}`);
    this.#show(response.listing, response.tag);
  }

  #drop(reason: string): void {
    if (this.#isOver) return;
    this.#logNews(`the shared catalog at ${this.#catalog.url} ${reason}, so only what is local is served`);
    this.#show(undefined, undefined);
  }

  #show(listing: SharedListing | undefined, tag: string | undefined): void {
    const before = this.#listing;
    this.#listing = listing;
    this.#tag = tag;
    if (shownOf(before) !== shownOf(listing)) for (const listener of this.#listeners) listener();
  }

  /** Logs a message for the operator unless it repeats the last one. */
  #logNews(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    this.#options.log.info(text);
  }
}

/** The visible part of a listing: another snapshot may look the same. */
function shownOf(listing: SharedListing | undefined): string {
  return JSON.stringify(listing && { ...listing, snapshot: 0 });
}

/** Some agents send the name of a skill as `command`, which the local tool accepts. The shared catalog gets `name`. */
function argumentsOf(tool: string, args: unknown): Record<string, unknown> | undefined {
  if (!isRecord(args)) return undefined;
  const { command, ...rest } = args;
  return tool === 'skill' && command !== undefined && Object.keys(rest).length === 0 ? { name: command } : args;
}
