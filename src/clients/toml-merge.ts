import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { isRecord } from '../core/json-file.ts';
import type { Entry, EntryPlace } from './client.ts';
import { isConnectionKey, isSameEntry, replacedEntry } from './entry.ts';
import { applyEdits, type Edit, lineBreakOf, type Merge, type MergeRequest, positionOf } from './merge.ts';
import { printToml, printTomlTable } from './toml-text.ts';
import { type TomlStatement, tomlStatements } from './toml-statements.ts';

type Broken = Extract<Merge, { kind: 'broken' }>;

/** Puts an entry into TOML by changing its lines only. A parser reads the document before and after, and compares all the rest. */
export function mergeIntoToml(text: string, request: MergeRequest): Merge {
  const before = read(text);
  if ('kind' in before) return before;
  const place = request.place(before.value);
  const existing = valueAt(before.value, place.keys);
  if (existing === undefined) return append(text, before.value, place);
  const statements = tomlStatements(text);
  const { line } = positionOf(text, statements.find(({ path }) => startsWith(path, place.keys))?.start ?? 0);
  if (isSameEntry(existing, place.entry)) return { kind: 'same', line };
  const replaced = applyEdits(text, replacements(text, statements, existing, place));
  if (!isSound(before.value, replaced, place, replacedEntry(existing, place.entry)))
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

/** A new table at the end is valid after anything but an inline table of the same parent. */
function append(text: string, before: Record<string, unknown>, place: EntryPlace): Merge {
  const eol = lineBreakOf(text);
  const table = printTomlTable(place, eol);
  const endsLine = text.endsWith('\n');
  const gap = text.trim() === '' ? '' : endsLine ? (/\n\r?\n$/u.test(text) ? '' : eol) : eol + eol;
  const merged = text + gap + table + (endsLine || text === '' ? eol : '');
  if (isSound(before, merged, place, place.entry)) return { kind: 'added', text: merged };
  const parent = place.keys.slice(0, -1);
  const statement = tomlStatements(text).find(({ path }) => startsWith(parent, path) || startsWith(path, parent));
  const reason = `"${parent.join('.')}" is written so that no table can be added to it; write it as [${parent.join('.')}.name] tables`;
  return { kind: 'broken', reason, ...(statement ? positionOf(text, statement.start) : {}) };
}

/** Values that differ are replaced where they stand; what is new goes below, what contradicts goes away. */
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
    } else if (isConnectionKey(key)) {
      edits.push(wholeLine(text, start, end));
    }
  }
  const header = statements.find(
    ({ kind, path }) => kind === 'table' && path.length === keys.length && startsWith(path, keys),
  );
  const anchor = header ?? own[0];
  // Below a header the keys stand alone; beside `name.key = …` they are written with the same prefix.
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

/** Whether the new text says what it should about the entry, and about everything else what it said before. */
function isSound(
  before: Record<string, unknown>,
  text: string,
  { keys }: EntryPlace,
  wanted: Entry | Record<string, unknown>,
): boolean {
  const after = read(text);
  if ('kind' in after) return false;
  return isSame(valueAt(after.value, keys), wanted) && isSame(without(before, keys), without(after.value, keys));
}

/** The parser's tables have no prototype, which is no difference to us. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(ordinary(a), ordinary(b));
}

function ordinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordinary);
  if (!isRecord(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordinary(item)]));
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** A copy without the entry, and without a parent that held nothing else. */
function without(value: Record<string, unknown>, [key = '', ...rest]: readonly string[]): Record<string, unknown> {
  const { [key]: inner, ...others } = value;
  if (rest.length === 0 || !isRecord(inner)) return rest.length === 0 ? others : value;
  const left = without(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

function startsWith(path: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, index) => path[index] === key);
}
