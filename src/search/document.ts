/** Searchable documents. Search does not depend on skills or specs; it only passes their kind on. */
export const ALL_KINDS = ['skill', 'requirement', 'change'] as const;
export type DocumentKind = (typeof ALL_KINDS)[number];

export interface SearchDocument {
  kind: DocumentKind;
  id: string;
  /** Unique among documents of one kind where IDs are not, as for copies of a skill. Defaults to the ID. */
  key?: string;
  /** Display name. */
  name: string;
  /** All searchable names: its own, its folder's, its spec's title. */
  names: readonly string[];
  path: string;
  description: string;
  /** Text about the whole that the document is part of. The document is found by it, but it is never shown. */
  context?: string | undefined;
  /** Reads the body. Most searches need it for few documents. */
  body: () => string;
  /** Precomputed text for keyword search. Otherwise it is derived from the fields above for every search. */
  lowerCase?: LowerCaseText;
  /**
   * Changes whenever the text may have changed, for example the size and times of the file. An equal stamp avoids reading the
   * body. Without a stamp, the body is always read.
   */
  stamp?: string;
  sourceIndex?: SourceIndex | undefined;
  /** The object that the document was created from. Opaque to search. */
  subject?: object;
  /** Copied to the hit unchanged, for example `spec_id` and `requirement`. */
  extras?: Readonly<Record<string, string>>;
}

/** Documents that are indexed together, once for all searches. It never changes. */
export interface SourceIndex {
  /** All documents of the source. */
  documents(): Promise<readonly SearchDocument[]>;
  /** Returns stored segments of these slices. By default, segments are built on first use. */
  segments?(slices: readonly Slice[]): Promise<readonly SegmentFiles[]>;
}

/** Documents of a source that are indexed together: one kind, bounded in number. */
export interface Slice {
  kind: DocumentKind;
  /** Sorted by name. */
  documents: readonly SearchDocument[];
  /** Their names, one per line. */
  names: string;
  /** Derived from the names: equal names give an equal ID. */
  id: string;
}

/** Stored form of a slice. Equal texts give equal bytes on every machine. */
export interface SegmentFiles {
  words: Uint8Array;
  /** Undefined if only words are indexed. */
  vectors?: Uint8Array | undefined;
}

export interface LowerCaseText {
  names: string;
  description: string;
  body: () => string;
}

export interface SearchHit {
  kind: DocumentKind;
  id: string;
  name: string;
  path: string;
  score: number;
  snippet: string;
  /** Ranges of query words in the snippet: start and end, in UTF-16 units. */
  marks: readonly (readonly [number, number])[];
  /** Query words that occur in the document, as typed or as corrected. */
  words: readonly string[];
  /** Cosine of the two vectors; undefined if only words are ranked. */
  meaning?: number;
  extras: Readonly<Record<string, string>>;
  document: SearchDocument;
}

/** A key that is unique among all kinds: kinds contain no space. */
export function keyOf(document: Pick<SearchDocument, 'kind' | 'id' | 'key'>): string {
  return `${document.kind} ${document.key ?? document.id}`;
}

/** Unique among all documents of all projects. */
export function nameOf(document: Pick<SearchDocument, 'kind' | 'id' | 'key' | 'path'>): string {
  return `${document.path} ${keyOf(document)}`;
}

/** Documents to search or index, and their kinds: a workspace opened only for specs has no skills. */
export interface Corpus {
  documents: readonly SearchDocument[];
  kinds: readonly DocumentKind[];
  /** Display name of a document in this view, if it differs from its own. */
  nameOf?(document: SearchDocument): string;
}

/** Called while documents are indexed. */
export type OnProgress = (done: number, total: number) => void;
