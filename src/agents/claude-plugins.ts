/** Finds the skills of Claude Code plugins like Claude Code does. The catalog accepts more. */
import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import {
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
  /** Reason why its skills are not listed. */
  hidden?: { status: 'disabled' | 'not-read'; reason: string; fix: string };
}

export function pluginPlaces(tree: FileTree, at: Surroundings, settings: AgentSettings): PluginPlace[] {
  const claudeDir = claudeFolder(at);
  if (claudeDir === undefined) return [];
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
