import {
  choice,
  integer,
  list,
  nullable,
  number,
  object,
  type ObjectOf,
  optional,
  text,
} from '../core/fields/field.ts';
import { Failure, inWords } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { keywordTokens, searchKeywords } from '../search/keyword.ts';
import type { SearchRequest } from '../search/search.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { CATALOG_ENTRY, describeForAgents } from './agent-list.ts';
import { QUERY } from './shapes.ts';

const output = {
  query: text(),
  limit: integer(),
  total: integer('How many skills matched, including those beyond the limit'),
  mode: choice(
    ['keyword', 'lexical', 'semantic', 'hybrid'],
    'The mode that ran; lexical ranks by words, without meaning',
  ),
  model: nullable(text('The embedding model, if one was used')),
  reason: optional(text('Why another mode ran than requested, or what may be missing')),
  results: list(
    object({
      ...CATALOG_ENTRY,
      score: number('keyword: number of matched words; otherwise 0 to 1'),
      excerpt: text('Text around the match'),
    }),
  ),
} as const;
export type AgentSearch = ObjectOf<typeof output>;

export const agentSearch = defineOperation({
  name: 'skills_search',
  title: 'Search Skills',
  summary: 'Find skills by words in their name, description and body, from the current files',
  details:
    'In keyword mode (the default) every word must occur; hybrid and semantic understand a question in your own words and improve with rephrasings in `queries`.',
  params: {
    query: {
      ...QUERY,
      required: true,
      help: 'Keywords to match (all whitespace-separated tokens must be present)',
    },
    limit: { type: 'integer', min: 1, max: 25, clamp: true, default: 10, help: 'Maximum number of hits' },
    mode: {
      type: 'choice',
      choices: ['keyword', 'semantic', 'hybrid'],
      help: 'keyword (default) requires every word; semantic and hybrid search by meaning and need the search index',
    },
    queries: {
      type: 'list',
      of: QUERY,
      max: LIMITS.searchQueries.value,
      help: 'The same question in other words; results are fused (semantic, hybrid) or appended (keyword)',
    },
  },
  output,
  reads: 'skills',
  tool: 'skills',
  async run({ query, limit, mode = 'keyword', queries = [] }, workspace) {
    if (keywordTokens(query).length === 0)
      throw new Failure('USAGE', 'Invalid params (-32602): query is required and must contain a word.');
    const catalog = (await workspace.fresh()).view();
    const request = { query, limit };
    let reason: string | undefined;
    if (mode !== 'keyword') {
      try {
        return { ...request, ...(await searchByMeaning(workspace, catalog, { query, queries, mode, limit })) };
      } catch (error) {
        // Without an index or a model, fall back to keyword search and say so.
        if (!(error instanceof Failure) || (error.code !== 'NO_INDEX' && error.code !== 'MODEL_UNAVAILABLE'))
          throw error;
        reason = `${mode} search is not available, so keyword search ran: every word must occur. ${inWords(error)}`;
      }
    }
    const { documents } = await corpusToSearch(workspace, 'enabled', ['skill']);
    const { total, hits } = await searchKeywords(documents, [query, ...queries], limit);
    const results = describeHits(
      hits.map(({ document, score, excerpt }) => ({ path: document.path, score, excerpt: excerpt.text })),
      catalog,
      workspace,
    );
    return {
      ...request,
      total,
      mode: 'keyword' as const,
      model: null,
      ...(reason === undefined ? {} : { reason }),
      results,
    };
  },
});

async function searchByMeaning(
  workspace: Workspace,
  catalog: SkillCatalog,
  request: SearchRequest,
): Promise<Pick<AgentSearch, 'total' | 'mode' | 'model' | 'reason' | 'results'>> {
  const { documents } = await corpusToSearch(workspace, 'enabled', ['skill']);
  const search = await workspace.search();
  const { mode, model, reason, total, hits } = await search.search(documents, request);
  const results = describeHits(
    hits.map(({ path, score, snippet }) => ({ path, score, excerpt: snippet })),
    catalog,
    workspace,
  );
  return { total, mode, model, ...(reason === undefined ? {} : { reason }), results };
}

function describeHits(
  hits: readonly { path: string; score: number; excerpt: string }[],
  catalog: SkillCatalog,
  workspace: Workspace,
): AgentSearch['results'] {
  const paths = new Set(hits.map(({ path }) => path));
  const byFile = new Map(catalog.skills.filter(({ file }) => paths.has(file)).map((skill) => [skill.file, skill]));
  return hits.flatMap(({ path, score, excerpt }) => {
    const skill = byFile.get(path);
    return skill ? [{ ...describeForAgents(skill, catalog, workspace), score, excerpt }] : [];
  });
}
