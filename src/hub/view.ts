/** The part of a shared catalog that a set of teams can see. It is a `Reader`, so all operations work on it as on a project. */
import type { FileTree } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { memoryDisk } from '../core/disk/memory-disk.ts';
import type { SourceIndex, SearchDocument, SegmentFiles, Slice } from '../search/document.ts';
import type { Search } from '../search/search.ts';
import type { Discovery } from '../skills/discover.ts';
import type { Skill } from '../skills/skill.ts';
import { SpecCatalog } from '../specs/catalog.ts';
import { IndexMarker } from '../workspace/index-marker.ts';
import { LowerCaseBodies } from '../workspace/lower-case-bodies.ts';
import type { Reader } from '../workspace/reader.ts';
import { corpusToIndex, corpusToSearch } from '../workspace/search-documents.ts';
import { type OpenOptions, readSettings } from '../workspace/settings.ts';
import type { SkillContent } from '../workspace/skill-content.ts';
import { Snapshot } from '../workspace/workspace.ts';
import type { CachedLists } from './cached-lists.ts';
import { type ContentCaches, publishedContent } from './published-content.ts';
import { type SharedNames, SourceNames } from './shared-names.ts';
import type { SharedSource } from './shared-source.ts';

const NOTHING = memoryDisk();
const OPTIONS: OpenOptions = { projectDir: '/', readConfig: false, skipPlugins: true };

/** State shared by all views. */
export interface Shared extends ContentCaches {
  search: Search;
  /** Cached by file and stamp. */
  bodies: LowerCaseBodies;
  /** Names in all sources of the current catalog. A view may outlive the catalog it was created for. */
  sharedNames?: { current?: SharedNames } | undefined;
  /** Keeps skill lists of recently used views. */
  lists?: CachedLists | undefined;
  /** Returns stored search segments of a source. Without it, segments are built on first use. */
  segments?: ((source: SharedSource, slices: readonly Slice[]) => Promise<readonly SegmentFiles[]>) | undefined;
}

export interface ViewOptions extends Shared {
  /** Sources of the caller's own teams. */
  own: readonly SharedSource[];
  /** Sources of other teams that the caller may read. */
  others: readonly SharedSource[];
  /** Set for the internal view of a single source, which builds its search documents. */
  isAlone?: boolean;
}

export interface VisibleSource {
  source: SharedSource;
  /** True if it belongs to one of the caller's teams; otherwise it was granted. */
  isOwn: boolean;
}

/** Shared by all views of a replica. */
export function sharedBodies(): LowerCaseBodies {
  return new LowerCaseBodies(LIMITS.bodyCacheBytes.value);
}

const sourceIndexes = new WeakMap<SharedSource, SourceIndex>();

/** The search index of a source. All views share it. */
export function sourceIndexOf(source: SharedSource, { search, bodies, segments }: Shared): SourceIndex {
  const known = sourceIndexes.get(source);
  if (known) return known;
  const index: SourceIndex = {
    // Built in a separate view, because the documents are the same in every view.
    async documents() {
      const alone = new View({ search, bodies, own: [source], others: [] });
      return (await corpusToIndex(alone)).documents;
    },
    ...(segments ? { segments: (slices) => segments(source, slices) } : {}),
  };
  sourceIndexes.set(source, index);
  return index;
}

/** Documents of a source for the default search. All views share these objects; only displayed names differ. */
const skillDocuments = new WeakMap<SharedSource, Promise<readonly SearchDocument[]>>();

function skillDocumentsOf(source: SharedSource, shared: Shared): Promise<readonly SearchDocument[]> {
  const known = skillDocuments.get(source);
  if (known) return known;
  const alone = new View({ ...shared, sharedNames: undefined, own: [source], others: [], isAlone: true });
  const made = corpusToSearch(alone, 'enabled', ['skill']).then(({ documents }) => documents);
  skillDocuments.set(source, made);
  return made;
}

