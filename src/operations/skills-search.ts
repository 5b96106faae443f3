import * as z from 'zod';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { keywordTokens, searchKeywords } from '../search/keyword.ts';
import type { SearchRequest } from '../search/search.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { CatalogEntry, describeForAgents } from './skills-list.ts';

const LIMIT_MIN = 1;
const LIMIT_MAX = 25;
const LIMIT_DEFAULT = 10;

export const SkillsSearchOutput = z.object({
  query: z.string(),
  limit: z.int(),
  total: z.int().describe('How many skills matched, also beyond the limit'),
  mode: z
    .enum(['keyword', 'lexical', 'semantic', 'hybrid'])
    .describe('The mode that really ran; lexical is ranked by words without meaning'),
  model: z.string().nullable().describe('The embedding model, where one was used'),
  reason: z.string().optional().describe('Why another mode ran than was asked for, or what the answer may lack'),
  results: z.array(
    CatalogEntry.extend({
      score: z.number().describe('keyword: number of matched words; else 0 to 1'),
      excerpt: z.string().describe('Text around the match'),
    }),
  ),
});
export type SkillsSearchOutput = z.output<typeof SkillsSearchOutput>;

export const skillsSearch = defineOperation({
  name: 'skills_search',
  title: 'Search Skills',
  summary:
    'Finds skills by words in their name, description and body, as the files are now. In keyword mode (the default) every word must occur; hybrid and semantic understand a question in your own words, and get better with rephrasings in `queries`.',
  input: z.strictObject({
    query: z.string().min(1).describe('Keywords to match (all whitespace-separated tokens must be present)'),
    limit: z
      .int()
      .meta({ minimum: LIMIT_MIN, maximum: LIMIT_MAX, description: 'Maximum number of hits' })
      .default(LIMIT_DEFAULT)
      .transform((limit) => Math.min(LIMIT_MAX, Math.max(LIMIT_MIN, limit))),
    mode: z
      .enum(['keyword', 'semantic', 'hybrid'])
      .optional()
      .describe('keyword (default) wants every word; semantic and hybrid go by meaning and need the search index'),
    queries: z
      .array(z.string().min(1))
      .max(LIMITS.searchQueries.value)
      .optional()
      .describe('The same in other words; their hits are fused (by meaning) or follow (keyword)'),
  }),
  output: SkillsSearchOutput,
  readOnly: true,
  async run({ query, limit, mode = 'keyword', queries = [] }, workspace) {
    if (keywordTokens(query).length === 0)
      throw new Failure('USAGE', 'Invalid params (-32602): query is required and must hold a word.');
    const catalog = (await workspace.fresh()).view();
    const asked = { query, limit };
    let reason: string | undefined;
    if (mode !== 'keyword') {
      try {
        return { ...asked, ...(await searchByMeaning(workspace, catalog, { query, queries, mode, limit })) };
      } catch (error) {
        // Without an index or a model words are all there is, and the answer says so.
        if (!(error instanceof Failure) || (error.code !== 'NO_INDEX' && error.code !== 'MODEL_UNAVAILABLE'))
          throw error;
        reason =
          `${mode} search is not available here, so keyword search ran: every word had to occur. ${error.message}. ${error.hint ?? ''}`.trim();
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
      ...asked,
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
): Promise<Pick<SkillsSearchOutput, 'total' | 'mode' | 'model' | 'reason' | 'results'>> {
  const { documents } = await corpusToSearch(workspace, 'enabled', ['skill']);
  const room = await workspace.search();
  const { mode, model, reason, total, hits } = await room.search(documents, request);
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
): SkillsSearchOutput['results'] {
  const paths = new Set(hits.map(({ path }) => path));
  const byFile = new Map(catalog.skills.filter(({ file }) => paths.has(file)).map((skill) => [skill.file, skill]));
  return hits.flatMap(({ path, score, excerpt }) => {
    const skill = byFile.get(path);
    return skill ? [{ ...describeForAgents(skill, catalog, workspace), score, excerpt }] : [];
  });
}
