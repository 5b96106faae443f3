/** Builds the answer to a search. */
import { inSlices } from '../core/breathe.ts';
import { compareText } from '../core/text.ts';
import {
  ALL_KINDS,
  type DocumentKind,
  keyOf,
  type OnProgress,
  type SearchDocument,
  type SearchHit,
} from './document.ts';
import type { Prepared } from './prepared.ts';
import type { ReadQuery, Spelling } from './query.ts';
import type { QueryVectors } from './query-vectors.ts';
import { BEST_SCORE, type Ranking } from './rank.ts';
import type { Segment } from './segment.ts';
import { selectBest, type Selected } from './select-best.ts';
import { snippetOf } from './snippet.ts';

export type SearchMode = 'auto' | 'keyword';

export interface SearchRequest {
  query: string;
  /** Rephrasings of the query. Hits are ranked by the mean of all scores. */
  queries?: readonly string[];
  mode: SearchMode;
  limit: number;
  /** Number of top hits to skip, for paging. */
  offset?: number;
  /** Returns this many hits of each kind, by kind, instead of the best ones of all kinds. */
  perKind?: number | undefined;
  /** Leaves out hits with a lower score. By default, those that are hardly related are left out. */
  minScore?: number;
  kinds?: readonly DocumentKind[];
  /** False leaves snippets empty, for callers that build their own. Snippets take longer than matching. */
  snippets?: boolean;
  signal?: AbortSignal;
  /**
   * Waits this long for the index, then answers that it is still being built. By default, a search waits until it is ready, or
   * answers by keywords after the patience of the search.
   */
  readyWithinMs?: number;
  /** Called while documents are being indexed for this search. */
  onProgress?: OnProgress | undefined;
}

export interface SearchAnswer {
  query: string;
  /** The mode that ran. */
  mode: SearchMode;
  model: string | null;
  /** Set if the hits may not answer the query. */
  confidence?: 'low';
  /** Set if the index is still being built, so that there are no hits yet. */
  isPreparing?: true;
  /** Explains a different mode, a correction, or missing documents. Has no final period. */
  reason?: string;
  /** Words that occur in no document, with the words searched instead. */
  corrections: readonly Spelling[];
  total: number;
  /** The total by kind. */
  totals: Record<DocumentKind, number>;
  hits: SearchHit[];
}

/** A search after ranking. */
export interface RankedSearch {
  request: SearchRequest;
  prepared: Prepared;
  /** The query and its rephrasings. */
  texts: readonly string[];
  read: readonly ReadQuery[];
  vectors: QueryVectors;
  ranking: Ranking;
}

/** Selects the best documents and describes them. */
export async function answerOf(search: RankedSearch): Promise<SearchAnswer> {
  const { request, prepared, read, ranking } = search;
  const { documents, kinds } = prepared;
  const { offset = 0, limit, perKind } = request;
  const { model, reason } = search.vectors;
  const select = (most: number, only?: DocumentKind): Selected =>
    selectBest(ranking, kinds, {
      least: request.minScore === undefined ? undefined : BEST_SCORE * request.minScore,
      limit: most,
      only,
      compare(a, b) {
        const difference = (ranking.scores[b] ?? 0) - (ranking.scores[a] ?? 0);
        return difference || compareKeys(documents[a] as SearchDocument, documents[b] as SearchDocument);
      },
    });
  const selected = select(offset + limit);
  const best =
    perKind === undefined
      ? selected.best.slice(offset, offset + limit)
      : ALL_KINDS.flatMap((kind) => select(perKind, kind).best.slice(0, perKind));
  const reasons = [reason, ...correctionsOf(read)].filter((part) => part !== undefined).join('. ');
  return {
    query: request.query,
    mode: 'auto',
    model,
    ...(selected.isWeak ? { confidence: 'low' as const } : {}),
    ...(reasons === '' ? {} : { reason: reasons }),
    corrections: read.flatMap(({ corrections }) => corrections),
    total: selected.total,
    totals: selected.totals,
    hits: await inSlices(lazily(best, hitsOf(search))),
  };
}

/** Returns a function that describes the document at an index. */
function hitsOf({ request, prepared, texts, read, vectors, ranking }: RankedSearch): (index: number) => SearchHit {
  const { snippets = true } = request;
  const marked = [...texts, ...read.flatMap(({ corrections }) => corrections.map(({ meant }) => meant))];
  return (index) => ({
    ...hitOf(
      prepared.documents[index] as SearchDocument,
      reported(ranking.scores[index] ?? 0),
      snippets ? marked : undefined,
    ),
    words: wordsIn(prepared.segments, index, read),
    ...(vectors.model === null ? {} : { meaning: Number((ranking.cosines[index] ?? 0).toFixed(4)) }),
  });
}

function reported(score: number): number {
  return Number(Math.min(1, Math.max(0, score / BEST_SCORE)).toFixed(4));
}

/** Query words that occur in a document, each once and with corrected spelling. */
function wordsIn(segments: readonly Segment[], index: number, read: readonly ReadQuery[]): string[] {
  let document = index;
  let at = 0;
  while (document >= (segments[at]?.lengths.length ?? Infinity)) document -= segments[at++]?.lengths.length ?? 0;
  const words = read.flatMap(({ words: all, typed, corrections }) =>
    typed
      .filter((_, place) => (segments[at]?.weightIn(document, all[place] ?? []) ?? 0) > 0)
      .map((word) => corrections.find((spelling) => spelling.typed === word)?.meant ?? word),
  );
  return [...new Set(words)];
}

export function totalsOf(documents: Iterable<SearchDocument>): Record<DocumentKind, number> {
  const totals = { skill: 0, requirement: 0, change: 0 };
  for (const { kind } of documents) totals[kind] += 1;
  return totals;
}

function correctionsOf(read: readonly ReadQuery[]): string[] {
  return read.flatMap(({ corrections }) =>
    corrections.map(({ typed, meant }) => `No document has “${typed}”, so “${meant}” was searched too`),
  );
}

/** Lazily maps items. */
export function* lazily<Item, Result>(items: readonly Item[], make: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield make(item);
}

function hitOf(
  document: SearchDocument,
  score: number,
  queries: readonly string[] | undefined,
): Omit<SearchHit, 'words'> {
  const snippet = queries ? snippetOf(document.description, document.body(), queries) : { text: '', marks: [] };
  return { ...namedParts(document), score, snippet: snippet.text, marks: snippet.marks };
}

export function namedParts(
  document: SearchDocument,
): Pick<SearchHit, 'kind' | 'id' | 'name' | 'path' | 'extras' | 'document'> {
  const { kind, id, name, path, extras } = document;
  return { kind, id, name, path, extras: extras ?? {}, document };
}

function compareKeys(a: SearchDocument, b: SearchDocument): number {
  return compareText(a.id, b.id) || compareText(keyOf(a), keyOf(b));
}
