/** A program's extensions to JSON. A file that the program cannot read counts as broken. */
export interface JsonDialect {
  comments: boolean;
  trailingCommas: boolean;
  /** The program's extensions are not known, so only plain JSON is changed. */
  isAssumed?: true;
}

export const STRICT_JSON: JsonDialect = { comments: false, trailingCommas: false };
export const PLAIN_JSON: JsonDialect = { ...STRICT_JSON, isAssumed: true };
export const LENIENT_JSON: JsonDialect = { comments: true, trailingCommas: true };
