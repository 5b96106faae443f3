/**
 * A shared catalog beside the local skills and specs. Each tool is joined in the way that this table says; a tool that it does not
 * have answers from the local files alone.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { count } from '../../core/text.ts';
import { within } from '../../core/within.ts';
import type { ServerLog } from '../log.ts';
import type { Beside, ServedWorkspace } from '../served-workspace.ts';
import type { AskedCatalog } from './asked-catalog.ts';
import { joinList, joinPages } from './join-lists.ts';
import { joinNamed } from './join-named.ts';
import { joinSkillSearch, joinSpecSearch } from './join-searches.ts';
import { type Join, LOAD_MS } from './joining.ts';
import type { SharedListing } from './shared-listing.ts';

const JOINTS: Readonly<Record<string, Join>> = {
  skill: joinNamed({ kind: 'skill', key: 'name', tellsOfOther: true }),
  skill_file: joinNamed({
    kind: 'skill',
    key: 'name',
    probe: (name) => ({ tool: 'skill_file', args: { name, limit: 1 } }),
  }),
  skills_list: joinPages,
  skills_search: joinSkillSearch,
  list_specs: joinList('specs', 'spec'),
  list_changes: joinList('changes', 'change'),
  get_spec_requirements: joinNamed({ kind: 'spec', key: 'spec_id' }),
  get_scenario: joinNamed({
    kind: 'spec',
    key: 'spec_id',
    probe: (name) => ({ tool: 'get_spec_requirements', args: { spec_id: name } }),
  }),
  get_change: joinNamed({
    kind: 'change',
    key: 'change_id',
    probe: (name) => ({ tool: 'get_change', args: { change_id: name, section: 'tasks' } }),
  }),
  // Without an id, they judge what can be corrected here.
  validate_spec: joinNamed({ kind: 'spec', key: 'spec_id' }),
  validate_change: joinNamed({ kind: 'change', key: 'change_id' }),
  search_specs: joinSpecSearch,
};

/** A client that asks for the tools waits no longer for skills that no earlier run has seen. */
const FIRST_LISTING_MS = 1_000;

export interface JoinedCatalogOptions {
  /** How often to look for changes; undefined for only when a client asks. */
  intervalMs: number | undefined;
  log: ServerLog;
  close: () => void;
}

export class JoinedCatalog implements Beside {
  readonly #catalog: AskedCatalog;
  readonly #options: JoinedCatalogOptions;
  readonly #listeners = new Set<() => void>();
  #listing: SharedListing | undefined;
  #tag: string | undefined;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #said = '';
  #isOver = false;

  constructor(catalog: AskedCatalog, options: JoinedCatalogOptions) {
    this.#catalog = catalog;
    this.#options = options;
    this.#listing = catalog.keptListing();
    // Whichever call it refuses: what may no longer be loaded is no longer listed.
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
    const join = Object.hasOwn(JOINTS, tool) ? JOINTS[tool] : undefined;
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
      // Whatever is wrong with joining, it must not take away what is local.
      this.#options.log.bug(error);
      return local(args);
    }
  }

  async listing(): Promise<SharedListing | undefined> {
    // Clients that cannot be told of a change get what is true now.
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
    const heard = await this.#catalog.listing(this.#tag, LOAD_MS);
    if (this.#isOver) return;
    const { url } = this.#catalog;
    if ('unchanged' in heard) {
      const advice = heard.advice === undefined ? '' : `. ${heard.advice}`;
      if (heard.reason !== undefined) this.#say(`the shared catalog at ${url} ${heard.reason}${advice}`);
      return;
    }
    this.#say(`joined with the shared catalog at ${url}: ${count(heard.listing.total, 'skill')}`);
    this.#show(heard.listing, heard.tag);
  }

  #drop(reason: string): void {
    if (this.#isOver) return;
    this.#say(`the shared catalog at ${this.#catalog.url} ${reason}, so only what is local is served`);
    this.#show(undefined, undefined);
  }

  #show(listing: SharedListing | undefined, tag: string | undefined): void {
    const before = this.#listing;
    this.#listing = listing;
    this.#tag = tag;
    if (shownOf(before) !== shownOf(listing)) for (const listener of this.#listeners) listener();
  }

  /** To those who run the server, and only if it is news. */
  #say(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    this.#options.log.info(text);
  }
}

/** What a client sees of it: another snapshot may look the same. */
function shownOf(listing: SharedListing | undefined): string {
  return JSON.stringify(listing && { ...listing, snapshot: 0 });
}

/** Some agents send the name of a skill as `command`; the local tool takes that, and the catalog gets what it stands for. */
function argumentsOf(tool: string, args: unknown): Record<string, unknown> | undefined {
  if (!isRecord(args)) return undefined;
  const { command, ...rest } = args;
  return tool === 'skill' && command !== undefined && Object.keys(rest).length === 0 ? { name: command } : args;
}
