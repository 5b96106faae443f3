/**
 * Searches documents by words and meaning together (`auto`), or by words that must all occur (`keyword`). No build step is needed.
 * Every answer contains the mode and model that ran, and the reason if they differ from the request.
 */
import { inSlices } from '../core/breathe.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { within } from '../core/within.ts';
import { answerOf, lazily, namedParts, type SearchAnswer, type SearchRequest, totalsOf } from './answer.ts';
import type { CacheState, SearchCache } from './cache/cache.ts';
import type { OnProgress, SourceIndex, SearchDocument } from './document.ts';
import { embedDocuments, type EmbedDocumentsOptions } from './embed/embed-documents.ts';
import type { Embedder } from './embed/embedder.ts';
import { DocumentSegments } from './document-segments.ts';
import { searchKeywords } from './keyword.ts';
import { findCandidates } from './keywords/candidates.ts';
import { WordTable } from './keywords/word-table.ts';
import { BUNDLED_MODEL } from './model/bundled.ts';
import type { StaticModel } from './model/static-model.ts';
import { type Prepared, PreparedSources } from './prepared.ts';
import { type ReadQuery, readQuery, type Vocabulary } from './query.ts';
import { type BundledModel, bundledVectors, endpointVectors, type QueryVectors } from './query-vectors.ts';
import { rank, type RankedQuery } from './rank.ts';
import type { Segment } from './segment.ts';
import { makeSegment } from './segments/make-segment.ts';
import { textsIn } from './segments/slice.ts';
import { eachPlainWord } from './words/terms.ts';

/** Source of the vectors: none, the bundled model, or an endpoint. */
export type Vectors =
  | { kind: 'none' }
  | { kind: 'static'; model: () => StaticModel }
  | { kind: 'endpoint'; embedder: Embedder };

export interface SearchOptions {
  vectors: Vectors;
  cache: SearchCache;
  /** For texts that are downloaded on demand: runs a search, and repeats it if some were missing. */
  complete?: <T>(work: () => Promise<T>) => Promise<T>;
  /** How long a search waits for indexing before it falls back to keywords. */
  patienceMs?: number;
  /** Called when the documents of a search are ready that did not wait for them. */
  onReady?: () => void;
}

/** Bounds the cost of a query of unknown words. People misspell a word or two. */
const CORRECTIONS_MAX = 4;

