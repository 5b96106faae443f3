/**
 * Discovers the skills of all roots, in order of precedence: plans the roots, walks them, reads the header of each SKILL.md and
 * admits each real file once. A broken file becomes a diagnostic and never hides another.
 */
import path from 'node:path';
import type { Diagnostic, Rule } from '../core/diagnostics.ts';
import { exists, findEntry, findTarget } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { foldName } from '../core/text.ts';
import * as codes from './codes.ts';
import { type KnownContents, markCopies } from './copies.ts';
import { isMoving } from './moving.ts';
import type { NameLookup } from './name-lookup.ts';
import type { Header } from './parse.ts';
import { type KnownHeaders, readHeaders } from './read-headers.ts';
import { quickHeaders, type QuickHeaders } from './quick-list/quick-headers.ts';
import { INSTALLED_PLUGINS, SKILLS_FOLDER } from './roots/claude-files.ts';
import { planFolderPlugins, planPluginRoots, type PluginOptions } from './roots/claude-plugins.ts';
import {
  collectionRoot,
  inOrder,
  packageRoots,
  planRoots,
  projectFolders,
  type Root,
  type RootOptions,
  uniqueRoots,
} from './roots/plan.ts';
import type { Location, Sighting, Skill } from './skill.ts';
import { type FoundFile, type Walk, walkRoot } from './walk.ts';

/** A folder whose entries affect the result. */
export interface VisitedFolder {
  dir: string;
  /** True if only its SKILL.md counts and nothing below it is searched. */
  leaf: boolean;
}

export interface DiscoverOptions extends RootOptions {
  plugins: Omit<PluginOptions, 'projects'> | undefined;
  /** Whether to search the whole project for skills if the folders of agents contain none. */
  collections?: boolean;
  /** Set for one-shot commands. Skips `stat`, so the skills have no stamps. */
  oneShot?: boolean;
}

export interface RootReport extends Root {
  state: Walk['state'];
  /** Number of skills contributed by this root. */
  skills: number;
  /** Number of skills that are also reachable here but were contributed by an earlier root. */
  shared: number;
}

export interface Discovery {
  skills: Skill[];
  /** In a shared catalog, the sources whose skills take precedence. */
  own?: ReadonlySet<string>;
  /** In a shared catalog, the names of its sources. */
  names?: NameLookup;
  diagnostics: Diagnostic[];
  roots: RootReport[];
  /** Headers by real file. The next discovery rereads only changed files. */
  headers: KnownHeaders;
  /** Set for one-shot commands: the headers that were read ahead, and the walk of each root. */
  oneShot?: { headers: Pick<QuickHeaders, 'find'>; walks: ReadonlyMap<string, Walk> };
  /** Digests computed to find copies. */
  contents: KnownContents;
  /** Number of files read. Unchanged files are not reread. */
  filesRead: number;
  /** True if a file was being written during the scan. Rescan when it has settled. */
  unsettled: boolean;
  /** Every SKILL.md that was found, by root. */
  files?: ReadonlyMap<string, readonly FoundFile[]>;
  /** Every folder that was visited: a change in any of them may change the result. */
  folders: () => VisitedFolder[];
}

interface AdmittedSkill extends Skill {
  alsoAt: Sighting[];
  copyOf: Skill | undefined;
}

interface WalkedRoot {
  root: Root;
  walk: Walk;
  /** Every SKILL.md that may be read. */
  files: FoundFile[];
  report: RootReport;
}

