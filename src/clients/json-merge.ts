import {
  getNodeValue,
  type Node,
  parseTree,
  type ParseError,
  type ParseOptions,
  printParseErrorCode,
} from 'jsonc-parser';
import { isRecord } from '../core/json-file.ts';
import type { JsonDialect } from './client.ts';
import { isSameEntry, replacedEntry } from './entry.ts';
import { indentAt, insertProperty } from './json-insert.ts';
import { type JsonStyle, printJson, printOnOneLine } from './json-text.ts';
import { applyEdits, type Edit, lineBreakOf, type Merge, type MergeRequest, positionOf } from './merge.ts';

type Broken = Extract<Merge, { kind: 'broken' }>;

/** Puts an entry into JSON, with comments or without. Everything outside the entry stays as it is, byte for byte. */
export function mergeIntoJson(text: string, dialect: JsonDialect, request: MergeRequest): Merge {
  const parsed = parse(text, dialect);
  if ('kind' in parsed) return parsed;
  const style: JsonStyle = {
    lineBreak: lineBreakOf(text),
    unit: /(?:^|[\r\n])([ \t]+)["}\]{[]/u.exec(text)?.[1] ?? '  ',
  };
  const { root } = parsed;
  if (!root) return emptyDocument(text, style, request);
  const { keys, entry } = request.place(plain(root));
  const found = walk(text, root, keys);
  if ('kind' in found) return found;
  const { node, missing } = found;
  const [next, ...rest] = missing;
  if (next !== undefined) {
    const value = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
    return {
      kind: 'added',
      text: checked(applyEdits(text, insertProperty(text, node, next, value, style)), dialect, keys),
    };
  }
  const existing = plain(node);
  const { line } = positionOf(text, node.offset);
  if (isSameEntry(existing, entry)) return { kind: 'same', line };
  const replaced = checked(
    applyEdits(text, [replacement(text, node, replacedEntry(existing, entry), style)]),
    dialect,
    keys,
  );
  return { kind: 'different', existing, wanted: entry, line, text: replaced };
}

/** Nothing but white space and comments: they stay, the document comes after them. */
function emptyDocument(text: string, style: JsonStyle, { place }: MergeRequest): Merge {
  const { keys, entry } = place(undefined);
  const document = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
  const body = printJson(document, '', style) + style.lineBreak;
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
    // The parser calls itself for every level of nesting.
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'broken', reason: 'it is nested too deeply to be read' };
  }
  const [error] = errors;
  if (error)
    return {
      kind: 'broken',
      reason: `not JSON: ${inWords(printParseErrorCode(error.error))}`,
      ...positionOf(text, error.offset),
    };
  return { root };
}

function inWords(code: string): string {
  if (code === 'InvalidCommentToken') return 'a comment, which this client does not read';
  return code
    .replace(/(?<=[a-z])[A-Z]/gu, ' $&')
    .toLowerCase()
    .replace(/^property name expected$/u, 'a property name is expected');
}

/** Follows the keys as far as they lead. A key that is there twice is nobody's to choose from. */
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
    if (second) return { kind: 'broken', reason: `"${key}" is there twice`, ...positionOf(text, second.offset) };
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

/** What is about to be written is read once more: a document that we could not read back must never reach the disk. */
function checked(text: string, dialect: JsonDialect, keys: readonly string[]): string {
  const parsed = parse(text, dialect);
  if ('kind' in parsed || !parsed.root) throw new Error('The merged document cannot be read back.');
  const found = walk(text, parsed.root, keys);
  if ('kind' in found || found.missing.length > 0 || !isRecord(plain(found.node)))
    throw new Error('The merged entry cannot be read back.');
  return text;
}

/** The value of a node as ordinary objects, so that it can be compared. */
function plain(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}
