/**
 * Reads the simple YAML of nearly all frontmatter about thirty times faster than a full parser: one level of `key: value`, quoted
 * and block scalars, one level of nested keys or items. If it is not sure, it returns undefined and the full parser decides.
 * Otherwise, its result is the same as that of the full parser (a property test compares them).
 */
import { newYamlMap, type YamlMap, type YamlValue } from './yaml-value.ts';

export interface PlainYaml {
  data: YamlMap;
  /** 0-based line of each top-level key. */
  lines: Map<string, number>;
  /** The source text of top-level scalars that are not strings. */
  sources: ReadonlyMap<string, string>;
  /** 0-based line of the first value with a colon in unquoted text. That is invalid YAML, so the value was read as text. */
  colonAt: number | undefined;
}

const KEY = /^[A-Za-z_][A-Za-z0-9_.-]*$/u;
const NESTED_KEY = /^([A-Za-z_][A-Za-z0-9_.-]*):[ ]+([^ ].*)$/u;
const PLAIN_FORBIDDEN_START = /^[-?:,[\]{}#&*!|>'"%@`]/u;
/** Anything outside printable text, line feeds and ordinary spaces is left to the full parser. */
const ODD_CHARACTER =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ufffe\uffff\ud800-\udfff]/u;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const HASH = 0x23;

/** The reader is not sure: the full parser decides. */
const UNSURE = Symbol('unsure');
type Answer = YamlValue | typeof UNSURE;

/** One pass with few allocations, because this runs for every skill. */
export function readPlainYaml(yaml: string): PlainYaml | undefined {
  const text = yaml.includes('\r') ? yaml.replaceAll('\r\n', '\n') : yaml;
  if (ODD_CHARACTER.test(text)) return undefined;
  const data = newYamlMap();
  const lines = new Map<string, number>();
  let sources: Map<string, string> | undefined;
  let colonAt: number | undefined;
  let at = 0;
  let line = 0;
  while (at < text.length) {
    const end = endOfLine(text, at);
    const first = text.charCodeAt(at);
    if (at === end || first === HASH || (first === SPACE && text.slice(at, end).trim() === '')) {
      at = end + 1;
      line += 1;
      continue;
    }
    const colon = text.indexOf(':', at);
    if (colon === -1 || colon >= end || (colon + 1 < end && text.charCodeAt(colon + 1) !== SPACE)) return undefined;
    const key = text.slice(at, colon);
    if (!KEY.test(key) || lines.has(key) || key === '__proto__') return undefined;
    lines.set(key, line);
    const written = text.slice(colon + 1, end).trim();
    const below = rowsBelow(text, end + 1);
    let value: Answer = below === NO_ROWS && written !== '' ? readScalar(written) : readValue(written, below);
    if (value === UNSURE && below === NO_ROWS && hasBareColon(written)) {
      value = written;
      colonAt ??= line;
    }
    if (value === UNSURE) return undefined;
    data[key] = value;
    if (value === null || typeof value === 'number' || typeof value === 'boolean')
      (sources ??= new Map()).set(key, written);
    line += 1 + below.length;
    at = end + 1;
    for (const row of below) at += row.length + 1;
  }
  return { data, lines, sources: sources ?? NO_SOURCES, colonAt };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

const NO_ROWS: readonly string[] = [];
const NO_SOURCES: ReadonlyMap<string, string> = new Map();

/** Returns the indented or blank lines that belong to a key. Trailing blank lines are kept because block scalars count them. */
function rowsBelow(text: string, start: number): readonly string[] {
  let rows: string[] | undefined;
  for (let at = start; at < text.length && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === LINE_FEED);) {
    const end = endOfLine(text, at);
    rows ??= [];
    rows.push(text.slice(at, end));
    at = end + 1;
  }
  return rows ?? NO_ROWS;
}

function readValue(first: string, rows: readonly string[]): Answer {
  const below = rows.filter((row) => row.trim() !== '');
  if (first === '') return below.length === 0 ? null : readNested(rows);
  if (/^[|>][-+]?$/u.test(first)) return readBlockScalar(first, rows);
  if (below.length === 0) return readScalar(first);
  // A plain scalar folded over several lines. A blank line inside would be a line break, which the full parser handles.
  if (!isPlain(first) || rows.slice(0, below.length).some((row) => row.trim() === '')) return UNSURE;
  const parts = below.map((row) => row.trim());
  if (!parts.every((part) => isContinuation(part))) return UNSURE;
  return [first, ...parts].join(' ');
}

