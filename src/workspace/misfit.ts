/** What is wrong with a value that does not fit its schema, in words that somebody can act on. Loads the schema library. */
import * as z from 'zod';
import { nearest } from '../core/near.ts';

export interface Misfit {
  /** Where it is: `search.endpoint`; empty for the value as a whole. */
  place: string;
  /** The last key of that place, where nobody knows it. */
  unknown: string | undefined;
  message: string;
  /** Nothing stands at a place where something must. */
  missing: boolean;
  /** The unknown key that stands there instead. */
  instead?: string;
  /** Known keys that may have been meant by the unknown one; for a missing key, itself where another looks like it. */
  near: string[];
  /** The keys that may stand there. */
  known: string[];
}

/** The first thing that is wrong; the others often follow from it. */
export function misfitOf(schema: z.ZodType, error: z.ZodError): Misfit {
  const [issue] = error.issues;
  const path = issue?.path ?? [];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const missing = issue?.code === 'invalid_type' && path.length > 0 && issue.message.endsWith('received undefined');
  const last = String(path.at(-1));
  // What was misspelled is missing under its right name, and that is noticed first.
  const instead = missing
    ? error.issues
        .flatMap((each) => (each.code === 'unrecognized_keys' ? each.keys : []))
        .find((key) => nearest(key, [last]).length > 0)
    : undefined;
  const known = keysAt(schema, unknown === undefined ? path.slice(0, -1) : path);
  return {
    place: [...path, ...(unknown === undefined ? [] : [unknown])].map(String).join('.'),
    unknown,
    message: issue?.message ?? 'invalid',
    missing,
    ...(instead === undefined ? {} : { instead }),
    near: unknown === undefined ? (instead === undefined ? [] : [last]) : nearest(unknown, known),
    known,
  };
}

/** The keys that may stand at a place. */
function keysAt(schema: z.ZodType, place: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const key of place) at = at instanceof z.ZodObject ? withoutOptional(at.shape[String(key)]) : undefined;
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}
