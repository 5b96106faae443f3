import * as z from 'zod';
import { Failure } from '../core/failure.js';
import { fullNameOf, type Skill } from '../skills/schema.js';
import type { SearchDocument } from '../search/document.js';
import { type KeywordAnswer, type KeywordHit, keywordTokens, searchKeywords } from '../search/keyword.js';
import type { SearchRequest } from '../search/search.js';
import { corpusToSearch } from '../workspace/search-documents.js';
import type { Workspace } from '../workspace/workspace.js';
import { defineOperation } from './define.js';
import { QueriesSchema } from './search.js';
import { readBody, warmBodies } from './skill-body.js';
import { CatalogEntry, describeForAgents } from './skills-list.js';

const LIMIT_MIN = 1;
const LIMIT_MAX = 25;
const LIMIT_DEFAULT = 10;

export const SkillsSearchOutput = z.object({
  query: z.string(),
  limit: z.int(),
  total: z.int().describe('How many skills matched, also beyond the limit'),
  mode: z.enum(['keyword', 'lexical', 'semantic', 'hybrid']).describe('The mode that really ran; lexical is by words, ranked, without meaning'),
  model: z.string().optional().describe('The embedding model, where one was used'),
  reason: z.string().optional().describe('Why this mode ran, or what the answer may lack'),
  results: z.array(
    CatalogEntry.extend({
      score: z.number().describe('keyword: how many words matched; otherwise 0 to 1'),
      excerpt: z.string().describe('Text around the match'),
    }),
  ),
});
export type SkillsSearchOutput = z.output<typeof SkillsSearchOutput>;

export const skillsSearch = defineOperation({
  name: 'skills_search',
  title: 'Search Skills',
  summary:
    'Finds skills by words in their name, description and body, as the files are now: every word must occur. With mode hybrid or semantic by their meaning, where a search index has been built.',
  input: z.strictObject({
    query: z.string().min(1).describe('Keywords to match (all whitespace-separated tokens must be present); a sentence for semantic and hybrid'),
    limit: z
      .int()
      .meta({ minimum: LIMIT_MIN, maximum: LIMIT_MAX, description: 'Maximum number of hits' })
      .default(LIMIT_DEFAULT)
      .transform((limit) => Math.min(LIMIT_MAX, Math.max(LIMIT_MIN, limit))),
    mode: z.enum(['keyword', 'semantic', 'hybrid']).optional().describe('keyword (default) wants every word; the others go by meaning'),
    queries: QueriesSchema,
  }),
  output: SkillsSearchOutput,
  readOnly: true,
  async run({ query, limit, mode = 'keyword', queries = [] }, workspace) {
    if (keywordTokens(query).length === 0) throw new Failure('USAGE', 'Invalid params (-32602): query is required and must hold a word.');
    await workspace.fresh();
    if (mode === 'keyword') return byWords(workspace, query, queries, limit);
    try {
      return await byMeaning(workspace, { query, queries, mode, limit });
    } catch (error) {
      if (!(error instanceof Failure) || (error.code !== 'NO_INDEX' && error.code !== 'MODEL_UNAVAILABLE')) throw error;
      const next = error.code === 'NO_INDEX' ? '. `lectern index` or the tool rebuild_index builds the index' : '';
      return { ...(await byWords(workspace, query, queries, limit)), reason: `${error.message}, so every word had to occur${next}.` };
    }
  },
});

async function byWords(workspace: Workspace, query: string, queries: readonly string[], limit: number): Promise<SkillsSearchOutput> {
  const catalog = workspace.snapshot.view();
  await warmBodies(catalog.skills, workspace);
  const documents = catalog.skills.map((skill) => documentOf(skill, workspace));
  const skillOf = new Map(documents.map((document, index) => [document, catalog.skills[index]]));
  const { total, hits } = searchAll(documents, query, queries, limit);
  const results = hits.flatMap(({ document, score, excerpt }): SkillsSearchOutput['results'] => {
    const skill = skillOf.get(document);
    return skill ? [{ ...describeForAgents(skill, catalog, workspace), score, excerpt: excerpt.text }] : [];
  });
  return { query, limit, total, mode: 'keyword', results };
}

async function byMeaning(workspace: Workspace, request: SearchRequest): Promise<SkillsSearchOutput> {
  const catalog = workspace.snapshot.view();
  const corpus = corpusToSearch(workspace, 'enabled', ['skill']);
  const room = await workspace.search();
  const { query, mode, model, reason, total, hits } = await room.search((await corpus).documents, request);
  const skillAt = new Map(catalog.skills.map((skill) => [skill.file, skill]));
  const results = hits.flatMap(({ path, score, snippet }): SkillsSearchOutput['results'] => {
    const skill = skillAt.get(path);
    return skill ? [{ ...describeForAgents(skill, catalog, workspace), score, excerpt: snippet }] : [];
  });
  return {
    query,
    limit: request.limit,
    total,
    mode,
    ...(model === null ? {} : { model }),
    ...(reason === undefined ? {} : { reason }),
    results,
  };
}

/** The hits of the query, then those that only a rephrasing finds. */
function searchAll(documents: readonly SearchDocument[], query: string, rephrasings: readonly string[], limit: number): KeywordAnswer {
  if (rephrasings.length === 0) return searchKeywords(documents, query, limit);
  const found = new Map<SearchDocument, KeywordHit>();
  for (const each of [query, ...rephrasings]) {
    for (const hit of searchKeywords(documents, each, documents.length).hits) if (!found.has(hit.document)) found.set(hit.document, hit);
  }
  return { total: found.size, hits: [...found.values()].slice(0, limit) };
}

function documentOf(skill: Skill, workspace: Workspace): SearchDocument {
  return {
    kind: 'skill',
    id: `${fullNameOf(skill)} ${skill.rank}`,
    name: skill.name,
    otherNames: [skill.folder],
    path: skill.file,
    description: skill.description,
    body: () => readBody(skill, workspace),
  };
}