export async function discoverSkills(
  tree: FileTree,
  options: DiscoverOptions,
  breathe: () => Promise<void> | undefined,
  earlier?: Discovery,
): Promise<Discovery> {
  const quick = options.oneShot ? quickHeaders(tree) : undefined;
  const { walked, realRoots, diagnostics } = await walkRoots(tree, options, { readAhead: quick, breathe });

  // A SKILL.md may link into any root, so all roots must be known first.
  const allowed = [...realRoots, findTarget(tree, options.projectDir)?.realPath ?? options.projectDir];
  const ofPlugins = new Set(walked.flatMap(({ root }) => (root.marketplace === SKILLS_FOLDER ? [root.dir] : [])));
  for (const each of walked) {
    const found = each.walk.found.filter(({ dir }) => !isOfFolderPlugin(dir, each.root, ofPlugins));
    each.files = found.flatMap(
      (found) => resolveFile(tree, found, allowed, each.root.off === undefined ? diagnostics : []) ?? [],
    );
    const before = earlier?.files?.get(each.root.dir);
    if (before) each.files.push(...beingReplaced(tree, before, each.files));
  }
  const files = walked.flatMap((each) => each.files);
  const read = await readHeaders(tree, files, earlier?.headers, breathe);
  diagnostics.push(...read.diagnostics);
  const skills = admit(walked, read.headers, diagnostics);
  const contents = await markCopies(tree, skills, breathe, earlier?.contents);
  return {
    skills,
    diagnostics: withoutRepeats(diagnostics),
    roots: walked.map(({ report }) => report),
    headers: read.headers,
    ...(quick && {
      oneShot: { headers: quick, walks: new Map(walked.map((each) => [each.root.dir, each.walk])) },
    }),
    contents,
    filesRead: read.filesRead,
    unsettled: read.unsettled,
    files: new Map(walked.flatMap((each) => (each.files.length === 0 ? [] : [[each.root.dir, each.files]]))),
    folders: () => [
      ...walked.flatMap(({ walk }) => walk.folders).map((dir) => ({ dir, leaf: false })),
      ...walked.flatMap(({ walk }) => walk.found).filter(({ leaf }) => leaf),
      ...files
        .filter(({ kind }) => kind === 'link')
        .map(({ realFile }) => ({ dir: path.dirname(realFile), leaf: true })),
    ],
  };
}

async function walkRoots(
  tree: FileTree,
  options: DiscoverOptions,
  how: Pick<Parameters<typeof walkRoot>[2], 'readAhead' | 'breathe'>,
): Promise<{ walked: WalkedRoot[]; realRoots: Set<string>; diagnostics: Diagnostic[] }> {
  const { roots, diagnostics } = plan(tree, options);
  const walked: WalkedRoot[] = [];
  const realRoots = new Set<string>();
  const reported = new Set<string>();
  const walk = async (root: Root): Promise<void> => {
    const result = await walkRoot(tree, root, { limits: options.limits, seenRoots: realRoots, ...how });
    if (root.off === undefined) diagnostics.push(...unreported(result.diagnostics, reported));
    walked.push({ root, walk: result, files: [], report: { ...root, state: result.state, skills: 0, shared: 0 } });
  };
  for (const root of roots) await walk(root);
  const isEmpty = walked.every(
    ({ root: { location }, walk: { found } }) => isElsewhere(location) || found.length === 0,
  );
  const collection = options.collections && isEmpty ? collectionRoot(tree, options) : undefined;
  if (collection) await walk(collection);
  // Drop the collection root if it contributed nothing.
  if (collection && walked.at(-1)?.walk.found.length === 0) walked.pop();
  return { walked, realRoots, diagnostics };
}

/**
 * Returns the problems that no earlier walk has reported. Roots may be inside each other, and several may be below one
 * inaccessible folder.
 */
function unreported(diagnostics: readonly Diagnostic[], reported: Set<string>): Diagnostic[] {
  const keyOf = ({ code, path: place }: Diagnostic): string => `${code} ${place}`;
  const added = diagnostics.filter((diagnostic) => !reported.has(keyOf(diagnostic)));
  for (const diagnostic of added) reported.add(keyOf(diagnostic));
  return added;
}

/** A file that two roots contain has the same problems twice. */
function withoutRepeats(diagnostics: Diagnostic[]): Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  const keyOf = ({ code, path: place, line, message }: Diagnostic): string =>
    JSON.stringify([code, place, line, message]);
  return [...new Map(diagnostics.map((diagnostic) => [keyOf(diagnostic), diagnostic])).values()];
}

