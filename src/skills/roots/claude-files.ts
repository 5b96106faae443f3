/**
 * Reads the files in which Claude Code keeps its plugins: installed_plugins.json, known_marketplaces.json, marketplace listings,
 * plugin manifests, plugins in the folder of skills and `enabledPlugins` in settings. Two policies use them: the catalog is lenient (`claude-plugins.ts`), and the
 * profile of Claude Code loads only the plugins that Claude Code itself loads (`src/agents/claude-plugins.ts`).
 */
import path from 'node:path';
import { entriesOf, exists } from '../../core/disk/answers.ts';
import { readingInside } from '../../core/disk/confined.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import { isInside } from '../../core/inside.ts';
import { isRecord, type JsonRead, readJsonFile } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { ENABLED_NAME } from '../skill.ts';

/** File in the plugin folder of Claude Code that lists installed plugins. */
export const INSTALLED_PLUGINS = 'installed_plugins.json';

export interface InstalledPlugin {
  /** `plugin@marketplace`, or only the name of the plugin. */
  id: string;
  plugin: string;
  marketplace: string | undefined;
  /** Entry in known_marketplaces.json. */
  known: KnownMarketplace | undefined;
  /** Where it is installed, for the user or for single projects. */
  installations: readonly Installation[];
}

interface Installation {
  installPath: string | undefined;
  /** Folder of the project that the plugin is installed for. */
  projectPath: string | undefined;
  /** True if it is installed for a project, even if the file does not name the project. */
  isForProject: boolean;
}

interface KnownMarketplace {
  installLocation: string | undefined;
  /** True for a local folder. Claude Code reads its plugins in place, so installed copies do not count. */
  isFolder: boolean;
}

export type InstalledPlugins =
  | { kind: 'missing' }
  | { kind: 'broken'; reason: string; line?: number | undefined }
  | { kind: 'value'; plugins: InstalledPlugin[]; hasMarketplaces: boolean };

/** Returns the installed plugins, sorted by ID. */
export function readInstalledPlugins(tree: FileTree, file: string, pluginsRoot: string): InstalledPlugins {
  const read = readJsonFile(tree, file);
  if (read.kind !== 'value') return read;
  const plugins = isRecord(read.value) ? read.value['plugins'] : undefined;
  if (!isRecord(plugins)) return { kind: 'broken', reason: 'it has no "plugins" object' };
  const marketplaces = recordOf(readJsonFile(tree, path.join(pluginsRoot, 'known_marketplaces.json')));
  return {
    kind: 'value',
    hasMarketplaces: marketplaces !== undefined,
    plugins: Object.entries(plugins)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, entry]) => pluginOf(id, entry, marketplaces ?? {})),
  };
}

/** Version 1 has one object for each plugin, version 2 a list with scopes. Both are accepted in any version of the file. */
function pluginOf(id: string, entry: unknown, marketplaces: Record<string, unknown>): InstalledPlugin {
  const at = id.lastIndexOf('@');
  const [plugin, marketplace] = at > 0 ? [id.slice(0, at), id.slice(at + 1)] : [id];
  const installations = (Array.isArray(entry) ? entry : [entry])
    .filter(isRecord)
    .map(({ installPath, projectPath, scope }) => ({
      installPath: textIn(installPath),
      projectPath: textIn(projectPath),
      isForProject: projectPath !== undefined || scope === 'project' || scope === 'local',
    }));
  return { id, plugin, marketplace, known: marketplaceNamed(marketplace, marketplaces), installations };
}

function marketplaceNamed(
  name: string | undefined,
  marketplaces: Record<string, unknown>,
): KnownMarketplace | undefined {
  const entry = name !== undefined && Object.hasOwn(marketplaces, name) ? marketplaces[name] : undefined;
  if (!isRecord(entry)) return undefined;
  const { installLocation, source } = entry;
  return {
    installLocation: textIn(installLocation),
    isFolder: isRecord(source) && source['source'] === 'directory',
  };
}

/** Returns the source of a plugin in the listing of a marketplace, relative to the folder of the marketplace. */
export function listedSource(tree: FileTree, marketplaceDir: string, plugin: string): string | undefined {
  const listing = recordOf(readJsonFile(tree, path.join(marketplaceDir, '.claude-plugin/marketplace.json')));
  const plugins = listing?.['plugins'];
  const listed = Array.isArray(plugins) ? plugins.filter(isRecord).find(({ name }) => name === plugin) : undefined;
  return textIn(listed?.['source']);
}

export interface PluginManifest {
  file: string;
  /** Reason why the manifest cannot be read, if there is one. */
  problem: string | undefined;
  /** Folders of skills inside the plugin. */
  skills: string[];
  /** Entries that lead out of the plugin. */
  outside: string[];
}

/** Manifest of a plugin, below its folder. */
const MANIFEST = '.claude-plugin/plugin.json';

