/** Determines the state of a change, such as draft or in progress. */
import { isDecisive } from '../core/diagnostics.ts';
import { changedAt } from '../core/disk/tree.ts';
import { count } from '../core/text.ts';
import { applyDelta } from './apply.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import type { CHANGE_STATES } from './state-names.ts';
import { validateChange } from './validate-change.ts';

export interface StateOfChange {
  state: (typeof CHANGE_STATES)[number];
  /** Reason why a change with all tasks done cannot be archived. */
  reason?: string;
}

export function stateOfChange(catalog: SpecCatalog, change: ChangeFolder): StateOfChange {
  if (change.isArchived) return { state: 'archived' };
  const { completed, total } = change.progress;
  if (completed === 0) return { state: 'draft' };
  if (completed < total) return { state: 'in progress' };
  const errors = validateChange(catalog, change).filter((diagnostic) => isDecisive(diagnostic)).length;
  if (errors === 0) {
    const refused = refusalOf(catalog, change);
    return {
      state: 'ready to archive',
      ...(refused === undefined ? {} : { reason: `archiving would be refused: ${refused}` }),
    };
  }
  return { state: 'in progress', reason: `all tasks are done, but it is not valid: ${count(errors, 'error')}` };
}

/** A change can be valid by OpenSpec's rules and still not apply to the current specs. */
function refusalOf(catalog: SpecCatalog, change: ChangeFolder): string | undefined {
  for (const { capability, parsed } of change.deltas) {
    const spec = catalog.specFor(change.root, capability)?.editable;
    const outcome = applyDelta(parsed, spec, { capability, change: change.name });
    if (outcome.kind === 'refused' && outcome.reason !== 'spec-gone') return outcome.message;
  }
  return undefined;
}

export interface DescribedChange extends StateOfChange {
  id: string;
  title: string;
  task_progress: { completed: number; total: number };
  /** Newest modification time of its files, as an ISO date. */
  modified?: string;
}

export function describeChange(catalog: SpecCatalog, change: ChangeFolder): DescribedChange {
  const modified = lastChangeOf(change);
  const { completed, total } = change.progress;
  return {
    id: change.id,
    title: change.title,
    ...stateOfChange(catalog, change),
    task_progress: { completed, total },
    ...(modified === undefined ? {} : { modified: modified.toISOString() }),
  };
}

/** Returns the newest modification time of the files. Undefined if there are no files or the time is unknown. */
function lastChangeOf(change: ChangeFolder): Date | undefined {
  const { proposal, design, tasksFile, deltas } = change;
  const files = [proposal, design, tasksFile, ...deltas.map(({ file }) => file)].filter((file) => file !== undefined);
  const times = files.flatMap(({ stamp }) => changedAt(stamp)?.getTime() ?? []);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
