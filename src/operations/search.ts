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
import { breather } from '../core/breathe.ts';
import { Failure } from '../core/failure.ts';
import { memo } from '../core/memo.ts';
import { editDistance } from '../core/near.ts';
import { compareText } from '../core/text.ts';
import { ALL_KINDS, type DocumentKind, type SearchDocument, type SearchHit } from '../search/document.ts';
import type { Reader } from '../workspace/reader.ts';
import { defineOperation } from './define.ts';
import { RESULT_DETAILS, resultDetails } from './search-details.ts';
import {
  CURSOR,
  DIAGNOSTIC,
  LIMIT,
  MODE,
  NEXT_CURSOR,
  nothingToSearch,
  QUERIES,
  QUERY,
  SEARCHED,
  STATE,
} from './shapes.ts';

const COUNTS = { skill: integer(), requirement: integer(), change: integer() } as const;

const RESULT = {
  kind: choice(['skill', 'requirement', 'change']),
  id: text(),
  name: text(),
  path: text(),
  score: number('auto: 0 to 1; keyword: how many words matched'),
  snippet: text(),
  marks: list(list(integer()), 'Start and end of each word of the query in the snippet'),
  words: list(text(), 'Words of the query that it contains'),
  meaning: optional(number('Similarity in meaning, from -1 to 1; missing if only words count')),
  spec_id: optional(text()),
  requirement: optional(text()),
  ...RESULT_DETAILS,
} as const;

const output = {
  query: text(),
  ...SEARCHED,
  model: nullable(text('The model behind the vectors; null if only words counted')),
  corrections: list(
    object({ typed: text(), meant: text() }),
    'Words that occur nowhere, and the words searched instead',
  ),
  searched: object(COUNTS, 'Number of searched documents by kind'),
  total: integer('Number of matches, including those beyond the limit'),
  totals: object(COUNTS, 'Number of matches by kind'),
  allTotals: optional(object(COUNTS, 'On the page: the totals without the restriction to some kinds')),
  preparing: optional({
    type: 'flag',
    always: true,
    help: 'On the page: the index is still being built, so there are no results yet',
  }),
  nextCursor: NEXT_CURSOR,
  results: list(object(RESULT)),
  near: optional(list(object(RESULT), 'Nearest results if nothing matched')),
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
    help: 'Words, or a question in your own words',
  },
  queries: QUERIES,
  mode: {
    type: 'choice',
    choices: [...MODE.choices, 'semantic', 'hybrid'],
    default: 'auto',
    help: `${MODE.help}; semantic and hybrid mean auto`,
  },
  in: {
    type: 'list',
    of: { type: 'choice', choices: ['skills', 'specs', 'changes'] },
    placeholder: 'what',
    help: 'Search only skills, specs or changes',
  },
  limit: { ...LIMIT, help: 'Maximum number of results; text shows the first five of each kind unless it is set' },
  cursor: CURSOR,
  minScore: {
    type: 'number',
    min: 0,
    max: 1,
    placeholder: 'score',
    help: 'Leave out results that score less (auto)',
  },
  state: STATE,
} as const;
type SearchInput = InputOf<typeof params>;

