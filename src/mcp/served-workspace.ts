/** Shared state of all connections of a server: the workspace, the settings and the texts of the current snapshot. */
import { CallLog } from './call-log.ts';
import { budgetOf } from './client-budgets.ts';
import { LIMITS } from '../core/limits.ts';
import { memo } from '../core/memo.ts';
import { foldName } from '../core/text.ts';
import { warnOnce } from '../core/warn-once.ts';
import type { AnyOperation } from '../operations/define.ts';
import { type DescriptionOptions, renderSkillDescription } from '../render/agents/skill-description.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { Beginning } from '../workspace/agent-listing.ts';
import {
  hasStates,
  type StoredListing,
  type CachedListing,
  type CachedSkill,
  type ListingEntry,
} from '../workspace/cached-listing.ts';
import type { LoadCounter } from '../workspace/usage.ts';
import type { ToolNames, Toolset } from '../workspace/settings-table.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import { compareSnapshots, type ListName, type VisibleChange } from './changes.ts';
import { cachedSkillsOf, listed, toolEntries } from './cached-lists.ts';
import type { ServerLog } from './log.ts';
import type { JoinedOutcome, Outcome } from './outcome.ts';

export interface ServerSettings {
  serverName: string;
  /** Toolsets whose tools can be called. */
  tools: ReadonlySet<Toolset>;
  /** Returns whether the project has specs. Spec tools are listed only then, or always if this is undefined. */
  findSpecs?: (() => boolean) | undefined;
  /** The server serves a shared catalog, so it offers no tools that write or that concern its own machine. */
  isShared?: boolean;
  /** Other machines can reach the server, so it reveals nothing about the user's own files and settings of agents. */
  isReachable?: boolean;
  toolNames: ToolNames;
  /** Undefined to use the limit of the client. */
  descriptionBudget: number | undefined;
  /** Undefined disables the periodic rescan. */
  refreshIntervalMs: number | undefined;
  watch: boolean;
  /** Folders that are searched for skills, described for models. */
  searched?: string | undefined;
  /** Default mode of `skills_search`; `auto` if undefined. */
  searchMode?: 'auto' | 'keyword' | undefined;
  /** Default number of skills in a list. Undefined for the usual number. */
  pageSize?: number | undefined;
  /** Whether search results have complete descriptions, and an excerpt of the body even if the description contains all words. */
  completeTexts?: boolean | undefined;
  /** Whether clients are notified of every changed SKILL.md, even if no list changes. */
  announcesTexts?: boolean | undefined;
}

/** A call to an operation whose result may include items of a shared catalog. */
export interface CatalogCall {
  operation: AnyOperation;
  args: unknown;
  served: ServedWorkspace;
  /** Runs the operation on local files. */
  local(args: unknown): Promise<Outcome>;
}

/** Remote skills and specs to serve in addition to the local ones. */
export interface JoinableCatalog {
  /** Combines the results of both sides. */
  join(call: CatalogCall): Promise<JoinedOutcome>;
  /** Returns the first remote skills and their total number. */
  listing(): Promise<{ skills: readonly ListingEntry[]; total: number } | undefined>;
  readonly hasSpecs: boolean;
  /** Calls the listener when the listing changes. */
  onChange(listener: () => void): void;
}

interface ServedParts {
  /** Lists cached by the last run. */
  cached?: CachedListing | undefined;
  /** Resolves when a list request has waited long enough for the first scan. */
  patience?: (() => Promise<void>) | undefined;
  /** Counts skill loads, if enabled. */
  loads?: Pick<LoadCounter, 'count'> | undefined;
  catalog?: JoinableCatalog | undefined;
}

export class ServedWorkspace {
  readonly settings: ServerSettings;
  readonly log: ServerLog;
  /** Log for errors of requests. */
  readonly calls: CallLog;
  /** Counts skill loads, if enabled. */
  readonly loads: Pick<LoadCounter, 'count'> | undefined;
  /** Shared catalog that is joined with the workspace. */
  readonly catalog: JoinableCatalog | undefined;
  readonly #opened: Promise<Reader>;
  /** Reports a problem once, even if every connection has it. */
  readonly warnOnce: (text: string) => void;
  readonly #listeners = new Set<(change: VisibleChange) => void>();
  readonly #listing: CachedListing | undefined;
  readonly #patience: () => Promise<void>;
  /** Lists cached by the last run, as read from the file. */
  #cached: StoredListing | undefined;
  #isCacheRead = false;
  /** Cached lists that clients received before the first scan ended. */
  readonly #provisional = new Set<ListName>();
  /** Resolves when the cached lists are known to be current. */
  readonly #unchanged: Promise<void>;
  #confirmCached = (): void => undefined;
  #opening: Reader | undefined;
  #specsFound: boolean | undefined;
  /** Descriptions by budget, which may differ between clients of one server. */
  readonly #descriptions = memo((_snapshot: Snapshot) => new Map<number, string>());

