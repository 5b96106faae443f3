/**
 * Combines the rooms below. A workspace holds one immutable snapshot. `reload()` builds the next one separately and swaps it in
 * with one assignment, so no caller waits for a scan or sees a partial one.
 */
import path from 'node:path';
import { breather, ownTurn } from '../core/breathe.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import { exists, isFolder } from '../core/disk/answers.ts';
import { confinedTo, readingInside } from '../core/disk/confined.ts';
import { nodeDisk } from '../core/disk/node-disk.ts';
import { notingStates, notingTrouble } from '../core/disk/noting.ts';
import { type FileTree, type FileTrouble, reasonText } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import { folderNamed } from '../core/user-cache.ts';
import type { Corpus } from '../search/document.ts';
import type { Search } from '../search/search.ts';
import type { IndexMarker } from './index-marker.ts';
import { type CatalogOptions, SkillCatalog } from '../skills/catalog.ts';
import type { Discovery, RootReport } from '../skills/discover.ts';
import { filterSkills, type State } from '../skills/filter.ts';
import { projectRoot } from '../skills/roots/plan.ts';
import type { Skill } from '../skills/skill.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ConfigFile } from './config.ts';
import { Digests } from './digests.ts';
import { DiskContent, type SkillContent } from './skill-content.ts';
import { beginningForAgents, type Beginning, isForModels, listForAgents, type ListedSkill } from './agent-listing.ts';
import { memoOfLists } from './memo-of-lists.ts';
import { LowerCaseBodies } from './lower-case-bodies.ts';
import { type OpenOptions, readSettings, rootSettings } from './settings.ts';
import type { ScanStates } from './cached-listing.ts';
import type { Settings } from './settings-table.ts';
import { stateFolder } from './state-folder.ts';
import { WholeSkills } from './whole-skills.ts';

const listedForAgents = memoOfLists((snapshot: Snapshot) =>
  listForAgents(snapshot.view(), snapshot.settings.include.value).filter(({ skill }) => snapshot.offers(skill)),
);

/** Everything that was found at one moment. */
export class Snapshot {
  /** Every skill, in every state, unfiltered. */
  readonly all: SkillCatalog;
  readonly roots: readonly RootReport[];
  readonly settings: Settings;
  readonly configFiles: readonly ConfigFile[];
  readonly #discovery: Discovery;
  readonly #projectDir: string;
  /** Files that the agent of this server reads itself. */
  readonly #native: ReadonlySet<string>;
  readonly #views = new Map<State, { catalog: SkillCatalog; diagnostics: Diagnostic[] }>();
  readonly #openSpecs: () => Promise<SpecCatalog>;
  #specs: Promise<SpecCatalog> | undefined;
  #openedSpecs: SpecCatalog | undefined;
  #totalForModels: number | undefined;
  /** Searched or indexed documents, by question. The search room recognizes the same documents by their array. */
  readonly corpora = new Map<string, Promise<Corpus>>();
  /** Paths where the machine failed while this snapshot was taken. */
  readonly troubled: ReadonlyMap<string, FileTrouble>;
  /** Returns the object that determines the lifetime of cached lists of all skills. By default, this is the snapshot. */
  cacheKey: () => object = () => this;
  /** The state of the skills to use unless a caller chooses another. */
  state: State = 'enabled';
  /** The states of the folders and files that it depends on, if they were recorded. */
  states: ScanStates | undefined;
  /** Called when the specs are opened. */
  onSpecs: ((catalog: SpecCatalog) => void) | undefined;

  constructor(
    discovery: Discovery,
    settings: Settings,
    configFiles: readonly ConfigFile[],
    projectDir: string,
    openSpecs: () => Promise<SpecCatalog>,
    troubled: ReadonlyMap<string, FileTrouble>,
    native: ReadonlySet<string> = new Set(),
  ) {
    this.all = new SkillCatalog(discovery.skills, discovery);
    this.roots = discovery.roots;
    this.settings = settings;
    this.configFiles = configFiles;
    this.#discovery = discovery;
    this.#projectDir = projectDir;
    this.#openSpecs = openSpecs;
    this.troubled = troubled;
    this.#native = native;
  }

