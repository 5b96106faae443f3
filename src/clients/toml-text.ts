import type { EntryPlace } from './client.ts';

/** A table for one entry, without a line break at the end. Server names are bare keys, so they need no quotes. */
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

/** TOML has the same escapes as JSON, but also requires one for the delete character. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
