/** What was asked for by flags or by the library's caller, merged with the configuration files into one set of values. */
import path from 'node:path';
import type { FileTree } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { includedPaths } from '../skills/filter.ts';
import { projectFolders } from '../skills/roots/plan.ts';
import type { Config } from './config-schema.ts';
import { chooseSetting, type ConfigFile, readConfigFiles, type Setting } from './config.ts';
import { chooseServerSettings, type ServerOptions, type ServerSettings } from './server-settings.ts';

/** What a caller may ask for. Everything is optional but the folders it stands in; relative paths start from `projectDir`. */
export interface WorkspaceOptions extends ServerOptions {
  projectDir: string;
  /** The user's home; undefined where there is none. */
  userDir?: string | undefined;
  /** The environment whose variables move the agents' folders. Leave it out to look at the folders below `userDir` only. */
  environment?: Readonly<Record<string, string | undefined>>;
  skillDir?: readonly string[] | undefined;
  root?: string | undefined;
  skipPlugins?: boolean | undefined;
  pluginsFile?: string | undefined;
  pluginsRoot?: string | undefined;
  scanDefaultDirs?: boolean | undefined;
  priority?: 'contract' | 'project-first' | undefined;
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  search?: SearchSettings | undefined;
  /** Folders of specs and changes, instead of those that are found. */
  specsDir?: string | undefined;
  changesDir?: string | undefined;
  /** false leaves the skills out, for whoever asks about specs only. */
  skills?: boolean | undefined;
  limits?: { walkDepth?: number | undefined; walkEntries?: number | undefined } | undefined;
  /** false ignores the configuration files. */
  readConfig?: boolean | undefined;
  /** true where somebody named the project folder: a folder that does not exist is then a mistake, not an empty project. */
  mustExist?: boolean | undefined;
  /** true where nothing else waits for the event loop while files are read: a command that ends with its answer. */
  alone?: boolean | undefined;
  /** true where nobody will ask later what has changed: the stamps of the skills are then left out. */
  once?: boolean | undefined;
}

type SearchSettings = NonNullable<Config['search']>;

export interface Settings extends ServerSettings {
  skillDir: Setting<string[]>;
  root: Setting<string | undefined>;
  skipPlugins: Setting<boolean>;
  pluginsFile: Setting<string | undefined>;
  pluginsRoot: Setting<string | undefined>;
  scanDefaultDirs: Setting<boolean>;
  priority: Setting<'contract' | 'project-first'>;
  include: Setting<string[]>;
  exclude: Setting<string[]>;
  embeddings: Setting<'bundled' | 'endpoint' | 'none'>;
  endpoint: Setting<SearchSettings['endpoint']>;
  specsDir: Setting<string | undefined>;
  changesDir: Setting<string | undefined>;
  walkDepth: Setting<number>;
  walkEntries: Setting<number>;
}

export interface ReadSettings {
  settings: Settings;
  files: ConfigFile[];
}

export async function readSettings(tree: FileTree, options: WorkspaceOptions): Promise<ReadSettings> {
  const { projectDir, userDir, environment = {} } = options;
  const { folders } = projectFolders(tree, projectDir);
  const configHome =
    folderNamed(environment['XDG_CONFIG_HOME']) ?? (userDir === undefined ? undefined : path.join(userDir, '.config'));
  const files =
    options.readConfig === false
      ? []
      : await readConfigFiles(tree, {
          projects: folders,
          userConfigDir: configHome === undefined ? undefined : path.join(configHome, 'lectern'),
          userDir,
        });
  const from = (base: string) => (place: string) => resolveDir(base, place);
  const here = from(projectDir);
  const settings: Settings = {
    skillDir: chooseSetting(options.skillDir?.map(here), files, (config, base) => config.skillDir?.map(from(base)), []),
    root: chooseSetting(
      options.root && here(options.root),
      files,
      (config, base) => config.root && from(base)(config.root),
      undefined,
    ),
    skipPlugins: chooseSetting(options.skipPlugins, files, (config) => config.skipPlugins, false),
    pluginsFile: chooseSetting(
      options.pluginsFile && here(options.pluginsFile),
      files,
      (config, base) => config.pluginsFile && from(base)(config.pluginsFile),
      undefined,
    ),
    pluginsRoot: chooseSetting(
      options.pluginsRoot && here(options.pluginsRoot),
      files,
      (config, base) => config.pluginsRoot && from(base)(config.pluginsRoot),
      undefined,
    ),
    scanDefaultDirs: chooseSetting(options.scanDefaultDirs, files, (config) => config.scanDefaultDirs, true),
    priority: chooseSetting(options.priority, files, (config) => config.priority, 'contract'),
    include: chooseSetting(copy(options.include), files, (config) => config.include, []),
    exclude: chooseSetting(copy(options.exclude), files, (config) => config.exclude, []),
    embeddings: chooseSetting(options.search?.embeddings, files, (config) => config.search?.embeddings, 'bundled'),
    endpoint: chooseSetting(options.search?.endpoint, files, (config) => config.search?.endpoint, undefined),
    specsDir: chooseSetting(
      options.specsDir && here(options.specsDir),
      files,
      (config, base) => config.specsDir && from(base)(config.specsDir),
      undefined,
    ),
    changesDir: chooseSetting(
      options.changesDir && here(options.changesDir),
      files,
      (config, base) => config.changesDir && from(base)(config.changesDir),
      undefined,
    ),
    walkDepth: chooseSetting(
      options.limits?.walkDepth,
      files,
      (config) => config.limits?.walkDepth,
      LIMITS.walkDepth.value,
    ),
    walkEntries: chooseSetting(
      options.limits?.walkEntries,
      files,
      (config) => config.limits?.walkEntries,
      LIMITS.walkEntries.value,
    ),
    ...chooseServerSettings(options, files),
  };
  return { settings, files };
}

/** `DIR?scope=NAME`. A folder may have a question mark in its name, so only a well-formed ending counts. */
function parseSkillDir(text: string): { dir: string; scope?: string } {
  const match = /^(?<dir>.*)\?scope=(?<scope>[^?&]+)$/su.exec(text);
  return match?.groups ? { dir: match.groups['dir'] ?? '', scope: match.groups['scope'] ?? '' } : { dir: text };
}

/** The folders searched because somebody named them: --skill-dir, and `file:` tokens of --include. */
export function explicitSkillDirs(settings: Settings, projectDir: string): { dir: string; scope?: string }[] {
  return [
    ...settings.skillDir.value.map(parseSkillDir),
    ...includedPaths(settings.include.value, projectDir).map((dir) => ({ dir })),
  ];
}

/** The folder that a variable of the environment names. One that is empty or relative names none: nobody knows relative to what. */
export function folderNamed(value: string | undefined): string | undefined {
  return value !== undefined && path.isAbsolute(value) ? value : undefined;
}

function resolveDir(base: string, text: string): string {
  const { dir, scope } = parseSkillDir(text);
  return path.resolve(base, dir) + (scope === undefined ? '' : `?scope=${scope}`);
}

function copy(values: readonly string[] | undefined): string[] | undefined {
  return values === undefined ? undefined : [...values];
}
