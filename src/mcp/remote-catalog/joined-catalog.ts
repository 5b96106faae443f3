/** Joins a shared catalog with the local skills and specs. The `join` row of each operation defines how. */
import { isRecord } from '../../core/json-file.ts';
import { count } from '../../core/text.ts';
import { within } from '../../core/within.ts';
import type { Join } from '../../operations/join.ts';
import type { ServerLog } from '../log.ts';
import type { JoinedOutcome } from '../outcome.ts';
import type { CatalogCall, JoinableCatalog } from '../served-workspace.ts';
import type { RemoteCatalog } from './remote-catalog.ts';
import { joinList, joinPages } from './join-lists.ts';
import { joinNamed } from './join-named.ts';
import { joinSearch } from './join-searches.ts';
import { type JoinCall, LOAD_MS } from './joining.ts';
import type { SharedListing } from './shared-listing.ts';

function joinBy(row: Exclude<Join, 'none'>, call: JoinCall): Promise<JoinedOutcome> {
  if (row.how === 'named') return joinNamed(row, call);
  if (row.how === 'score') return joinSearch(row, call);
  return row.how === 'pages' ? joinPages(row, call) : joinList(row, call);
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
    this.#listing = catalog.cachedListing();
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

  async join({ operation, args, served, local }: CatalogCall): Promise<JoinedOutcome> {
    const { join = 'none' } = operation;
    if (join === 'none' || !isRecord(args)) return local(args);
    const sharedSkills = this.#listing?.total ?? 0;
    try {
      return await joinBy(join, { operation, args, served, catalog: this.#catalog, sharedSkills, local });
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
    this.#logNews(`the shared catalog at ${this.#catalog.url} ${reason}, so only local items are served`);
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
