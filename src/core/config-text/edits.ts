/**
 * Changes a configuration file by editing its text, so that comments, order and white space of the rest stay as they are. Every
 * edit reads its own result back before it is used.
 */
import { isRecord } from '../json-file.ts';

export interface Edit {
  offset: number;
  length: number;
  text: string;
}

/** A document that cannot be changed safely. `reason` follows the name of the file in messages. */
export interface Broken {
  kind: 'broken';
  reason: string;
  line?: number | undefined;
  column?: number | undefined;
}

/** The result of a change. `same` means that the document already has the wanted content. */
export type Edited = { kind: 'same' } | { kind: 'changed'; text: string } | Broken;

/** Applies edits, which must not overlap. Edits at the same offset are applied in the given order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.offset - b.offset)) {
    result += text.slice(done, edit.offset) + edit.text;
    done = edit.offset + edit.length;
  }
  return result + text.slice(done);
}

export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/u.exec(text)?.[0] ?? '\n';
}

/** Returns the line and column, counted from one. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/u);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Removes a range of text, including the whole line if nothing else is on it. */
export function wholeLines(text: string, start: number, end: number): Edit {
  let before = 0;
  while (/[ \t]/u.test(text.charAt(start - before - 1))) before += 1;
  const after = /^[ \t]*(?:\r?\n|$)/u.exec(text.slice(end))?.[0].length;
  const startsLine = start === before || /[\r\n]/u.test(text.charAt(start - before - 1));
  if (!startsLine || after === undefined) return { offset: start, length: end - start, text: '' };
  return { offset: start - before, length: end + after - (start - before), text: '' };
}

/** Returns `{ a: { b: value } }` for the keys `a` and `b`. */
export function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value);
}

export function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}
