import { compareText } from '../core/text.ts';
import { Failure, inWords } from '../core/failure.ts';
import type { Disk } from '../core/disk/writes.ts';
import { LIMITS } from '../core/limits.ts';
import { buildIndex, type BuildOptions, type BuildReport } from './build/build.ts';
import { type DocumentKind, keyOf, type SearchDocument, type SearchHit } from './document.ts';
import { checkVectors } from './embed/embed-all.ts';
import { type Embedder, sameModel } from './embed/embedder.ts';
import { gapsOf, liveDocuments } from './live.ts';
import { rankDocuments, type RankedMode, type RankedQuery } from './rank.ts';
import { snippetOf } from './snippet.ts';
import { readStatus, type IndexStatus } from './status.ts';
import type { IndexContent } from './store/content.ts';
import { openIndex } from './store/open.ts';
import { clearIndex } from './store/workshop.ts';
import { quantize } from './vectors/quantized.ts';

/**
 * Searches by meaning. Needs an index; keyword search (`keyword.ts`) does not. An answer always says which mode ran, with which
 * model, and why if it is not the requested one. A request that cannot be met at all is a Failure that says what to do.
 */
export type SearchMode = 'semantic' | 'hybrid';

export interface SearchRequest {
  query: string;
  /** Rephrasings of the query. Their results are fused with those of the query. */
  queries?: readonly string[];
  mode: SearchMode;
  limit: number;
  /** Leaves out hits with a lower score. */
  minScore?: number;
  kinds?: readonly DocumentKind[];
  signal?: AbortSignal;
}

export interface SearchAnswer {
  query: string;
  /** The mode that ran. `lexical`: ranked by words alone, because no model was available. */
  mode: RankedMode;
  model: string | null;
  /** Why another mode ran, or what may be missing. No full stop at the end. */
  reason?: string;
  total: number;
  hits: SearchHit[];
}

export interface SearchOptions {
  disk: Disk;
  /** The folder of the index. */
  dir: string;
  /** Called on first use. Undefined if search by meaning is turned off. */
  embedder: (() => Embedder) | undefined;
}

const BUILD_HINT = {
  hint: 'Run `lectern index` to build it; `lectern search --mode keyword` needs no index.',
  hintForModels: 'Run `lectern index` or call rebuild_index to build it.',
};

export class Search {
  #options: SearchOptions;
  #embedder: Embedder | undefined;
  #opened: IndexContent | undefined;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  /** Searches the current documents. The index may have others; they are never hits. */
  async search(documents: readonly SearchDocument[], request: SearchRequest): Promise<SearchAnswer> {
    const unavailable = this.#model()?.unavailable?.();
    // Without the model, building an index would not help.
    if (unavailable && request.mode === 'semantic') throw unavailable;
    const content = this.#content();
    const texts = [request.query, ...(request.queries ?? [])]
      .filter((text) => text.trim() !== '')
      .slice(0, LIMITS.searchQueries.value + 1);
    const { queries, reason } = await this.#embedQueries(content, texts, request);
    const mode: RankedMode = reason === undefined ? request.mode : 'lexical';
    const live = liveDocuments(content, documents);
    const accept = (number: number): boolean => {
      const document = live.byNumber[number];
      return document !== undefined && (request.kinds === undefined || request.kinds.includes(document.kind));
    };
    const ranked = rankDocuments(content, queries, mode, accept)
      .flatMap(({ document, score }) => {
        const found = live.byNumber[document];
        return found && score >= (request.minScore ?? 0) ? [{ document: found, score }] : [];
      })
      .sort((a, b) => b.score - a.score || compareKeys(a.document, b.document));
    const said = [reason, gapsOf(content, live, mode)].filter((part) => part !== undefined).join('. ');
    return {
      query: request.query,
      mode,
      model: mode === 'lexical' ? null : (content.manifest.model?.name ?? null),
      ...(said === '' ? {} : { reason: said }),
      total: ranked.length,
      hits: ranked.slice(0, request.limit).map(({ document, score }) => hitOf(document, score, texts)),
    };
  }

