/** What can be searched. This code does not know what a skill or a spec is; it only passes the kind on. */
export const ALL_KINDS = ['skill', 'requirement', 'change'] as const;
export type DocumentKind = (typeof ALL_KINDS)[number];

export interface SearchDocument {
  kind: DocumentKind;
  id: string;
  /** Unique among documents of one kind if ids are not, as with copies of a skill. Defaults to the id. */
  key?: string;
  /** As shown to people. */
  name: string;
  /** The names it is found by: its own, its folder's, its spec's title. */
  names: readonly string[];
  path: string;
  description: string;
  /** Reads the body. Most searches need it for few documents. */
  body: () => string;
  /** What keyword search reads, if the source keeps it. Otherwise it is derived from the fields above for every search. */
  lowerCase?: LowerCaseText;
  /**
   * Changes whenever the text may have changed, such as the size and times of the file. If it is equal, the body is not read
   * again. Without it, the body is always read.
   */
  stamp?: string;
  part?: Part | undefined;
  /** What it was made of. This code does not know what that is. */
  subject?: object;
  /** Copied to the hit as they are, such as `spec_id` and `requirement`. */
  extras?: Readonly<Record<string, string>>;
}

/** Documents that are indexed together, once, for all who search some of them. A part never changes. */
export interface Part {
  /** All of them. */
  documents(): Promise<readonly SearchDocument[]>;
  /** What was made of these slices of them before, or is made elsewhere. By default, it is made here when it is first needed. */
  segments?(slices: readonly Slice[]): Promise<readonly SegmentFiles[]>;
}

/** Documents of a part that are indexed together: of one kind, and not too many. */
export interface Slice {
  kind: DocumentKind;
  /** In the order of their names. */
  documents: readonly SearchDocument[];
  /** Their names, one per line. */
  names: string;
  /** Equal for equal names. */
  id: string;
}

/** What is stored of a slice. Equal texts give equal bytes, whoever makes them. */
export interface SegmentFiles {
  words: Uint8Array;
  /** Undefined if only words count. */
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
  /** Where the snippet shows a word of the query: start and end, in UTF-16 units. */
  marks: readonly (readonly [number, number])[];
  /** The words of the query that the document has, as typed or as corrected. */
  words: readonly string[];
  /** The cosine of the two vectors; undefined if only words count. */
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

/** What is searched or indexed, and of which kinds: a workspace opened only for specs has no skills. */
export interface Corpus {
  documents: readonly SearchDocument[];
  kinds: readonly DocumentKind[];
  /** The name to show of one of them, if not its own: the same document may have another name for others. */
  nameOf?(document: SearchDocument): string;
}
