/** How far a change has come, in the words that people use for it. */
import { isDecisive } from '../core/diagnostics.ts';
import { count } from '../core/text.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import type { CHANGE_STATES } from './state-names.ts';
import { validateChange } from './validate-change.ts';

export interface StateOfChange {
  state: (typeof CHANGE_STATES)[number];
  /** Why a change with all tasks done cannot be archived yet. */
  reason?: string;
}

export function stateOfChange(catalog: SpecCatalog, change: ChangeFolder): StateOfChange {
  if (change.isArchived) return { state: 'archived' };
  const { completed, total } = change.progress;
  if (completed === 0) return { state: 'draft' };
  if (completed < total) return { state: 'in progress' };
  const errors = validateChange(catalog, change).filter((diagnostic) => isDecisive(diagnostic)).length;
  if (errors === 0) return { state: 'ready to archive' };
  return { state: 'in progress', reason: `all tasks are done, but it is not valid: ${count(errors, 'error')}` };
}

export interface DescribedChange extends StateOfChange {
  id: string;
  title: string;
  task_progress: { completed: number; total: number };
  /** When one of its files changed last, as an ISO date. */
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

/** When one of its files changed last; undefined if it has none. */
function lastChangeOf(change: ChangeFolder): Date | undefined {
  const { proposal, design, tasksFile, deltas } = change;
  const files = [proposal, design, tasksFile, ...deltas.map(({ file }) => file)].filter((file) => file !== undefined);
  const newest = Math.max(...files.map(({ stamp }) => stamp.mtimeMs));
  return Number.isFinite(newest) ? new Date(newest) : undefined;
}