  /** Returns the specs and changes. They are found on first use, so that commands about skills do not pay for them. */
  specs(): Promise<SpecCatalog> {
    this.#specs ??= this.#openSpecs().then((catalog) => {
      this.#openedSpecs = catalog;
      this.onSpecs?.(catalog);
      return catalog;
    });
    return this.#specs;
  }

  /** The specs, if they are open. */
  get openedSpecs(): SpecCatalog | undefined {
    return this.#openedSpecs;
  }

  /** Returns the skills that match the filters. */
  view(state: State = this.state): SkillCatalog {
    return this.#view(state).catalog;
  }

  /** The skills that agents see. */
  get forAgents(): readonly ListedSkill[] {
    return listedForAgents(this);
  }

  /** Returns the first skills that models may load. */
  beginningForModels(most: number): Beginning {
    const passes = (skill: Skill): boolean => isForModels(skill) && this.offers(skill);
    const wanted = { most, total: this.#totalForModels };
    const beginning = beginningForAgents(this.view(), this.settings.include.value, wanted, passes);
    this.#totalForModels = beginning.total;
    return beginning;
  }

  /** Whether a server lists the skill. It does not if its agent already reads the skill, or a copy with the same bytes. */
  offers(skill: Skill): boolean {
    if (this.#native.size === 0) return true;
    const places = this.all.copiesOf(skill).flatMap((copy) => [copy, ...copy.alsoAt]);
    return ![skill, ...skill.alsoAt, ...places].some(({ file }) => this.#native.has(file));
  }

  /** Returns the problems found while the snapshot was made, in a stable order. `names: true` adds problems with names. */
  diagnostics({ state = this.state, names = false }: { state?: State; names?: boolean } = {}): Diagnostic[] {
    const { catalog, diagnostics } = this.#view(state);
    const ofSkills = this.#discovery.skills.flatMap((skill) =>
      skill.disabledBy === undefined ? skill.diagnostics : [],
    );
    return sortDiagnostics([
      ...this.#discovery.diagnostics,
      ...ofSkills,
      ...diagnostics,
      ...(names ? catalog.nameDiagnostics() : []),
    ]);
  }

  /** Problems of Lectern's own configuration files. */
  get configDiagnostics(): readonly Diagnostic[] {
    return this.configFiles.flatMap(({ diagnostics }) => diagnostics);
  }

  /** Returns diagnostics for filter tokens that match nothing. */
  filterDiagnostics(state: State = this.state): readonly Diagnostic[] {
    return this.#view(state).diagnostics;
  }

  /** Reuses the names of the discovery. A filtered list has its own. */
  #namesIn(state: State): CatalogOptions {
    const { include, exclude } = this.settings;
    const { own, names } = this.#discovery;
    if (include.value.length + exclude.value.length > 0) return { own };
    return { own, names: state === 'all' ? names : names?.only(({ disabled }) => disabled === (state === 'disabled')) };
  }

  #view(state: State): { catalog: SkillCatalog; diagnostics: Diagnostic[] } {
    const known = this.#views.get(state);
    if (known) return known;
    const { include, exclude } = this.settings;
    const filtered = filterSkills(this.all.copies, {
      include: include.value,
      exclude: exclude.value,
      state,
      projectDir: this.#projectDir,
    });
    const view = {
      catalog: new SkillCatalog(filtered.skills, this.#namesIn(state)),
      diagnostics: filtered.diagnostics,
    };
    this.#views.set(state, view);
    return view;
  }

  get discovery(): Discovery {
    return this.#discovery;
  }
}

/** Called for every scan, regardless of its trigger. */
export interface ScanObserver {
  started?(): void;
  finished?(next: Snapshot, before: Snapshot): void;
  /** The scan failed, so the last snapshot stays. */
  failed?(error: unknown): void;
  /** The specs were opened for the first time. */
  openedSpecs?(catalog: SpecCatalog): void;
  /** The search index is ready, after a search that did not wait for it. */
  indexed?(): void;
}

export class Workspace {
  /** Read-only access to the files. Writing needs `diskFor`. */
  readonly disk: FileTree;
  readonly #disk: Disk;
  readonly options: OpenOptions;
  /** Cache of the bodies that keyword searches have read. */
  readonly lowerCaseBodies = new LowerCaseBodies(LIMITS.bodyCacheBytes.value);
  readonly #digests: Digests;
  readonly #wholeSkills: WholeSkills;
  /** Returns true if nothing changed since the last scan. Without it, `fresh()` always scans. */
  isCurrent: (() => Promise<boolean>) | undefined;
  readonly #observers = new Set<ScanObserver>();
  #snapshot: Snapshot;
  #reloading: Promise<Snapshot> | undefined;
  #search: { settings: string; search: Search } | undefined;
  #marker: IndexMarker | undefined;

  private constructor(options: OpenOptions, disk: Disk, snapshot: Snapshot) {
    this.options = options;
    this.disk = disk;
    this.#disk = disk;
    this.#digests = new Digests(disk);
    this.#wholeSkills = new WholeSkills(disk, options.isImmutable ? 0 : undefined);
    this.#snapshot = snapshot;
    this.#tellOfSpecs(snapshot);
  }

