/** Tables use the names of the public JSON, some of them in snake_case. The library uses camelCase everywhere. */
import { isRecord } from '../json-file.ts';
import type { Field, Fields } from './field.ts';

type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** Converts the known keys of a type to camelCase. Keys that come from files, such as capabilities, are unchanged. */
export type CamelCased<T> = T extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : T extends object
    ? string extends keyof T
      ? { [K in keyof T]: CamelCased<T[K]> }
      : { [K in keyof T as Camel<K>]: CamelCased<T[K]> }
    : T;

export function camelKey(key: string): string {
  return key.replace(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Converts the known keys of a result to camelCase. */
export function camelResult(fields: Fields, value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const field = fields[key];
      return [camelKey(key), field ? camelValue(field, item) : item];
    }),
  );
}

function camelValue(field: Field, value: unknown): unknown {
  if (field.type === 'list' && Array.isArray(value)) return value.map((item) => camelValue(field.of, item));
  if (!isRecord(value)) return value;
  if (field.type === 'object') return camelResult(field.fields, value);
  if (field.type !== 'map') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, camelValue(field.of, item)]));
}
