import { CONTEXT_KINDS, ITEM_STATUSES, TOOL_PARTS } from '../agents/names.ts';
import type { Profile } from '../agents/profile.ts';
import { choice, flag, integer, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { type AgentContext, contextFor, skillTokens } from './agent-context.ts';
import { ASKED_SERVERS, askServers } from './ask-servers.ts';
import { AGENT_ID, surveyAgents, tokensIn, WINDOW } from './agent-shapes.ts';
import { defineOperation } from './define.ts';
import { YES } from './install-shapes.ts';

const TOTAL = {
  characters: integer(),
  tokens: integer('An estimate: a quarter of the characters'),
  exact: flag('Every item is exact and none is unknown'),
} as const;

const ITEM = {
  kind: choice(CONTEXT_KINDS),
  name: text(),
  path: optional(text()),
  characters: nullable(integer('Characters in the request; null if unknown')),
  tokens: nullable(integer('An estimate: a quarter of the characters')),
  exact: flag('False for a constant of the agent’s version and for an estimate'),
  status: choice(ITEM_STATUSES),
  reason: optional(text()),
  fix: optional(text()),
  tools: optional(integer('Tools of an MCP server, with --ask-servers')),
  sends: optional(choice(TOOL_PARTS, 'The part of the tools of an MCP server that is in the request')),
} as const;

const HEAD = {
  agent: text('The id of the agent'),
  name: text(),
  version: nullable(text('The version that its first request was observed with; null if it was not observed')),
  installed: optional(text('The version behind its command, if it is an npm package')),
  window: nullable(integer('The window of its model, in tokens')),
  total: object(TOTAL, 'Everything whose size is known'),
} as const;

const output = {
  agents: optional(
    list(
      object({ ...HEAD, skills: integer('Estimated tokens of its list of skills') }),
      'Without an agent: those found here',
    ),
  ),
  agent: optional(HEAD.agent),
  name: optional(HEAD.name),
  version: optional(HEAD.version),
  installed: HEAD.installed,
  window: optional(HEAD.window),
  items: optional(list(object(ITEM), 'The parts of its first request in their order, and files that are not in it')),
  total: optional(HEAD.total),
  servers: optional(ASKED_SERVERS),
} as const;
export type ContextOutput = ObjectOf<typeof output>;
export type ContextItem = ObjectOf<typeof ITEM>;
export type ContextHead = ObjectOf<typeof HEAD>;

export const context = defineOperation({
  name: 'context',
  title: 'Context',
  summary: 'Show what fills the context of an agent before the first message: memory files, skills, subagents, tools',
  params: {
    agent: { ...AGENT_ID, positional: true },
    window: WINDOW,
    askServers: {
      type: 'flag',
      default: false,
      faces: ['cli'],
      help: 'Start or call the MCP servers in your own configuration files, and count their tools; never those of the project',
    },
    yes: { ...YES, faces: ['cli'], help: 'Skip the confirmation of --ask-servers (required without a terminal)' },
    timeout: {
      type: 'integer',
      default: 30,
      min: 1,
      max: 120,
      faces: ['cli'],
      placeholder: 'seconds',
      help: 'Time for each server',
    },
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  command: {
    name: 'context',
    group: 'Look',
    examples: [
      ['lectern context', 'one line for each agent found here'],
      ['lectern context claude', 'each part of its first request, with its size'],
      ['lectern context codex --json', 'the same as JSON'],
      ['lectern context claude --ask-servers', 'with the tools of your own MCP servers'],
    ],
  },
  library: 'context',
  async run({ agent, window, askServers: isAsking, yes, timeout }, workspace, context) {
    const surveyed = await surveyAgents(workspace, agent);
    const tokens = tokensIn(window);
    const profile = surveyed.profiles.find(({ id }) => id === agent);
    const shown = profile ? [profile] : surveyed.present;
    const asked = isAsking ? await askServers(workspace, surveyed, shown, { yes, timeout }, context) : undefined;
    const servers = asked ? { servers: asked.servers } : {};
    if (profile) {
      const found = await contextFor(workspace, surveyed, profile, tokens, asked?.answers);
      return { ...(await describeHead(profile, found)), items: found.items, ...servers };
    }
    const agents = [];
    for (const each of shown) {
      const found = await contextFor(workspace, surveyed, each, tokens, asked?.answers);
      agents.push({ ...(await describeHead(each, found)), skills: skillTokens(found.items) });
    }
    return { agents, ...servers };
  },
});

async function describeHead({ id, name }: Profile, { installed, window, total }: AgentContext): Promise<ContextHead> {
  const { CONTEXT_RULES } = await import('../agents/context/rules.ts');
  return {
    agent: id,
    name,
    version: CONTEXT_RULES[id]?.version ?? null,
    ...(installed === undefined ? {} : { installed }),
    window,
    total,
  };
}
