import * as z from 'zod';
import { Failure } from '../core/failure.js';
import { fullNameOf, type Skill } from '../skills/schema.js';
import type { SearchDocument } from '../search/document.js';
import { type KeywordAnswer, type KeywordHit, keywordTokens, searchKeywords } from '../search/keyword.js';
import type { Workspace } from '../workspace/workspace.js';
import { defineOperation } from './define.js';
import { readBody, warmBodies } from './skill-body.js';
import { CatalogEntry, describeForAgents } from './skills-list.js';

const LIMIT_MIN = 1;
const LIMIT_MAX = 25;
const LIMIT_DEFAULT = 10;
const REPHRASINGS_MAX = 5;

export const SkillsSearchOutput = z.object({
  query: z.string(),
  limit: z.int(),
  total: z.int().describe('How many skills matched, also beyond the limit'),
  mode: z.enum(['keyword', 'semantic', 'hybrid']).describe('The mode that really ran'),
  note: z.string().optional().describe('Why another mode ran than was asked for'),
  results: z.array(
    CatalogEntry.extend({ score: z.number().describe('Number of matched words'), excerpt: z.string().describe('Text around the first match') }),
  ),
});
export type SkillsSearchOutput = z.output<typeof SkillsSearchOutput>;

export const skillsSearch = defineOperation({
  name: 'skills_search',
  title: 'Search Skills',
  summary: 'Finds skills by words in their name, description and body, as the files are now. Every word must occur.',
  input: z.strictObject({
    query: z.string().min(1).describe('Keywords to match (all whitespace-separated tokens must be present)'),
    limit: z
      .int()
      .meta({ minimum: LIMIT_MIN, maximum: LIMIT_MAX, description: 'Maximum number of hits' })
      .default(LIMIT_DEFAULT)
      .transform((limit) => Math.min(LIMIT_MAX, Math.max(LIMIT_MIN, limit))),
    mode: z.enum(['keyword', 'semantic', 'hybrid']).optional().describe('keyword (default) wants every word; the others go by meaning'),
    queries: z.array(z.string().min(1)).max(REPHRASINGS_MAX).optional().describe('Other ways to say the query; their hits follow'),
  }),
  output: SkillsSearchOutput,
  readOnly: true,
  async run({ query, limit, mode = 'keyword', queries = [] }, workspace) {
    if (keywordTokens(query).length === 0) throw new Failure('USAGE', 'Invalid params (-32602): query is required and must hold a word.');
    const catalog = (await workspace.fresh()).view();
    await warmBodies(catalog.skills, workspace);
    const documents = catalog.skills.map((skill) => documentOf(skill, workspace));
    const skillOf = new Map(documents.map((document, index) => [document, catalog.skills[index]]));
    const entry = ({ document, score, excerpt }: KeywordHit): SkillsSearchOutput['results'] => {
      const skill = skillOf.get(document);
      return skill ? [{ ...describeForAgents(skill, catalog, workspace), score, excerpt: excerpt.text }] : [];
    };
    const { total, hits } = searchAll(documents, query, queries, limit);
    return {
      query,
      limit,
      total,
      mode: 'keyword' as const,
      ...(mode === 'keyword' ? {} : { note: `${mode} search is not available here, so keyword search ran: every word had to occur.` }),
      results: hits.flatMap(entry),
    };
  },
});

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
