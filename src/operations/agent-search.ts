import { choice, integer, list, number, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { Failure, inWords } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { oneLine } from '../core/text.ts';
import { excerptOfBody, keywordTokens, searchKeywords } from '../search/keyword.ts';
import type { SearchRequest } from '../search/search.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import type { Skill } from '../skills/skill.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { CATALOG_ENTRY, describeForAgents } from './agent-list.ts';
import { QUERY } from './shapes.ts';

const output = {
  query: text(),
  limit: integer(),
  total: integer(),
  mode: choice(['keyword', 'lexical', 'semantic', 'hybrid'], 'The one that ran'),
  reason: optional(text('Why another mode ran')),
  results: list(
    object({
      ...CATALOG_ENTRY,
      score: number('keyword: matched words; otherwise 0 to 1'),
      excerpt: text('Around the match, unless that is in the description'),
    }),
  ),
} as const;
export type AgentSearch = ObjectOf<typeof output>;

export const agentSearch = defineOperation({
  name: 'skills_search',
  title: 'Search Skills',
  summary: 'Find skills by what their names, descriptions and texts say, when no listed skill fits the task',
  params: {
    query: {
      ...QUERY,
      required: true,
      help: 'Words or a question',
    },
    limit: { type: 'integer', min: 1, max: 25, clamp: true, default: 10 },
    mode: {
      type: 'choice',
      choices: ['keyword', 'semantic', 'hybrid'],
      help: 'keyword (default): every word must occur; others: by meaning, if indexed',
    },
    queries: {
      type: 'list',
      of: QUERY,
      max: LIMITS.searchQueries.value,
      help: 'The same question in other words',
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
        reason = `${mode} search is not available, so keyword search ran: every word must occur. ${inWords(error, 'model')}`;
      }
    }
    const { documents } = await corpusToSearch(workspace, 'enabled', ['skill']);
    const { total, hits } = await searchKeywords(documents, [query, ...queries], limit);
    const results = describeHits(
      hits.map(({ document, score }) => ({
        path: document.path,
        score,
        excerpt: excerptOfBody(document, [query, ...queries]),
      })),
      catalog,
      workspace,
    );
    return {
      ...request,
      total,
      mode: 'keyword' as const,
      ...(reason === undefined ? {} : { reason }),
      results,
    };
  },
});

async function searchByMeaning(
  workspace: Workspace,
  catalog: SkillCatalog,
  request: SearchRequest,
): Promise<Pick<AgentSearch, 'total' | 'mode' | 'reason' | 'results'>> {
  const { documents } = await corpusToSearch(workspace, 'enabled', ['skill']);
  const search = await workspace.search();
  const { mode, reason, total, hits } = await search.search(documents, request);
  const results = describeHits(
    hits.map(({ path, score, snippet }) => ({ path, score, excerpt: snippet })),
    catalog,
    workspace,
  );
  return { total, mode, ...(reason === undefined ? {} : { reason }), results };
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
    if (!skill) return [];
    return [
      { ...describeForAgents(skill, catalog, workspace), score, excerpt: isRepeated(excerpt, skill) ? '' : excerpt },
    ];
  });
}

/** Whether the excerpt says only what the entry has anyway. */
function isRepeated(excerpt: string, { description, name, folder }: Skill): boolean {
  const said = excerpt.replaceAll(/^…|…$/gu, '');
  return [description, name, folder].some((known) => oneLine(known).includes(said));
}
