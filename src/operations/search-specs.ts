import { choice, list, number, object, optional, text } from '../core/fields/field.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import { defineOperation } from './define.ts';
import { LIMIT, QUERIES, QUERY } from './shapes.ts';

export const searchSpecs = defineOperation({
  name: 'search_specs',
  title: 'Search specs',
  summary: 'Find requirements by their meaning, best first; needs the search index',
  details: 'Use it when you do not know which spec covers something.',
  params: {
    query: {
      ...QUERY,
      required: true,
      positional: 'words',
      help: 'What the requirement is about, in your own words',
    },
    queries: QUERIES,
    limit: LIMIT,
  },
  output: {
    mode: choice(['keyword', 'lexical', 'semantic', 'hybrid']),
    reason: optional(text()),
    results: list(object({ spec_id: text(), requirement: text(), score: number(), snippet: text() })),
  },
  reads: 'specs',
  command: {
    name: 'spec search',
    group: 'Specs and changes',
    examples: [['lectern spec search "log people out when they walk away"', 'find the most similar requirements']],
  },
  tool: 'specs',
  library: 'specs.search',
  async run({ query, queries, limit }, workspace) {
    const search = await workspace.search();
    const { mode, reason, hits } = await search.search(
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
