import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { isRecord } from '../core/json-file.ts';
import type { EntryPlace } from './client.ts';
import { isConnectionKey, isSameEntry, replacedEntry, valueAt } from './entry.ts';
import { applyEdits, type Edit, lineBreakOf, type Merge, type Place, positionOf } from './merge.ts';
import { printToml, printTomlTable } from './toml-text.ts';
import { type TomlStatement, tomlStatements } from './toml-statements.ts';

type Broken = Extract<Merge, { kind: 'broken' }>;

/**
 * Puts an entry into TOML by changing only its lines. The document is parsed before and after to prove that nothing
 * else changed.
 */
export function mergeIntoToml(text: string, placeIn: Place): Merge {
  const before = read(text);
  if ('kind' in before) return before;
  const place = placeIn(before.value);
  const existing = valueAt(before.value, place.keys);
  if (existing === undefined) return append(text, before.value, place);
  const statements = tomlStatements(text);
  const { line } = positionOf(text, statements.find(({ path }) => startsWith(path, place.keys))?.start ?? 0);
  if (isSameEntry(existing, place.entry)) return { kind: 'same', line };
  const replaced = applyEdits(text, replacements(text, statements, existing, place));
  if (!changesOnly(place, before.value, replaced, replacedEntry(existing, place.entry)))
    return {
      kind: 'broken',
      reason: `"${place.keys.join('.')}" is written in a form that cannot be changed safely; change it by hand`,
      line,
    };
  return { kind: 'different', existing, wanted: place.entry, line, text: replaced };
}

function read(text: string): Broken | { value: Record<string, unknown> } {
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

/** A new table at the end is valid unless the parent is an inline table. */
function append(text: string, before: Record<string, unknown>, place: EntryPlace): Merge {
  const eol = lineBreakOf(text);
  const table = printTomlTable(place, eol);
  const endsLine = text.endsWith('\n');
  const gap = text.trim() === '' ? '' : endsLine ? (/\n\r?\n$/u.test(text) ? '' : eol) : eol + eol;
  const merged = text + gap + table + (endsLine || text === '' ? eol : '');
  if (changesOnly(place, before, merged, place.entry)) return { kind: 'added', text: merged };
  const parent = place.keys.slice(0, -1);
  const statement = tomlStatements(text).find(({ path }) => startsWith(parent, path) || startsWith(path, parent));
  const reason = `"${parent.join('.')}" is written in a form that does not allow adding tables; write it as [${parent.join('.')}.name] tables`;
  return { kind: 'broken', reason, ...(statement ? positionOf(text, statement.start) : {}) };
}

/** Replaces values in place, adds new keys below, and removes obsolete connection keys. */
function replacements(
  text: string,
  statements: readonly TomlStatement[],
  existing: unknown,
  { keys, entry }: EntryPlace,
): Edit[] {
  const whole = statements.find(
    (statement) =>
      statement.kind === 'pair' && statement.path.length === keys.length && startsWith(statement.path, keys),
  );
  if (whole)
    return [
      {
        offset: whole.valueStart,
        length: whole.end - whole.valueStart,
        text: printToml(replacedEntry(existing, entry)),
      },
    ];
  const own = statements.filter(
    ({ kind, path }) => kind === 'pair' && path.length === keys.length + 1 && startsWith(path, keys),
  );
  const edits: Edit[] = [];
  const written = new Set<string>();
  for (const { path, start, end, valueStart } of own) {
    const key = path.at(-1) ?? '';
    const wanted = entry[key];
    if (wanted !== undefined) {
      written.add(key);
      edits.push({ offset: valueStart, length: end - valueStart, text: printToml(wanted) });
    } else if (isConnectionKey(key, entry)) {
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

/** Whether the new text has the wanted entry and all other values are unchanged. */
function changesOnly(
  { keys }: EntryPlace,
  before: Record<string, unknown>,
  text: string,
  wanted: Record<string, unknown>,
): boolean {
  const after = read(text);
  if ('kind' in after) return false;
  return isSame(valueAt(after.value, keys), wanted) && isSame(without(before, keys), without(after.value, keys));
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

function startsWith(path: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, index) => path[index] === key);
}
