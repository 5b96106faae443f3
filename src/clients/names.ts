/** The clients that `setup` knows, in the order of the help. In a file of their own, so that help loads nothing else. */
export const CLIENT_NAMES = ['claude', 'codex', 'cursor', 'vscode', 'gemini', 'zed', 'opencode', 'copilot'] as const;
/** Names that people also use for them. */
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

/** `unknown`: it may work, but only starting it would tell, and nothing that a file names is started. */
export const ENTRY_STATES = ['present', 'absent', 'unknown', 'outdated', 'off', 'unreadable'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** Clients take the token of a shared catalog from here, and so does the server that joins one. */
export const TOKEN_VARIABLE = 'LECTERN_TOKEN';

export const TRANSPORTS = ['stdio', 'http'] as const;

export const SHELLS = ['bash', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * The flags of a server for one client that reads skills itself: it leaves those out. The `.mcp.json` of a project is for several
 * clients, and how Zed finds skills is not known, so these get all of them.
 */
export function flagsForOne(client: ClientName, scope: Scope): readonly string[] {
  const isShared = scope === 'project' && (client === 'claude' || client === 'copilot');
  return client === 'zed' || isShared ? [] : ['--for', client];
}
