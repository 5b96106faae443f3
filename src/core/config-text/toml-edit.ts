/**
 * Sets and removes single values in TOML by changing only their lines. The document is parsed before and after to prove that
 * nothing else changed.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { isRecord } from '../json-file.ts';
import { applyEdits, type Broken, type Edit, type Edited, lineBreakOf, valueAt, wholeLines } from './edits.ts';
import { printToml, printTomlTable, type TomlTable } from './toml-text.ts';
import { type TomlStatement, tomlStatements } from './toml-statements.ts';

export function readToml(text: string): Broken | { value: Record<string, unknown> } {
  try {
    return { value: parse(text, { integersAsBigInt: 'asNeeded' }) };
  } catch (error) {
    if (error instanceof TomlError) {
      const [reason = 'not TOML'] = error.message.replace(/^Invalid TOML document: /u, '').split('\n');
      return { kind: 'broken', reason: `not TOML: ${reason}`, line: error.line, column: error.column };
    }
    if (error instanceof RangeError) return { kind: 'broken', reason: 'it is nested too deeply to be read' };
    throw error;
  }
}

/** Sets one key of a table, which is created if it is missing. */
export function setInToml(text: string, keys: readonly string[], key: string, value: number): Edited {
  const before = readToml(text);
  if ('kind' in before) return before;
  const existing = valueAt(before.value, keys);
  if (existing !== undefined && !isRecord(existing)) return unsafe(keys);
  if (existing?.[key] === value) return { kind: 'same' };
  const table = { keys, entry: { [key]: value } };
  const wanted = { ...existing, ...table.entry };
  const edited = existing && applyEdits(text, tableEdits(text, tomlStatements(text), table, { wanted }));
  // A table that exists only through its sub-tables has no line of its own yet.
  for (const candidate of [edited, appendTable(text, table, { alwaysGap: true })])
    if (candidate !== undefined && changesOnly(keys, before.value, candidate, wanted))
      return { kind: 'changed', text: candidate };
  return unsafe(keys);
}

/** Removes one key of a table, and the header of the table if nothing else is below it. */
export function removeFromToml(text: string, keys: readonly string[], key: string): Edited {
  const before = readToml(text);
  if ('kind' in before) return before;
  const existing = valueAt(before.value, keys);
  if (!isRecord(existing) || !Object.hasOwn(existing, key)) return { kind: 'same' };
  const statements = tomlStatements(text);
  const index = statements.findIndex(({ kind, path }) => kind === 'pair' && isDeepStrictEqual(path, [...keys, key]));
  const pair = statements[index];
  if (!pair) return unsafe(keys);
  const header = statements[index - 1];
  const next = statements[index + 1];
  const isOnlyPair = header?.kind === 'table' && next?.kind !== 'pair';
  const around = header && text.slice(header.end, pair.start) + text.slice(pair.end, next?.start ?? text.length);
  const canPrune = isOnlyPair && around !== undefined && !around.includes('#') && !text.startsWith('[[', header.start);
  const { [key]: _, ...left } = existing;
  for (const own of [...(canPrune ? [[header, pair]] : []), [pair]]) {
    const candidate = applyEdits(text, removeStatements(text, own, { isExact: true }));
    if (changesOnly(keys, before.value, candidate, left)) return { kind: 'changed', text: candidate };
  }
  return unsafe(keys);
}

/** Adds items to a list of tables (`[[a.b]]`). */
export function addTomlTables(
  text: string,
  keys: readonly string[],
  entries: readonly Readonly<Record<string, unknown>>[],
): Edited {
  const before = readToml(text);
  if ('kind' in before) return before;
  if (entries.length === 0) return { kind: 'same' };
  const existing = valueAt(before.value, keys);
  let added = text;
  for (const entry of entries) added = appendTable(added, { keys, entry, isItem: true }, { alwaysGap: true });
  const wanted = [...(Array.isArray(existing) ? existing : []), ...entries];
  return changesOnly(keys, before.value, added, wanted) ? { kind: 'changed', text: added } : unsafe(keys);
}

/** Removes the items of a list of tables for which `isRemoved` returns true. */
export function removeTomlTables(
  text: string,
  keys: readonly string[],
  isRemoved: (item: Record<string, unknown>) => boolean,
): Edited {
  const before = readToml(text);
  if ('kind' in before) return before;
  const existing = valueAt(before.value, keys);
  const items = Array.isArray(existing) ? existing : [];
  const marked = items.map((item) => isRecord(item) && isRemoved(item));
  if (!marked.includes(true)) return { kind: 'same' };
  const groups = itemStatements(text, keys).filter((_, index) => marked[index]);
  // From the end, so that the offsets of earlier statements stay valid.
  const candidate = groups.reduceRight(
    (left, own) => applyEdits(left, removeStatements(left, own, { isExact: true })),
    text,
  );
  const left = items.filter((_, index) => !marked[index]);
  const isSafe = groups.length > 0 && changesOnly(keys, before.value, candidate, left.length === 0 ? undefined : left);
  return isSafe ? { kind: 'changed', text: candidate } : unsafe(keys);
}

/** Returns the statements of each item of a list of tables. */
function itemStatements(text: string, keys: readonly string[]): TomlStatement[][] {
  const groups: TomlStatement[][] = [];
  let current: TomlStatement[] | undefined;
  for (const statement of tomlStatements(text)) {
    if (statement.kind === 'table') {
      const isItem = statement.path.length === keys.length && startsWith(statement.path, keys);
      if (isItem) groups.push((current = []));
      else if (!startsWith(statement.path, keys)) current = undefined;
    }
    current?.push(statement);
  }
  return groups;
}