/**
 * Some editors move a file away before they write the next version. Such a file counts as present for a moment, so that nothing
 * sees the skill come and go.
 */
function beingReplaced(tree: FileTree, before: readonly FoundFile[], now: readonly FoundFile[]): FoundFile[] {
  if (before.length === now.length && before.every(({ file }, index) => file === now[index]?.file)) return [];
  const dirs = new Set(now.map(({ dir }) => dir));
  return before
    .filter(({ dir, file, realFile }) => {
      if (dirs.has(dir) || findEntry(tree, file) !== undefined) return false;
      const folder = findEntry(tree, path.dirname(realFile));
      return folder?.kind === 'directory' && isMoving(folder.stamp, Date.now(), LIMITS.skillSettleMax.value);
    })
    .map((found) => ({ ...found, isReplaced: true }));
}

function plan(tree: FileTree, options: DiscoverOptions): { roots: Root[]; diagnostics: Diagnostic[] } {
  const projects = projectFolders(tree, options.projectDir).folders;
  const { claudeDir = '', pluginsRoot = path.join(claudeDir, 'plugins') } = options.plugins ?? {};
  const isGiven = options.skillDirs.some(({ dir }) => dir === pluginsRoot);
  const plugins = options.plugins && !isGiven && planPluginRoots(tree, { ...options.plugins, projects });
  const planned = planRoots(tree, options).map((root) => pluginsIn(tree, root, projects) ?? { roots: [root] });
  const roots = [
    ...planned.flatMap((each) => each.roots),
    ...(plugins ? plugins.roots : []),
    ...(options.plugins && options.scanDefaultDirs && options.userDir !== undefined
      ? planFolderPlugins(tree, { ...options.plugins, projects })
      : []),
    ...packageRoots(tree, options),
  ];
  const diagnostics = [...planned, ...(plugins ? [plugins] : [])].flatMap((each) => each.diagnostics ?? []);
  return { roots: inOrder(uniqueRoots(roots), options.priority), diagnostics };
}

/** If a skill folder is the plugin folder of Claude Code, returns its plugins in their installed versions, under their names. */
function pluginsIn(
  tree: FileTree,
  { dir, location }: Root,
  projects: readonly string[],
): { roots: Root[]; diagnostics?: Diagnostic[] } | undefined {
  if (location !== 'custom' || !exists(tree, path.join(dir, INSTALLED_PLUGINS))) return undefined;
  const claudeDir = path.dirname(dir);
  return planPluginRoots(tree, { claudeDir, pluginsFile: undefined, pluginsRoot: dir, projects });
}

/** Whether a skill in a folder of the user belongs to a plugin in that folder. */
function isOfFolderPlugin(skillDir: string, { dir: rootDir, location }: Root, ofPlugins: ReadonlySet<string>): boolean {
  if (ofPlugins.size === 0 || location !== 'user') return false;
  for (let dir = skillDir; dir.length > rootDir.length; dir = path.dirname(dir)) if (ofPlugins.has(dir)) return true;
  return false;
}

function isElsewhere(location: Location): boolean {
  return location === 'user' || location === 'plugin';
}

/** Follows links into scanned roots or the project only. Refuses anything but regular files. */
function resolveFile(
  tree: FileTree,
  found: FoundFile,
  allowed: readonly string[],
  diagnostics: Diagnostic[],
): FoundFile | undefined {
  const { file, realFile, kind } = found;
  if (kind === 'file') return found;
  const refuse = (rule: Rule, message: string): undefined => {
    diagnostics.push(rule.at({ path: file, message }));
  };
  if (kind === 'directory') return refuse(codes.notARegularFile, 'it is a folder');
  if (kind === 'other') return refuse(codes.notARegularFile, 'it is a pipe, a socket or a device');
  try {
    const target = tree.follow(file);
    if (!target) return refuse(codes.linkDangling, 'the link leads nowhere');
    if (target.kind !== 'file') return refuse(codes.notARegularFile, 'the link does not lead to a regular file');
    if (![path.dirname(realFile), ...allowed].some((place) => isInside(place, target.realPath)))
      return refuse(codes.symlinkOutside, 'the link leads out of every scanned root and the project');
    return { ...found, realFile: target.realPath, stamp: target.stamp };
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    return error.reason === 'too-many-links'
      ? refuse(codes.linkDangling, 'the link leads to itself')
      : refuse(codes.fileUnreadable, reasonText(error));
  }
}

