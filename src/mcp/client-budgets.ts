/**
 * Number of characters of a tool description that each client shows its model. Longer descriptions are silently cut, so the
 * skill list stays within these limits unless `--description-budget` overrides them.
 */

/** Limit for unlisted clients: the smallest limit in the table. */
const UNKNOWN_CLIENT_CHARACTERS = 4_000;

interface ClientBudget {
  /** Prefix of `clientInfo.name`. Some clients append the name of the server. */
  name: string;
  characters: number;
  /** Source of the limit. */
  source: string;
}

const CLIENT_BUDGETS: readonly ClientBudget[] = [
  {
    name: 'claude-code',
    characters: 4_000,
    source: 'Claude Code 2.1.325 cut a description of 32,000 characters at 4,096 (recorded run of the program)',
  },
  {
    name: 'codex',
    characters: 16_000,
    source:
      'Codex 0.166.0 (codex-mcp-client) showed 32,000 characters whole; half of that leaves space for other servers',
  },
  {
    name: 'opencode',
    characters: 16_000,
    source: 'opencode 1.18.33 showed 32,000 characters whole; half of that leaves space for other servers',
  },
  {
    name: 'gemini-cli',
    characters: 16_000,
    source:
      'Gemini CLI 0.61.0 (gemini-cli-mcp-client) showed 32,000 characters whole; half of that leaves space for other servers',
  },
];

export function budgetOf(client: string | undefined): number {
  const name = client?.toLowerCase() ?? '';
  return CLIENT_BUDGETS.find((each) => name.startsWith(each.name))?.characters ?? UNKNOWN_CLIENT_CHARACTERS;
}
