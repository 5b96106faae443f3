/** Clients that `setup` supports, in the order of the help. A separate file, so that help loads nothing else. */
export const CLIENT_NAMES = ['claude', 'codex', 'cursor', 'vscode', 'gemini', 'zed', 'opencode', 'copilot'] as const;
/** Other common names of these clients. */
export const CLIENT_ALIASES: Readonly<Record<string, (typeof CLIENT_NAMES)[number]>> = {
  'claude-code': 'claude',
  'codex-cli': 'codex',
  'vs-code': 'vscode',
  'gemini-cli': 'gemini',
  'github-copilot': 'copilot',
  'copilot-cli': 'copilot',
};
export type ClientName = (typeof CLIENT_NAMES)[number];

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

/**
 * Returns server flags that leave out the skills a client reads by itself. A project's `.mcp.json` is shared by several
 * clients, and it is not known how Zed finds skills, so these get all skills.
 */
export function flagsForOne(client: ClientName, scope: Scope): readonly string[] {
  const isShared = scope === 'project' && (client === 'claude' || client === 'copilot');
  return client === 'zed' || isShared ? [] : ['--for', client];
}