  /** Accepts a workspace that is still opening, because a handshake need not wait for the scan. */
  constructor(
    workspace: Reader | Promise<Reader>,
    settings: ServerSettings,
    log: ServerLog,
    { cached, patience = waitForScan, loads, catalog }: ServedParts = {},
  ) {
    this.settings = settings;
    this.loads = loads;
    this.catalog = catalog;
    catalog?.onChange(() => this.#announce({ lists: ['tools'], reason: 'the shared catalog changed', updated: [] }));
    // Clients that cannot be notified of the current list must wait for it.
    this.#listing = this.announcesChanges ? cached : undefined;
    this.#patience = patience;
    this.#unchanged = new Promise((resolve) => void (this.#confirmCached = resolve));
    this.log = log;
    this.warnOnce = warnOnce((text) => log.warn(text));
    this.calls = new CallLog(log, { logsFailures: settings.isShared !== true });
    this.#opened = this.#observe(workspace);
    // Callers of `workspace()` get the failure. Without a caller, Node.js must not report it as unhandled.
    this.#opened.catch(() => undefined);
  }

  async #observe(opening: Reader | Promise<Reader>): Promise<Reader> {
    const workspace = await opening;
    this.#opening = workspace;
    workspace.observe({
      finished: (next, before) => {
        const { announcesTexts = false } = this.settings;
        const change = this.#withSpecTools(compareSnapshots(before, next, { announcesTexts }));
        if (change) this.#announce(change);
      },
    });
    // Pending requests are answered first.
    setImmediate(() => this.#compareWithCached(workspace.snapshot));
    return workspace;
  }

  #announce(change: VisibleChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Reads the cached lists and checks whether all files they depend on are unchanged. */
  async checkCached(): Promise<void> {
    const cached = this.#readCached();
    if (!this.#listing || !cached) return;
    const deadline = performance.now() + LIMITS.firstScanWait.value;
    const isOver = (): boolean => this.#opening !== undefined || performance.now() > deadline;
    if (await this.#listing.isUnchanged(cached, isOver)) this.#confirmCached();
  }

  #readCached(): StoredListing | undefined {
    if (!this.#isCacheRead) this.#cached = this.#listing?.read();
    this.#isCacheRead = true;
    return this.#cached;
  }

  /** Called after the first scan. Notifies clients that received a cached list if the scan result differs. */
  #compareWithCached(snapshot: Snapshot): void {
    const cached = this.#cached;
    if (!this.#listing || this.#isCached(snapshot)) return;
    const skills = cachedSkillsOf(snapshot);
    const lists = [...this.#provisional].filter(
      (list) => cached && JSON.stringify(listed(cached.skills, list)) !== JSON.stringify(listed(skills, list)),
    );
    // The cached lists contain no specs.
    if (this.#provisional.has('resources') && this.shows('specs') && !lists.includes('resources'))
      lists.push('resources');
    if (lists.length > 0) this.#announce({ lists, reason: 'the first scan found other skills', updated: [] });
    this.#write(snapshot, skills);
  }

  #isCached({ states }: Snapshot): boolean {
    return this.#cached !== undefined && states !== undefined && hasStates(this.#cached, states);
  }

  #write(snapshot: Snapshot, skills: readonly CachedSkill[]): void {
    this.#cached = this.#listing?.write(skills, snapshot.states);
  }

  /** Caches the lists for the next run. */
  cacheLists(): void {
    const snapshot = this.#opening?.snapshot;
    if (this.#listing && snapshot && !this.#isCached(snapshot)) this.#write(snapshot, cachedSkillsOf(snapshot));
  }

  /**
   * Returns the cached skills if they are known to be current or the first scan takes too long. Returns undefined if the first
   * scan has ended or must be awaited.
   */
  async provisional(list: ListName): Promise<readonly CachedSkill[] | undefined> {
    if (this.#opening || !this.#listing) return undefined;
    const scanned = this.#opened.then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([scanned, this.#unchanged, this.#patience()]);
    const cached = this.#opening ? undefined : this.#readCached();
    if (cached) this.#provisional.add(list);
    return cached?.skills;
  }

  workspace(): Promise<Reader> {
    return this.#opened;
  }

  async snapshot(): Promise<Snapshot> {
    return (await this.#opened).snapshot;
  }

  /** Returns the current specs on disk. */
  async specs(): Promise<SpecCatalog> {
    return (await this.#opened).freshSpecs();
  }

  /** Whether the server detects changes and can notify clients of them. */
  get announcesChanges(): boolean {
    return this.settings.watch || this.settings.refreshIntervalMs !== undefined;
  }

  onChange(listener: (change: VisibleChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get servesSkills(): boolean {
    return this.has('skill') || this.has('skills');
  }

  /** Authoring tools describe the agents of this machine, so they are only for clients on it. */
  has(toolset: Toolset): boolean {
    return this.settings.tools.has(toolset) && !(toolset === 'authoring' && this.settings.isReachable);
  }

  /** Whether the tools of a toolset are listed. */
  shows(toolset: Toolset): boolean {
    const { findSpecs } = this.settings;
    if (toolset !== 'specs' || !findSpecs) return this.has(toolset);
    this.#specsFound ??= findSpecs();
    return this.#specsFound || this.catalog?.hasSpecs === true;
  }

  /** Adds a change of the tools if spec tools appeared or disappeared. */
  #withSpecTools(change: VisibleChange | undefined): VisibleChange | undefined {
    const { findSpecs } = this.settings;
    // No client has requested the tools yet.
    if (!findSpecs || this.#specsFound === undefined) return change;
    const [before, now] = [this.#specsFound, findSpecs()];
    this.#specsFound = now;
    if (before === now) return change;
    const { lists = [], reason = '', updated = [] } = change ?? {};
    return {
      lists: [...new Set<ListName>(['tools', ...lists])],
      reason: [reason, now ? 'specs found' : 'specs are gone'].filter((part) => part !== '').join(', '),
      updated,
    };
  }

  /** Returns the name under which this server lists a tool. */
  listedName(tool: string): string {
    return this.settings.toolNames === 'dotted' ? dottedName(tool) : tool;
  }

  /** Undefined if this server does not offer the search. */
  get searchTool(): string | undefined {
    return this.has('skills') ? this.listedName('skills_search') : undefined;
  }

  /** Undefined if this server does not offer bundled files. */
  get fileTool(): string | undefined {
    return this.has('skills') ? this.listedName('skill_file') : undefined;
  }

  /** Returns as many skills as can be named within the budget in characters. 0 returns all. */
  async skillsForModels(budget: number): Promise<Beginning> {
    return (await this.snapshot()).beginningForModels(budget === 0 ? Infinity : budget);
  }

  /** Returns the number of characters of a description that a client shows. 0 means all. */
  budgetFor(client: string | undefined): number {
    return this.settings.descriptionBudget ?? budgetOf(client);
  }

  async skillDescription(client: string | undefined): Promise<string> {
    const budget = this.budgetFor(client);
    const cached = await this.provisional('tools');
    if (this.catalog) return this.#describeBoth(this.catalog, cached && toolEntries(cached), budget);
    if (cached) return this.#describe(toolEntries(cached), budget);
    const snapshot = await this.snapshot();
    const known = this.#descriptions(snapshot).get(budget);
    if (known !== undefined) return known;
    const { first, total } = await this.skillsForModels(budget);
    const text = this.#describe(listingOf(snapshot, first), budget, { more: total - first.length });
    this.#descriptions(snapshot).set(budget, text);
    return text;
  }

  /** Describes the local skills, then those of the catalog. */
  async #describeBoth(
    catalog: JoinableCatalog,
    cached: readonly ListingEntry[] | undefined,
    budget: number,
  ): Promise<string> {
    const listing = await catalog.listing();
    const local = cached ?? listingOf(await this.snapshot());
    if (!listing) return this.#describe(local, budget);
    const names = new Set(local.map(({ name }) => foldName(name)));
    const view = cached ? undefined : (await this.snapshot()).view();
    // A skill that the agent reads itself is not listed, but its name still loads the local skill.
    const skills = listing.skills.filter(({ name }) =>
      view ? view.find(name).kind === 'missing' : !names.has(foldName(name)),
    );
    const more = listing.total - listing.skills.length;
    return this.#describe(local, budget, skills.length + more === 0 ? {} : { shared: { skills, more } });
  }

  #describe(
    skills: readonly ListingEntry[],
    budget: number,
    besides: Pick<DescriptionOptions, 'more' | 'shared'> = {},
  ): string {
    const { searchTool, fileTool } = this;
    const fullName = this.settings.isShared ? 'team/source:pdf' : undefined;
    const { searched } = this.settings;
    return renderSkillDescription(skills, { budget, searchTool, fileTool, fullName, searched, ...besides });
  }
}

function waitForScan(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, LIMITS.firstScanWait.value).unref());
}

/** Returns the other spelling of a tool name. Calls accept both. */
export function dottedName(tool: string): string {
  return tool.replaceAll('_', '.');
}

/** Returns the entries of the `skill` tool description. */
export function listingOf(snapshot: Snapshot, skills = snapshot.beginningForModels(Infinity).first): ListingEntry[] {
  return skills.map(({ name, skill }) => ({
    name,
    description: skill.description,
    location: skill.location,
    provider: skill.provider,
    ...(snapshot.all.isOwn(skill) ? { isOwn: true } : {}),
  }));
}
