/**
 * Gets vectors from an endpoint for all texts of the catalog, beside the other workers. When all texts of a source have them, it makes
 * a snapshot from which on they count. Nobody waits for it: a dead endpoint only means that the bundled model ranks.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { breather } from '../core/breathe.ts';
import { Failure } from '../core/failure.ts';
import { checkVectors } from '../search/embed/embed-documents.ts';
import type { Embedder } from '../search/embed/embedder.ts';
import { bodyOf } from '../search/entries.ts';
import { vectorsOf } from '../search/entry.ts';
import { vectorsFormat } from '../search/segments/make-segment.ts';
import { textsOf } from '../search/texts.ts';
import type { CatalogStore } from '../store/catalog-store.ts';
import type { EmbedStore, WaitingText } from '../store/embed-store.ts';
import { digestOfFiles, type StoredSegment } from '../store/segment-store.ts';
import { embeddedFiles, encodeAlone, type Keyed, keyed, keysIn } from './embedded-files.ts';
import type { Follower } from './follower.ts';
import type { SharedSource } from './shared-source.ts';

export interface EmbedWorkerOptions {
  follower: Follower;
  store: CatalogStore;
  queue: EmbedStore;
  embedder: Embedder;
  /** Names the model. */
  identity: string;
  log: { info(text: string): void; warn(text: string): void; bug(error: unknown): void };
  /** How long it rests if there is nothing to do; the longest rest if the endpoint is down is thirty times that. */
  restMs?: number;
}

const REST_MS = 2_000;
/** So many texts one document has at most. */
const TEXTS_OF_ONE = 4;
/** A text that fails so often, while others do not, gets no vector. */
const ATTEMPTS_MAX = 5;
/** Put into the queue with one statement. */
const TEXTS_AT_ONCE = 200;
/** So often texts are taken until it is seen which sources are complete. */
const TURNS = 50;

export class EmbedWorker {
  readonly #options: EmbedWorkerOptions;
  readonly #stopping = new AbortController();
  readonly #keyed = new WeakMap<SharedSource, Keyed>();
  #running: Promise<void> | undefined;
  #dimensions: number | undefined;
  /** How often in a row the endpoint, or the database, could not be used. */
  #failures = 0;

