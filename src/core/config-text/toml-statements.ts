/**
 * Finds the statements of a TOML document, so that one can be changed without rewriting the others. The text must
 * already have been accepted by a real parser.
 */
import { parse } from 'smol-toml';
import { isRecord } from '../json-file.ts';

export interface TomlStatement {
  kind: 'table' | 'pair';
  /** Full path; for a pair, the table's path followed by the pair's keys. */
  path: readonly string[];
  /** Number of keys that come from the table. */
  inherited: number;
  start: number;
  /** End of the statement, before a trailing comment. */
  end: number;
  /** Start of a pair's value. */
  valueStart: number;
}

export function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  for (;;) {
    at = skipBlank(text, at);
    if (at >= text.length) return statements;
    const start = at;
    if (text[at] === '[') {
      const brackets = text[at + 1] === '[' ? 2 : 1;
      const close = keyEnd(text, at + brackets, ']');
      table = keysOf(text.slice(at + brackets, close));
      at = close + brackets;
      statements.push({ kind: 'table', path: table, inherited: 0, start, end: at, valueStart: at });
    } else {
      const equals = keyEnd(text, at, '=');
      const valueStart = skipWhile(text, equals + 1, ' \t');
      at = valueEnd(text, valueStart);
      statements.push({
        kind: 'pair',
        path: [...table, ...keysOf(text.slice(start, equals))],
        inherited: table.length,
        start,
        end: at,
        valueStart,
      });
    }
  }
}

/** Skips white space, line breaks and comments between statements. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = skipWhile(text, at, ' \t\r\n');
    if (text[at] !== '#') return at;
    at = lineEnd(text, at);
  }
}

function skipWhile(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text.charAt(at))) at += 1;
  return at;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** A quoted key may contain the character that ends keys. */
function keyEnd(text: string, from: number, closing: string): number {
  let at = from;
  while (at < text.length && text[at] !== closing)
    at = text[at] === '"' || text[at] === "'" ? stringEnd(text, at) : at + 1;
  return at;
}

/** Uses the parser to read the key, including quotes and escapes. */
function keysOf(written: string): string[] {
  const keys: string[] = [];
  let value: unknown = parse(`${written} = 0`);
  while (isRecord(value)) {
    const [key] = Object.keys(value);
    if (key === undefined) break;
    keys.push(key);
    value = value[key];
  }
  return keys;
}

function valueEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"' || first === "'") return stringEnd(text, from);
  if (first === '[' || first === '{') return bracketEnd(text, from);
  const end = /[#\r\n]/u.exec(text.slice(from));
  return from + text.slice(from, end ? from + end.index : text.length).trimEnd().length;
}

function bracketEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") {
      at = stringEnd(text, at);
      continue;
    }
    if (character === '#') {
      at = lineEnd(text, at);
      continue;
    }
    if ('[{'.includes(character)) depth += 1;
    if (']}'.includes(character)) depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return at;
}

function stringEnd(text: string, from: number): number {
  const quote = text.charAt(from);
  const long = quote.repeat(3);
  const isLong = text.startsWith(long, from);
  const closing = isLong ? long : quote;
  let at = from + closing.length;
  while (at < text.length && !text.startsWith(closing, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  at += closing.length;
  // A multi-line string may end with one or two quotes that belong to it.
  return isLong ? at + (/^(?:"{1,2}|'{1,2})/u.exec(text.slice(at, at + 2))?.[0].length ?? 0) : at;
}
