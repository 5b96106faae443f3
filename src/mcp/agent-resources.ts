/** Serves the skills that an agent sees as a resource: the document of `lectern agents <agent> --json`. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { Failure } from '../core/failure.ts';
import { agents } from '../operations/agents.ts';
import { perform } from '../operations/perform.ts';
import { requireFits } from './fit-reply.ts';
import type { ServedWorkspace } from './served-workspace.ts';

export const AGENT_SCHEME = 'agent://';
const MIME_TYPE = 'application/json';

/** Adds only a template: the list of resources is for skills and specs. */
export function addAgentResources(mcp: McpServer, served: ServedWorkspace): void {
  const about = {
    title: 'What an agent sees',
    description:
      'The list of skills that an agent such as claude or codex puts in front of its model, and what is not in it.',
    mimeType: MIME_TYPE,
  };
  const template = new ResourceTemplate(`${AGENT_SCHEME}{agent}`, { list: undefined });
  mcp.registerResource('agent', template, about, async ({ href }) => {
    const text = JSON.stringify(await describe(href, served));
    requireFits(text, 'lectern agents --json prints it all.');
    return { contents: [{ uri: href, mimeType: MIME_TYPE, text }] };
  });
}

async function describe(href: string, served: ServedWorkspace): Promise<object> {
  const input = { agent: href.slice(AGENT_SCHEME.length) };
  try {
    const caller = { face: 'mcp', wording: { code: 'USAGE', whole: 'the address', unknown: 'key' } } as const;
    return (await perform(agents, input, () => served.workspace(), caller)).output;
  } catch (error) {
    if (error instanceof Failure) throw new ResourceNotFoundError(href);
    throw error;
  }
}

/** Returns completions for the variable of the template. */
export async function agentIds(): Promise<string[]> {
  const { PROFILES } = await import('../agents/profiles/index.ts');
  return PROFILES.map(({ id }) => id);
}
