/**
 * Finds the skills of installed Claude Code plugins. Reads the files of Claude Code (installed_plugins.json, settings and
 * marketplace manifests) and never walks its cache, which also contains old versions.
 */
import path from 'node:path';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { entriesOf } from '../../core/disk/answers.ts';
import { readingInside } from '../../core/disk/confined.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import { isInside } from '../../core/inside.ts';
import { isRecord, readJsonFile } from '../../core/json-file.ts';
import { pluginMarketplaceUnknown, pluginMissing, pluginPathOutside, pluginsFileInvalid } from '../codes.ts';
import { ENABLED_NAME } from '../skill.ts';
import type { Root } from './plan.ts';

/** File in the plugin folder of Claude Code that lists installed plugins. */
export const INSTALLED_PLUGINS = 'installed_plugins.json';

export interface PluginOptions {
  /** Folder of Claude Code in the home, with settings.json and plugins/. */
  claudeDir: string;
  pluginsFile: string | undefined;
  pluginsRoot: string | undefined;
  /** Project folders, nearest first. */
  projects: readonly string[];
}

interface Installed {
  id: string;
  plugin: string;
  marketplace: string | undefined;
  installPath: string | undefined;
}

interface Marketplace {
  dir: string | undefined;
  /** Whether Claude Code lists the marketplace. Undefined if there is no list. */
  isKnown: boolean | undefined;
  /** True for a local folder. Claude Code reads its plugins in place, so installed copies do not count. */
  isFolder: boolean;
}

export function planPluginRoots(tree: FileTree, options: PluginOptions): { roots: Root[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const pluginsRoot = options.pluginsRoot ?? path.join(options.claudeDir, 'plugins');
  const file = options.pluginsFile ?? path.join(pluginsRoot, INSTALLED_PLUGINS);
  const read = readJsonFile(tree, file);
  if (read.kind === 'missing') return { roots: [], diagnostics };
  const plugins =
    read.kind === 'value' && isRecord(read.value) && isRecord(read.value['plugins'])
      ? read.value['plugins']
      : undefined;
  if (!plugins) {
    const reason = read.kind === 'broken' ? read.reason : 'it has no "plugins" object';
    diagnostics.push(
      pluginsFileInvalid.at({
        path: file,
        message: reason,
        // The rest of the catalog does not depend on it, and the home is often inaccessible in containers.
        ...(reason === 'permission denied' ? { severity: 'warning' } : {}),
        ...(read.kind === 'broken' && read.line !== undefined ? { line: read.line } : {}),
      }),
    );
    return { roots: [], diagnostics };
  }
  const whyOff = readSwitches(tree, options, diagnostics);
  const roots = Object.entries(plugins)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, entry]): Root[] => {
      const marketplace = findMarketplace(tree, marketplaceOf(id), pluginsRoot);
      const installed = chooseInstallation(id, entry, options.projects, marketplace);
      if (!installed) return [];
      const off = whyOff(id);
      if (off === undefined) return rootsOf(tree, installed, marketplace, pluginsRoot, file, diagnostics);
      // Problems of disabled plugins are not reported.
      return rootsOf(tree, installed, marketplace, pluginsRoot, file, []).map((root) => ({ ...root, off }));
    });
  // If plugins share a folder, it is searched for the enabled one.
  return { roots: roots.sort((a, b) => Number(a.off !== undefined) - Number(b.off !== undefined)), diagnostics };
}

/** Returns the marketplace in `plugin@marketplace`. */
function marketplaceOf(id: string): string | undefined {
  const at = id.lastIndexOf('@');
  return at > 0 ? id.slice(at + 1) : undefined;
}

