/** The clients that `setup` knows, in the order of the help. In a file of their own, so that help loads nothing else. */
export const CLIENT_NAMES = ['claude', 'codex', 'cursor', 'vscode', 'gemini', 'zed', 'opencode', 'copilot'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export const SCOPES = ['project', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

export const TRANSPORTS = ['stdio', 'http'] as const;

export const SHELLS = ['bash', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];