/** Reads the folders that a plugin names in its manifest. */
export function readPluginManifest(tree: FileTree, home: string): PluginManifest {
  const file = path.join(home, MANIFEST);
  const read = readJsonFile(tree, file);
  const named = [recordOf(read)?.['skills']].flat().filter((entry) => typeof entry === 'string');
  const isOwn = (entry: string): boolean => isInside(home, path.resolve(home, entry));
  return {
    file,
    problem: read.kind === 'broken' ? read.reason : undefined,
    skills: named.filter(isOwn).map((entry) => path.resolve(home, entry)),
    outside: named.filter((entry) => !isOwn(entry)),
  };
}

/** A plugin in the personal skills folder: a folder with a manifest. Its own `SKILL.md` is a personal skill. */
export interface FolderPlugin {
  /** Its key in `enabledPlugins`. */
  id: string;
  plugin: string;
  dir: string;
  /** Folders of its skills. */
  skills: string[];
}

/** Marketplace in the IDs of plugins in the personal skills folder. */
export const SKILLS_FOLDER = 'skills-dir';

/** Folder in which Claude Code keeps skills of the user's account. It is not a plugin. */
const RESERVED = 'synced';

/** Finds the plugins in the personal skills folder, sorted by folder. */
export function folderPlugins(tree: FileTree, skillsDir: string): FolderPlugin[] {
  return entriesOf(tree, skillsDir)
    .slice(0, LIMITS.walkEntries.value)
    .filter(({ name, kind }) => kind !== 'file' && !name.startsWith('.') && name !== RESERVED)
    .flatMap(({ name }) => folderPlugin(tree, path.join(skillsDir, name)) ?? [])
    .sort((a, b) => (a.dir < b.dir ? -1 : 1));
}

function folderPlugin(tree: FileTree, dir: string): FolderPlugin | undefined {
  const file = path.join(dir, MANIFEST);
  // Few folders of skills have a manifest, so this is faster than a failed read.
  if (!exists(tree, file)) return undefined;
  const manifest = recordOf(readJsonFile(tree, file));
  const plugin = textIn(manifest?.['name']);
  if (manifest === undefined || plugin === undefined || !isFolderManifest(manifest)) return undefined;
  const own = path.join(dir, 'skills');
  const skills = [...(exists(tree, own) ? [own] : []), ...readPluginManifest(tree, dir).skills];
  // The SKILL.md of the folder itself is a personal skill.
  const folders = [...new Set(skills)].filter((each) => each !== dir);
  return { id: `${plugin}@${SKILLS_FOLDER}`, plugin, dir, skills: folders };
}

/** Whether Claude Code accepts the manifest of a plugin in the personal skills folder. It ignores other manifests. */
function isFolderManifest({ name, version = '', skills = [] }: Record<string, unknown>): boolean {
  return (
    typeof name === 'string' &&
    /^[^\s@:/]+$/u.test(name) &&
    typeof version === 'string' &&
    [skills].flat().every((entry) => typeof entry === 'string' && /^\.(?:\/|$)/u.test(entry))
  );
}

/** Whether a folder of a plugin is a skill itself. */
export function isPluginSkill(tree: FileTree, dir: string): boolean {
  return entriesOf(tree, dir).some(({ name }) => name === ENABLED_NAME);
}

export interface ClaudeSettingsFile {
  file: string;
  settings: Record<string, unknown>;
  /** Reason why the file cannot be read. */
  problem: string | undefined;
}

/**
 * Reads all settings files of Claude Code. Later files win: the user's, then those of the project from its root to the working
 * folder, shared before local. `projects` are the project folders, nearest first.
 */
export function readClaudeSettings(
  tree: FileTree,
  claudeDir: string | undefined,
  projects: readonly string[],
): ClaudeSettingsFile[] {
  const own = claudeDir === undefined ? [] : [path.join(claudeDir, 'settings.json')];
  const inProject = readingInside(projects.at(-1) ?? '.', tree);
  const shared = [...projects]
    .reverse()
    .flatMap((dir) => [path.join(dir, '.claude/settings.json'), path.join(dir, '.claude/settings.local.json')]);
  return [...new Set([...own, ...shared])].map((file) => {
    const read = readJsonFile(own.includes(file) ? tree : inProject, file);
    return { file, settings: recordOf(read) ?? {}, problem: read.kind === 'broken' ? read.reason : undefined };
  });
}

/** Where each plugin is switched on or off, by ID. As in Claude Code, only `true` switches a plugin on. */
export interface PluginSwitches {
  states: ReadonlyMap<string, { isOn: boolean; file: string }>;
  /** The last file with `enabledPlugins`. */
  last: string | undefined;
}

export function pluginSwitches(files: readonly ClaudeSettingsFile[]): PluginSwitches {
  const states = new Map<string, { isOn: boolean; file: string }>();
  let last: string | undefined;
  for (const { file, settings } of files) {
    const enabled = settings['enabledPlugins'];
    if (!isRecord(enabled)) continue;
    last = file;
    for (const [id, state] of Object.entries(enabled)) states.set(id, { isOn: state === true, file });
  }
  return { states, last };
}

function recordOf(read: JsonRead): Record<string, unknown> | undefined {
  return read.kind === 'value' && isRecord(read.value) ? read.value : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
