/**
 * The MCP server, independent of the transport: the same connection serves stdio, HTTP and SSE. Clients may begin with
 * `initialize` or send self-contained requests.
 */
import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CacheHint,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isRecord } from '../core/json-file.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import { VERSION } from '../core/version.ts';
import { logErrors } from './call-log.ts';
import { dottedName, type ServedWorkspace } from './served-workspace.ts';
import type { Connect, Connection } from './connection.ts';
import { addCompletions } from './completions.ts';
import { simplifySchemaErrors } from './plain-schema-errors.ts';
import { addPrompts } from './prompts.ts';
import { createResources } from './resources.ts';
import type { ServedTool } from './tool.ts';
import { offeredTools } from './tools.ts';

export function createConnector(served: ServedWorkspace): Connect {
  const tools = offeredTools(served);
  const cacheHints = cacheHintsFor(served);
  const info = {
    name: served.settings.serverName,
    title: 'Lectern',
    version: VERSION,
    description: `Skills and specs of ${served.settings.isShared ? 'a shared catalog' : 'this project and its user'}, for any agent.`,
  };

  const addResources = createResources(served);

  return (era) => {
    const mcp = new McpServer(info, { instructions: instructionsFor(served), cacheHints });
    logErrors(mcp, served.calls);
    const connection: Connection = { mcp, era, ready: era === 'modern', subscriptions: new Set() };
    mcp.server.oninitialized = () => void (connection.ready = true);
    mcp.server.registerCapabilities({ tools: { listChanged: served.announcesChanges } });
    // Modern clients send their name with every request. Others send it once, in the handshake.
    const clientOf = (context: ServerContext): string | undefined =>
      nameInEnvelope(context) ?? mcp.server.getClientVersion()?.name;
    mcp.server.setRequestHandler('tools/list', async (_request, context) => ({
      tools: await Promise.all(
        tools.filter(({ toolset }) => served.shows(toolset)).map((tool) => tool.list(served, clientOf(context))),
      ),
    }));
    mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = tools.find(({ name }) => params.name === name || params.name === dottedName(name));
      if (!tool) throw unknownTool(params.name, tools, served);
      return tool.call(params.arguments, served, clientOf(context));
    });
    const attach = mcp.server.connect.bind(mcp.server);
    mcp.server.connect = (transport) => {
      simplifySchemaErrors(transport);
      return attach(transport);
    };
    addResources(connection);
    addCompletions(connection, served);
    if (served.servesSkills) addPrompts(connection, served);
    return connection;
  };
}

function nameInEnvelope({ mcpReq }: ServerContext): string | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const info = envelope[CLIENT_INFO_META_KEY];
  return isRecord(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
}

/** Many tool names share a word, so more suggestions than this would not help. */
const TOOLS_SUGGESTED = 3;

function unknownTool(asked: string, tools: readonly ServedTool[], served: ServedWorkspace): ProtocolError {
  const names = tools.map(({ name }) => served.listedName(name));
  const near = nearest(asked, names, TOOLS_SUGGESTED);
  const hint = near.length > 0 ? `. Did you mean ${near.join(' or ')}?` : '';
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${echo(asked)}${hint}`,
    ...(near.length > 0 ? [{ suggestions: near }] : []),
  );
}

/** Lists are user data: only the client itself may cache them, and only until the next rescan. */
function cacheHintsFor({ settings }: ServedWorkspace) {
  const hint: CacheHint = { ttlMs: settings.refreshIntervalMs ?? 0, cacheScope: 'private' };
  return {
    'tools/list': hint,
    'prompts/list': hint,
    'resources/list': hint,
    'resources/templates/list': hint,
    'resources/read': hint,
    'server/discover': hint,
  };
}

function instructionsFor(served: ServedWorkspace): string {
  const lines: string[] = [];
  if (served.servesSkills)
    lines.push(
      `Skills are instructions for particular kinds of work.${served.has('skill') ? ' When a task fits one, load it with skill before you start.' : ''}`,
    );
  if (served.has('skills')) {
    lines.push(
      `Prefer ${served.listedName('skills_list')} for exhaustive metadata and ${served.searchTool} for targeted look-ups.`,
    );
  }
  if (served.shows('specs')) lines.push(...specInstructions(served));
  return lines.join('\n');
}

function specInstructions(served: ServedWorkspace): string[] {
  const tool = (name: string): string => served.listedName(name);
  // Files being edited are not in a shared catalog yet.
  const edited = served.settings.isShared
    ? ''
    : `; after editing ${tool('validate_spec')} or ${tool('validate_change')}`;
  return [
    'Specs say what the software must do, changes what is about to change. Request the parts you need instead of reading whole files.',
    `Start with ${tool('search_specs')} or ${tool('list_specs')}, then ${tool('get_spec_requirements')} and ${tool('get_scenario')}; for work in progress ${tool('list_changes')} and ${tool('get_change')}${edited}.`,
  ];
}
