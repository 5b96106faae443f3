import { Failure } from '../core/failure.ts';
import { integer, list, number, object, text } from '../core/fields/field.ts';
import { defineOperation } from './define.ts';
import { byScore } from './join.ts';
import { LIMIT, MODE, nothingToSearch, QUERIES, QUERY, SEARCHED } from './shapes.ts';

export const searchSpecs = defineOperation({
  name: 'search_specs',
  title: 'Search specs',
  summary: 'Find requirements by words and meaning, best first',
  details:
    'Use it when you do not know which spec covers something. Add 2 or 3 rephrasings in `queries`, with the technical words that a requirement would use. If none fits, read the spec of the nearest.',
  params: {
    query: {
      ...QUERY,
      required: true,
      positional: 'words',
      help: 'Topic of the requirement, in your own words',
    },
    queries: QUERIES,
    mode: { ...MODE, default: 'auto' },
    limit: LIMIT,
  },
  output: {
    ...SEARCHED,
    total: integer('Number of matches, including those beyond the limit'),
    results: list(object({ spec_id: text(), requirement: text(), score: number(), snippet: text() })),
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'spec search',
    group: 'Specs and changes',
    examples: [['lectern spec search "log people out when they walk away"', 'find the most similar requirements']],
  },
  tool: 'specs',
  join: byScore('results', { kind: 'spec', name: 'spec_id' }),
  library: 'specs.search',
  async run({ query, queries, mode, limit }, workspace, { progress }) {
    if (!workspace.snapshot.settings.autoIndex.value && !(await workspace.indexMarker()).isSet) {
      throw new Failure('NO_INDEX', 'There is no search index yet; it must be built first.', {
        hint: 'Run `lectern index` to build it; `lectern search --mode keyword` needs no index.',
        hintForModels: 'Run `lectern index` or call rebuild_index to build it.',
      });
    }
    const { corpusToSearch } = await import('../workspace/search-documents.ts');
    const { documents } = await corpusToSearch(workspace, 'enabled', ['requirement']);
    const { minScore } = workspace.snapshot.settings;
    const { hits, reason, confidence, ...answer } = await (
      await workspace.search()
    ).search(documents, {
      query,
      mode,
      limit,
      ...(queries === undefined ? {} : { queries }),
      ...(minScore.value === undefined ? {} : { minScore: minScore.value }),
      onProgress: progress && ((done, total) => progress({ phase: 'embedding', done, total })),
    });
    return {
      mode: answer.mode,
      total: answer.total,
      ...(confidence === undefined ? {} : { confidence }),
      ...(documents.length === 0
        ? { reason: nothingToSearch(['requirement']) }
        : reason === undefined
          ? {}
          : { reason }),
      results: hits.map(({ name, extras, score, snippet }) => ({
        spec_id: extras['spec_id'] ?? '',
        requirement: extras['requirement'] ?? name,
        score,
        snippet,
      })),
    };
  },
});
