/** Documents in the order of their segments, ready to be ranked. */
import { keyOf, type SearchDocument } from './document.ts';
import type { Entry } from './entry.ts';
import { indexed, scanned, type Segment } from './segment.ts';

export interface Prepared {
  documents: readonly SearchDocument[];
  /** In the order of the documents. */
  entries: readonly Entry[];
  segments: readonly Segment[];
}

type MakeEntries = (documents: readonly SearchDocument[], part: object | undefined) => Promise<readonly Entry[]>;

/** A change in a source makes its segments again, so they are kept small. */
const SEGMENT_DOCUMENTS = 1_000;

/** Indexes each part once, whoever searches it, and forgets it with the part. */
export class PreparedParts {
  readonly #segments = new WeakMap<object, Map<string, Promise<Segment[]>>>();
  readonly #make: MakeEntries;

  constructor(make: MakeEntries) {
    this.#make = make;
  }

  async of(documents: readonly SearchDocument[]): Promise<Prepared> {
    const parts = new Map<object | undefined, SearchDocument[]>();
    for (const document of documents) {
      const group = parts.get(document.part);
      if (group) group.push(document);
      else parts.set(document.part, [document]);
    }
    const segments: Segment[] = [];
    for (const [part, group] of parts) {
      if (part) segments.push(...(await this.#ofPart(part, group)));
      else segments.push(scanned(await this.#make(group, part)));
    }
    return {
      documents: parts.size > 1 ? [...parts.values()].flat() : documents,
      entries: segments.flatMap(({ entries }) => entries),
      segments,
    };
  }

  #ofPart(part: object, documents: readonly SearchDocument[]): Promise<Segment[]> {
    const known = this.#segments.get(part) ?? new Map<string, Promise<Segment[]>>();
    this.#segments.set(part, known);
    // Searches of skills alone, of specs alone and of all have different documents of one part.
    const question = documents.map(keyOf).join('\n');
    const ready = known.get(question);
    if (ready) return ready;
    const made = this.#make(documents, part).then((entries) => {
      const chunks: Segment[] = [];
      for (let at = 0; at < entries.length; at += SEGMENT_DOCUMENTS)
        chunks.push(indexed(entries.slice(at, at + SEGMENT_DOCUMENTS)));
      return chunks;
    });
    known.set(question, made);
    // A failed attempt must not be remembered.
    made.catch(() => known.delete(question));
    return made;
  }
}
