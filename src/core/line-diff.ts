/** Formats the difference between two texts as a unified diff. */
import { type Edit, editsBetween } from './edits.ts';

export interface DiffOptions {
  /** The names in the two header lines. */
  from: string;
  to: string;
  /** Unchanged lines shown around a change. */
  context?: number;
}

/** Beyond this number of edits, finding the shortest script takes too long, and the difference is shown as one block. */
const MAX_EDITS = 2_000;

/** Returns an empty text if the texts are equal. */
export function unifiedDiff(before: string, after: string, { from, to, context = 3 }: DiffOptions): string {
  if (before === after) return '';
  const edits = editsBetween(linesOf(before), linesOf(after), MAX_EDITS);
  const hunks = hunksOf(edits, context);
  return [`--- ${from}`, `+++ ${to}`, ...hunks].join('\n') + '\n';
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function hunksOf(edits: readonly Edit[], context: number): string[] {
  const changed = edits.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]));
  const ranges: [start: number, end: number][] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last && index - context <= last[1]) last[1] = Math.min(edits.length, index + context + 1);
    else ranges.push([Math.max(0, index - context), Math.min(edits.length, index + context + 1)]);
  }
  const lines: string[] = [];
  let lineA = 1;
  let lineB = 1;
  let at = 0;
  for (const [start, end] of ranges) {
    lineA += start - at;
    lineB += start - at;
    const hunk = edits.slice(start, end);
    const countA = hunk.filter(({ kind }) => kind !== '+').length;
    const countB = hunk.filter(({ kind }) => kind !== '-').length;
    lines.push(
      `@@ -${countA === 0 ? lineA - 1 : lineA},${countA} +${countB === 0 ? lineB - 1 : lineB},${countB} @@`,
      ...hunk.map(({ kind, text }) => kind + text),
    );
    lineA += countA;
    lineB += countB;
    at = end;
  }
  return lines;
}
