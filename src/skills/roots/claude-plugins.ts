/**
 * The skills of installed Claude Code plugins. Reads the files of Claude Code (installed_plugins.json, settings, the
 * marketplaces' manifests) and never walks its cache, which also has old versions.
 */
import path from 'node:path';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { entriesOf } from '../../core/disk/answers.ts';
import { readingInside } from '../../core/disk/confined.ts';
import type { FileTree } from '../../core/disk/tree.ts';
import { isInside } from '../../core/inside.ts';
import { isRecord, readJsonFile } from '../../core/json-file.ts';
import { pluginMissing, pluginPathOutside, pluginsFileInvalid } from '../codes.ts';
import { ENABLED_NAME } from '../skill.ts';
import type { Root } from './plan.ts';

export interface PluginOptions {
  /** The folder of Claude Code in the home, with settings.json and plugins/. */
  claudeDir: string;
  pluginsFile: string | undefined;
  pluginsRoot: string | undefined;
  /** The project's folders, nearest first. */
  projects: readonly string[];
}

interface Installed {
  id: string;
  plugin: string;
  marketplace: string | undefined;
  installPath: string | undefined;
}

export function planPluginRoots(tree: FileTree, options: PluginOptions): { roots: Root[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const pluginsRoot = options.pluginsRoot ?? path.join(options.claudeDir, 'plugins');
  const file = options.pluginsFile ?? path.join(pluginsRoot, 'installed_plugins.json');
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
        // The rest of the catalog does not depend on it, and in a container the home is often closed.
        ...(reason === 'permission denied' ? { severity: 'warning' } : {}),
        ...(read.kind === 'broken' && read.line !== undefined ? { line: read.line } : {}),
      }),
    );
    return { roots: [], diagnostics };
  }
  const switchedOff = readSwitchedOff(tree, options, diagnostics);
  const roots = Object.entries(plugins)
    .map(([id, entry]) => chooseInstallation(id, entry, options.projects))
    .filter((installed): installed is Installed => installed !== undefined && !switchedOff.has(installed.id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((installed) => rootsOf(tree, installed, pluginsRoot, file, diagnostics));
  return { roots, diagnostics };
}

/** Version 1 has one object for each plugin, version 2 a list with scopes. Both are accepted whatever version the file has. */
function chooseInstallation(id: string, entry: unknown, projects: readonly string[]): Installed | undefined {
  const choices = (Array.isArray(entry) ? entry : [entry]).filter(isRecord);
  const forProject = projects
    .map((dir) =>
      choices.find(({ projectPath }) => typeof projectPath === 'string' && path.resolve(projectPath) === dir),
    )
    .find((choice) => choice !== undefined);
  const chosen =
    forProject ??
    choices.find(({ projectPath, scope }) => projectPath === undefined && scope !== 'project' && scope !== 'local');
  if (!chosen) return undefined;
  const at = id.lastIndexOf('@');
  return {
    id,
    plugin: at > 0 ? id.slice(0, at) : id,
    marketplace: at > 0 ? id.slice(at + 1) : undefined,
    installPath: typeof chosen['installPath'] === 'string' ? chosen['installPath'] : undefined,
  };
}

/** Later files win: user, then the project from its root to the working folder, shared before local. */
function readSwitchedOff(tree: FileTree, options: PluginOptions, diagnostics: Diagnostic[]): Set<string> {
  const own = path.join(options.claudeDir, 'settings.json');
  const inProject = readingInside(options.projects.at(-1) ?? '.', tree);
  const files = [
    own,
    ...[...options.projects]
      .reverse()
      .flatMap((dir) => [path.join(dir, '.claude/settings.json'), path.join(dir, '.claude/settings.local.json')]),
  ];
  const off = new Set<string>();
  for (const file of new Set(files)) {
    const read = readJsonFile(file === own ? tree : inProject, file);
    if (read.kind === 'broken')
      diagnostics.push(pluginsFileInvalid.at({ path: file, message: read.reason, severity: 'warning' }));
    const enabled = read.kind === 'value' && isRecord(read.value) ? read.value['enabledPlugins'] : undefined;
    if (!isRecord(enabled)) continue;
    for (const [id, state] of Object.entries(enabled)) {
      if (state === false) off.add(id);
      else off.delete(id);
    }
  }
  return off;
}

function rootsOf(
  tree: FileTree,
  installed: Installed,
  pluginsRoot: string,
  file: string,
  diagnostics: Diagnostic[],
): Root[] {
  const marketplaceDir =
    installed.marketplace === undefined ? undefined : findMarketplace(tree, installed.marketplace, pluginsRoot);
  const listing = marketplaceDir === undefined ? undefined : readListing(tree, marketplaceDir, installed.plugin);
  const home = findPluginFolder(tree, installed, marketplaceDir, listing);
  if (home === undefined) {
    diagnostics.push(
      pluginMissing.at({ path: file, message: `plugin "${installed.id}" is installed but its folder is gone` }),
    );
    return [];
  }
  const base = { provider: 'claude', location: 'plugin', plugin: installed.plugin, explicit: false } as const;
  const root = (dir: string): Root => ({
    ...base,
    dir,
    ...(installed.marketplace === undefined ? {} : { marketplace: installed.marketplace }),
  });
  const named = pathsOf(listing?.['skills']) ?? pathsOf(readManifest(tree, home, diagnostics)?.['skills']);
  if (named) {
    return named.flatMap((entry) => {
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
  }
  if (hasEntries(tree, path.join(home, 'skills'))) return [root(path.join(home, 'skills'))];
  return entriesOf(tree, home).some(({ name }) => name === ENABLED_NAME) ? [root(home)] : [];
}

function findPluginFolder(
  tree: FileTree,
  installed: Installed,
  marketplaceDir: string | undefined,
  listing: Record<string, unknown> | undefined,
): string | undefined {
  if (
    installed.installPath !== undefined &&
    path.isAbsolute(installed.installPath) &&
    hasEntries(tree, installed.installPath)
  )
    return installed.installPath;
  if (marketplaceDir === undefined) return undefined;
  const source = typeof listing?.['source'] === 'string' ? listing['source'] : undefined;
  const candidates = [source, `plugins/${installed.plugin}`, installed.plugin].filter((below) => below !== undefined);
  return candidates
    .map((below) => path.resolve(marketplaceDir, below))
    .find((dir) => isInside(marketplaceDir, dir) && hasEntries(tree, dir));
}

function findMarketplace(tree: FileTree, marketplace: string, pluginsRoot: string): string | undefined {
  const known = readJsonFile(tree, path.join(pluginsRoot, 'known_marketplaces.json'));
  const entry =
    known.kind === 'value' && isRecord(known.value) && Object.hasOwn(known.value, marketplace)
      ? known.value[marketplace]
      : undefined;
  const installed =
    isRecord(entry) && typeof entry['installLocation'] === 'string' ? entry['installLocation'] : undefined;
  const marketplaces = path.join(pluginsRoot, 'marketplaces');
  const beside = path.resolve(marketplaces, marketplace);
  return [installed, isInside(marketplaces, beside) ? beside : undefined].find(
    (dir) => dir !== undefined && path.isAbsolute(dir) && hasEntries(tree, dir),
  );
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

function pathsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function hasEntries(tree: FileTree, dir: string): boolean {
  return entriesOf(tree, dir).length > 0;
}