export class Search {
  readonly #options: SearchOptions;
  #segments: DocumentSegments | undefined;
  #opened: BundledModel | undefined;
  /** Index of the last documents. The same array of documents has the same texts. */
  #last: { documents: readonly SearchDocument[]; ready: Promise<Prepared> } | undefined;
  /** Prepared documents in parts, which several callers search concurrently. */
  readonly #inParts = new WeakMap<readonly SearchDocument[], Promise<Prepared>>();
  /** Words in document names, for spelling correction. Cached, because collecting them takes longer than a search. */
  readonly #named = new WeakMap<readonly SearchDocument[], Set<string>>();
  /** Documents whose readiness will be announced. */
  readonly #announced = new WeakSet<Promise<Prepared>>();
  readonly #table = new WordTable();
  readonly #sources: PreparedSources;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#sources = new PreparedSources(
      {
        unpartitioned: (documents, onProgress) => this.#indexed().of(documents, { onProgress }),
        segment: ({ id, documents }) => {
          const { model } = this.#bundled();
          return makeSegment(id, textsIn(documents), model && ((text) => model.embed(text)));
        },
      },
      this.#table,
    );
  }

  async search(documents: readonly SearchDocument[], request: SearchRequest): Promise<SearchAnswer> {
    const { complete } = this.#options;
    const search = (): Promise<SearchAnswer> => this.#search(documents, request);
    return complete ? complete(search) : search();
  }

  async #search(documents: readonly SearchDocument[], request: SearchRequest): Promise<SearchAnswer> {
    const { kinds } = request;
    const asked = kinds ? documents.filter(({ kind }) => kinds.includes(kind)) : documents;
    if (request.mode === 'keyword') return this.#byKeywords(asked, request);
    const { readyWithinMs = this.#options.patienceMs } = request;
    const ready = this.#prepare(asked, request.onProgress);
    const prepared = readyWithinMs === undefined ? await ready : await within(readyWithinMs, ready);
    if (!prepared && request.readyWithinMs !== undefined) return this.#unready(request, ready);
    if (!prepared)
      return this.#byKeywords(asked, request, 'Search by meaning is still being prepared, so every word must occur');
    const { documents: wanted, segments } = prepared;
    const texts = [request.query, ...(request.queries ?? [])]
      .filter((text) => text.trim() !== '')
      .slice(0, LIMITS.searchQueries.value + 1);
    const vocabulary = this.#vocabularyOf(wanted, segments);
    const read = await inSlices(lazily(texts, (text) => readQuery(text, vocabulary)));
    const vectors = await this.#vectorsOf(read, segments, request.signal);
    const queries = read.map(({ words }, index): RankedQuery => ({ words, vector: vectors.vectors[index] }));
    return answerOf({ request, prepared, texts, read, vectors, ranking: await rank(segments, queries) });
  }

  /** Indexes and caches these documents. Returns the number of new texts. */
  async prepare(documents: readonly SearchDocument[], options: EmbedDocumentsOptions = {}): Promise<number> {
    const { vectors, cache } = this.#options;
    this.#last = undefined;
    if (vectors.kind === 'endpoint') {
      const made = await embedDocuments(documents, vectors.embedder, cache, options);
      this.#segments = undefined;
      return made;
    }
    const { made } = await this.#indexed().of(documents, options);
    return made;
  }

  #unready({ query }: SearchRequest, ready: Promise<Prepared>): SearchAnswer {
    const { onReady } = this.#options;
    if (onReady && !this.#announced.has(ready)) {
      this.#announced.add(ready);
      // The next search reports a failure.
      ready.then(onReady, onReady);
    }
    const totals = totalsOf([]);
    return { query, mode: 'auto', model: this.model, isPreparing: true, corrections: [], total: 0, totals, hits: [] };
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
    const ready = (await this.#indexed().texts(documents)).filter((text) => cache.has(text)).length;
    const problem = this.#bundled().problem ?? cache.problem;
    return { ready, cache: cache.state, ...(problem === undefined ? {} : { problem }) };
  }

  /** Removes these documents from the cache, or all. Returns the number of texts removed. */
  async clear(documents?: readonly SearchDocument[]): Promise<number> {
    const { cache } = this.#options;
    const texts = documents && new Set(await this.#indexed().texts(documents));
    this.#last = undefined;
    this.#segments = undefined;
    return cache.clear(texts);
  }

  async #byKeywords(
    documents: readonly SearchDocument[],
    { query, queries = [], limit, offset = 0, perKind }: SearchRequest,
    reason?: string,
  ): Promise<SearchAnswer> {
    const isPartitioned = documents[0]?.sourceIndex !== undefined;
    const prepared = isPartitioned ? await this.#prepare(documents) : undefined;
    const { total, found, hits } = await searchKeywords(prepared?.documents ?? documents, [query, ...queries], {
      limit,
      offset,
      perKind,
      find: prepared && ((tokens) => findCandidates(prepared.segments, this.#table, tokens)),
    });
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

  #prepare(documents: readonly SearchDocument[], onProgress?: OnProgress): Promise<Prepared> {
    if (this.#last?.documents === documents) return this.#last.ready;
    const known = this.#inParts.get(documents);
    if (known) return known;
    const ready = this.#sources.of(documents, onProgress);
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

  /** The bundled model, or the reason why it cannot be used. Words are ranked in any case. */
  #bundled(): BundledModel {
    const { vectors } = this.#options;
    if (vectors.kind !== 'static') return {};
    try {
      return (this.#opened ??= { model: vectors.model() });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return (this.#opened = { problem: error.message });
    }
  }

  #indexed(): DocumentSegments {
    const { vectors, cache } = this.#options;
    const { model, problem } = this.#bundled();
    return (this.#segments ??= new DocumentSegments({
      cache,
      added: vectors.kind === 'endpoint' || problem !== undefined ? cache.inMemory() : cache,
      embed: model && ((text) => model.embed(text)),
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

  async #vectorsOf(
    read: readonly ReadQuery[],
    segments: readonly Segment[],
    signal: AbortSignal | undefined,
  ): Promise<QueryVectors> {
    const { vectors } = this.#options;
    return vectors.kind === 'endpoint'
      ? endpointVectors(read, segments, vectors.embedder, signal)
      : bundledVectors(read, this.#bundled());
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
}
