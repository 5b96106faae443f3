/**
 * Skill folders of each agent. A new agent needs one entry here. Folders are relative to a project folder or to the
 * user's home. Any other `.<name>/skills` is found without an entry, with `<name>` as its provider.
 */
export interface Agent {
  /** Provider name in full names and filters. */
  name: string;
  title: string;
  project: readonly string[];
  user: readonly string[];
  /** Other agents that also read its project folder, as documented or observed. */
  readers?: readonly string[];
  /** Environment variable that overrides the agent folder in the home, and the skills folder below it. */
  homeVariable?: { name: string; below: string };
}

/** Many agents read these folders, so these skills compete with the skills of every agent, in the order of the roots. */
export const SHARED_AGENTS: Agent = {
  name: 'agents',
  title: 'Shared between agents',
  project: ['.agent/skills', '.agents/skills'],
  user: ['.agent/skills', '.agents/skills', '.config/agents/skills'],
  readers: [
    'Cline',
    'Codex',
    'Cursor',
    'Gemini CLI',
    'GitHub Copilot',
    'Goose',
    'Kilo Code',
    'Kimi Code',
    'opencode',
    'Pi',
    'Qwen Code',
    'VS Code',
  ],
};

export const CLAUDE: Agent = {
  name: 'claude',
  title: 'Claude Code',
  project: ['.claude/skills'],
  user: ['.claude/skills'],
  homeVariable: { name: 'CLAUDE_CONFIG_DIR', below: 'skills' },
  readers: ['Claude Code', 'Continue', 'Cursor', 'GitHub Copilot', 'Goose', 'Kilo Code', 'opencode', 'VS Code'],
};

export const OTHER_AGENTS: readonly Agent[] = [
  {
    name: 'codex',
    title: 'Codex',
    project: ['.codex/skills'],
    user: ['.codex/skills'],
    readers: ['Codex', 'Cursor'],
    homeVariable: { name: 'CODEX_HOME', below: 'skills' },
  },
  { name: 'gemini', title: 'Gemini CLI', project: ['.gemini/skills'], user: ['.gemini/skills'] },
  { name: 'cursor', title: 'Cursor', project: ['.cursor/skills'], user: ['.cursor/skills'] },
  { name: 'copilot', title: 'GitHub Copilot', project: ['.github/skills'], user: ['.copilot/skills'] },
  {
    name: 'opencode',
    title: 'opencode',
    project: ['.opencode/skills', '.opencode/skill'],
    user: ['.opencode/skills', '.config/opencode/skills', '.config/opencode/skill'],
  },
  { name: 'openclaw', title: 'OpenClaw', project: ['.openclaw/skills'], user: ['.openclaw/skills'] },
  { name: 'goose', title: 'Goose', project: ['.goose/skills'], user: ['.goose/skills', '.config/goose/skills'] },
  {
    name: 'windsurf',
    title: 'Windsurf',
    project: ['.windsurf/skills'],
    user: ['.windsurf/skills', '.codeium/windsurf/skills'],
  },
  { name: 'kiro', title: 'Kiro', project: ['.kiro/skills'], user: ['.kiro/skills'] },
  { name: 'qwen', title: 'Qwen Code', project: ['.qwen/skills'], user: ['.qwen/skills'] },
  { name: 'roo', title: 'Roo Code', project: ['.roo/skills'], user: ['.roo/skills'] },
  { name: 'antigravity', title: 'Antigravity', project: [], user: ['.gemini/antigravity/skills'] },
  { name: 'cortex', title: 'Cortex', project: ['.cortex/skills'], user: ['.snowflake/cortex/skills'] },
  { name: 'crush', title: 'Crush', project: ['.crush/skills'], user: ['.config/crush/skills'] },
  { name: 'deepagents', title: 'Deep Agents', project: ['.deepagents/skills'], user: ['.deepagents/agent/skills'] },
  { name: 'devin', title: 'Devin', project: ['.devin/skills'], user: ['.config/devin/skills'] },
  { name: 'droid', title: 'Factory Droid', project: ['.factory/skills'], user: ['.factory/skills'] },
  {
    name: 'grok',
    title: 'Grok',
    project: ['.grok/skills'],
    user: ['.grok/skills'],
    homeVariable: { name: 'GROK_HOME', below: 'skills' },
  },
  {
    name: 'hermes',
    title: 'Hermes',
    project: ['.hermes/skills'],
    user: ['.hermes/skills'],
    homeVariable: { name: 'HERMES_HOME', below: 'skills' },
  },
  {
    name: 'kilo',
    title: 'Kilo Code',
    project: ['.kilocode/skills', '.kilo/skills'],
    user: ['.kilocode/skills', '.kilo/skills', '.config/kilo/skills'],
  },
  { name: 'kimi', title: 'Kimi Code', project: ['.kimi-code/skills'], user: ['.kimi-code/skills'] },
  { name: 'cline', title: 'Cline', project: ['.cline/skills', '.clinerules/skills'], user: ['.cline/skills'] },
  { name: 'continue', title: 'Continue', project: ['.continue/skills'], user: ['.continue/skills'] },
  { name: 'pi', title: 'Pi', project: ['.pi/skills'], user: ['.pi/agent/skills'] },
  {
    name: 'vibe',
    title: 'Mistral Vibe',
    project: ['.vibe/skills'],
    user: ['.vibe/skills'],
    homeVariable: { name: 'VIBE_HOME', below: 'skills' },
  },
];

export const ALL_AGENTS: readonly Agent[] = [SHARED_AGENTS, CLAUDE, ...OTHER_AGENTS];

/** Providers that do not belong to one agent. Their skills compete with all others, in the order of the roots. */
export const NEUTRAL_PROVIDERS: ReadonlySet<string> = new Set(['agents', 'file', 'repo']);
