/**
 * Finds the skills of installed Claude Code plugins, by the policy of the catalog: problems are reported, and a plugin is also
 * found if Claude Code would not load it. Never walks the cache of Claude Code, which also contains old versions.
 */
import path from 'node:path';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { entriesOf } from '../../core/disk/answers.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import { isInside } from '../../core/inside.ts';
import { pluginMarketplaceUnknown, pluginMissing, pluginPathOutside, pluginsFileInvalid } from '../codes.ts';
import {
  folderPlugins,
  INSTALLED_PLUGINS,
  type InstalledPlugin,
  isPluginSkill,
  listedSource,
  pluginSwitches,
  readClaudeSettings,
  readInstalledPlugins,
  readPluginManifest,
  SKILLS_FOLDER,
} from './claude-files.ts';
import type { Root } from './plan.ts';

export interface PluginOptions {
  /** Folder of Claude Code in the home, with settings.json and plugins/. */
  claudeDir: string;
  pluginsFile: string | undefined;
  pluginsRoot: string | undefined;
  /** Project folders, nearest first. */
  projects: readonly string[];
}

/** Where to look for plugins, and whether Claude Code lists marketplaces there. */
interface PluginsPlace {
  file: string;
  pluginsRoot: string;
  hasMarketplaces: boolean;
}

