import { checkFields } from './check.ts';
import type { Fields } from './field.ts';

/** Returns the part of another program's value that the table describes, or undefined if a field is missing or does not fit. */
export function received(fields: Fields, raw: unknown): Record<string, unknown> | undefined {
  const checked = checkFields(fields, raw, { isResult: true, unknown: 'drop' });
  return 'mismatch' in checked ? undefined : checked.value;
}
