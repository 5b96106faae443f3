import type { EntryPlace } from './client.ts';

/** A table of its own for one entry, without a line break at the end. Server names are bare keys, so nothing needs quotes. */
export function printTomlTable({ keys, entry }: EntryPlace, lineBreak: string): string {
  const pairs = Object.entries(entry).map(([key, value]) => `${key} = ${printToml(value)}`);
  return [`[${keys.join('.')}]`, ...pairs].join(lineBreak);
}

export function printToml(value: unknown): string {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(printToml).join(', ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(
      ([key, item]) => `${/^[\w-]+$/u.test(key) ? key : tomlString(key)} = ${printToml(item)}`,
    );
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return String(value);
}

/** JSON's escapes are TOML's too, but TOML also wants the delete character escaped. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
