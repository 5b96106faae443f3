/** Provides the entries of documents: from memory, from the cache, or newly built. */
import { breather } from '../core/breathe.ts';
import { LIMITS } from '../core/limits.ts';
import type { SearchCache } from './cache/cache.ts';
import { nameOf, type SearchDocument } from './document.ts';
import { decodeEntry, type EmbedText, encodeEntry, type Entry, keyOfText, makeEntry, textKey } from './entry.ts';

export interface EntriesOptions {
  cache: SearchCache;
  /** Computes vectors locally; undefined if an endpoint provides them or if there are none. */
  embed: EmbedText | undefined;
  /** Whether new entries may be cached. Entries that lack the vectors of an endpoint may not. */
  keeps: boolean;
}

export interface Entries {
  /** In the order of the documents. */
  entries: Entry[];
  /** Number of entries built by this call. */
  made: number;
}

export class DocumentEntries {
  readonly #options: EntriesOptions;
  readonly #known = new Map<string, { stamp: string | undefined; text: string; entry: Entry }>();
  #opened = false;

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  /** Builds missing entries and caches them. Yields to other work in between. */
  async of(documents: readonly SearchDocument[], signal?: AbortSignal): Promise<Entries> {
    const { cache } = this.#options;
    const breathe = breather();
    const entries: Entry[] = [];
    let made = 0;
    for (const document of documents) {
      const pause = breathe();
      if (pause) await pause;
      signal?.throwIfAborted();
      const key = nameOf(document);
      const { stamp } = document;
      let found = this.#known.get(key);
      if (found === undefined || stamp === undefined || found.stamp !== stamp) {
        const text = this.#textOf(document, key, stamp);
        if (found?.text !== text.key) {
          const { entry, isNew } = this.#entryOf(document, text);
          if (isNew) made += 1;
          found = { stamp, text: text.key, entry };
        } else found = { ...found, stamp };
      }
      this.#known.set(key, found);
      entries.push(found.entry);
    }
    this.#forgetOthers(documents);
    cache.save();
    return { entries, made };
  }

  /** Drops other entries from memory once there are too many. */
  #forgetOthers(documents: readonly SearchDocument[]): void {
    if (this.#known.size <= 2 * documents.length + 1_000) return;
    const wanted = new Set(documents.map(nameOf));
    for (const key of this.#known.keys()) if (!wanted.has(key)) this.#known.delete(key);
  }

  /** Text keys of the documents. */
  async texts(documents: readonly SearchDocument[]): Promise<string[]> {
    const breathe = breather();
    const keys: string[] = [];
    for (const document of documents) {
      const pause = breathe();
      if (pause) await pause;
      keys.push(this.#textOf(document, nameOf(document), document.stamp).key);
    }
    return keys;
  }

  #open(): SearchCache {
    const { cache } = this.#options;
    if (!this.#opened) cache.open();
    this.#opened = true;
    return cache;
  }

  /** Text key of a document. Reads the text only if the cache has no key for the file and its stamp. */
  #textOf(document: SearchDocument, key: string, stamp: string | undefined): { key: string; body?: string } {
    const cache = this.#open();
    const file = stamp === undefined ? undefined : keyOfText(`${key}\0${stamp}`);
    const cached = file === undefined ? undefined : cache.textOf(file);
    if (cached !== undefined && cache.entry(cached) !== undefined) return { key: cached };
    const body = bodyOf(document);
    const text = textKey(document, body);
    if (file !== undefined) cache.addFile(file, text);
    return { key: text, body };
  }

  #entryOf(document: SearchDocument, { key, body }: { key: string; body?: string }): { entry: Entry; isNew: boolean } {
    const { cache, embed, keeps } = this.#options;
    const cached = cache.entry(key);
    if (cached) return { entry: decodeEntry(cached), isNew: false };
    const entry = makeEntry(document, body ?? bodyOf(document), embed);
    if (keeps) cache.addEntry(key, encodeEntry(entry));
    return { entry, isNew: true };
  }
}

/** Only the beginning of a very long text is searched: the words of a whole book do not reveal its subject. */
export function bodyOf(document: SearchDocument): string {
  return document.body().slice(0, LIMITS.searchedCharacters.value);
}
