/**
 * Searches documents by words and meaning together (`auto`), or by words that must all occur (`keyword`). No build step is needed.
 * Every answer contains the mode and model that ran, and the reason if they differ from the request.
 */
import { inSlices } from '../core/breathe.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText } from '../core/text.ts';
import { within } from '../core/within.ts';
import type { CacheState, SearchCache } from './cache/cache.ts';
import { type DocumentKind, keyOf, type SourceIndex, type SearchDocument, type SearchHit } from './document.ts';
import { checkVectors, embedDocuments, type EmbedDocumentsOptions } from './embed/embed-documents.ts';
import type { Embedder } from './embed/embedder.ts';
import { DocumentEntries } from './entries.ts';
import { searchKeywords } from './keyword.ts';
import { findCandidates } from './keywords/candidates.ts';
import { WordTable } from './keywords/word-table.ts';
import { BUNDLED_MODEL } from './model/bundled.ts';
import type { StaticModel } from './model/static-model.ts';
import { type Prepared, PreparedSources } from './prepared.ts';
import { type ReadQuery, readQuery, type Spelling, type Vocabulary } from './query.ts';
import { rank, type RankedQuery } from './rank.ts';
import type { Segment } from './segment.ts';
import { makeSegment } from './segments/make-segment.ts';
import { textsIn } from './segments/slice.ts';
import { selectBest } from './select-best.ts';
import { snippetOf } from './snippet.ts';
import { quantize } from './vector.ts';
import { eachPlainWord } from './words/terms.ts';

export type SearchMode = 'auto' | 'keyword';

export interface SearchRequest {
  query: string;
  /** Rephrasings of the query. Hits are ranked by the mean of all scores. */
  queries?: readonly string[];
  mode: SearchMode;
  limit: number;
  /** Number of top hits to skip, for paging. */
  offset?: number;
  /** Leaves out hits with a lower score. */
  minScore?: number;
  kinds?: readonly DocumentKind[];
  /** False leaves snippets empty, for callers that build their own. Snippets take longer than matching. */
  snippets?: boolean;
  signal?: AbortSignal;
}

export interface SearchAnswer {
  query: string;
  /** The mode that ran. */
  mode: SearchMode;
  model: string | null;
  /** Set if the hits may not answer the query. */
  confidence?: 'low';
  /** Explains a different mode, a correction, or missing documents. Has no full stop at the end. */
  reason?: string;
  /** Words that occur in no document, with the words searched instead. */
  corrections: readonly Spelling[];
  total: number;
  /** The total by kind. */
  totals: Record<DocumentKind, number>;
  hits: SearchHit[];
}

/** Source of the vectors: none, the bundled model, or an endpoint. */
export type Vectors =
  | { kind: 'none' }
  | { kind: 'static'; model: () => StaticModel }
  | { kind: 'endpoint'; embedder: Embedder };

export interface SearchOptions {
  vectors: Vectors;
  cache: SearchCache;
  /** For texts that are downloaded on demand: the number of missing texts, and a wait for their arrival. The search is then repeated. */
  texts?: { lost(): number; arrived(): Promise<boolean> };
  /** How long a search waits for entries being built before it falls back to keywords. */
  patienceMs?: number;
}

/** Bounds the cost of a query of unknown words. People misspell a word or two. */
const CORRECTIONS_MAX = 4;

/** The highest score that words and meaning can reach together. */
const BEST_SCORE = 2.5;

