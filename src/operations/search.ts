import {
  choice,
  type InputOf,
  integer,
  list,
  nullable,
  number,
  object,
  type ObjectOf,
  optional,
  text,
} from '../core/fields/field.ts';
import { Failure } from '../core/failure.ts';
import { editDistance } from '../core/near.ts';
import { compareText } from '../core/text.ts';
import { ALL_KINDS, type DocumentKind, type SearchDocument, type SearchHit } from '../search/document.ts';
import { keywordTokens, searchKeywords } from '../search/keyword.ts';
import type { SearchAnswer } from '../search/search.ts';
import { corpusToSearch } from '../workspace/search-documents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { DIAGNOSTIC, LIMIT, QUERIES, QUERY, STATE } from './shapes.ts';

const output = {
  query: text(),
  mode: choice(
    ['keyword', 'lexical', 'semantic', 'hybrid'],
    'The mode that ran; lexical ranks by words, without meaning',
  ),
  model: nullable(text('The embedding model, if one was used')),
  reason: optional(text('Why this mode ran, or what may be missing')),
  total: integer('How many items matched, including those beyond the limit'),
  results: list(
    object({
      kind: choice(['skill', 'requirement', 'change']),
      id: text(),
      name: text(),
      path: text(),
      score: number('keyword: how many words matched; otherwise 0 to 1. Comparable within one answer'),
      snippet: text(),
      marks: list(list(integer()), 'Start and end of each word of the query in the snippet'),
      spec_id: optional(text()),
      requirement: optional(text()),
    }),
  ),
  suggestions: optional(list(text(), 'If nothing matched: words of names and descriptions that may have been meant')),
  diagnostics: optional(list(object(DIAGNOSTIC), 'Filters that match no skill')),
} as const;
type SearchOutput = ObjectOf<typeof output>;

const KINDS = { skills: 'skill', specs: 'requirement', changes: 'change' } as const satisfies Record<
  string,
  DocumentKind
>;

const params = {
  query: {
    ...QUERY,
    filled: false,
    required: true,
    positional: 'words',
    help: 'Words that must all occur, or a sentence to search by meaning',
  },
  queries: QUERIES,
  mode: {
    type: 'choice',
    choices: ['keyword', 'semantic', 'hybrid'],
    help: 'keyword needs no index; semantic and hybrid do. Defaults to hybrid if an index exists, otherwise keyword',
  },
  in: {
    type: 'list',
    of: { type: 'choice', choices: ['skills', 'specs', 'changes'] },
    placeholder: 'what',
    help: 'Search only skills, specs or changes',
  },
  limit: LIMIT,
  minScore: {
    type: 'number',
    min: 0,
    max: 1,
    placeholder: 'score',
    help: 'Leave out results that score less (semantic and hybrid)',
  },
  state: STATE,
} as const;

export const search = defineOperation({
  name: 'search',
  title: 'Search',
  summary: 'Find skills, requirements and changes by words or by meaning',
  params,
  output,
  reads: 'all',
  collections: true,
  command: {
    name: 'search',
    group: 'Look',
    examples: [
      ['lectern search "pull request"', 'find what mentions pull requests'],
      ['lectern search database migration --limit 3', 'show the three best results'],
      ['lectern search "which revision broke the feature" --mode hybrid', 'search by meaning, after lectern index'],
    ],
  },
  library: 'search',
  async run(request, workspace) {
    const found = await searchNow(request, workspace);
    const suggestions = found.results.length > 0 ? [] : await suggest(request, workspace);
    const data = suggestions.length === 0 ? found : { ...found, suggestions };
    const diagnostics = [...workspace.snapshot.filterDiagnostics(request.state)];
    return diagnostics.length === 0 ? data : { ...data, diagnostics };
  },
});

/** For each word of the query that occurs nowhere, the words that look most like it. */
async function suggest({ query, in: places, state }: InputOf<typeof params>, workspace: Workspace): Promise<string[]> {
  const kinds = places?.map((place) => KINDS[place]) ?? ALL_KINDS;
  const { documents } = await corpusToSearch(workspace, state, kinds);
  const words = new Set(
    documents.flatMap(
      ({ name, description }) => `${name} ${description}`.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [],
    ),
  );
  return keywordTokens(query).flatMap((token) => {
    if (token.length < 4 || words.has(token)) return [];
    const isClose = (word: string): boolean => Math.abs(word.length - token.length) < 3;
    const near = [...words].filter(isClose).map((word) => ({ word, distance: editDistance(token, word, 2) }));
    return near
      .filter(({ distance }) => distance <= 2)
      .sort((a, b) => a.distance - b.distance || compareText(a.word, b.word))
      .slice(0, SUGGESTED_WORDS)
      .map(({ word }) => word);
  });
}

/** For one misspelled word. */
const SUGGESTED_WORDS = 3;

async function searchNow(
  { query, queries, mode, in: places, limit, minScore, state }: InputOf<typeof params>,
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
    const engine = await workspace.search();
    const answer = await engine.search(documents, {
      query,
      mode: mode ?? 'hybrid',
      limit,
      ...(queries === undefined ? {} : { queries }),
      ...(minScore === undefined ? {} : { minScore }),
    });
    return outputOf(answer);
  } catch (error) {
    // No mode was requested, so fall back to words and say what is wrong with the index.
    if (mode === undefined && error instanceof Failure && error.code === 'NO_INDEX')
      return byWords(`${error.message} Run \`lectern index\` to rebuild it`);
    throw error;
  }
}

const NO_INDEX_REASON = 'There is no search index, so only words count; `lectern index` builds one';

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
    marks: marks.map(([start, end]) => [start, end]),
    ...(spec_id === undefined ? {} : { spec_id }),
    ...(requirement === undefined ? {} : { requirement }),
  };
}
