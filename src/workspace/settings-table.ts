/** All settings. The configuration file, flags, library options, `doctor` and the reference page are derived from this table. */
import type { Field, Fields, ValueOf } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';

/** Groups of tools that a server can offer. */
export const TOOLSETS = ['skill', 'skills', 'specs', 'authoring'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Toolsets that a server offers by default. Tools for authors of skills would only distract other agents. */
export const AUTO_TOOLSETS: readonly Toolset[] = ['skill', 'skills', 'specs'];

/** `skills_list` or `skills.list`. Calls are accepted in both spellings. */
export const TOOL_NAMES = ['underscore', 'dotted'] as const;
export type ToolNames = (typeof TOOL_NAMES)[number];

/**
 * Settings that a command accepts together: those of every command, the folders of skills, filters for skills, the folders of
 * specs, those of every server, and those of a project's server.
 */
export type SettingGroup = 'global' | 'skills' | 'filters' | 'specs' | 'server' | 'project-server';

/** Groups of settings that decide which skills and specs are found, with their titles in help. */
export const DISCOVERY_GROUPS = {
  skills: 'Folders of skills',
  filters: 'Filters for skills',
  specs: 'Folders of specs',
} as const satisfies Partial<Record<SettingGroup, string>>;
export type DiscoveryGroup = keyof typeof DISCOVERY_GROUPS;

/** Valid values of `Host`: an ASCII name or an address, IPv6 in brackets. No patterns, schemes or paths. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::[0-9]{1,5})?$/iu;

export type SettingDefinition = Field & {
  /** The flag and its aliases. Settings without a flag are set by configuration only. */
  readonly flags?: readonly [string, ...string[]];
  /** For a switch: the value that the flag sets. */
  readonly sets?: boolean;
  /** The help of the flag, if it differs from that of the setting. */
  readonly flagHelp?: string;
  readonly placeholder?: string;
  readonly mayBeEmpty?: boolean;
  readonly group?: SettingGroup;
  /** A path, or a list of paths. Relative paths start from the project, or from the folder of the configuration file. */
  readonly isPath?: boolean;
  /** A list of filter tokens, of which `file:` tokens are paths. */
  readonly isFilter?: boolean;
  /** The object that holds the key in the configuration file. */
  readonly in?: (typeof NESTED_KEYS)[number];
  /**
   * Whether a project's file may set it. That file comes with a repository, so it may only set values that cannot widen access.
   * With a number, only lower values are accepted. A path must be inside the project.
   */
  readonly project?: true | number;
};

/** Keys of the configuration file that contain settings. */
export const NESTED_KEYS = ['search', 'limits'] as const;

/** Below the minimum, a server would do nothing but scan. Above the maximum, timers overflow. */
const REFRESH_INTERVAL_MS = { min: 100, max: 2_147_483_647, default: 30_000 } as const;

/** The budget of clients that show the least of a description. A project may only lower it. */
const DESCRIPTION_BUDGET_CHARACTERS = 4_000;

const ENDPOINT = {
  url: {
    type: 'text',
    required: true,
    help: 'An OpenAI-compatible server, such as http://127.0.0.1:11434/v1',
  },
  model: {
    type: 'text',
    required: true,
    help: 'The model. Its key, if it needs one, is read from LECTERN_EMBEDDINGS_KEY',
  },
  queryPrefix: { type: 'text', optional: true, help: 'Text before every query, for models that need it' },
  documentPrefix: { type: 'text', optional: true, help: 'Text before every indexed text, for models that need it' },
  floor: {
    type: 'number',
    min: -1,
    max: 1,
    optional: true,
    help: 'Lower cosines count as unrelated; measured from the documents by default',
  },
  batch: { type: 'integer', min: 1, max: 2048, optional: true, help: 'Texts in one request; 32 by default' },
  timeoutMs: {
    type: 'integer',
    min: 100,
    max: 600_000,
    optional: true,
    help: 'Timeout of one request in milliseconds; 30,000 by default',
  },
} as const satisfies Fields;

