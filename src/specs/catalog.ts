/**
 * All specs and changes of a project, immutable and looked up by ID. IDs are keys into this catalog, never parts of a path.
 * Specs and changes are read on first use, so that listing specs does not read four hundred changes. `readAll` reads
 * everything eagerly. Files that have not changed since the previous catalog are not reread or reparsed.
 */
import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostics.ts';
import { findRecords, recordName } from '../core/disk/records.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { nearest } from '../core/near.ts';
import { compareText, foldName } from '../core/text.ts';
import { ChangeFolder, type ChangePlace, PROPOSAL, TASKS } from './change-folder.ts';
import * as codes from './codes.ts';
import { findOverlaps, overlapsByChange, type Overlap, type OwnOverlap } from './overlap.ts';
import { findRoots, type FoundRoots, isPlaceOf, type ItemType, type RootOptions, type SpecRoot } from './roots.ts';
import { SpecFile } from './spec-file.ts';
import { readTextFile } from './text-file.ts';
import { listFolder, reportFolderLink, walkSpecs } from './walk.ts';

export type Found<Item> =
  | { kind: 'found'; item: Item }
  | { kind: 'ambiguous'; ids: string[] }
  | { kind: 'missing'; near: string[] };

/** Names the records of an archive run. Defined here because `journal.ts` is loaded only for archiving. */
export function archiveRecords(files: FileTree, { changesDir }: SpecRoot): string {
  return recordName(files, 'archive', changesDir);
}

/** Date prefix of archived changes. */
export const ARCHIVE_DATE = /^\d{4}-\d{2}-\d{2}-/u;

export class SpecCatalog {
  readonly roots: readonly SpecRoot[];
  readonly files: FileTree;
  readonly #options: RootOptions;
  /** Wraps the same files and adds every listed folder to `#folders`. */
  readonly #tracked: FileTree;
  readonly #folders: Set<string>;
  readonly #candidates: readonly string[];
  #before: SpecCatalog | undefined;
  /** True if an earlier catalog read the archive, so reloads must include the archive too. */
  readonly #keepsArchive: boolean;
  #byPlace: Map<string, SpecFile> | undefined;
  #overlaps: readonly Overlap[] | undefined;
  #overlapsByChange: ReadonlyMap<string, readonly OwnOverlap[]> | undefined;
  readonly #rootDiagnostics: readonly Diagnostic[];
  #specs: { items: SpecFile[]; diagnostics: Diagnostic[] } | undefined;
  #changes: { items: ChangeFolder[]; diagnostics: Diagnostic[] } | undefined;
  #archived: { items: ChangeFolder[]; diagnostics: Diagnostic[] } | undefined;
  /** Set if this catalog joins other catalogs. */
  readonly #parts: readonly NamedRoots[] | undefined;

  constructor(files: FileTree, options: RootOptions, before?: SpecCatalog, parts?: readonly NamedRoots[]) {
    const { roots, diagnostics, candidates, listed } = parts ? rootsOf(parts) : findRoots(files, options);
    this.#parts = parts;
    this.files = files;
    this.#folders = new Set(listed);
    this.#tracked = tracking(files, this.#folders);
    this.#candidates = candidates;
    this.#options = options;
    this.roots = roots;
    this.#rootDiagnostics = diagnostics;
    this.#before = before;
    this.#keepsArchive = before !== undefined && (before.#keepsArchive || before.#archived !== undefined);
    // Only the previous catalog is needed. Without this, every reload would keep all earlier ones in memory.
    if (before) before.#before = undefined;
  }

  /** Joins the catalogs of several sources. Ambiguous IDs are prefixed with the name of their source. */
  static joined(
    files: FileTree,
    parts: readonly { name: string; catalog: SpecCatalog; isOwn: boolean }[],
  ): SpecCatalog {
    const named = parts.map(({ name, catalog, isOwn }): NamedRoots => {
      const { roots } = catalog;
      const rename = (root: SpecRoot): SpecRoot => ({
        ...root,
        name: roots.length > 1 ? `${name}/${root.name}` : name,
        isOwn,
      });
      return { catalog, roots: new Map(roots.map((root) => [root, rename(root)])) };
    });
    return new SpecCatalog(files, { projectDir: '/', ancestors: [] }, undefined, named);
  }

  /** All main specs, sorted by ID. */
  get specs(): readonly SpecFile[] {
    this.#specs ??= this.#readSpecs();
    return this.#specs.items;
  }

  /** All active changes, sorted by ID. */
  get changes(): readonly ChangeFolder[] {
    this.#changes ??= this.#listChanges(false);
    return this.#changes.items;
  }

  get archived(): readonly ChangeFolder[] {
    this.#archived ??= this.#listChanges(true);
    return this.#archived.items;
  }

  findSpec(id: string): Found<SpecFile> {
    return findItem(this.specs, id, ({ capability }) => capability);
  }

