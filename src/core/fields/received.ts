/** Reads values from another program by our own tables. Unknown keys are dropped, so a newer program may send more. */
import { isRecord } from '../json-file.ts';
import type { Field, Fields } from './field.ts';

/** Returns the part of the value that the table describes, or undefined if a field is missing or does not fit. */
export function received(fields: Fields, raw: unknown): Record<string, unknown> | undefined {
  if (!isRecord(raw)) return undefined;
  const taken: [string, unknown][] = [];
  for (const [key, field] of Object.entries(fields)) {
    const given = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (given === undefined && field.optional) continue;
    const value = receivedValue(field, given);
    if (value === undefined) return undefined;
    taken.push([key, value]);
  }
  return Object.fromEntries(taken);
}

function receivedValue(field: Field, raw: unknown): unknown {
  if (raw === null) return field.nullable ? null : undefined;
  switch (field.type) {
    case 'text':
      return typeof raw === 'string' ? raw : undefined;
    case 'integer':
      return Number.isSafeInteger(raw) ? raw : undefined;
    case 'number':
      return Number.isFinite(raw) ? raw : undefined;
    case 'flag':
      return typeof raw === 'boolean' && (field.always ?? raw) === raw ? raw : undefined;
    case 'choice':
      return typeof raw === 'string' && field.choices.includes(raw) ? raw : undefined;
    case 'list':
      return Array.isArray(raw) ? every(raw.map((item) => receivedValue(field.of, item))) : undefined;
    case 'object':
      return received(field.fields, raw);
    case 'map': {
      if (!isRecord(raw)) return undefined;
      const values = every(Object.values(raw).map((item) => receivedValue(field.of, item)));
      return values && Object.fromEntries(Object.keys(raw).map((key, index) => [key, values[index]]));
    }
    case 'any':
      return raw;
  }
}

function every(values: unknown[]): unknown[] | undefined {
  return values.includes(undefined) ? undefined : values;
}
