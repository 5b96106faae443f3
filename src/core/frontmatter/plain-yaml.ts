/**
 * Reads the simple YAML that nearly all frontmatter is made of, some thirty times faster than a full parser: one level of
 * `key: value`, quoted and block scalars, one level of nested keys or items. For anything it is not sure of it returns
 * undefined and the full parser decides; where it answers, it answers the same (a property test holds them together).
 */
import type { YamlMap, YamlValue } from './yaml-value.js';

export interface PlainYaml {
  data: YamlMap;
  /** 0-based line of each top-level key. */
  lines: Map<string, number>;
  /** The text of top-level scalars that are not strings, as it was written. */
  sources: Map<string, string>;
  /** 0-based line of the first value that is not valid YAML for one sure reason: a colon in unquoted text. It was taken as text. */
  colonAt: number | undefined;
}

const KEY = /^([A-Za-z_][A-Za-z0-9_.-]*):(?:[ ]+(.*))?$/u;
const PLAIN_FORBIDDEN_START = /^[-?:,[\]{}#&*!|>'"%@`]/u;
const NESTED_KEY = /^([A-Za-z_][A-Za-z0-9_.-]*):[ ]+(.+)$/u;
/** Anything outside printable text, line feeds and ordinary spaces is left to the full parser: `trim` cuts wide spaces, YAML keeps them. */
const ODD_CHARACTER =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ufffe\uffff\ud800-\udfff]/u;

export function readPlainYaml(yaml: string): PlainYaml | undefined {
  const text = yaml.includes('\r') ? yaml.replaceAll('\r\n', '\n') : yaml;
  if (ODD_CHARACTER.test(text)) return undefined;
  const rows = text.split('\n');
  if (rows.at(-1) === '') rows.pop();
  const data: YamlMap = Object.create(null) as YamlMap;
  const lines = new Map<string, number>();
  const sources = new Map<string, string>();

  let colonAt: number | undefined;
  let index = 0;
  while (index < rows.length) {
    const row = rows[index] ?? '';
    if (row.startsWith('#') || row.trim() === '') {
      index += 1;
      continue;
    }
    const match = KEY.exec(row);
    const key = match?.[1];
    if (key === undefined || lines.has(key) || key === '__proto__') return undefined;
    lines.set(key, index);
    const first = match?.[2]?.trimEnd() ?? '';
    const end = endOfBlock(rows, index + 1);
    // Nearly every value stands on its own line; only the others are worth a closer look.
    let read = end === index + 1 && first !== '' ? readScalar(first) : readValue(first, rows.slice(index + 1, end));
    if (!read && end === index + 1 && hasBareColon(first)) {
      read = { value: first };
      colonAt ??= index;
    }
    if (!read) return undefined;
    data[key] = read.value;
    if (read.source !== undefined) sources.set(key, read.source);
    index = end;
  }
  return { data, lines, sources, colonAt };
}

/** Past the indented or blank rows that belong to a key. Trailing blank rows are kept: block scalars count them. */
function endOfBlock(rows: readonly string[], start: number): number {
  let end = start;
  while (end < rows.length && (rows[end] === '' || rows[end]?.startsWith(' '))) end += 1;
  return end;
}

interface Read {
  value: YamlValue;
  source?: string;
}

function readValue(first: string, rows: readonly string[]): Read | undefined {
  const below = rows.filter((row) => row.trim() !== '');
  if (first === '') return below.length === 0 ? { value: null, source: '' } : readNested(rows);
  if (/^[|>][-+]?$/u.test(first)) return readBlockScalar(first, rows);
  if (below.length === 0) return readScalar(first);
  // A plain scalar folded over several lines. A blank line inside would be a line break: the full parser knows.
  if (!isPlain(first) || rows.slice(0, below.length).some((row) => row.trim() === '')) return undefined;
  const parts = below.map((row) => row.trim());
  if (!parts.every((part) => isContinuation(part))) return undefined;
  return { value: [first, ...parts].join(' ') };
}