  constructor(options: EmbedWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, restMs = REST_MS } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const isMore = await this.#round();
        this.#failures = 0;
        if (isMore) continue;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Failure)) log.bug(error);
        else if (this.#failures === 0) log.warn(`vectors cannot be made at the moment: ${error.message}`);
        this.#failures += 1;
      }
      const rest = restMs * Math.min(30, 2 ** this.#failures);
      await wait(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** True if there is more to do. */
  async #round(): Promise<boolean> {
    const { follower, embedder } = this.#options;
    for (const source of this.#withoutVectors()) await this.#enqueue(source);
    const takers = Array.from({ length: Math.max(1, embedder.parallel) }, () => this.#work());
    const isMore = (await Promise.all(takers)).some(Boolean);
    for (const source of this.#withoutVectors()) await this.#attachIfDone(source);
    return isMore && follower.current !== undefined;
  }

  /** The sources that need some, as long as this goes on. */
  *#withoutVectors(): Generator<SharedSource> {
    for (const source of this.#options.follower.current?.sources ?? []) {
      if (this.#stopping.signal.aborted) return;
      if (source.embedded.length === 0 && source.files.length > 0) yield source;
    }
  }

  /** Puts into the queue what has neither vectors nor a place in it. */
  async #enqueue(source: SharedSource): Promise<void> {
    const { queue, follower } = this.#options;
    const all = await this.#keyedOf(source);
    const unknown = new Set(await queue.unknown(keysIn(all)));
    if (unknown.size === 0) return;
    const { contents } = follower;
    const lostBefore = contents.lost;
    const add = async (some: readonly Omit<WaitingText, 'attempts'>[]): Promise<boolean> => {
      // A text whose content was not there is empty, and would get the vector of an empty one for ever. The next round has it.
      if (contents.lost !== lostBefore) return false;
      await queue.add(some);
      return true;
    };
    const breathe = breather();
    let waiting: Omit<WaitingText, 'attempts'>[] = [];
    for (const { slice, keys } of all) {
      for (const [index, key] of keys.entries()) {
        const document = slice.documents[index];
        if (!document || !unknown.delete(key)) continue;
        const pause = breathe();
        if (pause) await pause;
        const { head, chunks } = textsOf(document, bodyOf(document));
        waiting.push({ key, texts: [head, ...chunks] });
        if (waiting.length < TEXTS_AT_ONCE) continue;
        if (!(await add(waiting))) return;
        waiting = [];
      }
    }
    await add(waiting);
  }

  /** Until the queue has nothing more for it, or it is time to see what is complete. True if there may be more. */
  async #work(): Promise<boolean> {
    const { queue, embedder, log } = this.#options;
    const limit = Math.max(1, Math.floor(embedder.batch / TEXTS_OF_ONE));
    for (let turn = 0; turn < TURNS && !this.#stopping.signal.aborted; turn++) {
      let taken: readonly WaitingText[] = [];
      try {
        if ((await queue.take(limit, (some) => this.#embed((taken = some)))) === 0) return false;
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'MODEL_UNAVAILABLE') throw error;
        // If it cannot even do this, it is down, and the texts are not to blame.
        await embedder.embed(['lectern'], 'document', this.#stopping.signal);
        log.warn(`the endpoint refused ${taken.length} texts: ${error.message}`);
        const { restMs = REST_MS } = this.#options;
        const keys = taken.map(({ key }) => key);
        await queue.failed(keys, restMs * 2 ** Math.max(0, ...taken.map(({ attempts }) => attempts)));
      }
    }
    return true;
  }

  async #embed(taken: readonly WaitingText[]): Promise<Uint8Array[]> {
    const { embedder, log } = this.#options;
    if (taken.every(({ attempts }) => attempts >= ATTEMPTS_MAX)) {
      log.warn(`${taken.length} text gets no vector, because the endpoint refused it ${ATTEMPTS_MAX} times`);
      return taken.map(() => encodeAlone(undefined));
    }
    const texts = taken.flatMap((each) => each.texts);
    const vectors = await embedder.embed(texts, 'document', this.#stopping.signal);
    this.#dimensions = checkVectors(embedder, vectors, texts.length, this.#dimensions);
    let at = 0;
    return taken.map((each) => {
      const [head, ...chunks] = vectors.slice(at, (at += each.texts.length));
      return encodeAlone(vectorsOf(head, chunks));
    });
  }

  async #attachIfDone(source: SharedSource): Promise<void> {
    const { follower, store, queue, identity, log } = this.#options;
    const all = await this.#keyedOf(source);
    const known = await queue.vectors(keysIn(all));
    if (known.size < keysIn(all).length) return;
    const segments: StoredSegment[] = [];
    for (const [position, file] of embeddedFiles(all, known).entries()) {
      const sha256 = await store.upload(file);
      segments.push({ format: vectorsFormat(identity), position, sha256, size: file.length });
    }
    await store.announce(segments.map(({ sha256 }) => sha256));
    await queue.used(keysIn(all));
    const { id, version } = source.stored;
    if (!(await queue.attach({ sourceId: id, files: digestOfFiles(source.files) }, version, segments))) return;
    log.info(`${source.name} has its vectors`);
    await follower.poll();
  }

  async #keyedOf(source: SharedSource): Promise<Keyed> {
    const known = this.#keyed.get(source);
    if (known) return known;
    const { follower } = this.#options;
    const slices = await follower.slices(source);
    const files = await follower.segments.of(source, slices);
    const made = keyed(slices, files);
    this.#keyed.set(source, made);
    return made;
  }
}
