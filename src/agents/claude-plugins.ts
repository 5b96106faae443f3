/** Finds the skills of Claude Code plugins like Claude Code does. The catalog accepts more. */
import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import {
  type FolderPlugin,
  folderPlugins,
  INSTALLED_PLUGINS,
  type InstalledPlugin,
  isPluginSkill,
  listedSource,
  readInstalledPlugins,
  readPluginManifest,
} from '../skills/roots/claude-files.ts';
import type { AgentSettings } from './settings.ts';
import { claudeFolder, type Surroundings } from './surroundings.ts';

export interface PluginPlace {
  /** `plugin@marketplace`, or only the name of the plugin. */
  id: string;
  plugin: string;
  dir: string;
  /** True if the folder itself is the skill. */
  single: boolean;
  /** Set for a plugin in the personal skills folder. */
  isInSkillsFolder?: true;
  /** Reason why its skills are not listed. */
  hidden?: Hidden;
}

export interface Hidden {
  status: 'disabled' | 'not-read' | 'unknown';
  reason: string;
  fix: string;
}

export interface ClaudePlugins {
  places: PluginPlace[];
  /** Personal skills that are the folder of a plugin that is off, by folder. */
  hidden: ReadonlyMap<string, Hidden>;
}

/** Plugins from marketplaces precede those in the personal skills folder. */
export function claudePlugins(tree: FileTree, at: Surroundings, settings: AgentSettings): ClaudePlugins {
  const claudeDir = claudeFolder(at);
  if (claudeDir === undefined) return { places: [], hidden: new Map() };
  const installed = installedPlaces(tree, claudeDir, at, settings);
  const own = folderPlugins(tree, path.join(claudeDir, 'skills'));
  const whyHidden = hiddenFolders(installed, own, settings);
  const inSkills = own.flatMap((plugin) =>
    plugin.skills.map((dir): PluginPlace => {
      const hidden = whyHidden(plugin);
      const single = isPluginSkill(tree, dir);
      return {
        id: plugin.id,
        plugin: plugin.plugin,
        dir,
        single,
        isInSkillsFolder: true,
        ...(hidden ? { hidden } : {}),
      };
    }),
  );
  const off = own.flatMap((plugin): [string, Hidden][] => {
    const hidden = whyHidden(plugin);
    return hidden?.status === 'disabled' ? [[plugin.dir, hidden]] : [];
  });
  return { places: [...installed, ...inSkills], hidden: new Map(off) };
}

/** Only the first plugin with a name is loaded. Those in the skills folder come in the order of the file system. */
function hiddenFolders(
  installed: readonly PluginPlace[],
  own: readonly FolderPlugin[],
  settings: AgentSettings,
): (plugin: FolderPlugin) => Hidden | undefined {
  const taken = new Set(installed.flatMap(({ id, plugin }) => (settings.plugins.has(id) ? [plugin] : [])));
  const counts = new Map<string, number>();
  for (const { plugin } of own) counts.set(plugin, (counts.get(plugin) ?? 0) + 1);
  return ({ id, plugin, dir }) => {
    if (settings.plugins.get(id) === false)
      return {
        status: 'disabled',
        reason: `the plugin ${id} is switched off in the settings`,
        fix: `claude plugin enable ${id}`,
      };
    const fix = `Change the name in ${path.join(dir, '.claude-plugin/plugin.json')}`;
    if (taken.has(plugin))
      return { status: 'not-read', reason: `Claude Code uses another plugin with the name ${plugin}`, fix };
    if ((counts.get(plugin) ?? 0) < 2) return undefined;
    return {
      status: 'unknown',
      reason: `several plugins have the name ${plugin}, and which one Claude Code uses depends on the file system`,
      fix,
    };
  };
}

function installedPlaces(tree: FileTree, claudeDir: string, at: Surroundings, settings: AgentSettings): PluginPlace[] {
  const pluginsRoot = path.join(claudeDir, 'plugins');
  const read = readInstalledPlugins(tree, path.join(pluginsRoot, INSTALLED_PLUGINS), pluginsRoot);
  if (read.kind !== 'value') return [];
  // Claude Code loads plugins in the order of its settings, not in that of their names.
  const order = new Map([...settings.plugins.keys()].map((id, index) => [id, index]));
  const positionOf = ({ id }: InstalledPlugin): number => order.get(id) ?? order.size;
  const plugins = [...read.plugins].sort((a, b) => positionOf(a) - positionOf(b));
  return plugins.flatMap((installed) => {
    const { plugin, installations, known } = installed;
    const chosen =
      installations.find(({ projectPath, isForProject }) =>
        projectPath === undefined ? !isForProject : at.folders.includes(path.resolve(projectPath)),
      ) ?? (known?.isFolder ? installations[0] : undefined);
    const folder = known?.isFolder
      ? sourceFolder(tree, known.installLocation, plugin)
      : (chosen ?? installations[0])?.installPath;
    if (folder === undefined || !path.isAbsolute(folder)) return [];
    const hidden = whyHidden(installed, chosen !== undefined, settings, pluginsRoot);
    return skillFolders(tree, folder).map((place) => ({
      id: installed.id,
      plugin,
      ...place,
      ...(hidden ? { hidden } : {}),
    }));
  });
}

function whyHidden(
  { id, marketplace = '', known }: InstalledPlugin,
  isInstalledHere: boolean,
  settings: AgentSettings,
  pluginsRoot: string,
): PluginPlace['hidden'] {
  if (settings.plugins.get(id) !== true)
    return {
      status: 'disabled',
      reason: `the plugin ${id} is ${settings.plugins.has(id) ? 'switched off' : 'not switched on'} in the settings`,
      fix: `claude plugin enable ${id}`,
    };
  if (!known)
    return {
      status: 'not-read',
      reason: `Claude Code does not know the marketplace "${marketplace}", so it loads none of its plugins`,
      fix: `Add the marketplace with claude plugin marketplace add, so that it is in ${path.join(pluginsRoot, 'known_marketplaces.json')}`,
    };
  if (!isInstalledHere)
    return {
      status: 'not-read',
      reason: `the plugin ${id} is installed for another project`,
      fix: `claude plugin install ${id}`,
    };
  return undefined;
}

/** Plugins of a folder marketplace are read from that folder, not from their install location. */
function sourceFolder(tree: FileTree, dir: string | undefined, plugin: string): string | undefined {
  if (dir === undefined) return undefined;
  const folder = path.resolve(dir, listedSource(tree, dir, plugin) ?? plugin);
  return isInside(dir, folder) ? folder : undefined;
}

/** Returns `skills/` and the folders in the manifest. A SKILL.md of the plugin itself counts only without `skills/`. */
function skillFolders(tree: FileTree, folder: string): { dir: string; single: boolean }[] {
  const own = path.join(folder, 'skills');
  const named = readPluginManifest(tree, folder).skills;
  const all = new Set([...(isFolder(tree, own) ? [own] : []), ...named]);
  const dirs = [...all].map((dir) => ({ dir, single: isPluginSkill(tree, dir) }));
  return dirs.length === 0 && isPluginSkill(tree, folder) ? [{ dir: folder, single: true }] : dirs;
}