/** What may follow a key, a dash or nothing: no indicator at its start, nothing inside that ends or comments it. */
function isPlain(text: string): boolean {
  return !PLAIN_FORBIDDEN_START.test(text) && isContinuation(text);
}

/** `Use when: x`. The most common mistake of all, and always an error in YAML, so the full parser need not be asked. */
function hasBareColon(text: string): boolean {
  return !PLAIN_FORBIDDEN_START.test(text) && !text.includes(' #') && text.includes(': ') && !text.endsWith(':');
}

function isContinuation(text: string): boolean {
  return !text.startsWith('#') && !text.includes(': ') && !text.endsWith(':') && !text.includes(' #');
}

function readScalar(text: string): Read | undefined {
  const quote = text[0];
  if (quote === '"' || quote === "'") return readQuoted(text, quote);
  if (!isPlain(text)) return undefined;
  return typed(text);
}

function readQuoted(text: string, quote: string): Read | undefined {
  if (text.length < 2 || !text.endsWith(quote)) return undefined;
  const inner = text.slice(1, -1);
  if (quote === '"') return inner.includes('"') || inner.includes('\\') ? undefined : { value: inner };
  return /(?:^|[^'])(?:'')*'(?:[^']|$)/u.test(inner) ? undefined : { value: inner.replaceAll("''", "'") };
}

/** The core schema of YAML 1.2. Numbers in other forms than plain decimals are left to the full parser. */
function typed(text: string): Read | undefined {
  if (/^[-+.0-9]/u.test(text)) {
    if (/^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/u.test(text)) return { value: Number(text), source: text };
    if (/^[-+]?[.0-9][0-9a-fA-FxoeE.+-]*$|^[-+]?\.(?:inf|nan)$/iu.test(text)) return undefined;
    return { value: text };
  }
  if (/^(?:~|null|true|false)$/iu.test(text)) {
    if (text === 'true' || text === 'false') return { value: text === 'true', source: text };
    return undefined;
  }
  return { value: text };
}

function readBlockScalar(header: string, rows: readonly string[]): Read | undefined {
  const filled = rows.filter((row) => row.trim() !== '');
  const indent = /^ */u.exec(filled[0] ?? '')?.[0].length ?? 0;
  if (filled.length === 0 || indent === 0) return undefined;
  // Lines indented more, or blanks before the text, follow rules of their own.
  if ((rows[0] ?? '').trim() === '' || filled.some((row) => row[indent] === ' ' || row.slice(0, indent).trim() !== '')) return undefined;
  if (rows.some((row) => row.trim() === '' && row !== '')) return undefined;
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
  if (header.endsWith('-')) return { value: text };
  return { value: text + (header.endsWith('+') ? '\n'.repeat(trailing + 1) : '\n') };
}

function readNested(rows: readonly string[]): Read | undefined {
  const indent = /^ */u.exec(rows.find((row) => row.trim() !== '') ?? '')?.[0].length ?? 0;
  const map: YamlMap = Object.create(null) as YamlMap;
  const items: YamlValue[] = [];
  let keys = 0;
  for (const row of rows) {
    if (row.trim() === '') continue;
    const text = row.slice(indent).trimEnd();
    if (row.slice(0, indent).trim() !== '' || text.startsWith(' ') || text.startsWith('#')) return undefined;
    if (text.startsWith('- ')) {
      const read = readScalar(text.slice(2).trim());
      if (!read || keys > 0) return undefined;
      items.push(read.value);
      continue;
    }
    const match = NESTED_KEY.exec(text);
    const key = match?.[1];
    const read = readScalar(match?.[2]?.trim() ?? '');
    if (key === undefined || key === '__proto__' || key in map || !read || items.length > 0) return undefined;
    map[key] = read.value;
    keys += 1;
  }
  return { value: items.length > 0 ? items : map };
}
