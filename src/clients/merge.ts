/** Puts an entry into a document by editing its text, so that the rest of the document does not change. */
import type { Entry, EntryPlace } from './client.ts';

/** Returns the position of the entry, which depends on the existing document. */
export type Place = (document: unknown) => EntryPlace;

export type Merge =
  | { kind: 'same'; line: number }
  | { kind: 'added'; text: string }
  /** An entry with that name exists and differs. `text` is the document with the entry replaced. */
  | { kind: 'different'; existing: unknown; wanted: Entry; line: number; text: string }
  | { kind: 'broken'; reason: string; line?: number | undefined; column?: number | undefined };

export interface Edit {
  offset: number;
  length: number;
  text: string;
}

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
