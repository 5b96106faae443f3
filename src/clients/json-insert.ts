import type { Node } from 'jsonc-parser';
import { type JsonStyle, printJson, printOnOneLine } from './json-text.ts';
import type { Edit } from './merge.ts';

const LINE_BREAK = /[\r\n]/u;

export interface Property {
  key: string;
  value: unknown;
  style: JsonStyle;
}

/** Adds a property at the end of an object. Everything else stays in place, and comments stay with their property. */
export function insertProperty(text: string, object: Node, property: Property): Edit[] {
  const first = object.children?.[0];
  const last = object.children?.at(-1);
  return first && last ? insertAfter(text, { object, first, last }, property) : insertIntoEmpty(text, object, property);
}

/** An object with its first and its last property. */
interface FilledObject {
  object: Node;
  first: Node;
  last: Node;
}

function insertAfter(text: string, { object, first, last }: FilledObject, { key, value, style }: Property): Edit[] {
  const end = last.offset + last.length;
  const tail = readTail(text, end);
  const comma: Edit[] = tail.hasComma ? [] : [{ offset: end, length: 0, text: ',' }];
  const ownLines = LINE_BREAK.test(text.slice(object.offset, first.offset));
  if (ownLines || tail.endsWithLineComment) {
    const indent = ownLines ? indentAt(text, first.offset) : indentAt(text, object.offset) + style.unit;
    const property = `${JSON.stringify(key)}: ${printJson(value, indent, style)}`;
    // Follow the file's style: add a trailing comma if the last property had one.
    return [
      ...comma,
      { offset: tail.end, length: 0, text: style.lineBreak + indent + property + (tail.hasComma ? ',' : '') },
    ];
  }
  const hasSpaces = /\s/u.test(text.charAt((first.colonOffset ?? 0) + 1));
  const inline = hasSpaces
    ? ` ${JSON.stringify(key)}: ${printOnOneLine(value)}`
    : `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  return [...comma, { offset: tail.end, length: 0, text: inline + (tail.hasComma ? ',' : '') }];
}

/** Tokens that can occur between the last property and the closing brace. */
const TRIVIA = /(?<comma>,)|(?<line>\/\/[^\r\n]*)|(?<block>\/\*[^]*?\*\/)|(?<space>[ \t]+)|(?<lineBreak>[\r\n]+)/uy;

/** Reads the text after the last property on its line: an optional comma and comments that belong to the property. */
function readTail(text: string, from: number): { hasComma: boolean; end: number; endsWithLineComment: boolean } {
  const tail = { hasComma: false, end: from, endsWithLineComment: false };
  let lineEnded = false;
  TRIVIA.lastIndex = from;
  for (let groups = TRIVIA.exec(text)?.groups; groups; groups = TRIVIA.exec(text)?.groups) {
    const end = TRIVIA.lastIndex;
    const { comma, line, block, lineBreak } = groups;
    if (comma !== undefined) {
      // A comma on a later line still belongs to this property, and so do comments after it on that line.
      Object.assign(tail, { hasComma: true, end, endsWithLineComment: false });
      lineEnded = false;
    } else if (lineBreak !== undefined) {
      lineEnded = true;
    } else if (!lineEnded && (line !== undefined || block !== undefined)) {
      Object.assign(tail, { end, endsWithLineComment: line !== undefined });
    }
  }
  return tail;
}

function insertIntoEmpty(text: string, object: Node, { key, value, style }: Property): Edit[] {
  const open = object.offset + 1;
  const close = object.offset + object.length - 1;
  const inside = text.slice(open, close);
  const base = indentAt(text, object.offset);
  const indent = base + style.unit;
  const line = `${style.lineBreak}${indent}${JSON.stringify(key)}: ${printJson(value, indent, style)}`;
  if (inside.trim() !== '') {
    const end = open + inside.trimEnd().length;
    const hasBreak = LINE_BREAK.test(text.slice(end, close));
    return [{ offset: end, length: 0, text: line + (hasBreak ? '' : style.lineBreak + base) }];
  }
  const isOneLiner = object.parent !== undefined && !LINE_BREAK.test(text.trim());
  if (isOneLiner)
    return [{ offset: open, length: inside.length, text: `${JSON.stringify(key)}:${JSON.stringify(value)}` }];
  return [{ offset: open, length: inside.length, text: line + style.lineBreak + base }];
}

/** Returns the indentation of the line at this offset. */
export function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? '';
}