export const search = defineOperation({
  name: 'search',
  title: 'Search',
  summary: 'Find skills, requirements and changes by words and meaning',
  params,
  output,
  reads: 'all',
  settings: ['skills', 'filters', 'specs'],
  collections: true,
  command: {
    name: 'search',
    group: 'Look',
    examples: [
      ['lectern search "pull request"', 'find everything that mentions pull requests'],
      ['lectern search database migration --limit 3', 'show the three best results'],
      ['lectern search "which revision broke the feature"', 'ask in your own words'],
    ],
  },
  library: 'search',
  async run(request, workspace, { isForPage = false, isForText = false, isSet = () => true, progress }) {
    const { query, queries, mode, in: places, limit, cursor, minScore, state } = request;
    const { keywordTokens } = await import('../search/keyword.ts');
    if (keywordTokens(query).length === 0) {
      throw new Failure('USAGE', 'The query is empty.', {
        hint: 'Give one or more words, for example: lectern search "pull request".',
      });
    }
    const { corpusToSearch } = await import('../workspace/search-documents.ts');
    const kinds = places?.map((place) => KINDS[place]) ?? ALL_KINDS;
    const { documents, nameOf = ({ name }) => name } = await corpusToSearch(workspace, state, kinds);
    const engine = await workspace.search();
    const offset = Number(cursor ?? 0);
    const { hits, reason, corrections, isPreparing, ...answer } = await engine.search(documents, {
      query,
      mode: mode === 'keyword' ? mode : 'auto',
      limit,
      offset,
      ...(isForText && !isSet('limit') && cursor === undefined ? { perKind: SHOWN_PER_KIND } : {}),
      ...(queries === undefined ? {} : { queries }),
      ...(minScore === undefined ? {} : { minScore }),
      ...(isForText ? { snippets: false } : {}),
      ...(isForPage ? { readyWithinMs: PAGE_WAITS_MS } : {}),
      onProgress: progress && ((done, all) => progress({ phase: 'embedding', done, total: all })),
    });
    const isEmpty = answer.total === 0 && isPreparing !== true;
    const suggestions = isEmpty ? await suggest(keywordTokens(query), documents) : [];
    // The query may have been too strict: retry without requiring all words or a minimum score.
    const isStrict = answer.mode === 'keyword' || minScore !== undefined;
    const wider =
      isEmpty && isStrict ? await engine.search(documents, { query, mode: 'auto', limit: NEAR_MISSES }) : undefined;
    const end = offset + limit;
    const searched = { skill: 0, requirement: 0, change: 0 };
    for (const { kind } of documents) searched[kind] += 1;
    const diagnostics = [...workspace.snapshot.filterDiagnostics(state)];
    const found = {
      ...answer,
      ...(isPreparing ? { preparing: true as const } : {}),
      ...(documents.length === 0 ? { reason: nothingToSearch(kinds) } : reasonOf(mode, reason)),
      corrections: corrections.map(({ typed, meant }) => ({ typed, meant })),
      searched,
      ...(end < answer.total ? { nextCursor: String(end) } : {}),
      results: (isForText ? await withDescriptions(hits, [query, ...(queries ?? [])]) : hits).map((hit) =>
        resultOf(hit, nameOf(hit.document)),
      ),
      ...(wider && wider.hits.length > 0 ? { near: wider.hits.map((hit) => resultOf(hit, nameOf(hit.document))) } : {}),
      ...(suggestions.length === 0 ? {} : { suggestions }),
      ...(diagnostics.length === 0 ? {} : { diagnostics }),
    };
    return isForPage && !isPreparing ? withDetails(found, request, workspace, hits) : found;
  },
});

/**
 * Shows people the description instead of an excerpt, except for specs and changes whose matching words are elsewhere. In auto, the
 * hits have no snippets yet, because most texts need not be read for this.
 */
async function withDescriptions(hits: readonly SearchHit[], queries: readonly string[]): Promise<SearchHit[]> {
  const { snippetOf } = await import('../search/snippet.ts');
  return hits.map((hit) => {
    const { document, words, kind } = hit;
    const wanted = [...queries, ...words];
    const described = snippetOf(document.description, '', wanted);
    const isEnough = document.description !== '' && (kind === 'skill' || described.marks.length > 0);
    if (isEnough) return { ...hit, snippet: described.text, marks: described.marks };
    if (hit.snippet !== '') return hit;
    const { text: snippet, marks } = snippetOf(document.description, document.body(), wanted);
    return { ...hit, snippet, marks };
  });
}

