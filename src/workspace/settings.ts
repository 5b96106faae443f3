/** Merges the options of the caller and the configuration files into the effective settings. */
import path from 'node:path';
import { checkFields, mismatchFailure } from '../core/fields/check.ts';
import type { Fields } from '../core/fields/field.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { expandHome } from '../core/home-path.ts';
import { echo } from '../core/text.ts';
import { folderNamed } from '../core/user-cache.ts';
import type { Discovery } from '../skills/discover.ts';
import { includedPaths, mapFilterPaths, type State } from '../skills/filter.ts';
import { projectFolders } from '../skills/roots/plan.ts';
import { type ConfigFile, readConfigFiles } from './config.ts';
import {
  configFields,
  type GivenSettings,
  type Setting,
  SETTINGS,
  SETTING_NAMES,
  type SettingDefinition,
  type SettingName,
  type Settings,
} from './settings-table.ts';

/** The options of a caller: every setting, and the folders to start from. Relative paths start at `projectDir`. */
export interface WorkspaceOptions extends GivenSettings {
  projectDir: string;
  /** The user's home. Undefined if there is none. */
  userDir?: string | undefined;
  /** Variables such as CODEX_HOME that move the agents' folders. Without them, only the folders below `userDir` count. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** false ignores the configuration files. */
  readConfig?: boolean | undefined;
}

/** Options of our own interfaces. Callers of the library cannot set them. */
export interface OpenOptions extends WorkspaceOptions {
  /** false skips skills, for commands that need only specs. */
  skills?: boolean;
  /** Set if the project folder was given explicitly. A missing folder is then an error instead of an empty project. */
  mustExist?: boolean;
  /** Searches the whole project for skills if there are none in the agents' folders. */
  collections?: boolean;
  /** Set if files never change. Then no earlier version of a skill has to be kept while its file is being written. */
  isImmutable?: boolean;
  /** Finds the files that the agent of `--for` reads itself, for every snapshot. */
  readNatively?:
    | ((files: FileTree, settings: Settings, discovery: Discovery) => Promise<ReadonlySet<string>>)
    | undefined;
  /** The state of the skills to serve. Enabled by default. */
  state?: State;
  /** Set if snapshots record the states of the folders and files that they depend on. */
  notesStates?: boolean;
  /** Set for one-shot commands: skips `stat`, and does not yield to other work during the scan. */
  oneShot?: boolean;
  /** How long a search may wait for its index before it falls back to keywords. By default, it waits until the index is ready. */
  searchPatienceMs?: number;
}

const OPTION_FIELDS: Fields = {
  projectDir: { type: 'text', help: 'The folder to start from; the working folder by default' },
  userDir: { type: 'text', help: 'The home folder; undefined for none' },
  environment: { type: 'map', of: { type: 'text' }, help: 'Variables that move the agents’ folders' },
  readConfig: { type: 'flag', help: 'false ignores the configuration files' },
};

/** The options of the library as fields, for checks and docs. */
export function optionFields(): Fields {
  return { ...OPTION_FIELDS, ...configFields() };
}

/** Fails with USAGE if an option is unknown or invalid. */
export function checkOptions(given: unknown): Partial<WorkspaceOptions> {
  const checked = checkFields(optionFields(), given);
  if (!('mismatch' in checked)) return checked.value as Partial<WorkspaceOptions>;
  throw mismatchFailure(checked.mismatch, {
    code: 'USAGE',
    name: (place) => `The option "${echo(place)}"`,
    whole: 'The options',
    unknown: 'option',
    details: ({ place }) => (place === '' ? { hint: 'For example: openCatalog({ projectDir: "." }).' } : {}),
  });
}

/** The folder with the user's configuration. */
export function userConfigFolder({ userDir, environment = {} }: WorkspaceOptions): string | undefined {
  const named = folderNamed(environment['XDG_CONFIG_HOME']);
  if (named !== undefined) return path.join(named, 'lectern');
  return userDir === undefined ? undefined : path.join(userDir, '.config', 'lectern');
}

