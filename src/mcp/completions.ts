/** Completes prompt arguments and resource URIs. */
import type { CompleteResult } from '@modelcontextprotocol/server';
import { compareText } from '../core/text.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { completePromptArgument } from './prompts.ts';
import { agentIds, isAgentTemplate } from './agent-resources.ts';
import type { Connection } from './connection.ts';
import { addressedSkills, manifestUri, SKILL_SCHEME } from './skill-uris.ts';
import { completeSpecUri } from './spec-resources.ts';

/** Maximum number of completions in the protocol. */
const COMPLETIONS_MAX = 100;

export function addCompletions({ mcp }: Connection, served: ServedWorkspace): void {
  mcp.server.registerCapabilities({ completions: {} });
  mcp.server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const candidates =
      ref.type === 'ref/prompt'
        ? await completePromptArgument(served, ref.name, argument.name)
        : await completeUri(served, ref.uri);
    return completions(candidates, argument.value);
  });
}

async function completeUri(served: ServedWorkspace, uriTemplate: string): Promise<string[]> {
  if (isAgentTemplate(uriTemplate)) return served.settings.isShared ? [] : agentIds();
  const specUris = served.has('specs') ? await completeSpecUri(served, uriTemplate) : undefined;
  if (specUris || !served.servesSkills) return specUris ?? [];
  const skills = [...addressedSkills(await served.snapshot()).values()];
  return skills.map(({ root, skill }) => manifestUri(root, skill).slice(SKILL_SCHEME.length));
}

function completions(candidates: readonly string[], typed: string): CompleteResult {
  const prefix = typed.toLowerCase();
  // Users may know a plugin skill, or an ambiguous one, by its short name.
  const fits = (text: string): boolean => text.startsWith(prefix) || (prefix !== '' && text.includes(`:${prefix}`));
  const values = candidates.filter((candidate) => fits(candidate.toLowerCase())).sort(compareText);
  return {
    completion: {
      values: values.slice(0, COMPLETIONS_MAX),
      total: values.length,
      hasMore: values.length > COMPLETIONS_MAX,
    },
  };
}