/** Adds the fields that only the page shows. A search of one kind is repeated over everything, for the totals. */
async function withDetails(
  found: SearchOutput,
  request: SearchInput,
  workspace: Reader,
  hits: readonly SearchHit[],
): Promise<SearchOutput> {
  const { results, near = [], totals } = found;
  const { in: places, cursor: _, ...everything } = request;
  const all =
    places === undefined ? found : await search.run({ ...everything, limit: 1 }, workspace, { isForPage: true });
  if (all.preparing) return all;
  const detailsOf = await resultDetails(workspace, [...results, ...near]);
  const detailed = (result: SearchOutput['results'][number]) => ({ ...result, ...detailsOf(result) });
  const described = await withDescriptions(hits, [request.query]);
  return {
    ...found,
    allTotals: {
      ...all.totals,
      ...Object.fromEntries((places ?? []).map((place) => [KINDS[place], totals[KINDS[place]]])),
    },
    results: results.map((result, index) => {
      const { snippet: text = '', marks = [] } = described[index] ?? {};
      return { ...detailed(result), shown: { text, marks: marks.map((mark) => [...mark]) } };
    }),
    ...(near.length === 0 ? {} : { near: near.map(detailed) }),
  };
}

/** Suggests similar words for the first query words that occur nowhere. Yields to other work in between. */
async function suggest(tokens: readonly string[], documents: readonly SearchDocument[]): Promise<string[]> {
  const words = await wordsOf(documents);
  const unknown = tokens.filter((token) => token.length >= 4 && !words.has(token)).slice(0, SUGGESTED_FOR);
  const breathe = breather();
  const suggestions: string[] = [];
  for (const token of unknown) {
    const near: { word: string; distance: number }[] = [];
    for (const word of words) {
      const pause = breathe();
      if (pause) await pause;
      if (Math.abs(word.length - token.length) > EDITS_MAX) continue;
      const distance = editDistance(token, word, EDITS_MAX);
      if (distance <= EDITS_MAX) near.push({ word, distance });
    }
    near.sort((a, b) => a.distance - b.distance || compareText(a.word, b.word));
    suggestions.push(...near.slice(0, SUGGESTED_WORDS).map(({ word }) => word));
  }
  return suggestions;
}

/** Collects words once for the same documents. */
const wordsOf = memo(async (documents: readonly SearchDocument[]): Promise<ReadonlySet<string>> => {
  const breathe = breather();
  const words = new Set<string>();
  for (const { name, description } of documents) {
    const pause = breathe();
    if (pause) await pause;
    for (const [word] of `${name} ${description}`.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)) words.add(word);
  }
  return words;
});

/** Maximum number of letters in which a suggestion may differ. */
const EDITS_MAX = 2;

/** Maximum number of query words to correct. Each is compared with all words of all names and descriptions, and few are misspelled. */
const SUGGESTED_FOR = 4;

/** A page without results yet is better than a page that does not load. It is updated when the index is ready. */
const PAGE_WAITS_MS = 1_000;

/** Number of results of each kind that are shown as text. */
const SHOWN_PER_KIND = 5;

/** Number of weaker matches shown if nothing matches. */
const NEAR_MISSES = 3;

/** Maximum number of suggestions for one misspelled word. */
const SUGGESTED_WORDS = 3;

/** Adds a note for search modes of earlier versions, which still work. */
function reasonOf(mode: string, reason: string | undefined): { reason?: string } {
  const renamed =
    mode === 'semantic' || mode === 'hybrid' ? `The mode ${mode} is now part of auto, which ran` : undefined;
  const said = [renamed, reason].filter((part) => part !== undefined).join('. ');
  return said === '' ? {} : { reason: said };
}

function resultOf(hit: SearchHit, name: string): SearchOutput['results'][number] {
  const { kind, id, path, score, snippet, marks, words, meaning, extras } = hit;
  const { spec_id, requirement } = extras;
  return {
    kind,
    id,
    name,
    path,
    score,
    snippet,
    marks: marks.map(([start, end]) => [start, end]),
    words: [...words],
    ...(meaning === undefined ? {} : { meaning }),
    ...(spec_id === undefined ? {} : { spec_id }),
    ...(requirement === undefined ? {} : { requirement }),
  };
}
