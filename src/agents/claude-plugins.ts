/** Finds the skills of Claude Code plugins like Claude Code does. The catalog accepts more. */
import path from 'node:path';
import { entriesOf, isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { isRecord } from '../core/json-file.ts';
import { type AgentSettings, claudeFolder, recordIn, type Surroundings } from './settings.ts';

export interface PluginPlace {
  plugin: string;
  dir: string;
  /** True if the folder itself is the skill. */
  single: boolean;
  /** Reason why its skills are not listed. */
  hidden?: { status: 'disabled' | 'not-read'; reason: string; fix: string };
}

export function pluginPlaces(tree: FileTree, at: Surroundings, settings: AgentSettings): PluginPlace[] {
  const home = claudeFolder(at);
  if (home === undefined) return [];
  const installed = recordIn(tree, path.join(home, 'plugins/installed_plugins.json'))['plugins'];
  const known = recordIn(tree, path.join(home, 'plugins/known_marketplaces.json'));
  if (!isRecord(installed)) return [];
  return Object.entries(installed)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, entry]) => {
      const cut = id.lastIndexOf('@');
      const [plugin, name] = cut > 0 ? [id.slice(0, cut), id.slice(cut + 1)] : [id, ''];
      const marketplace = Object.hasOwn(known, name) && isRecord(known[name]) ? known[name] : undefined;
      const isDirectory = isRecord(marketplace?.['source']) && marketplace['source']['source'] === 'directory';
      const choices = (Array.isArray(entry) ? entry : [entry]).filter(isRecord);
      const chosen = choices.find((each) => isForProject(each, at)) ?? (isDirectory ? choices[0] : undefined);
      const folder = isDirectory
        ? sourceFolder(tree, marketplace, plugin)
        : textIn((chosen ?? choices[0])?.['installPath']);
      if (folder === undefined || !path.isAbsolute(folder)) return [];
      const hidden = whyHidden(id, name, marketplace !== undefined, chosen !== undefined, settings, home);
      return skillFolders(tree, folder).map((place) => ({ plugin, ...place, ...(hidden ? { hidden } : {}) }));
    });
}

function whyHidden(
  id: string,
  marketplace: string,
  isKnown: boolean,
  isInstalledHere: boolean,
  settings: AgentSettings,
  home: string,
): PluginPlace['hidden'] {
  if (settings.plugins.get(id) !== true)
    return {
      status: 'disabled',
      reason: `the plugin ${id} is ${settings.plugins.has(id) ? 'switched off' : 'not switched on'} in the settings`,
      fix: `claude plugin enable ${id}`,
    };
  if (!isKnown)
    return {
      status: 'not-read',
      reason: `Claude Code does not know the marketplace "${marketplace}", so it loads none of its plugins`,
      fix: `Add the marketplace with claude plugin marketplace add, so that it is in ${path.join(home, 'plugins/known_marketplaces.json')}`,
    };
  if (!isInstalledHere)
    return {
      status: 'not-read',
      reason: `the plugin ${id} is installed for another project`,
      fix: `claude plugin install ${id}`,
    };
  return undefined;
}

function isForProject({ projectPath, scope }: Record<string, unknown>, { folders }: Surroundings): boolean {
  if (typeof projectPath === 'string') return folders.includes(path.resolve(projectPath));
  return scope !== 'project' && scope !== 'local';
}

/** Plugins of a folder marketplace are read from that folder, not from their install location. */
function sourceFolder(
  tree: FileTree,
  marketplace: Record<string, unknown> | undefined,
  plugin: string,
): string | undefined {
  const dir = textIn(marketplace?.['installLocation']);
  if (dir === undefined) return undefined;
  const listed = recordIn(tree, path.join(dir, '.claude-plugin/marketplace.json'))['plugins'];
  const entry = Array.isArray(listed) ? listed.filter(isRecord).find(({ name }) => name === plugin) : undefined;
  const folder = path.resolve(dir, textIn(entry?.['source']) ?? plugin);
  return isInside(dir, folder) ? folder : undefined;
}

/** Returns `skills/` and the folders in the manifest. A SKILL.md of the plugin itself counts only without `skills/`. */
function skillFolders(tree: FileTree, folder: string): { dir: string; single: boolean }[] {
  const manifest = recordIn(tree, path.join(folder, '.claude-plugin/plugin.json'))['skills'];
  const named = (Array.isArray(manifest) ? manifest : [manifest])
    .filter((entry) => typeof entry === 'string')
    .map((entry) => path.resolve(folder, entry))
    .filter((dir) => isInside(folder, dir));
  const own = path.join(folder, 'skills');
  const hasOwn = isFolder(tree, own);
  const dirs = [...new Set([...(hasOwn ? [own] : []), ...named])].map((dir) => ({ dir, single: hasSkill(tree, dir) }));
  return dirs.length === 0 && hasSkill(tree, folder) ? [{ dir: folder, single: true }] : dirs;
}

function hasSkill(tree: FileTree, dir: string): boolean {
  return entriesOf(tree, dir).some(({ name }) => name === 'SKILL.md');
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