/** Whether a text needs no quotes: no indicator at its start, and nothing in it that ends it or starts a comment. */
function isPlain(text: string): boolean {
  return !PLAIN_FORBIDDEN_START.test(text) && isContinuation(text);
}

/**
 * Detects values such as `Use when: x`. This is the most common mistake and always an error in YAML, so the full parser is not
 * needed.
 */
function hasBareColon(text: string): boolean {
  return !PLAIN_FORBIDDEN_START.test(text) && !text.includes(' #') && text.includes(': ') && !text.endsWith(':');
}

function isContinuation(text: string): boolean {
  return !text.startsWith('#') && !text.includes(': ') && !text.endsWith(':') && !text.includes(' #');
}

function readScalar(text: string): Answer {
  const quote = text[0];
  if (quote === '"' || quote === "'") return readQuoted(text, quote);
  if (!isPlain(text)) return UNSURE;
  return typed(text);
}

function readQuoted(text: string, quote: string): Answer {
  if (text.length < 2 || !text.endsWith(quote)) return UNSURE;
  const inner = text.slice(1, -1);
  if (quote === '"') return inner.includes('"') || inner.includes('\\') ? UNSURE : inner;
  return /(?:^|[^'])(?:'')*'(?:[^']|$)/u.test(inner) ? UNSURE : inner.replaceAll("''", "'");
}

/** Applies the core schema of YAML 1.2. Numbers in other forms than plain decimals are left to the full parser. */
function typed(text: string): Answer {
  if (/^[-+.0-9]/u.test(text)) {
    if (/^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/u.test(text)) return Number(text);
    // A date is text in YAML 1.2.
    if (/^\d{4}-\d\d-\d\d$/u.test(text)) return text;
    if (/^[-+]?[.0-9][0-9a-fA-FxoeE.+-]*$|^[-+]?\.(?:inf|nan)$/iu.test(text)) return UNSURE;
    return text;
  }
  if (/^(?:~|null|true|false)$/iu.test(text)) {
    if (text === 'true' || text === 'false') return text === 'true';
    return UNSURE;
  }
  return text;
}

function readBlockScalar(header: string, rows: readonly string[]): Answer {
  const filled = rows.filter((row) => row.trim() !== '');
  const indent = /^ */u.exec(filled[0] ?? '')?.[0].length ?? 0;
  if (filled.length === 0 || indent === 0) return UNSURE;
  // Lines with more indentation, or blanks before the text, follow special rules.
  if ((rows[0] ?? '').trim() === '' || filled.some((row) => row[indent] === ' ' || row.slice(0, indent).trim() !== ''))
    return UNSURE;
  if (rows.some((row) => row.trim() === '' && row !== '')) return UNSURE;
  const lines = rows.map((row) => row.slice(indent));
  let trailing = 0;
  while (lines.at(-1) === '') {
    lines.pop();
    trailing += 1;
  }
  let text = '';
  if (header.startsWith('|')) {
    text = lines.join('\n');
  } else {
    let breaks = 0;
    for (const [position, line] of lines.entries()) {
      if (line === '') {
        breaks += 1;
        continue;
      }
      if (position > 0) text += breaks === 0 ? ' ' : '\n'.repeat(breaks);
      text += line;
      breaks = 0;
    }
  }
  if (header.endsWith('-')) return text;
  return text + (header.endsWith('+') ? '\n'.repeat(trailing + 1) : '\n');
}

function readNested(rows: readonly string[]): Answer {
  const indent = /^ */u.exec(rows.find((row) => row.trim() !== '') ?? '')?.[0].length ?? 0;
  const map = newYamlMap();
  const items: YamlValue[] = [];
  let keys = 0;
  for (const row of rows) {
    if (row.trim() === '') continue;
    const text = row.slice(indent).trimEnd();
    if (row.slice(0, indent).trim() !== '' || text.startsWith(' ') || text.startsWith('#')) return UNSURE;
    if (text.startsWith('- ')) {
      const read = readScalar(text.slice(2).trim());
      if (read === UNSURE || keys > 0) return UNSURE;
      items.push(read);
      continue;
    }
    const match = NESTED_KEY.exec(text);
    const key = match?.[1];
    const read = readScalar(match?.[2]?.trim() ?? '');
    if (key === undefined || key === '__proto__' || key in map || read === UNSURE || items.length > 0) return UNSURE;
    map[key] = read;
    keys += 1;
  }
  return items.length > 0 ? items : map;
}