  static async open(options: OpenOptions, disk: Disk = nodeDisk): Promise<Workspace> {
    requireFolder(options, disk);
    return new Workspace(options, disk, await takeSnapshot(options, disk, undefined));
  }

  /**
   * Opens a workspace with only the skills that a name could refer to. Undefined if the skills of the last scan were not kept, if
   * any file has changed since, or if none of them has the name.
   */
  static async openNamed(name: string, options: OpenOptions, disk: Disk = nodeDisk): Promise<Workspace | undefined> {
    requireFolder(options, disk);
    const { findNamed } = await import('./found-skills.ts');
    const { files, troubled } = notingTrouble(disk);
    const { settings, files: configFiles } = readSettings(files, options);
    const discovery = await findNamed(name, disk, options, settings);
    if (!discovery) return undefined;
    const openSpecs = specsOpener(files, options, settings, undefined);
    const snapshot = new Snapshot(discovery, settings, configFiles, options.projectDir, openSpecs, troubled);
    snapshot.state = options.state ?? 'enabled';
    return snapshot.view('all').find(name).kind === 'missing' ? undefined : new Workspace(options, disk, snapshot);
  }

  /** Like `openNamed`, but scans if needed, and keeps the skills for the next call. */
  static async openFor(name: string, options: OpenOptions, disk: Disk = nodeDisk): Promise<Workspace> {
    const found = await Workspace.openNamed(name, options, disk);
    if (found) return found;
    const workspace = await Workspace.open({ ...options, notesStates: true }, disk);
    (await import('./found-skills.ts')).keepFound(disk, options, workspace.snapshot);
    return workspace;
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Opens the same workspace from another folder. */
  at(projectDir: string): Promise<Workspace> {
    return Workspace.open({ ...this.options, projectDir }, this.#disk);
  }

  /** Rescans. Calls during a scan share the next one, so scans never overlap and no result is stale. */
  async reload(): Promise<Snapshot> {
    if (this.#reloading) await this.#reloading.catch(() => undefined);
    const snapshot = await (this.#reloading ?? this.#startReload());
    await ownTurn();
    return snapshot;
  }

  /** Calls the observer at every scan until the returned function is called. */
  observe(observer: ScanObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /**
   * Returns a snapshot of the current files, or the last one if the machine cannot read them. Observers are notified of the
   * failure.
   */
  async fresh(): Promise<Snapshot> {
    if ((await this.isCurrent?.()) === true) return this.#snapshot;
    try {
      return await this.reload();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return this.#snapshot;
    }
  }

  /** Returns the specs of the current files. Opening them for the first time is itself a scan. */
  async freshSpecs(): Promise<SpecCatalog> {
    const { snapshot } = this;
    if (snapshot.openedSpecs) return (await this.fresh()).specs();
    return snapshot.specs();
  }

  tellOfIndex(): void {
    for (const observer of this.#observers) observer.indexed?.();
  }

  #tellOfSpecs(snapshot: Snapshot): void {
    snapshot.onSpecs = (catalog) => {
      for (const observer of this.#observers) observer.openedSpecs?.(catalog);
    };
  }

  #startReload(): Promise<Snapshot> {
    const finished = this.#scan().finally(() => {
      if (this.#reloading === finished) this.#reloading = undefined;
    });
    this.#reloading = finished;
    return finished;
  }

  /** Returns the search and its cache. Loaded on first use, and reloaded if its settings change. */
  async search(): Promise<Search> {
    const { openSearch } = await import('./open-search.ts');
    const { embeddings, endpoint } = this.#snapshot.settings;
    const settings = JSON.stringify([embeddings.value, endpoint.value]);
    if (this.#search?.settings !== settings) this.#search = { settings, search: openSearch(this) };
    return this.#search.search;
  }

  get projectRoot(): string {
    return projectRoot(this.disk, this.options.projectDir);
  }

  /**
   * Returns write access to the files. In the project, no path may lead out of it, because its links come from a repository. The
   * user's own files may be links to anywhere.
   */
  diskFor(scope: 'project' | 'user'): Disk {
    return scope === 'project' ? confinedTo(this.projectRoot, this.#disk) : this.#disk;
  }

  /** Whether the search was prepared for this project by a command or a tool. */
  async indexMarker(): Promise<IndexMarker> {
    const { openIndexMarker } = await import('./open-search.ts');
    return (this.#marker ??= openIndexMarker(this));
  }

  /** Returns the folder of the index that earlier versions built in the project, if it still exists. */
  oldIndexFolder(): string | undefined {
    const dir = path.join(this.projectRoot, '.lectern', 'index');
    return exists(this.disk, dir) ? dir : undefined;
  }

  async #scan(): Promise<Snapshot> {
    for (const observer of this.#observers) observer.started?.();
    const before = this.#snapshot;
    const next = await takeSnapshot(this.options, this.disk, before).catch((error: unknown) => {
      for (const observer of this.#observers) observer.failed?.(error);
      throw error;
    });
    this.#snapshot = next;
    this.lowerCaseBodies.keepOnly(next.all.copies);
    this.#wholeSkills.keepOnly(next.all.copies);
    this.#tellOfSpecs(next);
    for (const observer of this.#observers) observer.finished?.(next, before);
    return next;
  }

  /** Returns the current text and files of a skill. */
  contentOf(skill: Skill): SkillContent {
    return new DiskContent(this.disk, skill, this.#digests, this.#wholeSkills);
  }
}

function requireFolder({ mustExist, projectDir }: OpenOptions, disk: FileTree): void {
  if (!mustExist || isFolder(disk, projectDir)) return;
  throw new Failure('NOT_FOUND', `There is no folder ${echo(projectDir)}.`, {
    hint: 'Correct the project folder (--project-dir), or leave it out to look from the working folder.',
  });
}

const NO_SKILLS: Discovery = {
  skills: [],
  diagnostics: [],
  roots: [],
  headers: new Map(),
  contents: new Map(),
  filesRead: 0,
  unsettled: false,
  folders: () => [],
};

/**
 * A rescan that could not open files, because too many are open or the disk has an error, would miss existing skills. It fails,
 * and the last snapshot stays. A path that already failed in the last snapshot does not make the rescan fail.
 */
async function takeSnapshot(options: OpenOptions, disk: FileTree, before: Snapshot | undefined): Promise<Snapshot> {
  const { files: readable, troubled } = notingTrouble(disk);
  const startedAt = Date.now();
  const { files, states } = options.notesStates ? notingStates(readable) : { files: readable };
  const { settings, files: configFiles } = readSettings(files, options);
  const discovery = options.skills === false ? NO_SKILLS : await discover(options, settings, files, before?.discovery);
  const snapshot = new Snapshot(
    discovery,
    settings,
    configFiles,
    options.projectDir,
    specsOpener(readable, options, settings, before?.openedSpecs),
    troubled,
    await options.readNatively?.(files, settings, discovery),
  );
  snapshot.state = options.state ?? 'enabled';
  snapshot.states = states && { ...states, startedAt };
  // Open specs will be used again, and must then match the skills of the same scan.
  if (before?.openedSpecs) await (await snapshot.specs()).readAll();
  if (before) refuseNewTrouble(troubled, before.troubled);
  return snapshot;
}

function refuseNewTrouble(troubled: ReadonlyMap<string, FileTrouble>, before: ReadonlyMap<string, unknown>): void {
  const trouble = [...troubled.values()].find(({ path: place }) => !before.has(place));
  if (!trouble) return;
  throw new Failure('UNREADABLE', `A file or folder could not be read: ${reasonText(trouble)}.`, {
    path: trouble.path,
    cause: trouble,
  });
}

async function discover(
  options: OpenOptions,
  settings: Settings,
  files: FileTree,
  before: Discovery | undefined,
): Promise<Discovery> {
  const { discoverSkills } = await import('../skills/discover.ts');
  const { projectDir, userDir, environment = {}, oneShot = false, collections = false } = options;
  const userClaudeDir = userDir === undefined ? undefined : path.join(userDir, '.claude');
  const claudeDir = folderNamed(environment['CLAUDE_CONFIG_DIR']) ?? userClaudeDir;
  const [pluginsFile, pluginsRoot] = [settings.pluginsFile.value, settings.pluginsRoot.value];
  const areNamed = pluginsFile !== undefined || pluginsRoot !== undefined;
  const wantsPlugins =
    !settings.skipPlugins.value && (areNamed || (settings.scanDefaultDirs.value && claudeDir !== undefined));
  return discoverSkills(
    files,
    {
      ...rootSettings(options, settings),
      plugins: wantsPlugins ? { claudeDir: claudeDir ?? projectDir, pluginsFile, pluginsRoot } : undefined,
      collections,
      oneShot,
    },
    oneShot ? () => undefined : breather(),
    before,
  );
}

/**
 * A separate function, so that the closure holds only the earlier specs. Otherwise, the whole earlier snapshot could never be
 * freed.
 */
function specsOpener(
  files: FileTree,
  options: OpenOptions,
  settings: Settings,
  earlier: SpecCatalog | undefined,
): () => Promise<SpecCatalog> {
  const { projectDir, userDir } = options;
  const inside = readingInside(projectRoot(files, projectDir), files);
  return async () => {
    const places = { projectDir, userDir, settings, stateDir: stateFolder(files, options) };
    return (await import('./open-specs.ts')).openSpecs(inside, places, earlier);
  };
}
