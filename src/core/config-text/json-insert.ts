import type { Node } from 'jsonc-parser';
import { type Edit, wholeLines } from './edits.ts';
import { type JsonStyle, printJson, printOnOneLine } from './json-text.ts';

const LINE_BREAK = /[\r\n]/u;

/** A property of an object, or an item of a list, which has no key. */
export interface Member {
  key?: string;
  value: unknown;
}

/** Adds members at the end of an object or a list. Everything else stays in place, and comments stay with their member. */
export function insertMembers(text: string, parent: Node, members: readonly Member[], style: JsonStyle): Edit[] {
  if (members.length === 0) return [];
  const first = parent.children?.[0];
  const last = parent.children?.at(-1);
  return first && last
    ? insertAfter(text, { parent, first, last }, members, style)
    : insertIntoEmpty(text, parent, members, style);
}

/** An object or a list with its first and its last member. */
interface Filled {
  parent: Node;
  first: Node;
  last: Node;
}

function insertAfter(
  text: string,
  { parent, first, last }: Filled,
  members: readonly Member[],
  style: JsonStyle,
): Edit[] {
  const end = last.offset + last.length;
  const tail = readTail(text, end);
  const comma: Edit[] = tail.commaAt === undefined ? [{ offset: end, length: 0, text: ',' }] : [];
  // Follow the file's style: add a trailing comma if the last member had one.
  const trailing = tail.commaAt === undefined ? '' : ',';
  const ownLines = LINE_BREAK.test(text.slice(parent.offset, first.offset));
  if (ownLines || tail.endsWithLineComment) {
    const indent = ownLines ? indentAt(text, first.offset) : indentAt(text, parent.offset) + style.unit;
    const lines = members.map((member) => style.lineBreak + indent + printMember(member, indent, style));
    // Blanks at the end of the line stay there.
    const blanks = /^[ \t]+(?=[\r\n])/u.exec(text.slice(tail.end))?.[0].length ?? 0;
    return [...comma, { offset: tail.end + blanks, length: 0, text: lines.join(',') + trailing }];
  }
  const hasSpaces = parent.type === 'array' || /\s/u.test(text.charAt((first.colonOffset ?? 0) + 1));
  const inline = members.map((member) => (hasSpaces ? ` ${printInline(member)}` : printTight(member)));
  return [...comma, { offset: tail.end, length: 0, text: inline.join(',') + trailing }];
}

/** Tokens that can occur between the last member and the closing bracket. */
const TRIVIA = /(?<comma>,)|(?<line>\/\/[^\r\n]*)|(?<block>\/\*[^]*?\*\/)|(?<space>[ \t]+)|(?<lineBreak>[\r\n]+)/uy;

/** Reads the text after a member on its line: an optional comma and comments that belong to the member. */
function readTail(
  text: string,
  from: number,
): { commaAt: number | undefined; end: number; endsWithLineComment: boolean } {
  const tail: ReturnType<typeof readTail> = { commaAt: undefined, end: from, endsWithLineComment: false };
  let lineEnded = false;
  TRIVIA.lastIndex = from;
  for (let groups = TRIVIA.exec(text)?.groups; groups; groups = TRIVIA.exec(text)?.groups) {
    const end = TRIVIA.lastIndex;
    const { comma, line, block, lineBreak } = groups;
    if (comma !== undefined) {
      // A comma on a later line still belongs to this member, and so do comments after it on that line.
      Object.assign(tail, { commaAt: end - 1, end, endsWithLineComment: false });
      lineEnded = false;
    } else if (lineBreak !== undefined) {
      lineEnded = true;
    } else if (!lineEnded && (line !== undefined || block !== undefined)) {
      Object.assign(tail, { end, endsWithLineComment: line !== undefined });
    }
  }
  return tail;
}

function insertIntoEmpty(text: string, parent: Node, members: readonly Member[], style: JsonStyle): Edit[] {
  const open = parent.offset + 1;
  const close = parent.offset + parent.length - 1;
  const inside = text.slice(open, close);
  const base = indentAt(text, parent.offset);
  const indent = base + style.unit;
  const lines = members.map((member) => style.lineBreak + indent + printMember(member, indent, style)).join(',');
  if (inside.trim() !== '') {
    const end = open + inside.trimEnd().length;
    const hasBreak = LINE_BREAK.test(text.slice(end, close));
    return [{ offset: end, length: 0, text: lines + (hasBreak ? '' : style.lineBreak + base) }];
  }
  const isOneLiner = parent.parent !== undefined && !LINE_BREAK.test(text.trim());
  if (isOneLiner) return [{ offset: open, length: inside.length, text: members.map(printTight).join(',') }];
  if (parent.type === 'array')
    return [{ offset: open, length: inside.length, text: members.map(printInline).join(', ') }];
  return [{ offset: open, length: inside.length, text: lines + style.lineBreak + base }];
}

/** Removes one member, one comma, and the line if nothing else is on it. The reverse of `insertMembers`. */
export function removeMember(text: string, parent: Node, index: number): Edit[] {
  const members = parent.children ?? [];
  const member = members[index];
  if (!member) return [];
  const end = member.offset + member.length;
  const isLast = index === members.length - 1;
  const { commaAt } = readTail(text, end);
  if (commaAt !== undefined && (!isLast || text.slice(end, commaAt).trim() === '')) {
    if (text.slice(end, commaAt).trim() !== '')
      return [wholeLines(text, member.offset, end), { offset: commaAt, length: 1, text: '' }];
    const edit = wholeLines(text, member.offset, commaAt + 1);
    const isWholeLine = edit.length > commaAt + 1 - member.offset;
    // A blank separates this member from the next.
    const blank = isWholeLine || isLast ? 0 : (/^[ \t]+(?=\S)/u.exec(text.slice(commaAt + 1))?.[0].length ?? 0);
    return [{ ...edit, length: edit.length + blank }];
  }
  const before = members[index - 1];
  if (!before) return [wholeLines(text, member.offset, end)];
  const comma = readTail(text, before.offset + before.length).commaAt;
  if (comma === undefined) return [wholeLines(text, member.offset, end)];
  if (/^[ \t]*$/u.test(text.slice(comma + 1, member.offset))) return [{ offset: comma, length: end - comma, text: '' }];
  return [{ offset: comma, length: 1, text: '' }, wholeLines(text, member.offset, end)];
}

function printMember({ key, value }: Member, indent: string, style: JsonStyle): string {
  return named(key, ': ') + printJson(value, indent, style);
}

function printInline({ key, value }: Member): string {
  return named(key, ': ') + printOnOneLine(value);
}

function printTight({ key, value }: Member): string {
  return named(key, ':') + JSON.stringify(value);
}

function named(key: string | undefined, colon: string): string {
  return key === undefined ? '' : JSON.stringify(key) + colon;
}

/** Returns the indentation of the line at this offset. */
export function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? '';
}