export class View implements Reader {
  readonly snapshot: Snapshot;
  readonly options = OPTIONS;
  readonly disk: FileTree;
  readonly lowerCaseBodies: LowerCaseBodies;
  readonly hasSpecs: boolean;
  readonly isShared = true as const;
  /** The caller's own sources come first. */
  readonly sources: readonly VisibleSource[];
  readonly skillDocuments: Reader['skillDocuments'];
  readonly #sources: ReadonlyMap<string, SharedSource>;
  readonly #shared: Shared;

  constructor({ own: ownSources, others, isAlone = false, ...shared }: ViewOptions) {
    const sources = [...ownSources, ...others];
    this.sources = [
      ...ownSources.map((source) => ({ source, isOwn: true })),
      ...others.map((source) => ({ source, isOwn: false })),
    ];
    this.#sources = new Map(sources.map((source) => [source.name, source]));
    this.#shared = shared;
    this.lowerCaseBodies = shared.bodies;
    this.disk = this.#joinedTree();
    this.hasSpecs = sources.some(({ specs }) => specs.roots.length > 0);
    const own = new Set(ownSources.map(({ name }) => name));
    const discovery: Discovery = {
      skills: sources.flatMap(({ skills }) => skills),
      own,
      names: new SourceNames({ sources, own, current: () => shared.sharedNames?.current }),
      diagnostics: sources.flatMap(({ workspace }) => workspace.snapshot.discovery.diagnostics),
      roots: sources.flatMap(({ workspace }) => workspace.snapshot.roots),
      headers: new Map(),
      contents: new Map(),
      filesRead: 0,
      unsettled: false,
      folders: () => [],
    };
    const openSpecs = async (): Promise<SpecCatalog> =>
      SpecCatalog.joined(
        this.disk,
        sources.map(({ name, specs }) => ({ name, catalog: specs, isOwn: own.has(name) })),
      );
    const { settings } = readSettings(NOTHING, OPTIONS);
    this.snapshot = new Snapshot(discovery, settings, [], '/', openSpecs, new Map());
    const { lists } = shared;
    if (lists) this.snapshot.cacheKey = () => lists.cacheKeyOf(this.snapshot);
    if (isAlone) return;
    this.skillDocuments = async () =>
      (await Promise.all(sources.map((source) => skillDocumentsOf(source, shared)))).flat();
  }

  /** A view never changes: the next catalog has a new one. */
  async fresh(): Promise<Snapshot> {
    return this.snapshot;
  }

  async reload(): Promise<Snapshot> {
    return this.snapshot;
  }

  freshSpecs(): Promise<SpecCatalog> {
    return this.snapshot.specs();
  }

  observe(): () => void {
    return () => undefined;
  }

  async search(): Promise<Search> {
    return this.#shared.search;
  }

  async indexMarker(): Promise<IndexMarker> {
    const marker = new IndexMarker(NOTHING, undefined, '/');
    marker.set();
    return marker;
  }

  contentOf(skill: Skill): SkillContent {
    const source = this.#sources.get(skill.source ?? '');
    if (!source) throw new Error(`${skill.name} has no source`);
    return publishedContent(source, skill, this.#shared);
  }

  /** Documents of one version of a source are indexed together, once for all views. */
  sourceIndexOf(place: string): SourceIndex | undefined {
    const source = this.#sourceOf(place);
    return source && sourceIndexOf(source, this.#shared);
  }

  #sourceOf(place: string): SharedSource | undefined {
    const [, team = '', name = ''] = place.split('/', 3);
    return this.#sources.get(`${team}/${name}`);
  }

  #joinedTree(): FileTree {
    const treeOf = (place: string): FileTree => this.#sourceOf(place)?.disk ?? NOTHING;
    return {
      list: (dir) => treeOf(dir).list(dir),
      look: (place) => treeOf(place).look(place),
      follow: (place) => treeOf(place).follow(place),
      readLink: (place) => treeOf(place).readLink(place),
      readStart: (place, ...rest) => treeOf(place).readStart(place, ...rest),
      read: (place, ...rest) => treeOf(place).read(place, ...rest),
      readTarget: (place, ...rest) => treeOf(place).readTarget(place, ...rest),
      readWithin: (root, place, ...rest) => treeOf(place).readWithin(root, place, ...rest),
    };
  }
}
