/**
 * How an operation combines local results with those of a shared catalog. The row of an operation names parameters and fields of its
 * own table; `mcp/remote-catalog` reads it.
 */
export type ItemKind = 'skill' | 'spec' | 'change';

/** A call of another operation, for the item with this name. */
export type Probe = (name: string) => { operation: string; input: Readonly<Record<string, unknown>> };

/** Calls about one item: a local item wins, otherwise the shared catalog is queried. */
export interface Named {
  how: 'named';
  /** Parameter with the name. */
  param: string;
  kind: ItemKind;
  /** Output field with the full name of the item, if it has one. */
  fullName: string;
  /** A call that fails only if the item does not exist, for operations that also fail if a part of it is missing. */
  probe?: Probe;
  /** A call that finds a shared item with the name of a local one, to mention it in the reply. */
  namesake?: Probe;
}

/** A list of items: local items first, then those of the shared catalog that no local item hides. */
export interface Listed {
  /** `pages` continues in the shared catalog after the last local page. `lists` is a single page. */
  how: 'lists' | 'pages';
  /** Output field with the items. */
  field: string;
  kind: ItemKind;
  /** Field of an item with its name. */
  name: string;
}

/** Search results of both sides, best first. */
export interface Scored {
  how: 'score';
  /** Output field with the results, which have a `score`. */
  field: string;
  kind: ItemKind;
  /** Field of a result with the name of its item. */
  name: string;
}

/** `none`: the operation concerns this machine only. */
export type Join = Named | Listed | Scored | 'none';

export function named(
  param: string,
  { fullName = param, ...row }: Pick<Named, 'kind' | 'probe' | 'namesake'> & { fullName?: string },
): Named {
  return { how: 'named', param, fullName, ...row };
}

export function lists(field: string, row: Pick<Listed, 'kind' | 'name'>): Listed {
  return { how: 'lists', field, ...row };
}

/** The output also has `total` and `nextCursor`; the parameters have `limit` and `cursor`. */
export function pages(field: string, row: Pick<Listed, 'kind' | 'name'>): Listed {
  return { how: 'pages', field, ...row };
}

/** The output also has `mode`, and may have `confidence`, `reason`, `limit` and `total`. */
export function byScore(field: string, row: Pick<Scored, 'kind' | 'name'>): Scored {
  return { how: 'score', field, ...row };
}
