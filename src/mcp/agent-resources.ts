/** Serves documents about agents as resources: those of `lectern agents <agent> --json` and `lectern context <agent> --json`. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { Failure } from '../core/failure.ts';
import { agents } from '../operations/agents.ts';
import { context } from '../operations/context.ts';
import { perform } from '../operations/perform.ts';
import { requireFits } from './fit-reply.ts';
import type { ServedWorkspace } from './served-workspace.ts';

const MIME_TYPE = 'application/json';

const DOCUMENTS = [
  {
    scheme: 'agent://',
    operation: agents,
    title: 'What an agent sees',
    description: 'The skills that an agent such as claude or codex lists for its model, and those it leaves out.',
  },
  {
    scheme: 'context://',
    operation: context,
    title: 'The context of an agent',
    description: 'The parts of the first request of an agent such as claude or codex, with their sizes.',
    // Names files and MCP servers of the user.
    isPrivate: true,
  },
] as const;

/** Adds only templates: the list of resources is for skills and specs. */
export function addAgentResources(mcp: McpServer, served: ServedWorkspace): void {
  for (const { scheme, operation, title, description, ...more } of DOCUMENTS) {
    if ('isPrivate' in more && served.settings.isReachable) continue;
    const template = new ResourceTemplate(`${scheme}{agent}`, { list: undefined });
    const about = { title, description, mimeType: MIME_TYPE };
    mcp.registerResource(scheme.slice(0, scheme.indexOf(':')), template, about, async ({ href }) => {
      const text = JSON.stringify(await describe(operation, href, scheme, served));
      requireFits(text, `lectern ${operation.name} --json prints it all.`);
      return { contents: [{ uri: href, mimeType: MIME_TYPE, text }] };
    });
  }
}

async function describe(
  operation: (typeof DOCUMENTS)[number]['operation'],
  href: string,
  scheme: string,
  served: ServedWorkspace,
): Promise<object> {
  const input = { agent: href.slice(scheme.length) };
  const caller = { face: 'mcp', wording: { code: 'USAGE', whole: 'the address', unknown: 'key' } } as const;
  try {
    // Both operations take the agent, and return a plain document.
    const { output } =
      operation === agents
        ? await perform(agents, input, () => served.workspace(), caller)
        : await perform(context, input, () => served.workspace(), caller);
    return output;
  } catch (error) {
    if (error instanceof Failure) throw new ResourceNotFoundError(href);
    throw error;
  }
}

export function isAgentTemplate(uri: string): boolean {
  return DOCUMENTS.some(({ scheme }) => uri.startsWith(scheme));
}

/** Returns completions for the variable of the templates. */
export async function agentIds(): Promise<string[]> {
  const { PROFILES } = await import('../agents/profiles/index.ts');
  return PROFILES.map(({ id }) => id);
}
