import type { EntryPlace } from './client.ts';

/** Prints an entry as YAML. Every text is quoted: in YAML, `no` and `1e3` would have other types. */
export function printYamlEntry({ keys, entry }: EntryPlace): string {
  const heads = keys.map((key, depth) => `${'  '.repeat(depth)}${keyText(key)}:`);
  const indent = '  '.repeat(keys.length);
  const pairs = Object.entries(entry).map(([key, value]) => `${indent}${keyText(key)}: ${flow(value)}`);
  return [...heads, ...pairs].join('\n');
}

/** Words that YAML reads as another type. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/iu;

function keyText(key: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]*$/u.test(key) && !RESERVED.test(key) ? key : JSON.stringify(key);
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${flow(item)}`)
    .join(', ')} }`;
}
