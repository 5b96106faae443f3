/**
 * Locates specs and changes: OpenSpec's folder at the nearest ancestor, others below the project in a monorepo, Spec
 * Oxide's layout, or the configured folders.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { entriesOf, exists, findTarget, isFolder, orTrouble, tryRead } from '../core/disk/answers.ts';
import type { RecordsPlace } from '../core/disk/records.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { foldersBelow } from '../core/disk/folders-below.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { specRootMissing, specRootOutside } from './codes.ts';
import { troubleWith } from './trouble.ts';
import { readPathsTable } from './spox-config.ts';

export type Layout = 'openspec' | 'spec-oxide' | 'custom';

export interface SpecRoot {
  layout: Layout;
  /** ID prefix if two roots have the same ID. */
  name: string;
  /** Folder that contains the layout. Paths are shown relative to it. */
  base: string;
  specsDir: string;
  changesDir: string;
  archiveDir: string;
  /** In a shared catalog, true if its specs take precedence over those of other teams. */
  isOwn?: boolean;
}

export interface RootOptions {
  projectDir: string;
  /** The project folder, then its parents up to the repository root. */
  ancestors: readonly string[];
  /** Repository root. Links must not lead out of it or, outside a repository, out of the folder that contains the layout. */
  repository?: string | undefined;
  specsDir?: string | undefined;
  changesDir?: string | undefined;
  /** Location of the journals of archive runs. */
  records?: RecordsPlace | undefined;
}

export interface FoundRoots {
  roots: SpecRoot[];
  diagnostics: Diagnostic[];
  /** Paths that belong to a root, or would create one if they appeared. */
  candidates: string[];
  /** Listed folders that are not a root yet. */
  listed: string[];
}

interface Found extends FoundRoots {
  repository: string | undefined;
}

export function findRoots(files: FileTree, options: RootOptions): FoundRoots {
  const { repository } = options;
  const found: Found = { roots: [], diagnostics: [], candidates: [], listed: [], repository };
  if (options.specsDir !== undefined || options.changesDir !== undefined) return customRoot(files, options, found);
  for (const dir of options.ancestors) {
    if (addRootsAt(files, dir, options.projectDir, found)) break;
  }
  for (const { dir, entries } of foldersBelow(files, options.projectDir))
    if (entries.some(({ name }) => name === 'openspec' || name === '.spox'))
      addRootsAt(files, dir, options.projectDir, found);
  return found;
}

function customRoot(files: FileTree, { projectDir, specsDir, changesDir }: RootOptions, found: FoundRoots): FoundRoots {
  const specs = path.resolve(projectDir, specsDir ?? path.join(changesDir ?? '.', '..', 'specs'));
  const changes = path.resolve(projectDir, changesDir ?? path.join(specs, '..', 'changes'));
  for (const [dir, asked] of [
    [specs, specsDir],
    [changes, changesDir],
  ] as const) {
    if (asked !== undefined && !isFolder(files, dir))
      found.diagnostics.push(specRootMissing.at({ path: dir, message: 'there is no such folder' }));
  }
  found.candidates.push(specs, changes);
  found.roots.push({
    layout: 'custom',
    name: path.basename(projectDir),
    base: projectDir,
    specsDir: specs,
    changesDir: changes,
    archiveDir: path.join(changes, 'archive'),
  });
  return found;
}

/** Adds the roots in one folder. Returns false if there are none. */
function addRootsAt(files: FileTree, dir: string, projectDir: string, found: Found): boolean {
  if (found.roots.some(({ base }) => base === dir)) return true;
  const name = rootName(projectDir, dir);
  const places = ['openspec/specs', 'openspec/changes', '.spox/config.toml', 'specs', '.specify'];
  found.candidates.push(...places.map((place) => path.join(dir, place)));
  if (isFolder(files, path.join(dir, 'specs'))) found.listed.push(path.join(dir, 'specs'));
  const hasOpenSpec = isOpenSpec(files, path.join(dir, 'openspec'));
  if (hasOpenSpec) addRoot(files, openSpecRoot(dir, name), found);
  const spox = specOxideRoot(files, { base: dir, name }, found.diagnostics, hasOpenSpec);
  if (spox) {
    addRoot(files, spox, found);
    found.candidates.push(spox.specsDir, spox.changesDir, spox.archiveDir);
  }
  return hasOpenSpec || spox !== undefined;
}

