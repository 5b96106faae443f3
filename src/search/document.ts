/** What can be searched. The room does not know what a skill or a spec is: the kind is only carried along. */
export const ALL_KINDS = ['skill', 'requirement', 'change'] as const;
export type DocumentKind = (typeof ALL_KINDS)[number];

export interface SearchDocument {
  kind: DocumentKind;
  id: string;
  /** Tells documents of one kind apart where ids can be equal, as with copies of a skill; else the id does. */
  key?: string;
  name: string;
  /** Further names it answers to, such as its folder's. */
  otherNames?: readonly string[];
  path: string;
  description: string;
  /** Reads the body when it is needed: most searches decide most documents without it. */
  body: () => string;
  /** What keyword search looks into, if the source keeps it; otherwise it is derived from the fields above for every search. */
  lowerCase?: LowerCaseText;
  /**
   * Changes whenever the text may have changed (size and times of the file, say). With an equal stamp the body is not read
   * again when the index is checked or refreshed; without one it always is.
   */
  stamp?: string;
  /** Carried to the hit untouched: `spec_id` and `requirement`, for instance. */
  extras?: Readonly<Record<string, string>>;
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
  extras: Readonly<Record<string, string>>;
}

/** One key for a document among all kinds. Kinds hold no space, so two documents never share one. */
export function keyOf(document: Pick<SearchDocument, 'kind' | 'id' | 'key'>): string {
  return `${document.kind} ${document.key ?? document.id}`;
}

/** What is searched or indexed, and of which kinds: a workspace opened for specs alone knows nothing of skills. */
export interface Corpus {
  documents: readonly SearchDocument[];
  kinds: readonly DocumentKind[];
}
