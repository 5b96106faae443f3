/** Determines the state of a change, such as draft or in progress. */
import { changedAt } from '../core/disk/tree.ts';
import { localDay } from '../core/local-day.ts';
import { attemptArchive, firstRefusal } from './archive.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import type { CHANGE_STATES } from './state-names.ts';

/** A reason why archiving would be refused. */
export interface Blocker {
  /** The code of a diagnostic. */
  code: string;
  reason: string;
  fix: string;
  file?: string;
  line?: number;
}

export interface StateOfChange {
  state: (typeof CHANGE_STATES)[number];
  /** The first reason of a blocked change, with the number of others. */
  reason?: string;
  blockedBy?: Blocker[];
}

/** A change is planned only if its tasks are done, because planning reads its deltas and specs. */
export function stateOfChange(catalog: SpecCatalog, change: ChangeFolder): StateOfChange {
  if (change.isArchived) return { state: 'archived' };
  const { completed, total } = change.progress;
  if (completed === 0) return { state: 'draft' };
  if (completed < total) return { state: 'in progress' };
  const { refusals } = attemptArchive(catalog, change, { today: localDay() });
  if (!refusals) return { state: 'ready to archive' };
  return {
    state: 'blocked',
    reason: firstRefusal(refusals).message,
    blockedBy: refusals.map(({ facts, code, message, hint = '', path, line }) => ({
      code: String(facts['reason'] ?? code),
      reason: message,
      fix: hint,
      ...(path === undefined ? {} : { file: path }),
      ...(line === undefined ? {} : { line }),
    })),
  };
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