/** A link out of the project is not followed, because it comes from the repository and not from the user. */
function addRoot(files: FileTree, root: SpecRoot, found: Found): void {
  const top = found.repository ?? root.base;
  const realTop = findTarget(files, top)?.realPath ?? top;
  const outside = [root.specsDir, root.changesDir, root.archiveDir].find((dir) => {
    const target = findTarget(files, dir);
    return target !== undefined && !isInside(realTop, target.realPath);
  });
  if (outside === undefined) found.roots.push(root);
  else found.diagnostics.push(specRootOutside.at({ path: outside, message: 'a link leads out of the project' }));
}

/** Returns OpenSpec's layout below `base`. */
export function openSpecRoot(base: string, name: string): SpecRoot {
  const changesDir = path.join(base, 'openspec', 'changes');
  return {
    layout: 'openspec',
    name,
    base,
    specsDir: path.join(base, 'openspec', 'specs'),
    changesDir,
    archiveDir: path.join(changesDir, 'archive'),
  };
}

export type ItemType = 'spec' | 'change';

/** Whether a path is in the folders of specs, or in those of changes. */
export function isPlaceOf(roots: readonly SpecRoot[], type: ItemType, place: string): boolean {
  return roots.some(({ specsDir, changesDir, archiveDir }) => {
    const inChanges = place.startsWith(changesDir) || place.startsWith(archiveDir);
    return type === 'change' ? inChanges : place.startsWith(specsDir) && !inChanges;
  });
}

/** Returns the path of the main spec of a capability, whether or not it exists. */
export function specPath({ specsDir }: SpecRoot, capability: string): string {
  return path.join(specsDir, ...capability.split('/'), 'spec.md');
}

/** An inaccessible folder with this name counts too, because reading it reports the reason. */
function isOpenSpec(files: FileTree, dir: string): boolean {
  if (!isFolder(files, dir)) return false;
  return ['specs', 'changes', 'config.yaml', 'config.yml', 'project.md'].some((name) => {
    const found = orTrouble(() => files.look(path.join(dir, name)));
    return found instanceof FileTrouble ? found.reason === 'not-permitted' : found !== undefined;
  });
}

function specOxideRoot(
  files: FileTree,
  { base: dir, name }: Pick<SpecRoot, 'base' | 'name'>,
  diagnostics: Diagnostic[],
  hasOpenSpec: boolean,
): SpecRoot | undefined {
  const config = path.join(dir, '.spox', 'config.toml');
  const paths = exists(files, config) ? readPaths(files, config, diagnostics) : undefined;
  // Without its configuration, the layout is just a folder called specs/, which other tools use too.
  if (
    !paths &&
    (hasOpenSpec || exists(files, path.join(dir, '.specify')) || !looksLikeSpecs(files, path.join(dir, 'specs')))
  )
    return undefined;
  const folder = (key: string, fallback: string): string => {
    const asked = paths?.get(key);
    const resolved = path.resolve(dir, asked ?? fallback);
    if (isInside(dir, resolved)) return resolved;
    diagnostics.push(specRootOutside.at({ path: config, message: `${key} leads out of the project` }));
    return path.resolve(dir, fallback);
  };
  return {
    layout: 'spec-oxide',
    name,
    base: dir,
    specsDir: folder('spec_folder', 'specs'),
    changesDir: folder('changes_folder', path.join('specs', '_changes')),
    archiveDir: folder('archive_folder', path.join('specs', '_archive')),
  };
}

function readPaths(files: FileTree, config: string, diagnostics: Diagnostic[]): Map<string, string> | undefined {
  const read = tryRead(files, config, LIMITS.frontmatterBytes.value);
  if (!(read instanceof FileTrouble)) return readPathsTable(Buffer.from(read.bytes).toString('utf8'));
  diagnostics.push(troubleWith(read, config));
  return new Map();
}

function looksLikeSpecs(files: FileTree, dir: string): boolean {
  return entriesOf(files, dir).some(
    ({ name, kind }) => kind === 'directory' && (name === '_changes' || exists(files, path.join(dir, name, 'spec.md'))),
  );
}

function rootName(projectDir: string, dir: string): string {
  const relative = path.relative(projectDir, dir).split(path.sep).join('/');
  return relative === '' || relative.startsWith('..') ? path.basename(dir) || 'root' : relative;
}
