/** Provides the segments of documents: from memory, from the cache, or newly built. */
import { breather } from '../core/breathe.ts';
import { LIMITS } from '../core/limits.ts';
import type { SearchCache } from './cache/cache.ts';
import type { CachedSegment } from './cache/cached-segment.ts';
import { nameOf, type OnProgress, type SearchDocument } from './document.ts';
import { type EmbedText, keyOfText, makeEntry, textKey } from './entry.ts';
import type { Chosen } from './prepared.ts';
import { subsetOf } from './segment.ts';

export interface DocumentSegmentsOptions {
  cache: SearchCache;
  /** Receives new entries. It differs from the cache while the entries lack vectors, which an endpoint provides later. */
  added: SearchCache;
  /** Computes vectors locally; undefined if an endpoint provides them or if there are none. */
  embed: EmbedText | undefined;
}

export interface IndexedDocuments extends Chosen {
  /** Number of texts indexed by this call. */
  made: number;
}

export class DocumentSegments {
  readonly #options: DocumentSegmentsOptions;
  /** Text keys of documents with a stamp, by name. */
  readonly #known = new Map<string, { stamp: string; text: string }>();
  #isOpen = false;

  constructor(options: DocumentSegmentsOptions) {
    this.#options = options;
  }

  /** Indexes missing texts and caches them. Yields to other work in between. */
  async of(
    documents: readonly SearchDocument[],
    { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: OnProgress | undefined } = {},
  ): Promise<IndexedDocuments> {
    const { cache, added, embed } = this.#options;
    const breathe = breather();
    const texts: string[] = [];
    let made = 0;
    for (const [index, document] of documents.entries()) {
      const pause = breathe();
      if (pause) await pause;
      signal?.throwIfAborted();
      const { text, body } = this.#textOf(document);
      if (!this.#has(text)) {
        added.addEntry(text, makeEntry(document, body ?? bodyOf(document), embed));
        made += 1;
        // A few changed files take no time.
        if (made % PROGRESS_EVERY === 0) onProgress?.(index + 1, documents.length);
      }
      texts.push(text);
    }
    this.#forgetOthers(documents);
    added.encode();
    // Chosen before saving, because saving drops old segments if the cache has become too large.
    const chosen = this.#choose(documents, texts);
    added.save();
    if (added !== cache) cache.save();
    return { ...chosen, made };
  }

  /** Text keys of the documents. */
  async texts(documents: readonly SearchDocument[]): Promise<string[]> {
    const breathe = breather();
    const texts: string[] = [];
    for (const document of documents) {
      const pause = breathe();
      if (pause) await pause;
      texts.push(this.#textOf(document).text);
    }
    return texts;
  }

  /** Groups the documents by segment and selects their rows. */
  #choose(documents: readonly SearchDocument[], texts: readonly string[]): Chosen {
    const { cache, added } = this.#options;
    const groups = new Map<CachedSegment, { documents: SearchDocument[]; rows: number[] }>();
    for (const [index, document] of documents.entries()) {
      const text = texts[index] ?? '';
      const found = cache.rowOf(text) ?? added.rowOf(text);
      if (!found) throw new Error(`${nameOf(document)} is not indexed`);
      let group = groups.get(found.cached);
      if (!group) groups.set(found.cached, (group = { documents: [], rows: [] }));
      group.documents.push(document);
      group.rows.push(found.row);
    }
    const chosen = [...groups].map(([{ segment, rows: all }, { rows }]) =>
      rows.length === all.size && rows.every((row, index) => row === index)
        ? segment
        : subsetOf(segment, Uint16Array.from(rows)),
    );
    return { documents: [...groups.values()].flatMap((group) => group.documents), segments: chosen };
  }

  #has(text: string): boolean {
    const { cache, added } = this.#options;
    return cache.has(text) || added.has(text);
  }

  /** Drops other documents from memory once there are too many. */
  #forgetOthers(documents: readonly SearchDocument[]): void {
    if (this.#known.size <= 2 * documents.length + 1_000) return;
    const wanted = new Set(documents.map(nameOf));
    for (const name of this.#known.keys()) if (!wanted.has(name)) this.#known.delete(name);
  }

  /** Text key of a document. Reads the text only if no key is known for the file and its stamp. */
  #textOf(document: SearchDocument): { text: string; body?: string } {
    const { cache } = this.#options;
    if (!this.#isOpen) cache.open();
    this.#isOpen = true;
    const { stamp } = document;
    const name = nameOf(document);
    const known = this.#known.get(name);
    if (known && known.stamp === stamp && this.#has(known.text)) return known;
    const file = stamp === undefined ? undefined : keyOfText(`${name}\0${stamp}`);
    const cached = file === undefined ? undefined : cache.textOf(file);
    const body = cached !== undefined && this.#has(cached) ? undefined : bodyOf(document);
    const text = body === undefined ? (cached ?? '') : textKey(document, body);
    if (file !== undefined && body !== undefined) cache.addFile(file, text);
    if (stamp !== undefined) this.#known.set(name, { stamp, text });
    return body === undefined ? { text } : { text, body };
  }
}

/** Number of indexed texts between two reports. */
const PROGRESS_EVERY = 16;

/** Only the beginning of a very long text is searched: the words of a whole book do not reveal its subject. */
export function bodyOf(document: SearchDocument): string {
  return document.body().slice(0, LIMITS.searchedCharacters.value);
}