export class Search {
  readonly #options: SearchOptions;
  #entries: DocumentEntries | undefined;
  #opened: { model?: StaticModel; problem?: string } | undefined;
  /** Entries of the last documents. The same array of documents has the same texts. */
  #last: { documents: readonly SearchDocument[]; ready: Promise<Prepared> } | undefined;
  /** Prepared documents in parts, which several callers search concurrently. */
  readonly #inParts = new WeakMap<readonly SearchDocument[], Promise<Prepared>>();
  /** Words in document names, for spelling correction. Cached, because collecting them takes longer than a search. */
  readonly #named = new WeakMap<readonly SearchDocument[], Set<string>>();
  readonly #table = new WordTable();
  readonly #sources: PreparedSources;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#sources = new PreparedSources(
      {
        unpartitioned: async (documents) => (await this.#documentEntries().of(documents)).entries,
        segment: ({ id, documents }) => {
          const { model } = this.#bundled();
          return makeSegment(id, textsIn(documents), model && ((text) => model.embed(text)));
        },
      },
      this.#table,
    );
  }

  async search(documents: readonly SearchDocument[], request: SearchRequest): Promise<SearchAnswer> {
    const { lost = () => 0, arrived } = this.#options.texts ?? {};
    const before = lost();
    const answer = await this.#search(documents, request);
    return lost() !== before && (await arrived?.()) ? this.#search(documents, request) : answer;
  }

  async #search(documents: readonly SearchDocument[], request: SearchRequest): Promise<SearchAnswer> {
    const { kinds } = request;
    const asked = kinds ? documents.filter(({ kind }) => kinds.includes(kind)) : documents;
    if (request.mode === 'keyword') return this.#byKeywords(asked, request);
    const prepared = await this.#inTime(this.#prepare(asked));
    if (!prepared)
      return this.#byKeywords(asked, request, 'Search by meaning is still being prepared, so every word must occur');
    const { documents: wanted, kinds: kindPlaces, segments } = prepared;
    const texts = [request.query, ...(request.queries ?? [])]
      .filter((text) => text.trim() !== '')
      .slice(0, LIMITS.searchQueries.value + 1);
    const vocabulary = this.#vocabularyOf(wanted, segments);
    const read = await inSlices(each(texts, (text) => readQuery(text, vocabulary)));
    const { vectors, model, reason } = await this.#vectorsOf(read, segments, request.signal);
    const queries = read.map(({ words }, index): RankedQuery => ({
      words,
      vector: vectors[index],
    }));
    const ranking = await rank(segments, queries);
    const { offset = 0, snippets = true } = request;
    const corrections = read.flatMap((query) => query.corrections);
    const marked = [...texts, ...corrections.map(({ meant }) => meant)];
    const selected = selectBest(ranking, kindPlaces, {
      least: BEST_SCORE * (request.minScore ?? 0),
      limit: offset + request.limit,
      compare(a, b) {
        const difference = (ranking.scores[b] as number) - (ranking.scores[a] as number);
        return difference || compareKeys(wanted[a] as SearchDocument, wanted[b] as SearchDocument);
      },
    });
    const said = [reason, ...correctionsOf(read)].filter((part) => part !== undefined).join('. ');
    return {
      query: request.query,
      mode: 'auto',
      model,
      ...(selected.isWeak ? { confidence: 'low' as const } : {}),
      ...(said === '' ? {} : { reason: said }),
      corrections,
      total: selected.total,
      totals: selected.totals,
      hits: await inSlices(
        each(selected.best.slice(offset, offset + request.limit), (index) => ({
          ...hitOf(
            wanted[index] as SearchDocument,
            reported(ranking.scores[index] as number),
            snippets ? marked : undefined,
          ),
          words: wordsIn(segments, index, read),
          ...(model === null ? {} : { meaning: Number((ranking.cosines[index] as number).toFixed(4)) }),
        })),
      ),
    };
  }

  /** Builds and caches the entries of these documents. Returns the number of new entries. */
  async prepare(documents: readonly SearchDocument[], options: EmbedDocumentsOptions = {}): Promise<number> {
    const { vectors, cache } = this.#options;
    this.#last = undefined;
    if (vectors.kind === 'endpoint') {
      const made = await embedDocuments(documents, vectors.embedder, cache, options);
      this.#entries = undefined;
      return made;
    }
    const { made } = await this.#documentEntries().of(documents, options.signal);
    return made;
  }

  /** Indexes the documents of a source. */
  async indexSource(source: SourceIndex): Promise<void> {
    await this.#sources.index(source);
  }

  /** URL that texts are sent to for embedding; undefined if they stay in this process. */
  get url(): string | undefined {
    const { vectors } = this.#options;
    return vectors.kind === 'endpoint' ? vectors.embedder.url : undefined;
  }

  /** Name of the model; null if only words are ranked. */
  get model(): string | null {
    const { vectors } = this.#options;
    if (vectors.kind === 'endpoint') return vectors.embedder.name;
    return this.#bundled().model ? BUNDLED_MODEL : null;
  }

  /** Number of documents that are already prepared, and the size of the cache. */
  async status(
    documents: readonly SearchDocument[],
  ): Promise<{ ready: number; cache: CacheState | undefined; problem?: string }> {
    const { cache } = this.#options;
    cache.open();
    const ready = (await this.#documentEntries().texts(documents)).filter((text) => cache.entry(text)).length;
    const problem = this.#bundled().problem ?? cache.problem;
    return { ready, cache: cache.state, ...(problem === undefined ? {} : { problem }) };
  }

  /** Removes the cached entries of these documents, or of all. Returns the number removed. */
  async clear(documents?: readonly SearchDocument[]): Promise<number> {
    const { cache } = this.#options;
    const texts = documents && new Set(await this.#documentEntries().texts(documents));
    this.#last = undefined;
    this.#entries = undefined;
    return cache.clear(texts);
  }

  async #byKeywords(
    documents: readonly SearchDocument[],
    { query, queries = [], limit, offset = 0 }: SearchRequest,
    reason?: string,
  ): Promise<SearchAnswer> {
    const isPartitioned = documents[0]?.sourceIndex !== undefined;
    const prepared = isPartitioned ? await this.#prepare(documents) : undefined;
    const { total, found, hits } = await searchKeywords(
      prepared?.documents ?? documents,
      [query, ...queries],
      limit,
      offset,
      prepared && ((tokens) => findCandidates(prepared.segments, this.#table, tokens)),
    );
    return {
      query,
      mode: 'keyword',
      model: null,
      ...(reason === undefined ? {} : { reason }),
      corrections: [],
      total,
      totals: totalsOf(found),
      hits: hits.map(({ document, score, words, excerpt }) => ({
        ...namedParts(document),
        score,
        snippet: excerpt.text,
        marks: excerpt.marks,
        words,
      })),
    };
  }

  #prepare(documents: readonly SearchDocument[]): Promise<Prepared> {
    if (this.#last?.documents === documents) return this.#last.ready;
    const known = this.#inParts.get(documents);
    if (known) return known;
    const ready = this.#sources.of(documents);
    if (documents[0]?.sourceIndex) {
      this.#inParts.set(documents, ready);
      ready.catch(() => this.#inParts.delete(documents));
      return ready;
    }
    this.#last = { documents, ready };
    // A failed attempt must not be cached.
    ready.catch(() => (this.#last = undefined));
    return ready;
  }

  async #inTime<T>(promise: Promise<T>): Promise<T | undefined> {
    const { patienceMs } = this.#options;
    if (patienceMs === undefined) return promise;
    return within(patienceMs, promise);
  }

  /** The bundled model, or the reason why it cannot be used. Words are ranked in any case. */
  #bundled(): { model?: StaticModel; problem?: string } {
    const { vectors } = this.#options;
    if (vectors.kind !== 'static') return {};
    try {
      return (this.#opened ??= { model: vectors.model() });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return (this.#opened = { problem: error.message });
    }
  }

  #documentEntries(): DocumentEntries {
    const { vectors, cache } = this.#options;
    const { model, problem } = this.#bundled();
    return (this.#entries ??= new DocumentEntries({
      cache,
      embed: model && ((text) => model.embed(text)),
      keeps: vectors.kind !== 'endpoint' && problem === undefined,
    }));
  }

  #vocabularyOf(documents: readonly SearchDocument[], segments: readonly Segment[]): Vocabulary {
    const { model } = this.#bundled();
    return {
      correctionsLeft: CORRECTIONS_MAX,
      occurs: (hash) => segments.some((segment) => segment.has(hash)),
      knows: (word) => model?.has(word) ?? false,
      words: () => this.#wordsOf(documents),
    };
  }

  *#wordsOf(documents: readonly SearchDocument[]): Generator<string> {
    const { model } = this.#bundled();
    if (model) yield* model.words;
    let named = this.#named.get(documents);
    if (!named) {
      named = new Set<string>();
      for (const { names } of documents) for (const name of names) eachPlainWord(name, (word) => named?.add(word));
      this.#named.set(documents, named);
    }
    yield* named;
  }

  /** Vectors of the queries, or the reason why there are none. */
  async #vectorsOf(
    read: readonly ReadQuery[],
    segments: readonly Segment[],
    signal: AbortSignal | undefined,
  ): Promise<QueryVectors> {
    const { vectors } = this.#options;
    if (vectors.kind !== 'endpoint') {
      const { model, problem } = this.#bundled();
      if (!model)
        return {
          vectors: [],
          model: null,
          ...(problem === undefined ? {} : { reason: `${problem} Ranked by words alone` }),
        };
      const embedded = read.map(({ text }) => model.embed(text)).map((vector) => vector && quantize(vector));
      return { vectors: embedded, model: BUNDLED_MODEL };
    }
    const { embedder } = vectors;
    const flags = segments.flatMap(({ hasVectors }) => [...hasVectors]);
    const without = flags.filter((flag) => flag === 0).length;
    if (without === flags.length && flags.length > 0)
      return {
        vectors: [],
        model: null,
        reason: 'No document has vectors yet, so only words count; run `lectern index`',
      };
    try {
      const embedded = await embedder.embed(
        read.map(({ text }) => text),
        'query',
        signal,
      );
      checkVectors(embedder, embedded, read.length, segments.find(({ dimensions }) => dimensions > 0)?.dimensions);
      return {
        vectors: embedded.map(quantize),
        model: embedder.name,
        ...(without === 0
          ? {}
          : { reason: `${without} of ${flags.length} documents have no vectors yet; run \`lectern index\`` }),
      };
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
      return { vectors: [], model: null, reason: `${error.message} Ranked by words alone` };
    }
  }
}

interface QueryVectors {
  vectors: RankedQuery['vector'][];
  model: string | null;
  reason?: string;
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

function totalsOf(documents: Iterable<SearchDocument>): Record<DocumentKind, number> {
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
function* each<Item, Result>(items: readonly Item[], make: (item: Item) => Result): Generator<Result> {
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

function namedParts(
  document: SearchDocument,
): Pick<SearchHit, 'kind' | 'id' | 'name' | 'path' | 'extras' | 'document'> {
  const { kind, id, name, path, extras } = document;
  return { kind, id, name, path, extras: extras ?? {}, document };
}

function compareKeys(a: SearchDocument, b: SearchDocument): number {
  return compareText(a.id, b.id) || compareText(keyOf(a), keyOf(b));
}
