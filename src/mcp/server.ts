/**
 * One MCP server over the catalog. It knows no transport: the same connection serves stdio, HTTP and SSE, clients that
 * begin with `initialize` and clients that send each request on its own.
 */
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CacheHint,
  type ServerCapabilities,
} from '@modelcontextprotocol/server';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import { VERSION } from '../core/version.ts';
import type { Catalog } from './catalog.ts';
import { addCompletions } from './completions.ts';
import { speakPlainly } from './plain-errors.ts';
import { addPrompts } from './prompts.ts';
import { createResources } from './resources.ts';
import type { ServedTool } from './tool.ts';
import { offeredTools } from './tools.ts';

export type Era = 'legacy' | 'modern';

/** One server and what is known about whoever is at the other end. */
export interface Connection {
  mcp: McpServer;
  era: Era;
  /** True when the client may be told of changes: after its `initialized`, or at once where there is no such thing. */
  ready: boolean;
  /** Resources that the client wants to hear about (clients with a handshake only; for others the SDK keeps the list). */
  subscriptions: Set<string>;
}

export type Connect = (era: Era) => Connection;

export function createConnector(catalog: Catalog): Connect {
  const tools = offeredTools(catalog);
  const options = { instructions: instructionsFor(catalog), cacheHints: cacheHintsFor(catalog) };
  const info = {
    name: catalog.serving.serverName,
    title: 'Lectern',
    version: VERSION,
    description: 'Skills and specs of this project and its user, for any agent.',
  };

  const addResources = createResources(catalog);

  return (era) => {
    const mcp = new McpServer(info, options);
    const connection: Connection = { mcp, era, ready: era === 'modern', subscriptions: new Set() };
    mcp.server.oninitialized = () => void (connection.ready = true);
    mcp.server.registerCapabilities(capabilitiesFor(catalog));
    mcp.server.setRequestHandler('tools/list', async () => ({
      tools: await Promise.all(tools.map((tool) => tool.list(catalog))),
    }));
    mcp.server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = tools.find(({ name, dotted }) => params.name === name || params.name === dotted);
      if (!tool) throw unknownTool(params.name, tools, catalog);
      return tool.call(params.arguments, catalog);
    });
    const attach = mcp.server.connect.bind(mcp.server);
    mcp.server.connect = (transport) => {
      speakPlainly(transport);
      return attach(transport);
    };
    addResources(connection);
    addCompletions(connection, catalog);
    if (catalog.servesSkills) addPrompts(connection, catalog);
    return connection;
  };
}

/** Most tools share a word with most others. */
const TOOLS_SUGGESTED = 3;

function unknownTool(asked: string, tools: readonly ServedTool[], { serving }: Catalog): ProtocolError {
  const near = nearest(
    asked,
    tools.map(({ name, dotted }) => (serving.toolNames === 'dotted' ? dotted : name)),
    TOOLS_SUGGESTED,
  );
  const hint = near.length > 0 ? `. Did you mean ${near.join(' or ')}?` : '';
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${echo(asked)}${hint}`,
    ...(near.length > 0 ? [{ suggestions: near }] : []),
  );
}

function capabilitiesFor(catalog: Catalog): ServerCapabilities {
  return { tools: { listChanged: catalog.announcesChanges } };
}

/** Lists are user data, so only the asker may keep them, and only until the next look. */
function cacheHintsFor({ serving }: Catalog) {
  const hint: CacheHint = { ttlMs: serving.refreshIntervalMs ?? 0, cacheScope: 'private' };
  return {
    'tools/list': hint,
    'prompts/list': hint,
    'resources/list': hint,
    'resources/templates/list': hint,
    'resources/read': hint,
    'server/discover': hint,
  };
}

function instructionsFor(catalog: Catalog): string {
  const lines: string[] = [];
  if (catalog.servesSkills)
    lines.push(
      'Lectern serves the skills of this project and its user: folders with instructions for particular kinds of work.',
    );
  if (catalog.has('skill')) lines.push('When a task fits a skill, load it with skill before you start.');
  const list = catalog.nameOf('skills', 'skills_list', 'skills.list');
  if (list !== undefined) {
    lines.push(`Prefer ${list} for exhaustive metadata and ${catalog.searchTool} for targeted look-ups.`);
    lines.push(`${catalog.fileTool} reads the files bundled with a skill.`);
  }
  if (catalog.has('specs')) lines.push(...specInstructions(catalog));
  return lines.join('\n');
}

function specInstructions({ serving }: Catalog): string[] {
  const named = (name: string): string => (serving.toolNames === 'dotted' ? name.replaceAll('_', '.') : name);
  return [
    'What the software must do stands in specs, and what is about to change in change proposals; ask for the parts you need instead of reading whole files.',
    `Find the place with ${named('search_specs')} or ${named('list_specs')}, go on with ${named('get_spec_requirements')} and ${named('get_scenario')}.`,
    `For work in progress use ${named('list_changes')} and ${named('get_change')}; after editing a spec or a change, ${named('validate_spec')} or ${named('validate_change')}.`,
  ];
}
