/** Documents in the order of their segments, ready to be ranked. */
import { compareText } from '../core/text.ts';
import { type DocumentKind, nameOf, type Part, type SearchDocument } from './document.ts';
import type { Entry } from './entry.ts';
import type { WordTable } from './keywords/word-table.ts';
import { indexed, scanned, type Segment, subsetOf } from './segment.ts';

export interface Prepared {
  documents: readonly SearchDocument[];
  segments: readonly Segment[];
}

export interface MakeEntries {
  /** The entries of documents that are in no part. */
  alone(documents: readonly SearchDocument[]): Promise<readonly Entry[]>;
  /** The entries of all documents of a part. */
  ofPart(part: Part, documents: readonly SearchDocument[]): Promise<readonly Entry[]>;
}

/** A change in a source makes its segments again, so they are kept small. */
const SEGMENT_DOCUMENTS = 1_000;

/** The documents of a part that are of one kind: searches are often for one. */
interface PartOfKind {
  /** Their names, ascending, one per line. As one text, because a hundred thousand would take several times as much. */
  names: string;
  segments: readonly Segment[];
}
type IndexedPart = ReadonlyMap<DocumentKind, PartOfKind>;

/** Indexes each part once, whoever searches it, and forgets it with the part. */
export class PreparedParts {
  readonly #indexed = new WeakMap<Part, Promise<IndexedPart>>();
  readonly #make: MakeEntries;
  readonly #table: WordTable;

  constructor(make: MakeEntries, table: WordTable) {
    this.#make = make;
    this.#table = table;
  }

  async of(documents: readonly SearchDocument[]): Promise<Prepared> {
    const parts = new Map<Part | undefined, SearchDocument[]>();
    for (const document of documents) {
      const group = parts.get(document.part);
      if (group) group.push(document);
      else parts.set(document.part, [document]);
    }
    const ordered: SearchDocument[][] = [];
    const segments: Segment[] = [];
    for (const [part, group] of parts) {
      if (part) {
        for (const [kind, found] of await this.index(part)) {
          const chosen = choose(
            group.filter((document) => document.kind === kind),
            found,
          );
          ordered.push(chosen.documents);
          segments.push(...chosen.segments);
        }
      } else {
        ordered.push(group);
        segments.push(scanned(await this.#make.alone(group)));
      }
    }
    return { documents: ordered.flat(), segments };
  }

  /** Resolves when the part is indexed. */
  index(part: Part): Promise<IndexedPart> {
    const known = this.#indexed.get(part);
    if (known) return known;
    const made = this.#indexPart(part);
    this.#indexed.set(part, made);
    // A failed attempt must not be remembered.
    made.catch(() => this.#indexed.delete(part));
    return made;
  }

  async #indexPart(part: Part): Promise<IndexedPart> {
    const documents = byName(await part.documents());
    const entries = await this.#make.ofPart(
      part,
      documents.map(({ document }) => document),
    );
    const kinds = new Map<DocumentKind, { names: string[]; entries: Entry[] }>();
    for (const [index, { name, document }] of documents.entries()) {
      let group = kinds.get(document.kind);
      if (!group) kinds.set(document.kind, (group = { names: [], entries: [] }));
      group.names.push(name);
      group.entries.push(entries[index] as Entry);
    }
    const made = new Map<DocumentKind, PartOfKind>();
    for (const [kind, group] of kinds) {
      const segments: Segment[] = [];
      for (let at = 0; at < group.entries.length; at += SEGMENT_DOCUMENTS)
        segments.push(indexed(group.entries.slice(at, at + SEGMENT_DOCUMENTS), this.#table));
      made.set(kind, { names: group.names.join('\n'), segments });
    }
    return made;
  }
}

function byName(documents: readonly SearchDocument[]): { name: string; document: SearchDocument }[] {
  return documents
    .map((document) => ({ name: nameOf(document), document }))
    .sort((a, b) => compareText(a.name, b.name));
}

/** These documents in the order of their segments, and what of the segments they are: all, as a rule. */
function choose(
  documents: readonly SearchDocument[],
  { names, segments }: PartOfKind,
): { documents: SearchDocument[]; segments: readonly Segment[] } {
  if (documents.length === 0) return { documents: [], segments: [] };
  const sorted = byName(documents);
  const chosen = sorted.map(({ document }) => document);
  if (sorted.map(({ name }) => name).join('\n') === names) return { documents: chosen, segments };
  const rows = new Map(names.split('\n').map((name, row) => [name, row]));
  const wanted = sorted.map(({ name }) => {
    const row = rows.get(name);
    if (row === undefined) throw new Error(`${name} is not in its part`);
    return row;
  });
  return {
    documents: chosen,
    segments: segments.flatMap((segment, index) => {
      const first = index * SEGMENT_DOCUMENTS;
      const here = wanted.filter((row) => row >= first && row < first + segment.lengths.length);
      return here.length === 0
        ? []
        : [
            subsetOf(
              segment,
              Uint16Array.from(here, (row) => row - first),
            ),
          ];
    }),
  };
}