/** Version 1 has one object for each plugin, version 2 a list with scopes. Both are accepted in any version of the file. */
function chooseInstallation(
  id: string,
  entry: unknown,
  projects: readonly string[],
  { isFolder }: Marketplace,
): Installed | undefined {
  const choices = (Array.isArray(entry) ? entry : [entry]).filter(isRecord);
  const forProject = projects
    .map((dir) =>
      choices.find(({ projectPath }) => typeof projectPath === 'string' && path.resolve(projectPath) === dir),
    )
    .find((choice) => choice !== undefined);
  const chosen =
    forProject ??
    choices.find(({ projectPath, scope }) => projectPath === undefined && scope !== 'project' && scope !== 'local') ??
    // Plugins of a folder are not installed per project, because Claude Code reads them in place.
    (isFolder ? choices[0] : undefined);
  if (!chosen) return undefined;
  const marketplace = marketplaceOf(id);
  return {
    id,
    plugin: marketplace === undefined ? id : id.slice(0, id.lastIndexOf('@')),
    marketplace,
    installPath: typeof chosen['installPath'] === 'string' ? chosen['installPath'] : undefined,
  };
}

/**
 * Returns the reason why a plugin is disabled, if it is. As in Claude Code, only `true` in `enabledPlugins` enables a plugin. If no
 * settings have that key, all are enabled. Later files win: user, then the project from its root to the working folder, shared
 * before local.
 */
function readSwitches(
  tree: FileTree,
  options: PluginOptions,
  diagnostics: Diagnostic[],
): (id: string) => string | undefined {
  const own = path.join(options.claudeDir, 'settings.json');
  const inProject = readingInside(options.projects.at(-1) ?? '.', tree);
  const files = [
    own,
    ...[...options.projects]
      .reverse()
      .flatMap((dir) => [path.join(dir, '.claude/settings.json'), path.join(dir, '.claude/settings.local.json')]),
  ];
  const states = new Map<string, { on: boolean; file: string }>();
  let last: string | undefined;
  for (const file of new Set(files)) {
    const read = readJsonFile(file === own ? tree : inProject, file);
    if (read.kind === 'broken')
      diagnostics.push(pluginsFileInvalid.at({ path: file, message: read.reason, severity: 'warning' }));
    const enabled = read.kind === 'value' && isRecord(read.value) ? read.value['enabledPlugins'] : undefined;
    if (!isRecord(enabled)) continue;
    last = file;
    for (const [id, state] of Object.entries(enabled)) states.set(id, { on: state === true, file });
  }
  return (id) => {
    const state = states.get(id);
    if (last === undefined || state?.on) return undefined;
    return state
      ? `the plugin "${id}" is off in enabledPlugins of ${state.file}`
      : `the plugin "${id}" is not in enabledPlugins of ${last}`;
  };
}

function rootsOf(
  tree: FileTree,
  installed: Installed,
  marketplace: Marketplace,
  pluginsRoot: string,
  file: string,
  diagnostics: Diagnostic[],
): Root[] {
  const home = findPluginFolder(tree, installed, marketplace, pluginsRoot);
  if (home === undefined) {
    diagnostics.push(
      pluginMissing.at({ path: file, message: `plugin "${installed.id}" is installed but its folder is gone` }),
    );
    return [];
  }
  if (marketplace.isKnown === false)
    diagnostics.push(
      pluginMarketplaceUnknown.at({
        path: home,
        message: `Claude Code does not know the marketplace of "${installed.id}", so it would not load the plugin`,
      }),
    );
  const root = (dir: string): Root => ({
    provider: 'claude',
    location: 'plugin',
    plugin: installed.plugin,
    explicit: false,
    dir,
    ...(installed.marketplace === undefined ? {} : { marketplace: installed.marketplace }),
  });
  const hasFolder = hasEntries(tree, path.join(home, 'skills'));
  const named = pathsOf(readManifest(tree, home, diagnostics)?.['skills']).flatMap((entry) => {
    const dir = path.resolve(home, entry);
    if (isInside(home, dir)) return [root(dir)];
    diagnostics.push(
      pluginPathOutside.at({
        path: path.join(home, '.claude-plugin/plugin.json'),
        message: `plugin "${installed.id}" names "${entry}"`,
      }),
    );
    return [];
  });
  const isOneSkill = !hasFolder && entriesOf(tree, home).some(({ name }) => name === ENABLED_NAME);
  return [...(hasFolder ? [root(path.join(home, 'skills'))] : []), ...(isOneSkill ? [root(home)] : []), ...named];
}

