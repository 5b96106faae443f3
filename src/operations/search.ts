import * as z from 'zod';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { ALL_KINDS, type DocumentKind, type SearchDocument, type SearchHit } from '../search/document.ts';
import { keywordTokens, searchKeywords } from '../search/keyword.ts';
import type { SearchAnswer } from '../search/search.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { DiagnosticSchema, StateSchema } from './schemas.ts';

export const SearchOutput = z.object({
  query: z.string(),
  mode: z
    .enum(['keyword', 'lexical', 'semantic', 'hybrid'])
    .describe('The mode that really ran; lexical is by words, ranked, without meaning'),
  model: z.string().nullable().describe('The embedding model, where one was used'),
  reason: z.string().optional().describe('Why this mode ran, or what the answer may lack'),
  total: z.int().describe('How many items matched, also beyond the limit'),
  results: z.array(
    z.object({
      kind: z.enum(['skill', 'requirement', 'change']),
      id: z.string(),
      name: z.string(),
      path: z.string(),
      score: z.number().describe('keyword: how many words matched; otherwise 0 to 1. Comparable within one answer'),
      snippet: z.string(),
      marks: z.array(z.tuple([z.int(), z.int()])).describe('Where the snippet shows a word of the query'),
      spec_id: z.string().optional(),
      requirement: z.string().optional(),
    }),
  ),
  diagnostics: z.array(DiagnosticSchema).optional().describe('Filters that match no skill'),
});
export type SearchOutput = z.output<typeof SearchOutput>;

/** What `in` calls them, and what they are. */
const KINDS = { skills: 'skill', specs: 'requirement', changes: 'change' } as const satisfies Record<
  string,
  DocumentKind
>;

export const QueriesSchema = z
  .array(z.string().min(1))
  .max(LIMITS.searchQueries.value)
  .optional()
  .describe('The same in other words; all results are fused (semantic and hybrid)');

const input = z.strictObject({
  query: z.string().describe('What to look for: words that must all occur (keyword), or a sentence (semantic, hybrid)'),
  queries: QueriesSchema,
  mode: z
    .enum(['keyword', 'semantic', 'hybrid'])
    .optional()
    .describe('keyword needs no index; by default hybrid where an index is, else keyword'),
  in: z
    .array(z.enum(['skills', 'specs', 'changes']))
    .optional()
    .describe('Only these; by default everything'),
  limit: z.int().min(1).max(LIMITS.searchLimit.value).default(10).describe('How many results at the most'),
  minScore: z.number().min(0).max(1).optional().describe('Leave out what scores less (semantic, hybrid)'),
  state: StateSchema.default('enabled'),
});

export const search = defineOperation({
  name: 'search',
  title: 'Search',
  summary: 'Finds skills, requirements and changes by words (keyword), by meaning (semantic) or by both (hybrid).',
  input,
  output: SearchOutput,
  readOnly: true,
  async run(request, workspace) {
    const data = await searchNow(request, workspace);
    const diagnostics = [...workspace.snapshot.filterDiagnostics(request.state)];
    return diagnostics.length === 0 ? data : { ...data, diagnostics };
  },
});

async function searchNow(
  { query, queries, mode, in: places, limit, minScore, state }: z.output<typeof input>,
  workspace: Workspace,
): Promise<SearchOutput> {
  if (keywordTokens(query).length === 0) {
    throw new Failure('USAGE', 'The query is empty.', {
      hint: 'Give one or more words, for example: lectern search "pull request".',
    });
  }
  const kinds = places?.map((place) => KINDS[place]) ?? ALL_KINDS;
  const { documents } = await corpusToSearch(workspace, state, kinds);
  const byWords = async (reason?: string): Promise<SearchOutput> => ({
    query,
    mode: 'keyword',
    model: null,
    ...(reason === undefined ? {} : { reason }),
    ...(await keywordResults(documents, query, limit)),
  });
  if (mode === 'keyword') return byWords();
  if (mode === undefined && !workspace.hasIndex()) return byWords(NO_INDEX_REASON);
  try {
    const room = await workspace.search();
    const answer = await room.search(documents, {
      query,
      mode: mode ?? 'hybrid',
      limit,
      ...(queries === undefined ? {} : { queries }),
      ...(minScore === undefined ? {} : { minScore }),
    });
    return outputOf(answer);
  } catch (error) {
    // Nobody asked for meaning: words will do, and the answer says what is wrong with the index.
    if (mode === undefined && error instanceof Failure && error.code === 'NO_INDEX')
      return byWords(`${error.message}; \`lectern index\` builds it anew`);
    throw error;
  }
}

const NO_INDEX_REASON = 'No search index has been built here, so only words count; `lectern index` builds one';

async function keywordResults(
  documents: readonly SearchDocument[],
  query: string,
  limit: number,
): Promise<Pick<SearchOutput, 'total' | 'results'>> {
  const { total, hits } = await searchKeywords(documents, [query], limit);
  const results = hits.map(({ document, score, excerpt }) =>
    resultOf({ ...document, extras: document.extras ?? {}, score, snippet: excerpt.text, marks: excerpt.marks }),
  );
  return { total, results };
}

function outputOf({ query, mode, model, reason, total, hits }: SearchAnswer): SearchOutput {
  return { query, mode, model, ...(reason === undefined ? {} : { reason }), total, results: hits.map(resultOf) };
}

function resultOf({ kind, id, name, path, score, snippet, marks, extras }: SearchHit): SearchOutput['results'][number] {
  const { spec_id, requirement } = extras;
  return {
    kind,
    id,
    name,
    path,
    score,
    snippet,
    marks: marks.map(([start, end]): [number, number] => [start, end]),
    ...(spec_id === undefined ? {} : { spec_id }),
    ...(requirement === undefined ? {} : { requirement }),
  };
}
