import { integer, list, number, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { clip } from '../core/text.ts';
import type { SearchDocument } from '../search/document.ts';
import { defineOperation, InvalidInput } from './define.ts';
import { byScore } from './join.ts';
import { CATALOG_ENTRY, type CatalogEntry, describeForAgents, projectRootOf } from './agent-list.ts';
import { MODE, nothingToSearch, QUERIES, QUERY, SEARCHED } from './shapes.ts';

const output = {
  query: text(),
  limit: integer(),
  total: integer(),
  ...SEARCHED,
  results: list(
    object({
      ...CATALOG_ENTRY,
      score: number('keyword: matched words; otherwise 0 to 1'),
      excerpt: text('Text around the match, unless the description has it'),
    }),
  ),
  nearest: optional(
    list(
      object({ name: text(), description: text(), skillPath: CATALOG_ENTRY.skillPath }),
      'If no skill has all words: the nearest by meaning',
    ),
  ),
} as const;
export type AgentSearch = ObjectOf<typeof output>;

export const agentSearch = defineOperation({
  name: 'skills_search',
  title: 'Search Skills',
  summary: 'Search the names, descriptions and texts of skills, when no listed skill fits the task',
  details: 'Add 2 or 3 rephrasings as `queries` with technical words a skill would use.',
  params: {
    query: { ...QUERY, required: true, help: 'Words or a question' },
    limit: { type: 'integer', min: 1, max: 25, clamp: true, default: 10 },
    mode: MODE,
    queries: QUERIES,
  },
  output,
  reads: 'skills',
  tool: 'skills',
  join: byScore('results', { kind: 'skill', name: 'name' }),
  async run({ query, limit, mode: asked, queries = [] }, workspace, { completeTexts = false }) {
    const { excerptAlways, excerptOfBody, keywordTokens } = await import('../search/keyword.ts');
    const { snippetOfBody } = await import('../search/snippet.ts');
    if (keywordTokens(query).length === 0) throw new InvalidInput('query', 'is required and must contain a word');
    const { corpusToSearch, skillOf } = await import('../workspace/search-documents.ts');
    const catalog = (await workspace.fresh()).view();
    const root = projectRootOf(workspace);
    const mode = asked ?? workspace.snapshot.settings.searchMode.value;
    const { documents } = await corpusToSearch(workspace, workspace.snapshot.state, ['skill']);
    const search = await workspace.search();
    const answer = await search.search(documents, { query, queries, mode, limit, snippets: false });
    const reason = documents.length === 0 ? nothingToSearch(['skill']) : answer.reason;
    // Models see the description anyway.
    const unlessDescribed = answer.mode === 'keyword' ? excerptOfBody : snippetOfBody;
    const excerptOf = (document: SearchDocument): string =>
      (completeTexts ? excerptAlways : unlessDescribed)(document, [query, ...queries]);
    const describe = (document: SearchDocument): CatalogEntry[] => {
      const skill = skillOf(document);
      if (!skill) return [];
      const entry = describeForAgents(skill, catalog, root);
      if (completeTexts) return [entry];
      const { name, description } = entry.meta;
      return [{ ...entry, meta: { name, description: clip(description, DESCRIPTION_CHARACTERS) } }];
    };
    // Only for callers who did not choose: few questions have an answer with all their words.
    const isTooStrict = asked === undefined && mode === 'keyword' && answer.total === 0;
    const near = isTooStrict
      ? (await search.search(documents, { query, queries, mode: 'auto', limit: NEAREST, snippets: false })).hits
      : [];
    return {
      query,
      limit,
      total: answer.total,
      mode: answer.mode,
      ...(answer.confidence === undefined ? {} : { confidence: answer.confidence }),
      ...(reason === undefined ? {} : { reason }),
      results: answer.hits.flatMap(({ document, score }) =>
        describe(document).map((entry) => ({ ...entry, score, excerpt: excerptOf(document) })),
      ),
      ...(near.length === 0 ? {} : { nearest: near.flatMap(({ document }) => describe(document).map(nearestOf)) }),
    };
  },
});

/** Maximum number of skills that are named if none has all words. */
const NEAREST = 5;

/** Enough to choose by. Models pay for every character of ten results. */
const DESCRIPTION_CHARACTERS = 300;

function nearestOf({ name, meta: { description }, skillPath }: CatalogEntry) {
  return { name, description, skillPath };
}
