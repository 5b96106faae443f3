/** Finds contradicting entries in one delta file. Validation reports them, and such a delta is not applied. */
import type { ParsedDelta } from './parse-delta.ts';
import { foldRequirement, type Operation } from './words.ts';

export interface DeltaConflict {
  kind: 'duplicate' | 'conflict';
  message: string;
  fix: string;
  operation: Operation;
  /** Line index. */
  line: number;
}

interface Entry {
  name: string;
  line: number;
}

export function deltaConflicts(delta: ParsedDelta): DeltaConflict[] {
  const conflicts: DeltaConflict[] = [];
  const block = (operation: Operation): Entry[] =>
    delta.blocks.filter((entry) => entry.canonical && entry.operation === operation);
  const renamed = delta.renamed.filter(({ canonical }) => canonical);
  const unique = (operation: Operation, entries: readonly Entry[], what = 'requirement'): Map<string, Entry> => {
    const seen = new Map<string, Entry>();
    for (const entry of entries) {
      const first = seen.get(entry.name);
      if (!first) seen.set(entry.name, entry);
      else {
        const message = `${operation.toUpperCase()} names the ${what} "${entry.name}" twice; the first is on line ${first.line + 1}`;
        conflicts.push({ kind: 'duplicate', message, fix: 'Keep one of the two.', operation, line: entry.line });
      }
    }
    return seen;
  };
  const added = unique('added', block('added'));
  const modified = unique('modified', block('modified'));
  const removed = unique(
    'removed',
    delta.removed.filter(({ canonical }) => canonical),
  );
  unique(
    'renamed',
    renamed.map(({ from, line }) => ({ name: from, line })),
    'old name',
  );
  unique(
    'renamed',
    renamed.map(({ to, line }) => ({ name: to, line })),
    'new name',
  );

  const both = (
    a: Operation,
    first: ReadonlyMap<string, Entry>,
    b: Operation,
    second: ReadonlyMap<string, Entry>,
  ): void => {
    for (const [name, entry] of first) {
      if (!second.has(name)) continue;
      const message = `"${name}" is under both ${a.toUpperCase()} and ${b.toUpperCase()}`;
      conflicts.push({
        kind: 'conflict',
        message,
        fix: 'Keep the one that describes the change.',
        operation: a,
        line: entry.line,
      });
    }
  };
  both('modified', modified, 'removed', removed);
  both('modified', modified, 'added', added);
  both('added', added, 'removed', removed);

  const removedFolds = new Map([...removed.keys()].map((name) => [foldRequirement(name), name]));
  for (const { from, to, line } of renamed) {
    const at = { kind: 'conflict', operation: 'renamed', line } as const;
    if (modified.has(from)) {
      conflicts.push({
        ...at,
        message: `MODIFIED uses "${from}", which RENAMED changes to "${to}"`,
        fix: `Use the new name "${to}" under MODIFIED.`,
      });
    }
    if (added.has(to))
      conflicts.push({
        ...at,
        message: `both RENAMED and ADDED introduce the name "${to}"`,
        fix: 'Choose another name for one of them.',
      });
    const gone = removedFolds.get(foldRequirement(from));
    if (gone !== undefined) {
      const spelling = gone === from ? '' : ` (spelled "${gone}" there)`;
      conflicts.push({
        ...at,
        message: `"${from}" is under both RENAMED and REMOVED${spelling}`,
        fix: 'Either rename the requirement or remove it.',
      });
    }
  }
  return conflicts;
}