function findPluginFolder(
  tree: FileTree,
  { plugin, installPath }: Installed,
  { dir: marketplaceDir, isFolder }: Marketplace,
  pluginsRoot: string,
): string | undefined {
  const installed = installPath === undefined ? undefined : installedFolder(installPath, pluginsRoot);
  const inMarketplace = (): string | undefined => {
    if (marketplaceDir === undefined) return undefined;
    const source = readListing(tree, marketplaceDir, plugin)?.['source'];
    const candidates = [...(typeof source === 'string' ? [source] : []), `plugins/${plugin}`, plugin];
    return candidates
      .map((below) => path.resolve(marketplaceDir, below))
      .find((dir) => isInside(marketplaceDir, dir) && hasEntries(tree, dir));
  };
  const found = isFolder ? inMarketplace() : undefined;
  if (found !== undefined) return found;
  return installed !== undefined && hasEntries(tree, installed) ? installed : inMarketplace();
}

/** A relative path is resolved against the plugin root, and must stay inside it. */
function installedFolder(installPath: string, pluginsRoot: string): string | undefined {
  if (path.isAbsolute(installPath)) return installPath;
  const dir = path.resolve(pluginsRoot, installPath);
  return isInside(pluginsRoot, dir) ? dir : undefined;
}

function findMarketplace(tree: FileTree, marketplace: string | undefined, pluginsRoot: string): Marketplace {
  if (marketplace === undefined) return { dir: undefined, isKnown: undefined, isFolder: false };
  const known = readJsonFile(tree, path.join(pluginsRoot, 'known_marketplaces.json'));
  const list = known.kind === 'value' && isRecord(known.value) ? known.value : undefined;
  const entry = list && Object.hasOwn(list, marketplace) ? list[marketplace] : undefined;
  const installed =
    isRecord(entry) && typeof entry['installLocation'] === 'string' ? entry['installLocation'] : undefined;
  const marketplaces = path.join(pluginsRoot, 'marketplaces');
  const beside = path.resolve(marketplaces, marketplace);
  const dir = [installed, isInside(marketplaces, beside) ? beside : undefined].find(
    (each) => each !== undefined && path.isAbsolute(each) && hasEntries(tree, each),
  );
  const source = isRecord(entry) && isRecord(entry['source']) ? entry['source']['source'] : undefined;
  return { dir, isKnown: list && isRecord(entry), isFolder: source === 'directory' };
}

function readListing(tree: FileTree, marketplaceDir: string, plugin: string): Record<string, unknown> | undefined {
  const read = readJsonFile(tree, path.join(marketplaceDir, '.claude-plugin/marketplace.json'));
  const plugins = read.kind === 'value' && isRecord(read.value) ? read.value['plugins'] : undefined;
  return Array.isArray(plugins) ? plugins.filter(isRecord).find(({ name }) => name === plugin) : undefined;
}

function readManifest(tree: FileTree, home: string, diagnostics: Diagnostic[]): Record<string, unknown> | undefined {
  const file = path.join(home, '.claude-plugin/plugin.json');
  const read = readJsonFile(tree, file);
  if (read.kind === 'broken')
    diagnostics.push(pluginsFileInvalid.at({ path: file, message: read.reason, severity: 'warning' }));
  return read.kind === 'value' && isRecord(read.value) ? read.value : undefined;
}

function pathsOf(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}

function hasEntries(tree: FileTree, dir: string): boolean {
  return entriesOf(tree, dir).length > 0;
}
