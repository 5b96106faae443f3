/** Documents with their segments, ready for ranking. */
import { breather } from '../core/breathe.ts';
import {
  ALL_KINDS,
  type DocumentKind,
  type OnProgress,
  type SourceIndex,
  type SearchDocument,
  type SegmentFiles,
  type Slice,
} from './document.ts';
import type { WordTable } from './keywords/word-table.ts';
import { openSegment, type Segment, subsetOf } from './segment.ts';
import { byName, SLICE_DOCUMENTS, slicesOf } from './segments/slice.ts';
import { decodeVectors } from './segments/vectors-file.ts';
import { decodeWords } from './segments/words-file.ts';

export interface Prepared {
  documents: readonly SearchDocument[];
  /** For each document, the index of its kind in `ALL_KINDS`. */
  kinds: Uint8Array;
  segments: readonly Segment[];
}

export interface Make {
  /** Finds or builds the segments of documents that belong to no source. */
  unpartitioned(documents: readonly SearchDocument[], onProgress?: OnProgress): Promise<Chosen>;
  /** Builds a segment of documents in a source. */
  segment(slice: Slice): Promise<SegmentFiles>;
}

/** Documents of one kind in a source, because many searches are for one kind. */
interface SourceDocuments {
  /** Sorted names, one per line. A single string, because 100,000 strings would take several times the memory. */
  names: string;
  segments: readonly Segment[];
  /** Result of the last selection, because most callers see the same documents. */
  last?: { documents: readonly SearchDocument[]; chosen: Chosen };
}

/** Documents in the order of their rows in the segments. */
export interface Chosen {
  documents: readonly SearchDocument[];
  segments: readonly Segment[];
}
type IndexedSource = ReadonlyMap<DocumentKind, SourceDocuments>;

/** Indexes each source once for all searches. The index is released together with the source. */
export class PreparedSources {
  readonly #indexed = new WeakMap<SourceIndex, Promise<IndexedSource>>();
  readonly #make: Make;
  readonly #table: WordTable;

  constructor(make: Make, table: WordTable) {
    this.#make = make;
    this.#table = table;
  }

  async of(documents: readonly SearchDocument[], onProgress?: OnProgress): Promise<Prepared> {
    const sources = new Map<SourceIndex | undefined, SearchDocument[]>();
    for (const document of documents) {
      const group = sources.get(document.sourceIndex);
      if (group) group.push(document);
      else sources.set(document.sourceIndex, [document]);
    }
    const ordered: (readonly SearchDocument[])[] = [];
    const segments: Segment[] = [];
    const breathe = breather();
    for (const [source, group] of sources) {
      // Sources that are already indexed do not yield, so other work would not run.
      const pause = breathe();
      if (pause) await pause;
      if (source) {
        for (const [kind, found] of await this.index(source)) {
          const chosen = chooseOnce(
            group.filter((document) => document.kind === kind),
            found,
          );
          ordered.push(chosen.documents);
          segments.push(...chosen.segments);
        }
      } else {
        const chosen = await this.#make.unpartitioned(group, onProgress);
        ordered.push(chosen.documents);
        segments.push(...chosen.segments);
      }
    }
    const all = ordered.flat();
    const kinds = Uint8Array.from(all, ({ kind }) => ALL_KINDS.indexOf(kind));
    return { documents: all, kinds, segments };
  }

  /** Resolves when the source is indexed. */
  index(source: SourceIndex): Promise<IndexedSource> {
    const known = this.#indexed.get(source);
    if (known) return known;
    const made = this.#indexSource(source);
    this.#indexed.set(source, made);
    // A failed attempt must not be cached.
    made.catch(() => this.#indexed.delete(source));
    return made;
  }

  async #indexSource(source: SourceIndex): Promise<IndexedSource> {
    const slices = slicesOf(await source.documents());
    const stored = await source.segments?.(slices);
    const breathe = breather();
    const kinds = new Map<DocumentKind, { names: string[]; segments: Segment[] }>();
    for (const [index, slice] of slices.entries()) {
      const files = stored?.[index] ?? (await this.#make.segment(slice));
      const pause = breathe();
      if (pause) await pause;
      let group = kinds.get(slice.kind);
      if (!group) kinds.set(slice.kind, (group = { names: [], segments: [] }));
      group.names.push(slice.names);
      group.segments.push(await this.#open(files, slice));
    }
    return new Map([...kinds].map(([kind, { names, segments }]) => [kind, { names: names.join('\n'), segments }]));
  }

  async #open(files: SegmentFiles, { id }: Slice): Promise<Segment> {
    const words = decodeWords(files.words);
    const vectors = files.vectors && decodeVectors(files.vectors);
    if (words?.id !== id || (vectors !== undefined && vectors.id !== id))
      throw new Error('a segment of other documents');
    return openSegment(words, vectors, await this.#table.numbersInSlices(words.runs));
  }
}

function chooseOnce(documents: readonly SearchDocument[], source: SourceDocuments): Chosen {
  const { last } = source;
  const isSame =
    last?.documents.length === documents.length &&
    documents.every((document, index) => document === last.documents[index]);
  if (last && isSame) return last.chosen;
  const chosen = choose(documents, source);
  source.last = { documents, chosen };
  return chosen;
}

/** Sorts the documents by segment and selects their rows, usually all of them. */
function choose(documents: readonly SearchDocument[], { names, segments }: SourceDocuments): Chosen {
  if (documents.length === 0) return { documents: [], segments: [] };
  const sorted = byName(documents);
  const chosen = sorted.map(({ document }) => document);
  if (sorted.map(({ name }) => name).join('\n') === names) return { documents: chosen, segments };
  const rows = new Map(names.split('\n').map((name, row) => [name, row]));
  const wanted = sorted.map(({ name }) => {
    const row = rows.get(name);
    if (row === undefined) throw new Error(`${name} is not in its source`);
    return row;
  });
  return {
    documents: chosen,
    segments: segments.flatMap((segment, index) => {
      const first = index * SLICE_DOCUMENTS;
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