  async build({
    wordsOnly = false,
    ...options
  }: Omit<BuildOptions, 'disk' | 'dir' | 'embedder'> & { wordsOnly?: boolean }): Promise<BuildReport> {
    const { disk, dir } = this.#options;
    return buildIndex({ ...options, disk, dir, embedder: wordsOnly ? undefined : this.#model() });
  }

  /** Where texts are sent to be embedded; undefined if they stay in this process. */
  get url(): string | undefined {
    return this.#model()?.url;
  }

  /** `kinds` are those of which `documents` has all; by default every kind. */
  status(documents: readonly SearchDocument[], kinds?: readonly DocumentKind[]): IndexStatus {
    const corpus = { documents, ...(kinds === undefined ? {} : { kinds }) };
    const embedder = this.#model();
    const unavailable = embedder?.unavailable?.();
    const status = readStatus(this.#options.disk, this.#options.dir, corpus, unavailable ? undefined : embedder?.model);
    if (!unavailable || (status.state !== 'ready' && status.state !== 'stale')) return status;
    return {
      ...status,
      reason: [
        ...(status.reason === undefined ? [] : [`${status.reason}.`]),
        `Words only. ${inWords(unavailable)}`,
      ].join(' '),
    };
  }

  clear(): void {
    this.#opened = undefined;
    clearIndex(this.#options.disk, this.#options.dir);
  }

  async close(): Promise<void> {
    await this.#embedder?.close();
  }

  #model(): Embedder | undefined {
    this.#embedder ??= this.#options.embedder?.();
    return this.#embedder;
  }

  /** The current generation, kept open until a new one is published. */
  #content(): IndexContent {
    const opened = openIndex(this.#options.disk, this.#options.dir, {
      vectors: true,
      ...(this.#opened ? { known: this.#opened } : {}),
    });
    if (opened.state === 'ready') {
      this.#opened = opened.content;
      return opened.content;
    }
    this.#opened = undefined;
    if (opened.state === 'missing')
      throw new Failure('NO_INDEX', 'There is no search index yet; it must be built first.', BUILD_HINT);
    throw new Failure('NO_INDEX', `The search index cannot be used: ${opened.reason}.`, BUILD_HINT);
  }

  /** The vectors of the queries, or why there are none. In semantic mode that is a failure. */
  async #embedQueries(
    content: IndexContent,
    texts: readonly string[],
    request: SearchRequest,
  ): Promise<{ queries: RankedQuery[]; reason?: string }> {
    const words = texts.map((text): RankedQuery => ({ text, vector: undefined }));
    const without = (failure: Failure): { queries: RankedQuery[]; reason: string } => {
      if (request.mode === 'semantic') throw failure;
      return { queries: words, reason: `${failure.message} Ranked by words alone` };
    };
    const embedder = this.#model();
    const { model } = content.manifest;
    if (!embedder) return without(new Failure('MODEL_UNAVAILABLE', 'No embedding model is configured.'));
    const unavailable = embedder.unavailable?.();
    if (unavailable) return without(unavailable);
    if (!model) return without(new Failure('NO_INDEX', 'The index has no vectors.', BUILD_HINT));
    if (!sameModel(model, embedder.model)) {
      return without(
        new Failure(
          'NO_INDEX',
          `The index was built with ${model.name}, but ${embedder.model.name} is in use.`,
          BUILD_HINT,
        ),
      );
    }
    try {
      const vectors = await embedder.embed(texts, 'query', request.signal);
      checkVectors(embedder, vectors, texts.length, model.dimensions);
      const queries = texts.map((text, index): RankedQuery => ({ text, vector: quantize(vectors[index] ?? []) }));
      if (queries.some(({ vector }) => vector?.norm !== 0)) return { queries };
      return without(
        new Failure(
          'MODEL_UNAVAILABLE',
          `The model ${model.name} understands only English, and the query is in another language.`,
        ),
      );
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
      return without(error);
    }
  }
}

function hitOf(document: SearchDocument, score: number, queries: readonly string[]): SearchHit {
  const snippet = snippetOf(document.description, document.body(), queries);
  return { ...namedParts(document), score, snippet: snippet.text, marks: snippet.marks };
}

function namedParts({
  kind,
  id,
  name,
  path,
  extras,
}: SearchDocument): Pick<SearchHit, 'kind' | 'id' | 'name' | 'path' | 'extras'> {
  return { kind, id, name, path, extras: extras ?? {} };
}

function compareKeys(a: SearchDocument, b: SearchDocument): number {
  return compareText(a.id, b.id) || compareText(keyOf(a), keyOf(b));
}
