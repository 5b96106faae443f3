/**
 * How an installed agent is started once, as data. The flags leave out the settings, hooks, plugins and MCP servers of the user and
 * the project, forbid changes, and keep the login. Each was observed with a played model in the version under `since`.
 */
import type { LiveAgent } from '../names.ts';
import { readClaudeEvent, readCodexEvent } from './events.ts';
import type { EventReader } from './events.ts';

export interface Launch {
  /** Older versions lack a flag, or start a hook or an MCP server in spite of it. */
  readonly since: string;
  /** `copied` if the flags also leave out the skills and memory files in the home folder. */
  readonly home: 'copied' | 'in-place';
  /** `hidden` are the `SKILL.md` files in the home folder that the agent must not list. */
  args(request: string, hidden: readonly string[]): string[];
  /** Variables that differ from those of this process. Undefined removes one. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readEvent: EventReader;
}

/** A command line has a limited length, and few home folders have this many hidden skills. */
const HIDDEN_MAX = 500;

const claude: Launch = {
  // 2.1.90 runs the shell commands inside a skill in spite of the setting.
  since: '2.1.100',
  home: 'copied',
  args: (request) => [
    '--print',
    '--output-format=stream-json',
    '--verbose',
    '--permission-mode=plan',
    '--setting-sources=project',
    '--strict-mcp-config',
    '--no-session-persistence',
    '--tools=Skill,Read,Glob,Grep',
    `--settings=${JSON.stringify({ disableAllHooks: true, disableSkillShellExecution: true })}`,
    '--',
    request,
  ],
  // Claude Code refuses to start inside another Claude Code.
  environment: { CLAUDECODE: undefined, CLAUDE_CODE_ENTRYPOINT: undefined, DISABLE_AUTOUPDATER: '1' },
  readEvent: readClaudeEvent,
};

const codex: Launch = {
  // 0.122.0 starts MCP servers, and 0.125.0 runs hooks, in spite of these flags.
  since: '0.130.0',
  home: 'in-place',
  args: (request, hidden) => [
    'exec',
    '--json',
    '--color=never',
    '--sandbox=read-only',
    '--skip-git-repo-check',
    '--ephemeral',
    '--ignore-user-config',
    '--ignore-rules',
    ...['hooks', 'plugins', 'apps'].flatMap((feature) => ['-c', `features.${feature}=false`]),
    ...(hidden.length === 0 ? [] : ['-c', `skills.config=[${hidden.slice(0, HIDDEN_MAX).map(disabled).join(',')}]`]),
    '--',
    request,
  ],
  environment: {},
  readEvent: readCodexEvent,
};

/** A JSON text is also a TOML text. */
function disabled(file: string): string {
  return `{path=${JSON.stringify(file)},enabled=false}`;
}

export const LAUNCHES: Readonly<Record<LiveAgent, Launch>> = { claude, codex };