export function planPluginRoots(tree: FileTree, options: PluginOptions): { roots: Root[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const pluginsRoot = options.pluginsRoot ?? path.join(options.claudeDir, 'plugins');
  const file = options.pluginsFile ?? path.join(pluginsRoot, INSTALLED_PLUGINS);
  const read = readInstalledPlugins(tree, file, pluginsRoot);
  if (read.kind === 'missing') return { roots: [], diagnostics };
  if (read.kind === 'broken') {
    const { reason, line } = read;
    diagnostics.push(
      pluginsFileInvalid.at({
        path: file,
        message: reason,
        // The rest of the catalog does not depend on it, and the home is often inaccessible in containers.
        ...(reason === 'permission denied' ? { severity: 'warning' } : {}),
        ...(line === undefined ? {} : { line }),
      }),
    );
    return { roots: [], diagnostics };
  }
  const whyOff = readSwitches(tree, options, diagnostics);
  const place: PluginsPlace = { file, pluginsRoot, hasMarketplaces: read.hasMarketplaces };
  const roots = read.plugins.flatMap((plugin): Root[] => {
    const installPath = chooseInstallation(plugin, options.projects);
    if (installPath === undefined) return [];
    const off = whyOff(plugin.id);
    const home = findPluginFolder(tree, plugin, installPath, place);
    if (off === undefined) return rootsOf(tree, plugin, { ...place, home }, diagnostics);
    // Problems of disabled plugins are not reported.
    return rootsOf(tree, plugin, { ...place, home }, []).map((root) => ({ ...root, off }));
  });
  // If plugins share a folder, it is searched for the enabled one.
  return { roots: roots.sort((a, b) => Number(a.off !== undefined) - Number(b.off !== undefined)), diagnostics };
}

/** Returns the skills of plugins in the personal skills folder. They are enabled unless the settings disable them. */
export function planFolderPlugins(
  tree: FileTree,
  { claudeDir, projects }: Pick<PluginOptions, 'claudeDir' | 'projects'>,
): Root[] {
  const plugins = folderPlugins(tree, path.join(claudeDir, 'skills'));
  if (plugins.length === 0) return [];
  const { states } = pluginSwitches(readClaudeSettings(tree, claudeDir, projects));
  return plugins.flatMap(({ id, plugin, skills }) => {
    const state = states.get(id);
    const off = state?.isOn === false ? offIn(id, state.file) : undefined;
    return skills.map((dir) => ({ ...pluginRoot(plugin, SKILLS_FOLDER, dir), ...(off === undefined ? {} : { off }) }));
  });
}

/** Returns the install path for this project, empty if the file has none. Undefined if the plugin is not installed here. */
function chooseInstallation(
  { installations, known }: InstalledPlugin,
  projects: readonly string[],
): string | undefined {
  const forProject = projects
    .map((dir) =>
      installations.find(({ projectPath }) => projectPath !== undefined && path.resolve(projectPath) === dir),
    )
    .find((installation) => installation !== undefined);
  const chosen =
    forProject ??
    installations.find(({ isForProject }) => !isForProject) ??
    // Plugins of a folder are not installed per project, because Claude Code reads them in place.
    (known?.isFolder ? installations[0] : undefined);
  return chosen && (chosen.installPath ?? '');
}

/** Returns the reason why a plugin is disabled, if it is. If no settings have `enabledPlugins`, all plugins are enabled. */
function readSwitches(
  tree: FileTree,
  { claudeDir, projects }: PluginOptions,
  diagnostics: Diagnostic[],
): (id: string) => string | undefined {
  const files = readClaudeSettings(tree, claudeDir, projects);
  for (const { file, problem } of files)
    if (problem !== undefined)
      diagnostics.push(pluginsFileInvalid.at({ path: file, message: problem, severity: 'warning' }));
  const { states, last } = pluginSwitches(files);
  return (id) => {
    const state = states.get(id);
    if (last === undefined || state?.isOn) return undefined;
    return state ? offIn(id, state.file) : `the plugin "${id}" is not in enabledPlugins of ${last}`;
  };
}

function offIn(id: string, file: string): string {
  return `the plugin "${id}" is off in enabledPlugins of ${file}`;
}

function pluginRoot(plugin: string, marketplace: string | undefined, dir: string): Root {
  return {
    provider: 'claude',
    location: 'plugin',
    plugin,
    explicit: false,
    dir,
    ...(marketplace === undefined ? {} : { marketplace }),
  };
}

function rootsOf(
  tree: FileTree,
  { id, plugin, marketplace, known }: InstalledPlugin,
  { file, hasMarketplaces, home }: PluginsPlace & { home: string | undefined },
  diagnostics: Diagnostic[],
): Root[] {
  if (home === undefined) {
    diagnostics.push(
      pluginMissing.at({ path: file, message: `plugin "${id}" is installed but its folder is missing` }),
    );
    return [];
  }
  if (hasMarketplaces && marketplace !== undefined && !known)
    diagnostics.push(
      pluginMarketplaceUnknown.at({
        path: home,
        message: `Claude Code does not know the marketplace of "${id}", so it would not load the plugin`,
      }),
    );
  const root = (dir: string): Root => pluginRoot(plugin, marketplace, dir);
  const hasFolder = hasEntries(tree, path.join(home, 'skills'));
  const manifest = readPluginManifest(tree, home);
  if (manifest.problem !== undefined)
    diagnostics.push(pluginsFileInvalid.at({ path: manifest.file, message: manifest.problem, severity: 'warning' }));
  for (const entry of manifest.outside)
    diagnostics.push(pluginPathOutside.at({ path: manifest.file, message: `plugin "${id}" names "${entry}"` }));
  const isOneSkill = !hasFolder && isPluginSkill(tree, home);
  return [
    ...(hasFolder ? [root(path.join(home, 'skills'))] : []),
    ...(isOneSkill ? [root(home)] : []),
    ...manifest.skills.map(root),
  ];
}

function findPluginFolder(
  tree: FileTree,
  { plugin, marketplace, known }: InstalledPlugin,
  installPath: string,
  { pluginsRoot }: PluginsPlace,
): string | undefined {
  const installed = installPath === '' ? undefined : installedFolder(installPath, pluginsRoot);
  const inMarketplace = (): string | undefined => {
    const dir = findMarketplaceFolder(tree, marketplace, known?.installLocation, pluginsRoot);
    if (dir === undefined) return undefined;
    const source = listedSource(tree, dir, plugin);
    return [...(source === undefined ? [] : [source]), `plugins/${plugin}`, plugin]
      .map((below) => path.resolve(dir, below))
      .find((each) => isInside(dir, each) && hasEntries(tree, each));
  };
  const found = known?.isFolder ? inMarketplace() : undefined;
  if (found !== undefined) return found;
  return installed !== undefined && hasEntries(tree, installed) ? installed : inMarketplace();
}

/** A relative path is resolved against the plugin root, and must stay inside it. */
function installedFolder(installPath: string, pluginsRoot: string): string | undefined {
  if (path.isAbsolute(installPath)) return installPath;
  const dir = path.resolve(pluginsRoot, installPath);
  return isInside(pluginsRoot, dir) ? dir : undefined;
}

/** Returns the folder where Claude Code keeps a marketplace: the one that it lists, or the default one. */
function findMarketplaceFolder(
  tree: FileTree,
  marketplace: string | undefined,
  installLocation: string | undefined,
  pluginsRoot: string,
): string | undefined {
  if (marketplace === undefined) return undefined;
  const marketplaces = path.join(pluginsRoot, 'marketplaces');
  const usual = path.resolve(marketplaces, marketplace);
  return [installLocation, isInside(marketplaces, usual) ? usual : undefined].find(
    (each) => each !== undefined && path.isAbsolute(each) && hasEntries(tree, each),
  );
}

function hasEntries(tree: FileTree, dir: string): boolean {
  return entriesOf(tree, dir).length > 0;
}
