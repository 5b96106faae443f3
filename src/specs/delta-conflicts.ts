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
  const unique = (operation: Operation, entries: readonly Entry[], noun = 'requirement'): Map<string, Entry> => {
    const { byName, duplicates } = splitDuplicates(entries);
    for (const each of duplicates) conflicts.push(duplicate(operation, noun, each));
    return byName;
  };
  const block = (operation: Operation): Entry[] =>
    delta.blocks.filter((entry) => entry.canonical && entry.operation === operation);
  const renamed = delta.renamed.filter(({ canonical }) => canonical);
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
  return [
    ...conflicts,
    ...inBoth(['modified', modified], ['removed', removed]),
    ...inBoth(['modified', modified], ['added', added]),
    ...inBoth(['added', added], ['removed', removed]),
    ...renameConflicts(renamed, { added, modified, removed }),
  ];
}

interface Duplicate extends Entry {
  first: Entry;
}

function splitDuplicates(entries: readonly Entry[]): { byName: Map<string, Entry>; duplicates: Duplicate[] } {
  const byName = new Map<string, Entry>();
  const duplicates: Duplicate[] = [];
  for (const entry of entries) {
    const first = byName.get(entry.name);
    if (first) duplicates.push({ name: entry.name, line: entry.line, first });
    else byName.set(entry.name, entry);
  }
  return { byName, duplicates };
}

function duplicate(operation: Operation, noun: string, { name, line, first }: Duplicate): DeltaConflict {
  const message = `${operation.toUpperCase()} names the ${noun} "${name}" twice; the first is on line ${first.line + 1}`;
  return { kind: 'duplicate', message, fix: 'Keep one of the two.', operation, line };
}

type Named = readonly [operation: Operation, entries: ReadonlyMap<string, Entry>];

function inBoth([a, first]: Named, [b, second]: Named): DeltaConflict[] {
  const entries = [...first.values()].filter(({ name }) => second.has(name));
  return entries.map(({ name, line }) => ({
    kind: 'conflict',
    message: `"${name}" is under both ${a.toUpperCase()} and ${b.toUpperCase()}`,
    fix: 'Keep the one that describes the change.',
    operation: a,
    line,
  }));
}

function renameConflicts(
  renamed: ParsedDelta['renamed'],
  { added, modified, removed }: Record<'added' | 'modified' | 'removed', ReadonlyMap<string, Entry>>,
): DeltaConflict[] {
  const conflicts: DeltaConflict[] = [];
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
