/** Quotes values that YAML would misread. Used in memory to read broken frontmatter, and to repair files on request. */
import { readFullYaml } from './full-yaml.ts';
import { readPlainYaml } from './plain-yaml.ts';

/** The first line of a block scalar, such as `|` or `>-`. */
export const BLOCK_HEADER = /^[|>][-+0-9]*(?:\s+#.*)?$/u;
/** Each line is tried separately. Longer frontmatter is not written by hand. */
const REPAIR_MAX_LINES = 1_000;
const TOP_LEVEL = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+([^ \t\r\n].*)?)?$/u;
const NESTED_KEY = /^([ \t]+[A-Za-z_][\w.-]*[ \t]*:[ \t]+)([^ \t].*)$/u;
const ALIAS_ITEM = /^([ \t]*-[ \t]+)(\*.*)$/u;

/** Quotes every one-line value that YAML would misread, and turns tabs at the start of lines into spaces. */
export function repairLines(yaml: string): string {
  return eachRow(yaml, (row, next) => {
    const untabbed = row.replace(/^[ \t]+/u, (blanks) => blanks.replaceAll('\t', '  '));
    const { key, value } = topLevel(untabbed);
    if (key === undefined || value === '' || BLOCK_HEADER.test(value)) return untabbed;
    const continues = /^[ \t]+\S/u.test(next);
    return isSoundAlone(value) && !continues ? untabbed : `${key}: ${quotedYaml(stripQuotes(value))}`;
  });
}

/** Quotes only the values that YAML would misread. With `nested`, includes values below a key. */
export function quoteValues(yaml: string, { nested }: { nested: boolean }): string {
  // Lines of a block scalar are text, whatever they look like.
  let blockIndent: number | undefined;
  return eachRow(yaml, (row) => {
    const indent = row.search(/[^ \t]/u);
    if (indent === -1) return row;
    if (blockIndent !== undefined && indent > blockIndent) return row;
    const lastStart = Math.max(row.lastIndexOf(': '), row.lastIndexOf('- '));
    blockIndent = lastStart !== -1 && BLOCK_HEADER.test(row.slice(lastStart + 2).trim()) ? indent : undefined;
    if (blockIndent !== undefined) return row;
    const { key, value } = topLevel(row);
    if (key !== undefined) return isSoundAlone(value) ? row : `${key}: ${quotedYaml(stripQuotes(value))}`;
    const [, start, below] = (nested ? (NESTED_KEY.exec(row) ?? ALIAS_ITEM.exec(row)) : undefined) ?? [];
    if (start === undefined || below === undefined || isSoundAlone(below.trim())) return row;
    return start + quotedYaml(stripQuotes(below.trim()));
  });
}

/** Formats a text as a quoted YAML value on one line. */
export function quotedYaml(text: string): string {
  // In single quotes, double quotes and backslashes need no escapes.
  const readsBetterInSingle = /["\\]/u.test(text) && !/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/u.test(text);
  return readsBetterInSingle ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}

export function stripQuotes(value: string): string {
  const quoted = /^(["'])(.*)\1$/u.exec(value);
  return quoted?.[2] ?? value;
}

/** Maps the lines and keeps their line endings. Long texts are returned unchanged. */
function eachRow(yaml: string, map: (row: string, next: string) => string): string {
  const rows = yaml.split('\n');
  if (rows.length > REPAIR_MAX_LINES) return yaml;
  return rows
    .map((row, index) => {
      const end = row.endsWith('\r') ? '\r' : '';
      return map(end === '' ? row : row.slice(0, -1), rows[index + 1] ?? '') + end;
    })
    .join('\n');
}

function topLevel(row: string): { key?: string | undefined; value: string } {
  const match = TOP_LEVEL.exec(row);
  return { key: match?.[1], value: match?.[2]?.trim() ?? '' };
}

function isSoundAlone(value: string): boolean {
  const plain = readPlainYaml(`k: ${value}`);
  return plain ? plain.colonAt === undefined : readFullYaml(`k: ${value}`).problems.length === 0;
}
