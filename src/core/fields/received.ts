import { checkFields } from './check.ts';
import type { Fields, ObjectOf } from './field.ts';

/** Returns the part of another program's value that the table describes, or undefined if a field is missing or does not fit. */
export function received<F extends Fields>(fields: F, raw: unknown): ObjectOf<F> | undefined {
  const checked = checkFields(fields, raw, { isResult: true, unknown: 'drop' });
  // The check guarantees the shape that the table describes.
  return 'mismatch' in checked ? undefined : (checked.value as ObjectOf<F>);
}