  /** Finds an active change, or else an archived one by its folder name with or without the date. */
  findChange(id: string): Found<ChangeFolder> {
    const active = findItem(this.changes, id, ({ name }) => name);
    if (active.kind !== 'missing') return active;
    for (const short of [
      ({ name }: ChangeFolder) => name,
      ({ name }: ChangeFolder) => name.replace(ARCHIVE_DATE, ''),
    ]) {
      const archived = findItem(this.archived, id, short);
      if (archived.kind !== 'missing') return archived;
    }
    return active;
  }

  /** Returns the main spec to which a delta for this capability applies. */
  specFor(root: SpecRoot, capability: string): SpecFile | undefined {
    this.#byPlace ??= new Map(this.specs.map((spec) => [`${spec.root.specsDir}\0${spec.capability}`, spec]));
    return this.#byPlace.get(`${root.specsDir}\0${capability}`);
  }

  /** Requirements touched by several active changes. */
  get overlaps(): readonly Overlap[] {
    this.#overlaps ??= findOverlaps(this.changes);
    return this.#overlaps;
  }

  /** Returns the requirements that an active change shares with others. */
  overlapsOf({ id, isArchived }: ChangeFolder): readonly OwnOverlap[] {
    if (isArchived) return [];
    this.#overlapsByChange ??= overlapsByChange(this.overlaps);
    return this.#overlapsByChange.get(id) ?? [];
  }

