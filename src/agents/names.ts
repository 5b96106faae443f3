/** `user` applies everywhere, `project` to everyone in a project, `local` to one person in a project. */
export const SETTING_SCOPES = ['user', 'project', 'local'] as const;
export type SettingScope = (typeof SETTING_SCOPES)[number];

/** Kinds of items in a first request. */
export const CONTEXT_KINDS = [
  'system',
  'tools',
  'skills',
  'memory',
  'rule',
  'subagent',
  'command',
  'mcp-server',
  'environment',
] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** Statuses of items in a first request, from text that the model gets to text that it does not get. */
export const ITEM_STATUSES = ['loaded', 'cut', 'not-followed', 'not-read', 'duplicate', 'unknown'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** Parts of the tools of an MCP server that an agent sends: their names, one line for all, or their whole definitions. */
export const TOOL_PARTS = ['names', 'line', 'definitions'] as const;
export type ToolParts = (typeof TOOL_PARTS)[number];

/** Verdicts about a request: one skill fits best, two fit almost as well, or none fits. */
export const TRY_VERDICTS = ['clear', 'close', 'none'] as const;
export type TryVerdict = (typeof TRY_VERDICTS)[number];

/** Results of a saved request. A close call passes with a warning. */
export const OUTCOMES = ['pass', 'close', 'fail'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The file with saved requests: the nearest one, or one in the root of the repository. */
export const REQUESTS_FILE = 'skills.requests.yaml';

/** Agents that `lectern try --with` can start. */
export const LIVE_AGENTS = ['claude', 'codex'] as const;
export type LiveAgent = (typeof LIVE_AGENTS)[number];

/** Why the run of an agent ended: it loaded a skill, it was done without one, or its time was up. */
export const RUN_ENDS = ['loaded', 'finished', 'time'] as const;

/** Parts of a drawn skill list: `kept` is in the list, `own` is built into the agent, and `lost` was cut off. */
export const BLOCK_KINDS = ['kept', 'own', 'lost'] as const;
