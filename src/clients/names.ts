/** Clients that `setup` supports, in the order of the help. A separate file, so that help loads nothing else. */
export const CLIENT_NAMES = [
  'claude',
  'codex',
  'cursor',
  'vscode',
  'gemini',
  'zed',
  'opencode',
  'copilot',
  'claude-desktop',
  'windsurf',
  'kiro',
  'goose',
  'amp',
  'qwen',
  'kilo',
  'cline',
] as const;
/** Prints an entry in the most common form, for clients that `setup` does not support. */
export const GENERIC_NAME = 'json';
/** Everything that `setup` accepts as a client. */
export const SETUP_NAMES = [...CLIENT_NAMES, GENERIC_NAME] as const;
/** Other common names of these clients. */
export const CLIENT_ALIASES: Readonly<Record<string, (typeof CLIENT_NAMES)[number]>> = {
  'claude-code': 'claude',
  'codex-cli': 'codex',
  'vs-code': 'vscode',
  'gemini-cli': 'gemini',
  'github-copilot': 'copilot',
  'copilot-cli': 'copilot',
  'kiro-cli': 'kiro',
  'qwen-code': 'qwen',
  'kilo-code': 'kilo',
  kilocode: 'kilo',
};
export type ClientName = (typeof CLIENT_NAMES)[number];
export type SetupName = (typeof SETUP_NAMES)[number];

export const SCOPES = ['project', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * `unknown`: the entry may work, but checking would mean starting it, and commands named in files are never started.
 */
export const ENTRY_STATES = ['present', 'absent', 'unknown', 'outdated', 'off', 'unreadable'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** Clients, and servers that join a shared catalog, read the catalog's token from this variable. */
export const TOKEN_VARIABLE = 'LECTERN_TOKEN';

export const TRANSPORTS = ['stdio', 'http'] as const;

export const SHELLS = ['bash', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

/** Whether the format of a client's file was tried with the client itself, or only taken from its documentation. */
export const BASES = ['observed', 'documented'] as const;

/** Clients that are not known to read skills themselves. */
const WITHOUT_SKILLS: ReadonlySet<SetupName> = new Set(['zed', 'claude-desktop', 'cline', GENERIC_NAME]);

/**
 * Returns server flags that leave out the skills a client reads by itself. A project's `.mcp.json` is shared by several
 * clients, so it gets all skills.
 */
export function flagsForOne(client: SetupName, scope: Scope): readonly string[] {
  const isShared = scope === 'project' && (client === 'claude' || client === 'copilot');
  return WITHOUT_SKILLS.has(client) || isShared ? [] : ['--for', client];
}
