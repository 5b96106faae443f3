/** What became of an attempt to put an entry into a document. The document is text throughout: nobody's file is written anew. */
import type { Entry, EntryPlace } from './client.ts';

export interface MergeRequest {
  place: (document: unknown) => EntryPlace;
}

export type Merge =
  | { kind: 'same'; line: number }
  | { kind: 'added'; text: string }
  /** An entry of that name is there and says something else; `text` is the document with it replaced. */
  | { kind: 'different'; existing: unknown; wanted: Entry; line: number; text: string }
  | { kind: 'broken'; reason: string; line?: number | undefined; column?: number | undefined };

export interface Edit {
  offset: number;
  length: number;
  text: string;
}

/** Edits never overlap; those at one place are applied in the order given. */
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

/** Line and column, counted from one. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/u);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
