/** Completion of the arguments of prompts and of the URIs of resources. */
import type { CompleteResult } from '@modelcontextprotocol/server';
import { compareText } from '../core/text.ts';
import type { Catalog } from './catalog.ts';
import { completePromptArgument } from './prompts.ts';
import { manifestUri } from './resources.ts';
import type { Connection } from './server.ts';
import { addressedSkills, SKILL_SCHEME } from './skill-uris.ts';
import { completeSpecUri } from './spec-resources.ts';

/** The protocol's own limit. */
const COMPLETIONS_MAX = 100;

export function addCompletions({ mcp }: Connection, catalog: Catalog): void {
  mcp.server.registerCapabilities({ completions: {} });
  mcp.server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const candidates =
      ref.type === 'ref/prompt'
        ? await completePromptArgument(catalog, ref.name, argument.name)
        : await completeUri(catalog, ref.uri);
    return completions(candidates, argument.value);
  });
}

async function completeUri(catalog: Catalog, uriTemplate: string): Promise<string[]> {
  const ofSpecs = catalog.has('specs') ? await completeSpecUri(catalog, uriTemplate) : undefined;
  if (ofSpecs || !catalog.servesSkills) return ofSpecs ?? [];
  const skills = [...addressedSkills(await catalog.snapshot()).values()];
  return skills.map(({ root, skill }) => manifestUri(root, skill).slice(SKILL_SCHEME.length));
}

function completions(candidates: readonly string[], begun: string): CompleteResult {
  const wanted = begun.toLowerCase();
  const values = candidates.filter((candidate) => candidate.toLowerCase().startsWith(wanted)).sort(compareText);
  return {
    completion: {
      values: values.slice(0, COMPLETIONS_MAX),
      total: values.length,
      hasMore: values.length > COMPLETIONS_MAX,
    },
  };
}