function unsafe(keys: readonly string[]): Broken {
  return { kind: 'broken', reason: `"${keys.join('.')}" is written in a form that cannot be changed safely` };
}

/** Appends a table. `alwaysGap` adds a blank line even after a blank line, so that removing the table restores the text. */
export function appendTable(text: string, table: TomlTable, { alwaysGap = false } = {}): string {
  const eol = lineBreakOf(text);
  const endsLine = text.endsWith('\n');
  const hasGap = !alwaysGap && /\n\r?\n$/u.test(text);
  const isEmpty = alwaysGap ? text === '' : text.trim() === '';
  const gap = isEmpty ? '' : endsLine ? (hasGap ? '' : eol) : eol + eol;
  return text + gap + printTomlTable(table, eol) + (endsLine || text === '' ? eol : '');
}

/** Replaces values in place, adds new keys below, and removes obsolete keys. `wanted` is the whole table after the change. */
export function tableEdits(
  text: string,
  statements: readonly TomlStatement[],
  { keys, entry }: TomlTable,
  { wanted, isObsolete = () => false }: { wanted: unknown; isObsolete?: (key: string) => boolean },
): Edit[] {
  const whole = statements.find(
    (statement) =>
      statement.kind === 'pair' && statement.path.length === keys.length && startsWith(statement.path, keys),
  );
  if (whole) return [{ offset: whole.valueStart, length: whole.end - whole.valueStart, text: printToml(wanted) }];
  const own = statements.filter(
    ({ kind, path }) => kind === 'pair' && path.length === keys.length + 1 && startsWith(path, keys),
  );
  const edits: Edit[] = [];
  const written = new Set<string>();
  for (const { path, start, end, valueStart } of own) {
    const key = path.at(-1) ?? '';
    const value = entry[key];
    if (value !== undefined) {
      written.add(key);
      edits.push({ offset: valueStart, length: end - valueStart, text: printToml(value) });
    } else if (isObsolete(key)) {
      edits.push(wholeLine(text, start, end));
    }
  }
  const header = statements.find(
    ({ kind, path }) => kind === 'table' && path.length === keys.length && startsWith(path, keys),
  );
  const anchor = header ?? own[0];
  // A key below a header has no prefix. A key next to `name.key = …` has the same prefix.
  const prefix = header || !own[0] ? '' : `${keys.slice(own[0].inherited).join('.')}.`;
  const missing = Object.entries(entry).filter(([key]) => !written.has(key));
  if (!anchor || missing.length === 0) return edits;
  const eol = lineBreakOf(text);
  const lines = missing.map(([key, value]) => `${prefix}${key} = ${printToml(value)}`);
  if (header)
    return [
      ...edits,
      { offset: endOfLine(text, header.end), length: 0, text: lines.map((each) => eol + each).join('') },
    ];
  return [{ offset: anchor.start, length: 0, text: lines.map((each) => each + eol).join('') }, ...edits];
}

/**
 * Removes statements and the blank line above the first. With `isExact`, a text without a line break at its end keeps that form,
 * so that removing an appended table restores the text.
 */
export function removeStatements(
  text: string,
  own: readonly TomlStatement[],
  { isExact = false }: { isExact?: boolean } = {},
): Edit[] {
  return own.map(({ kind, start, end }, index) => {
    const edit = wholeLines(text, start, end);
    // A pair below a header that stays has no blank line of its own.
    const hasGap = index === 0 && (kind === 'table' || !isExact);
    const blank = hasGap ? (/\n(?<blank>\r?\n)$/u.exec(text.slice(0, edit.offset))?.groups?.['blank'] ?? '') : '';
    const isAtEnd = isExact && index === 0 && !text.endsWith('\n') && lastOf(own).end === text.trimEnd().length;
    const left = text.slice(0, edit.offset - blank.length);
    const lineBreak = isAtEnd ? (/\r?\n$/u.exec(left)?.[0].length ?? 0) : 0;
    const more = blank.length + lineBreak;
    return { ...edit, offset: edit.offset - more, length: edit.length + more };
  });
}

function lastOf(statements: readonly TomlStatement[]): { end: number } {
  return statements.at(-1) ?? { end: -1 };
}

function wholeLine(text: string, start: number, end: number): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = endOfLine(text, end);
  const lineBreak = /^\r?\n/u.exec(text.slice(to))?.[0].length ?? 0;
  return { offset: from, length: to + lineBreak - from, text: '' };
}

function endOfLine(text: string, from: number): number {
  const found = /\r?\n/u.exec(text.slice(from));
  return found ? from + found.index : text.length;
}

/** Whether the new text has the wanted value at `keys` and all other values are unchanged. */
export function changesOnly(
  keys: readonly string[],
  before: Record<string, unknown>,
  text: string,
  wanted: unknown,
): boolean {
  const after = readToml(text);
  if ('kind' in after) return false;
  const isWanted = isSame(valueAt(after.value, keys) ?? emptyFor(wanted), wanted);
  return isWanted && isSame(without(before, keys), without(after.value, keys));
}

/** A table without keys may be missing altogether. */
function emptyFor(wanted: unknown): unknown {
  return isRecord(wanted) && Object.keys(wanted).length === 0 ? {} : undefined;
}

/** Ignores that the parser's tables have no prototype. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(withPrototypes(a), withPrototypes(b));
}

function withPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPrototypes);
  if (!isRecord(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPrototypes(item)]));
}

/** Returns a copy without the entry, and without a parent that would be empty. */
function without(value: Record<string, unknown>, [key = '', ...rest]: readonly string[]): Record<string, unknown> {
  const { [key]: inner, ...others } = value;
  if (rest.length === 0 || !isRecord(inner)) return rest.length === 0 ? others : value;
  const left = without(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

export function startsWith(path: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, index) => path[index] === key);
}
