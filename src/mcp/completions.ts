/** Completion of the arguments of prompts and of the URIs of resources. */
import type { CompleteResult } from '@modelcontextprotocol/server';
import { compareText } from '../core/diagnostics.js';
import type { Catalogue } from './catalogue.js';
import { completePromptArgument } from './prompts.js';
import { manifestUri } from './resources.js';
import type { Connection } from './server.js';
import { addressedSkills, SKILL_SCHEME } from './skill-uris.js';
import { completeSpecUri } from './spec-resources.js';

/** The protocol's own limit. */
const COMPLETIONS_MAX = 100;

export function addCompletions({ mcp }: Connection, catalogue: Catalogue): void {
  mcp.server.registerCapabilities({ completions: {} });
  mcp.server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const candidates =
      ref.type === 'ref/prompt' ? await completePromptArgument(catalogue, ref.name, argument.name) : await completeUri(catalogue, ref.uri);
    return completions(candidates, argument.value);
  });
}

async function completeUri(catalogue: Catalogue, uriTemplate: string): Promise<string[]> {
  const ofSpecs = catalogue.has('specs') ? await completeSpecUri(catalogue, uriTemplate) : undefined;
  if (ofSpecs || !catalogue.servesSkills) return ofSpecs ?? [];
  const skills = [...addressedSkills(await catalogue.snapshot()).values()];
  return skills.map(({ root, skill }) => manifestUri(root, skill.realFile).slice(SKILL_SCHEME.length));
}

function completions(candidates: readonly string[], begun: string): CompleteResult {
  const wanted = begun.toLowerCase();
  const values = candidates.filter((candidate) => candidate.toLowerCase().startsWith(wanted)).sort(compareText);
  return { completion: { values: values.slice(0, COMPLETIONS_MAX), total: values.length, hasMore: values.length > COMPLETIONS_MAX } };
}
