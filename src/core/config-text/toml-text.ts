/** A table, or with `isItem` one item of a list of tables. The keys are bare keys, so they need no quotes. */
export interface TomlTable {
  keys: readonly string[];
  entry: Readonly<Record<string, unknown>>;
  isItem?: boolean;
}

/** Returns the text of a table, without a line break at the end. */
export function printTomlTable({ keys, entry, isItem = false }: TomlTable, lineBreak: string): string {
  const pairs = Object.entries(entry).map(([key, value]) => `${key} = ${printToml(value)}`);
  const header = `[${keys.join('.')}]`;
  return [isItem ? `[${header}]` : header, ...pairs].join(lineBreak);
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
