import {
  getNodeValue,
  type Node,
  parseTree,
  type ParseError,
  type ParseOptions,
  printParseErrorCode,
} from 'jsonc-parser';
import { isRecord } from '../core/json-file.ts';
import type { EntryPlace, JsonDialect } from './client.ts';
import { isSameEntry, nested, replacedEntry } from './entry.ts';
import { indentAt, insertProperty } from './json-insert.ts';
import { type JsonStyle, printJson, printOnOneLine } from './json-text.ts';
import { applyEdits, type Edit, lineBreakOf, type Merge, type Place, positionOf } from './merge.ts';

type Broken = Extract<Merge, { kind: 'broken' }>;

/** Puts an entry into JSON, with or without comments. Everything outside the entry stays unchanged, byte for byte. */
export function mergeIntoJson(text: string, dialect: JsonDialect, place: Place): Merge {
  const parsed = parse(text, dialect);
  if ('kind' in parsed) return parsed;
  const style: JsonStyle = {
    lineBreak: lineBreakOf(text),
    unit: /(?:^|[\r\n])([ \t]+)["}\]{[]/u.exec(text)?.[1] ?? '  ',
  };
  const { root } = parsed;
  if (!root) return emptyDocument(text, style, place(undefined));
  const { keys, entry } = place(plain(root));
  const found = walk(text, root, keys);
  if ('kind' in found) return found;
  const { node, missing } = found;
  const [next, ...rest] = missing;
  if (next !== undefined) {
    const edits = insertProperty(text, node, { key: next, value: nested(rest, entry), style });
    return { kind: 'added', text: checked(applyEdits(text, edits), dialect, keys) };
  }
  const existing = plain(node);
  const { line } = positionOf(text, node.offset);
  if (isSameEntry(existing, entry)) return { kind: 'same', line };
  const edit = replacement(text, node, replacedEntry(existing, entry), style);
  return {
    kind: 'different',
    existing,
    wanted: entry,
    line,
    text: checked(applyEdits(text, [edit]), dialect, keys),
  };
}

/** Handles text with only white space and comments: the document is appended. */
function emptyDocument(text: string, style: JsonStyle, { keys, entry }: EntryPlace): Merge {
  const body = printJson(nested(keys, entry), '', style) + style.lineBreak;
  if (text.trim() === '') return { kind: 'added', text: body };
  const needsBreak = !/[\r\n]$/u.test(text);
  return { kind: 'added', text: text + (needsBreak ? style.lineBreak : '') + body };
}

function parse(text: string, dialect: JsonDialect): Broken | { root: Node | undefined } {
  const errors: ParseError[] = [];
  const options: ParseOptions = {
    disallowComments: !dialect.comments,
    allowTrailingComma: dialect.trailingCommas,
    allowEmptyContent: true,
  };
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, options);
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'broken', reason: 'it is nested too deeply to be read' };
  }
  const [error] = errors;
  if (error)
    return {
      kind: 'broken',
      reason: `not JSON: ${describeError(printParseErrorCode(error.error))}`,
      ...positionOf(text, error.offset),
    };
  return { root };
}

function describeError(code: string): string {
  if (code === 'InvalidCommentToken') return 'this client does not support comments';
  return code
    .replace(/(?<=[a-z])[A-Z]/gu, ' $&')
    .toLowerCase()
    .replace(/^property name expected$/u, 'a property name is expected');
}

/** Follows the keys as far as they exist. A duplicate key is an error because readers disagree on which one counts. */
function walk(text: string, root: Node, keys: readonly string[]): Broken | { node: Node; missing: readonly string[] } {
  let node = root;
  for (const [index, key] of keys.entries()) {
    if (node.type !== 'object') {
      const place = index === 0 ? 'the document' : `"${keys.slice(0, index).join('.')}"`;
      return { kind: 'broken', reason: `${place} is not an object`, ...positionOf(text, node.offset) };
    }
    const values = (node.children ?? [])
      .filter(({ children }) => children?.[0]?.value === key)
      .map(({ children }) => children?.[1]);
    const [value, second] = values;
    if (second) return { kind: 'broken', reason: `"${key}" occurs twice`, ...positionOf(text, second.offset) };
    if (!value) return { node, missing: keys.slice(index) };
    node = value;
  }
  return { node, missing: [] };
}

function replacement(text: string, node: Node, value: Record<string, unknown>, style: JsonStyle): Edit {
  const before = text.slice(node.offset, node.offset + node.length);
  const isOneLine = node.type === 'object' && (node.children?.length ?? 0) > 0 && !/[\r\n]/u.test(before);
  return {
    offset: node.offset,
    length: node.length,
    text: isOneLine ? printOnOneLine(value) : printJson(value, indentAt(text, node.offset), style),
  };
}

/** Reads the result back, because an unreadable document must never reach the disk. */
function checked(text: string, dialect: JsonDialect, keys: readonly string[]): string {
  const parsed = parse(text, dialect);
  if ('kind' in parsed || !parsed.root) throw new Error('The merged document cannot be read back.');
  const found = walk(text, parsed.root, keys);
  if ('kind' in found || found.missing.length > 0 || !isRecord(plain(found.node)))
    throw new Error('The merged entry cannot be read back.');
  return text;
}

/** Returns the value of a node as plain objects, which can be compared. */
function plain(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}
