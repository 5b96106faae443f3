/** Flags as data: the parser, the help and the reference page are made from them. */
export interface Flag {
  /** The first is the one shown; the others are aliases. */
  names: readonly [string, ...string[]];
  /** The placeholder of a value; without it the flag is a switch. */
  value?: string;
  /** May be given several times. */
  repeatable?: boolean;
  choices?: readonly string[];
  /** An empty value says something: a filter without tokens takes back what the configuration says. */
  mayBeEmpty?: boolean;
  about: string;
  /** The key under which a command finds the value. */
  key: string;
  /** A switch that sets its key to false. */
  negates?: boolean;
}

export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    names: ['--project-dir'],
    value: 'dir',
    key: 'projectDir',
    about: 'Look from this folder instead of the working folder',
  },
  {
    names: ['--user-dir'],
    value: 'dir',
    key: 'userDir',
    about: 'Use this folder as the home; the agents’ own variables are then ignored',
  },
  {
    names: ['--skill-dir'],
    value: 'dir',
    repeatable: true,
    key: 'skillDir',
    about: 'A folder of skills that wins over all others; DIR or DIR?scope=NAME',
  },
  { names: ['--json'], key: 'json', about: 'Print one JSON document, errors included' },
  { names: ['--no-color'], key: 'color', negates: true, about: 'No colors; NO_COLOR and FORCE_COLOR are honored too' },
  { names: ['--verbose'], key: 'verbose', about: 'Say more, and show the details of an internal error' },
];

/** Understood everywhere, before a command is looked at. */
export const HELP_FLAGS: readonly Flag[] = [
  { names: ['--help', '-h'], key: 'help', about: 'Show help' },
  { names: ['--version', '-V'], key: 'version', about: 'Print the version' },
];

export const DISCOVERY_FLAGS: readonly Flag[] = [
  {
    names: ['--include'],
    value: 'tokens',
    repeatable: true,
    mayBeEmpty: true,
    key: 'include',
    about:
      'Only these: auto, all, a provider, provider:name, a name, @plugins, @plugins:P, @plugin:name, file:path; * and ? are wildcards',
  },
  {
    names: ['--exclude'],
    value: 'tokens',
    repeatable: true,
    mayBeEmpty: true,
    key: 'exclude',
    about: 'All but these; the same tokens',
  },
  { names: ['--root'], value: 'dir', key: 'root', about: 'Replaces the project’s skills/ folder' },
  {
    names: ['--no-plugins', '--skip-plugins'],
    key: 'plugins',
    negates: true,
    about: 'Leave out the skills of Claude Code plugins',
  },
  {
    names: ['--plugins-file', '--claude-plugins-file'],
    value: 'file',
    key: 'pluginsFile',
    about: 'Another installed_plugins.json',
  },
  {
    names: ['--plugins-root', '--claude-plugins-root'],
    value: 'dir',
    key: 'pluginsRoot',
    about: 'Another folder of Claude Code plugins',
  },
  {
    names: ['--no-scan-default-dirs'],
    key: 'scanDefaultDirs',
    negates: true,
    about: 'Search only the folders named by flags or configuration',
  },
  {
    names: ['--priority'],
    value: 'order',
    choices: ['contract', 'project-first'],
    key: 'priority',
    about:
      'contract (default): agent by agent, its project folders first; project-first: every project folder before every user folder',
  },
];

export const SPEC_FLAGS: readonly Flag[] = [
  {
    names: ['--specs-dir'],
    value: 'dir',
    key: 'specsDir',
    about: 'The folder of specs, instead of the one that is found',
  },
  {
    names: ['--changes-dir'],
    value: 'dir',
    key: 'changesDir',
    about: 'The folder of changes, instead of the one that is found',
  },
];

export const STATE_FLAGS: readonly Flag[] = [
  { names: ['--disabled'], key: 'disabled', about: 'Only disabled skills' },
  { names: ['--all'], key: 'all', about: 'Enabled and disabled skills' },
];

export const LIMIT: Flag = {
  names: ['--limit'],
  value: 'n',
  key: 'limit',
  about: 'How many results at the most (1 to 100, default 10)',
};

export const SERVER_FLAGS: readonly Flag[] = [
  {
    names: ['--transport'],
    value: 'kind',
    choices: ['stdio', 'http', 'sse'],
    key: 'transport',
    about: 'stdio (default), http (streamable HTTP at /mcp) or sse (the same server, for clients of the older kind)',
  },
  {
    names: ['--host'],
    value: 'address',
    key: 'host',
    about: 'Address to listen on (default 127.0.0.1); any other than loopback needs a token',
  },
  { names: ['--port'], value: 'n', key: 'port', about: 'Port to listen on (default 3000; 0 takes a free one)' },
  {
    names: ['--token'],
    value: 'secret',
    repeatable: true,
    key: 'token',
    about: 'Callers must send it as a bearer token; better given as LECTERN_TOKEN',
  },
  {
    names: ['--allowed-host'],
    value: 'host',
    repeatable: true,
    key: 'allowedHost',
    about: 'A further host name (or host:port) callers may use',
  },
  {
    names: ['--refresh-interval'],
    value: 'ms',
    key: 'refreshInterval',
    about: 'Look at the files again this often (default 30000)',
  },
  {
    names: ['--auto-index'],
    key: 'autoIndex',
    about: 'Build the search index at the start where there is none; one that is there is always kept up to date',
  },
  { names: ['--no-refresh'], key: 'autoRefresh', negates: true, about: 'Neither look again by the clock nor watch' },
  { names: ['--no-watch'], key: 'watch', negates: true, about: 'Look again by the clock only' },
  {
    names: ['--tools'],
    value: 'sets',
    repeatable: true,
    key: 'tools',
    about: 'Toolsets to offer: skill, skills, specs (default all)',
  },
  {
    names: ['--tool-names'],
    value: 'form',
    choices: ['underscore', 'dotted'],
    key: 'toolNames',
    about: 'skills_list (default) or skills.list',
  },
  {
    names: ['--server-name'],
    value: 'name',
    key: 'serverName',
    about: 'What the server calls itself (default lectern)',
  },
  {
    names: ['--description-budget'],
    value: 'bytes',
    key: 'descriptionBudget',
    about: 'Size of the skill tool’s description (default 4000; 0 lists everything in full)',
  },
];

/** What the parser hands to a command, by key. */
export type FlagValues = Readonly<Record<string, string | boolean | string[] | undefined>>;

export function textFlag(values: FlagValues, key: string): string | undefined {
  const value = values[key];
  return typeof value === 'string' ? value : undefined;
}

export function listFlag(values: FlagValues, key: string): string[] | undefined {
  const value = values[key];
  return Array.isArray(value) ? value : undefined;
}

export function isSet(values: FlagValues, key: string): boolean {
  return values[key] === true;
}

/** False only when the negating switch was given. */
export function switchedOff(values: FlagValues, key: string): boolean {
  return values[key] === false;
}
