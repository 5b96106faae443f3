import * as z from 'zod';
import { Failure } from '../core/failure.js';
import { LIMITS } from '../core/limits.js';
import { fullNameOf, type Skill } from '../skills/schema.js';
import type { SearchDocument } from '../search/document.js';
import { keywordTokens, searchKeywords } from '../search/keyword.js';
import type { Workspace } from '../workspace/workspace.js';
import { defineOperation } from './define.js';
import { StateSchema } from './schemas.js';
import { readBody } from './skill-body.js';

export const SearchOutput = z.object({
  query: z.string(),
  mode: z.enum(['keyword']).describe('The mode that really ran'),
  model: z.string().nullable().describe('The embedding model, where one was used'),
  total: z.int().describe('How many items matched, also beyond the limit'),
  results: z.array(
    z.object({
      kind: z.enum(['skill', 'requirement', 'change']),
      id: z.string(),
      name: z.string(),
      path: z.string(),
      score: z.number(),
      snippet: z.string(),
      marks: z.array(z.tuple([z.int(), z.int()])).describe('Where the snippet shows a word of the query'),
    }),
  ),
});
export type SearchOutput = z.output<typeof SearchOutput>;

export const search = defineOperation({
  name: 'search',
  title: 'Search',
  summary: 'Finds skills by words: every word must occur in the name, the description or the body.',
  input: z.strictObject({
    query: z.string().describe('Words to look for'),
    limit: z.int().min(1).max(LIMITS.searchLimit.value).default(10).describe('How many results at the most'),
    state: StateSchema.default('enabled'),
  }),
  output: SearchOutput,
  readOnly: true,
  async run({ query, limit, state }, workspace) {
    if (keywordTokens(query).length === 0) {
      throw new Failure('USAGE', 'The query is empty.', { hint: 'Give one or more words, for example: lectern search "pull request".' });
    }
    const catalog = workspace.snapshot.view(state);
    const answer = searchKeywords(
      catalog.skills.map((skill) => documentOf(skill, catalog.isWinner(skill) ? catalog.displayName(skill) : fullNameOf(skill), workspace)),
      query,
      limit,
    );
    return {
      query,
      mode: 'keyword' as const,
      model: null,
      total: answer.total,
      results: answer.hits.map(({ document, score, excerpt }) => ({
        kind: document.kind,
        id: document.id,
        name: document.name,
        path: document.path,
        score,
        snippet: excerpt.text,
        marks: excerpt.marks.map(([start, end]): [number, number] => [start, end]),
      })),
    };
  },
});

function documentOf(skill: Skill, name: string, workspace: Workspace): SearchDocument {
  return {
    kind: 'skill',
    id: fullNameOf(skill),
    name,
    otherNames: [skill.folder],
    path: skill.file,
    description: skill.description,
    body: () => readBody(skill, workspace),
  };
}