/** Returns the effective settings, and the configuration files that were read. */
export function readSettings(
  tree: FileTree,
  options: WorkspaceOptions,
): { settings: Settings; files: readonly ConfigFile[] } {
  const { projectDir, userDir } = options;
  const files =
    options.readConfig === false
      ? []
      : readConfigFiles(tree, {
          projects: projectFolders(tree, projectDir).folders,
          userConfigDir: userConfigFolder(options),
          userDir,
        });
  const settings = Object.fromEntries(SETTING_NAMES.map((name) => [name, chooseSetting(name, options, files)]));
  // Every value was checked against the table that the type derives from.
  return { settings: settings as unknown as Settings, files };
}

/** Returns the first value given by the caller, the project's file or the user's file. Otherwise, returns the default. */
function chooseSetting(name: SettingName, options: WorkspaceOptions, files: readonly ConfigFile[]): Setting<unknown> {
  const definition: SettingDefinition = SETTINGS[name];
  const given = givenIn(options, name, definition);
  const { projectDir, userDir } = options;
  if (given !== undefined) return { value: placed(given, definition, projectDir, userDir), origin: 'flag' };
  for (const { config, origin, file, base } of files) {
    const value = givenIn(config, name, definition);
    if (value !== undefined) return { value: placed(value, definition, base, userDir), origin, file };
  }
  return { value: definition.default, origin: 'default' };
}

function givenIn(from: GivenSettings, name: SettingName, definition: SettingDefinition): unknown {
  const holder: Readonly<Record<string, unknown>> = (definition.in === undefined ? from : from[definition.in]) ?? {};
  return holder[name];
}

/** Makes the paths of a value absolute: relative paths start at `base`, and `~/` is the home. */
function placed(
  value: unknown,
  kinds: Pick<SettingDefinition, 'isPath' | 'isFilter'>,
  base: string,
  home: string | undefined,
): unknown {
  const { isPath = false, isFilter = false } = kinds;
  if (Array.isArray(value)) return value.map((each) => placed(each, kinds, base, home));
  if (isPath) return resolveDir(base, expandHome(String(value), home));
  return isFilter ? mapFilterPaths(String(value), (place) => expandHome(place, home)) : value;
}

/** Parses `DIR?scope=NAME`. A folder may have a question mark in its name, so only a well-formed suffix counts. */
function parseSkillDir(text: string): { dir: string; scope?: string } {
  const match = /^(?<dir>.*)\?scope=(?<scope>[^?&]+)$/su.exec(text);
  return match?.groups ? { dir: match.groups['dir'] ?? '', scope: match.groups['scope'] ?? '' } : { dir: text };
}

/** Returns the folders given explicitly: --skill-dir, and `file:` tokens of --include. */
function explicitSkillDirs(settings: Settings, projectDir: string): { dir: string; scope?: string }[] {
  return [
    ...settings.skillDir.value.map(parseSkillDir),
    ...includedPaths(settings.include.value, projectDir).map((dir) => ({ dir })),
  ];
}

/** Returns the settings that determine which folders are searched for skills. */
export function rootSettings({ projectDir, userDir, environment = {} }: WorkspaceOptions, settings: Settings) {
  return {
    projectDir,
    userDir,
    environment,
    skillDirs: explicitSkillDirs(settings, projectDir),
    vendoredRoot: settings.root.value,
    scanDefaultDirs: settings.scanDefaultDirs.value,
    priority: settings.priority.value,
    limits: { depth: settings.walkDepth.value, entries: settings.walkEntries.value },
  };
}

function resolveDir(base: string, text: string): string {
  const { dir, scope } = parseSkillDir(text);
  return path.resolve(base, dir) + (scope === undefined ? '' : `?scope=${scope}`);
}
