/** Results of operations before they are rendered. */

/** Output of an operation whose table is not known statically. */
export type Data = Readonly<Record<string, unknown>>;

export type Outcome<T extends object = Data> = { output: T } | { error: unknown };

/** A shared catalog's contribution to a result. */
export interface CatalogPart {
  /** Sentences about the shared catalog, for models. */
  note?: string | undefined;
  /** Additional facts for programs. */
  facts?: Data;
  /** Similar names from both sides, if neither has the requested one. */
  suggestions?: readonly string[];
  /** Additional `_meta` of the reply. */
  meta?: Data;
}

export type JoinedOutcome = Outcome & CatalogPart;
