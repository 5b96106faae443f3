import * as z from 'zod';
import { LIMITS } from '../core/limits.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import { defineOperation } from './define.ts';
import { QueriesSchema } from './search.ts';

export const SearchSpecsOutput = z.object({
  mode: z.enum(['keyword', 'lexical', 'semantic', 'hybrid']),
  reason: z.string().optional(),
  results: z.array(z.object({ spec_id: z.string(), requirement: z.string(), score: z.number(), snippet: z.string() })),
});

export type SearchSpecsOutput = z.output<typeof SearchSpecsOutput>;

export const searchSpecs = defineOperation({
  name: 'search_specs',
  title: 'Search specs',
  summary: 'Finds the requirements of all specs by meaning, best first. Needs the search index.',
  input: z.strictObject({
    query: z.string().min(1).describe('What the requirement is about, in your own words'),
    queries: QueriesSchema,
    limit: z.int().min(1).max(LIMITS.searchLimit.value).default(10).describe('How many results at the most'),
  }),
  output: SearchSpecsOutput,
  readOnly: true,
  async run({ query, queries, limit }, workspace) {
    const room = await workspace.search();
    const { mode, reason, hits } = await room.search(
      (await corpusToSearch(workspace, 'enabled', ['requirement'])).documents,
      {
        query,
        mode: 'hybrid',
        limit,
        ...(queries === undefined ? {} : { queries }),
      },
    );
    return {
      mode,
      ...(reason === undefined ? {} : { reason }),
      results: hits.map(({ name, extras, score, snippet }) => ({
        spec_id: extras['spec_id'] ?? '',
        requirement: extras['requirement'] ?? name,
        score,
        snippet,
      })),
    };
  },
});