/** Returns the skills in order of precedence, each real file once. */
function admit(walked: readonly WalkedRoot[], headers: KnownHeaders, diagnostics: Diagnostic[]): AdmittedSkill[] {
  const admitted = new Map<string, AdmittedSkill>();
  // Settings can list any number of roots, so pairwise comparison is avoided.
  const repeated = new Map<string | undefined, WalkedRoot[]>();
  for (const each of walked) {
    if (each.walk.state !== 'repeated') continue;
    const same = repeated.get(each.walk.realRoot);
    if (same) same.push(each);
    else repeated.set(each.walk.realRoot, [each]);
  }
  for (const { root, walk, files, report } of walked) {
    const first = admitted.size;
    for (const found of files) {
      const header = found.header ?? headers.get(found.realFile)?.header;
      if (header) admitOne(found, withPath(header, found.file), root, report, admitted, diagnostics);
    }
    const others = repeated.get(walk.realRoot)?.filter((other) => other.root !== root) ?? [];
    const own = others.length === 0 ? [] : [...admitted.values()].slice(first);
    for (const other of others) other.report.shared = share(own, root, other.root);
  }
  return [...admitted.values()];
}

/** A header may have been read under another path of the same file. */
function withPath(header: Header, file: string): Header {
  if (header.diagnostics.every(({ path: place }) => place === file)) return header;
  return { ...header, diagnostics: header.diagnostics.map((each) => ({ ...each, path: file })) };
}

function admitOne(
  found: FoundFile,
  header: Header,
  root: Root,
  report: RootReport,
  admitted: Map<string, AdmittedSkill>,
  diagnostics: Diagnostic[],
): void {
  const known = admitted.get(found.realFile);
  if (known) {
    known.alsoAt.push({ provider: root.provider, location: root.location, file: found.file });
    report.shared += 1;
  } else if (header.name === undefined || header.description === undefined) {
    if (root.off === undefined) diagnostics.push(...header.diagnostics);
  } else {
    admitted.set(found.realFile, skillOf(found, header, root, admitted.size));
    report.skills += 1;
  }
}

function skillOf(
  { dir, file, realFile, stamp }: FoundFile,
  { name = '', description = '', frontmatter, bodyLine, diagnostics }: Header,
  { provider, location, scope, plugin, marketplace, package: inPackage, off }: Root,
  rank: number,
): AdmittedSkill {
  return {
    name,
    key: foldName(name),
    folder: lastPart(dir),
    description,
    provider,
    location,
    scope,
    plugin,
    marketplace,
    package: inPackage,
    dir,
    file,
    realFile,
    disabled: off !== undefined || lastPart(file).startsWith('.'),
    disabledBy: off,
    rank,
    frontmatter,
    bodyLine,
    stamp,
    diagnostics,
    alsoAt: [],
    copyOf: undefined,
    // Set here so that skills of a shared catalog have the same object shape. Otherwise V8 would keep one for each of them.
    source: undefined,
  };
}

/** Like `path.basename`, but several times as fast. */
function lastPart(place: string): string {
  return place.slice(place.lastIndexOf(path.sep) + 1);
}

/** The other root is the same folder under another path or provider, so its names also resolve to these skills. */
function share(skills: readonly AdmittedSkill[], root: Root, { dir, provider, location }: Root): number {
  if (dir === root.dir && provider === root.provider) return 0;
  for (const { file, alsoAt } of skills) alsoAt.push({ provider, location, file: dir + file.slice(root.dir.length) });
  return skills.length;
}
