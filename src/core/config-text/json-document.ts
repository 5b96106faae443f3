import {
  getNodeValue,
  type Node,
  parseTree,
  type ParseError,
  type ParseOptions,
  printParseErrorCode,
} from 'jsonc-parser';
import { type Broken, lineBreakOf, positionOf } from './edits.ts';
import type { JsonDialect } from './json-dialect.ts';
import type { JsonStyle } from './json-text.ts';

/** `root` is undefined for a text with only white space and comments. */
export function parseJson(text: string, dialect: JsonDialect): Broken | { root: Node | undefined } {
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
      reason: `not JSON: ${describeError(printParseErrorCode(error.error), dialect)}`,
      ...positionOf(text, error.offset),
    };
  return { root };
}

function describeError(code: string, { isAssumed }: JsonDialect): string {
  if (code === 'InvalidCommentToken')
    return isAssumed
      ? 'setup changes only files without comments for this client'
      : 'this client does not support comments';
  return code
    .replace(/(?<=[a-z])[A-Z]/gu, ' $&')
    .toLowerCase()
    .replace(/^property name expected$/u, 'a property name is expected');
}

/** Follows the keys as far as they exist. A duplicate key is an error because readers disagree on which one counts. */
export function walkJson(
  text: string,
  root: Node,
  keys: readonly string[],
): Broken | { node: Node; missing: readonly string[] } {
  let node = root;
  for (const [index, key] of keys.entries()) {
    if (node.type !== 'object') return notA('object', text, node, keys.slice(0, index));
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

export function notA(type: 'object' | 'list', text: string, node: Node, keys: readonly string[]): Broken {
  const place = keys.length === 0 ? 'the document' : `"${keys.join('.')}"`;
  const article = type === 'object' ? 'an' : 'a';
  return { kind: 'broken', reason: `${place} is not ${article} ${type}`, ...positionOf(text, node.offset) };
}

/** Returns the value of a node as plain objects, which can be compared. */
export function plainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

/** Returns the line breaks and the indentation of a document, to write new parts alike. */
export function styleOf(text: string): JsonStyle {
  return {
    lineBreak: lineBreakOf(text),
    unit: /(?:^|[\r\n])([ \t]+)["}\]{[]/u.exec(text)?.[1] ?? '  ',
  };
}