export const SETTINGS = {
  skillDir: {
    type: 'list',
    project: true,
    of: { type: 'text' },
    orOne: true,
    default: [],
    isPath: true,
    group: 'global',
    flags: ['--skill-dir'],
    placeholder: 'dir',
    help: 'Add a folder of skills that wins over all others; DIR or DIR?scope=NAME',
  },
  include: {
    type: 'list',
    project: true,
    of: { type: 'text' },
    orOne: true,
    default: [],
    group: 'filters',
    flags: ['--include'],
    placeholder: 'tokens',
    isFilter: true,
    mayBeEmpty: true,
    help: 'Keep only these skills: auto, all, a provider, provider:name, a name, @plugins, @plugins:P, @plugin:name, file:path; * and ? are wildcards',
  },
  exclude: {
    type: 'list',
    project: true,
    of: { type: 'text' },
    orOne: true,
    default: [],
    group: 'filters',
    flags: ['--exclude'],
    placeholder: 'tokens',
    isFilter: true,
    mayBeEmpty: true,
    help: 'Leave out these skills; takes the same tokens as --include',
  },
  root: {
    type: 'text',
    project: true,
    isPath: true,
    group: 'skills',
    flags: ['--root'],
    placeholder: 'dir',
    help: 'Use this folder instead of the project’s skills/',
  },
  skipPlugins: {
    type: 'flag',
    project: true,
    default: false,
    group: 'skills',
    flags: ['--no-plugins', '--skip-plugins'],
    sets: true,
    help: 'Leave out the skills of Claude Code plugins',
  },
  pluginsFile: {
    type: 'text',
    isPath: true,
    group: 'skills',
    flags: ['--plugins-file', '--claude-plugins-file'],
    placeholder: 'file',
    help: 'Read this installed_plugins.json',
  },
  pluginsRoot: {
    type: 'text',
    isPath: true,
    group: 'skills',
    flags: ['--plugins-root', '--claude-plugins-root'],
    placeholder: 'dir',
    help: 'Read Claude Code plugins from this folder',
  },
  scanDefaultDirs: {
    type: 'flag',
    project: true,
    default: true,
    group: 'skills',
    flags: ['--no-scan-default-dirs'],
    sets: false,
    flagHelp: 'Search only the folders named by flags or configuration',
    help: 'Search the agents’ own folders, not only those named by flags or configuration',
  },
  priority: {
    type: 'choice',
    project: true,
    choices: ['contract', 'project-first'],
    default: 'contract',
    group: 'skills',
    flags: ['--priority'],
    placeholder: 'order',
    help: 'contract: agent by agent, its project folders first; project-first: every project folder before every user folder',
  },
  specsDir: {
    type: 'text',
    project: true,
    isPath: true,
    group: 'specs',
    flags: ['--specs-dir'],
    placeholder: 'dir',
    help: 'Read specs from this folder instead of the detected one',
  },
  changesDir: {
    type: 'text',
    project: true,
    isPath: true,
    group: 'specs',
    flags: ['--changes-dir'],
    placeholder: 'dir',
    help: 'Read changes from this folder instead of the detected one',
  },
  embeddings: {
    type: 'choice',
    choices: ['bundled', 'endpoint', 'none'],
    default: 'bundled',
    in: 'search',
    help: 'Where vectors for search by meaning come from: the bundled model, an endpoint, or nowhere',
  },
  minScore: {
    type: 'number',
    min: 0,
    max: 1,
    in: 'search',
    help: 'search_specs leaves out results that score less',
  },
  searchMode: {
    type: 'choice',
    choices: ['auto', 'keyword'],
    default: 'auto',
    in: 'search',
    help: 'Default mode of skills_search',
  },
  endpoint: { type: 'object', fields: ENDPOINT, in: 'search', help: 'The embeddings endpoint' },
  walkDepth: {
    type: 'integer',
    project: LIMITS.walkDepth.value,
    min: 1,
    max: 256,
    default: LIMITS.walkDepth.value,
    in: 'limits',
    help: 'Levels searched below a root',
  },
  walkEntries: {
    type: 'integer',
    project: LIMITS.walkEntries.value,
    min: 1,
    max: 10_000_000,
    default: LIMITS.walkEntries.value,
    in: 'limits',
    help: 'Entries examined in one root',
  },
  usage: {
    type: 'flag',
    default: false,
    help: 'Count on this machine how often the server loads each skill; lectern usage shows the counts',
  },
  allowedHost: {
    type: 'list',
    of: { type: 'text', pattern: HOST, mustBe: 'a host name or an address, with or without a port' },
    orOne: true,
    default: [],
    group: 'server',
    flags: ['--allowed-host'],
    placeholder: 'host',
    help: 'Allow another host name (or host:port) in requests',
  },
  refreshInterval: {
    type: 'integer',
    project: true,
    ...REFRESH_INTERVAL_MS,
    group: 'project-server',
    flags: ['--refresh-interval'],
    placeholder: 'ms',
    help: 'Milliseconds between two scans',
  },
  autoIndex: {
    type: 'flag',
    default: true,
    group: 'project-server',
    flags: ['--no-auto-index'],
    sets: false,
    flagHelp: 'Spec search fails until the index of this project is built, such as by `lectern index`',
    help: 'Search specs without a build step; false: search_specs fails until `lectern index` or rebuild_index has run',
  },
  autoRefresh: {
    type: 'flag',
    project: true,
    default: true,
    group: 'project-server',
    flags: ['--no-refresh'],
    sets: false,
    flagHelp: 'Never rescan (no interval, no file watching)',
    help: 'Rescan while serving; false scans once, at the start',
  },
  watch: {
    type: 'flag',
    project: true,
    default: true,
    group: 'project-server',
    flags: ['--no-watch'],
    sets: false,
    flagHelp: 'Rescan at the interval only, without watching files',
    help: 'Watch the folders for changes between two scans',
  },
  tools: {
    type: 'list',
    project: true,
    of: { type: 'choice', choices: ['auto', ...TOOLSETS] },
    orOne: true,
    commas: true,
    default: ['auto'],
    group: 'project-server',
    flags: ['--tools'],
    placeholder: 'sets',
    help: 'Toolsets to offer: skill, skills, specs, authoring; auto omits authoring, and specs where there are none',
  },
  toolNames: {
    type: 'choice',
    project: true,
    choices: TOOL_NAMES,
    default: 'underscore',
    group: 'project-server',
    flags: ['--tool-names'],
    placeholder: 'form',
    flagHelp: 'Separate the words of tool names with underscores or dots',
    help: 'The spelling of tool names: skills_list or skills.list',
  },
  forAgent: {
    type: 'text',
    filled: true,
    max: 64,
    group: 'project-server',
    flags: ['--for'],
    placeholder: 'agent',
    help: 'Leave out of lists and search the skills that this agent reads itself, such as claude or codex; they still load by name',
  },
  catalog: {
    type: 'text',
    filled: true,
    group: 'project-server',
    flags: ['--catalog'],
    placeholder: 'url',
    help: 'Serve the skills and specs of this shared catalog too; the token is read from LECTERN_TOKEN, over HTTP from LECTERN_CATALOG_TOKEN',
  },
  serverName: {
    type: 'text',
    filled: true,
    max: 64,
    default: 'lectern',
    group: 'server',
    flags: ['--server-name'],
    placeholder: 'name',
    help: 'The name of the server in the protocol',
  },
  descriptionBudget: {
    type: 'integer',
    project: DESCRIPTION_BUDGET_CHARACTERS,
    min: 0,
    max: 10_000_000,
    group: 'project-server',
    flags: ['--description-budget'],
    placeholder: 'characters',
    help: 'Maximum length of the skill tool’s description, by default 4,000 or 16,000 depending on the client; 0 lists everything in full',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Without a default, a setting may be undefined. */
type SettingValue<K extends SettingName> = (typeof SETTINGS)[K] extends { default: unknown }
  ? Readonly<ValueOf<(typeof SETTINGS)[K]>>
  : Readonly<ValueOf<(typeof SETTINGS)[K]>> | undefined;

export type SettingOrigin = 'flag' | 'project' | 'user' | 'default';

export interface Setting<T> {
  readonly value: T;
  readonly origin: SettingOrigin;
  /** The configuration file that sets the value. */
  readonly file?: string;
}

/** The effective settings. */
export type Settings = { readonly [K in SettingName]: Setting<SettingValue<K>> };

type Nested<Group extends string> = {
  [K in SettingName as (typeof SETTINGS)[K] extends { in: Group } ? K : never]?:
    | Readonly<ValueOf<(typeof SETTINGS)[K]>>
    | undefined;
};

/** Settings in a configuration file or in the options of the library. */
export type GivenSettings = {
  [K in SettingName as (typeof SETTINGS)[K] extends { in: string } ? never : K]?:
    | Readonly<ValueOf<(typeof SETTINGS)[K]>>
    | undefined;
} & { search?: Nested<'search'> | undefined; limits?: Nested<'limits'> | undefined };

/** Returns the table as the fields of a configuration file, without defaults: a file sets only the keys it contains. */
export function configFields(): Fields {
  const fields: Record<string, Field> = {};
  const nested: Record<(typeof NESTED_KEYS)[number], Record<string, Field>> = { search: {}, limits: {} };
  const definitions: Readonly<Record<string, SettingDefinition>> = SETTINGS;
  for (const [name, { default: _default, ...field }] of Object.entries(definitions)) {
    (field.in === undefined ? fields : nested[field.in])[name] = field;
  }
  return {
    ...fields,
    search: { type: 'object', fields: nested.search, help: 'Search by meaning' },
    limits: { type: 'object', fields: nested.limits, help: 'Limits of the search for skills' },
  };
}