  /** Read errors so far, in a stable order. */
  get diagnostics(): Diagnostic[] {
    return sortDiagnostics([
      ...this.#rootDiagnostics,
      ...(this.#specs?.diagnostics ?? []),
      ...(this.#changes?.diagnostics ?? []),
      ...(this.#archived?.diagnostics ?? []),
      ...this.#readChanges().flatMap(({ diagnostics }) => diagnostics),
    ]);
  }

  /** The files and folders of specs, or of changes, that could not be read so far. */
  unreadable(type: ItemType): Diagnostic[] {
    return this.diagnostics.filter(
      ({ code, path: place }) => code === codes.specUnreadable.code && isPlaceOf(this.roots, type, place),
    );
  }

  /** The folders where specs, or changes, are looked for, as people write them. */
  foldersOf(type: ItemType): string[] {
    const folders = this.roots.map(({ base, specsDir, changesDir }) => {
      const dir = type === 'spec' ? specsDir : changesDir;
      return isInside(base, dir) ? path.relative(base, dir).split(path.sep).join('/') : dir;
    });
    return [...new Set(folders)];
  }

  /** Creates a new catalog of the same folders that rereads everything. */
  reopened(): SpecCatalog {
    return new SpecCatalog(this.files, this.#options);
  }

  /** Paths to watch: the folders listed so far, and paths where a new root could appear. */
  get watchPlaces(): { folders: ReadonlySet<string>; candidates: readonly string[] } {
    return { folders: this.#folders, candidates: this.#candidates };
  }

  /** Reads everything. Includes the archive only if it was read before. Periodically yields to the event loop. */
  async readAll(): Promise<this> {
    const breathe = breather();
    for (const spec of this.specs) {
      void spec.parsed;
      await breathe();
    }
    for (const change of [...this.changes, ...(this.#keepsArchive ? this.archived : [])]) {
      change.readAll();
      await breathe();
    }
    return this;
  }

  /** Reads the changes listed so far, active and archived. */
  #readChanges(): ChangeFolder[] {
    return [...(this.#changes?.items ?? []), ...(this.#archived?.items ?? [])];
  }

  #readSpecs(): { items: SpecFile[]; diagnostics: Diagnostic[] } {
    const diagnostics: Diagnostic[] = [];
    if (this.#parts) {
      const joined = this.#parts.flatMap(({ catalog, roots }) =>
        catalog.specs.map((spec) => ({
          capability: spec.capability,
          root: roots.get(spec.root) ?? spec.root,
          file: spec.file,
          before: spec,
        })),
      );
      return { items: specFiles(joined), diagnostics };
    }
    const known = this.#before ? (this.#before.#specs?.items ?? []) : [];
    const byFile = new Map(known.map((spec) => [spec.file.path, spec]));
    const places = this.roots.flatMap((root) => {
      const walk = walkSpecs(this.#tracked, root.specsDir, { skipUnderscored: root.layout === 'spec-oxide' });
      diagnostics.push(...walk.diagnostics);
      return walk.specs.flatMap(({ id: capability, file: shown, readFrom }) => {
        const before = byFile.get(shown);
        const read = readTextFile(this.#tracked, shown, readFrom, before?.file);
        if (read.kind === 'trouble') diagnostics.push(read.diagnostic);
        return read.kind === 'text' ? [{ capability, root, file: read.file, before }] : [];
      });
    });
    return { items: specFiles(places), diagnostics };
  }

  #listChanges(isArchived: boolean): { items: ChangeFolder[]; diagnostics: Diagnostic[] } {
    const diagnostics: Diagnostic[] = [];
    const known = this.#before
      ? this.#before.#readChanges()
      : (this.#parts ?? []).flatMap((part) => part.catalog.#readChanges());
    const places = this.#parts
      ? this.#parts.flatMap(({ catalog, roots }) =>
          (isArchived ? catalog.archived : catalog.changes).map(({ name, root, dir }): ChangePlace => ({
            id: name,
            name,
            root: roots.get(root) ?? root,
            dir,
            isArchived,
          })),
        )
      : this.roots.flatMap((root) => changePlaces(this.#tracked, root, isArchived, diagnostics));
    const ids = uniqueIds(places, ({ name }) => name);
    const byDir = new Map(known.map((change) => [change.dir, change]));
    const items = places.map(
      (place, index) =>
        new ChangeFolder({ ...place, id: ids[index] ?? place.name }, this.#tracked, byDir.get(place.dir)),
    );
    if (!isArchived && !this.#parts) diagnostics.push(...this.#unfinishedRuns());
    return { items: items.sort((a, b) => compareText(a.id, b.id)), diagnostics };
  }

  #unfinishedRuns(): Diagnostic[] {
    const { records = { project: this.#options.projectDir } } = this.#options;
    return this.roots
      .filter((root) => findRecords(this.files, records, archiveRecords(this.files, root)) !== undefined)
      .map(({ changesDir }) =>
        codes.archiveUnfinished.at({ path: changesDir, message: 'a change was being archived when the process ended' }),
      );
  }
}

/** A catalog that is joined with others, and the renamed roots. */
interface NamedRoots {
  catalog: SpecCatalog;
  roots: ReadonlyMap<SpecRoot, SpecRoot>;
}

function rootsOf(parts: readonly NamedRoots[]): FoundRoots {
  return {
    roots: parts.flatMap(({ roots }) => [...roots.values()]),
    diagnostics: parts.flatMap(({ catalog }) => catalog.diagnostics),
    candidates: [],
    listed: [],
  };
}

type SpecPlace = ConstructorParameters<typeof SpecFile>[1];

function specFiles(places: readonly SpecPlace[]): SpecFile[] {
  const ids = uniqueIds(places, ({ capability }) => capability);
  const items = places.map((place, index) => new SpecFile(ids[index] ?? place.capability, place));
  return items.sort((a, b) => compareText(a.id, b.id));
}

function tracking(files: FileTree, folders: Set<string>): FileTree {
  return {
    ...files,
    list(dir) {
      const entries = files.list(dir);
      folders.add(dir);
      return entries;
    },
  };
}

function changePlaces(files: FileTree, root: SpecRoot, isArchived: boolean, diagnostics: Diagnostic[]): ChangePlace[] {
  const parent = isArchived ? root.archiveDir : root.changesDir;
  const places: ChangePlace[] = [];
  for (const { name, kind } of listFolder(files, parent, diagnostics)) {
    const dir = parent + path.sep + name;
    if (name.startsWith('.')) continue;
    if (kind === 'link') reportFolderLink(files, dir, diagnostics);
    if (isArchived && kind === 'file' && (name === PROPOSAL || name === TASKS)) {
      diagnostics.push(codes.changeNamedArchive.at({ path: dir, message: `${name} is directly in the archive` }));
    }
    if (kind !== 'directory' || (!isArchived && dir === root.archiveDir) || (!isArchived && name === 'archive'))
      continue;
    places.push({ id: name, name, root, dir, isArchived });
  }
  return places;
}

/** Returns the short ID of each item, prefixed with the root name if two roots share it. */
function uniqueIds<Item extends { root: SpecRoot }>(items: readonly Item[], short: (item: Item) => string): string[] {
  const seen = new Map<string, number>();
  for (const item of items) seen.set(short(item), (seen.get(short(item)) ?? 0) + 1);
  return items.map((item) => ((seen.get(short(item)) ?? 0) > 1 ? `${item.root.name}:${short(item)}` : short(item)));
}

/** Finds an item by exact ID, then ignoring case. A short ID shared by several roots is ambiguous. */
function findItem<Item extends { id: string; root: SpecRoot }>(
  items: readonly Item[],
  asked: string,
  short: (item: Item) => string,
): Found<Item> {
  const wanted = asked.trim();
  const folded = foldName(wanted);
  const matches = [
    (item: Item) => item.id === wanted,
    (item: Item) => `${item.root.name}:${short(item)}` === wanted,
    (item: Item) => foldName(item.id) === folded,
    (item: Item) => short(item) === wanted,
    (item: Item) => foldName(short(item)) === folded,
  ];
  for (const fits of matches) {
    const hits = items.filter(fits);
    const [item] = hits;
    const [own, ...others] = hits.length > 1 ? hits.filter(({ root }) => root.isOwn) : [];
    if (own && others.length === 0) return { kind: 'found', item: own };
    if (item) return hits.length === 1 ? { kind: 'found', item } : { kind: 'ambiguous', ids: hits.map(({ id }) => id) };
  }
  return {
    kind: 'missing',
    near: nearest(
      wanted,
      items.map(({ id }) => id),
    ),
  };
}
