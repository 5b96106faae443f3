import * as z from 'zod';
import { archiveChange as archive, type ArchivePlan, planArchive } from '../specs/archive.ts';
import type { Recovery } from '../specs/journal.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { TaskProgress } from './list-changes.ts';
import { getChange } from './spec-lookup.ts';

export const ArchiveOutput = z.object({
  change_id: z.string(),
  archived_as: z.string(),
  path: z.string(),
  dry_run: z.boolean().describe('Nothing was written'),
  recovered: z.enum(['none', 'completed', 'undone']).describe('What became of an earlier run that was interrupted'),
  recovered_change: z.string().optional().describe('The change of that run'),
  task_progress: TaskProgress,
  specs: z.array(
    z.object({
      capability: z.string(),
      file: z.string(),
      action: z.enum(['created', 'updated', 'unchanged', 'retired']),
      counts: z.object({ added: z.int(), modified: z.int(), removed: z.int(), renamed: z.int() }),
      notes: z.array(z.string()),
      diff: z.string().describe('Unified'),
    }),
  ),
});
export type ArchiveOutput = z.output<typeof ArchiveOutput>;

const input = z.strictObject({
  change_id: z.string().min(1).describe('The id from list_changes'),
  today: z.iso.date().describe('The day for the folder’s name'),
  dry_run: z.boolean().default(false).describe('Show what would change and write nothing'),
  allow_open_tasks: z.boolean().default(false).describe('Archive although tasks are open'),
  skip_specs: z.boolean().default(false).describe('Only move the folder'),
});

export const archiveChange = defineOperation({
  name: 'change_archive',
  title: 'Archive a change',
  summary: 'Works the deltas of a change into the specs and moves its folder to the archive, all or nothing.',
  input,
  output: ArchiveOutput,
  readOnly: false,
  run: (request, workspace) => archiveNow(request, workspace),
});

/** The same with somebody who hears of an interrupted run that was brought to an end, also where this one then fails. */
export async function archiveNow(
  { change_id, today, dry_run, allow_open_tasks, skip_specs }: z.output<typeof input>,
  workspace: Workspace,
  onRecovered?: (recovery: Recovery) => void,
): Promise<ArchiveOutput> {
  const catalog = await workspace.snapshot.specs();
  const change = getChange(catalog, change_id);
  const options = { today, allowOpenTasks: allow_open_tasks || dry_run, skipSpecs: skip_specs };
  if (dry_run) return outputOf(planArchive(catalog, change, options), true, undefined);
  try {
    const done = archive(() => catalog.reopened(), change, {
      ...options,
      disk: workspace.disk,
      onRecovered,
    });
    return outputOf(done, false, done.recovery);
  } finally {
    await workspace.reload();
  }
}

function outputOf(plan: ArchivePlan, dryRun: boolean, recovery: Recovery | undefined): ArchiveOutput {
  const { change, archivedAs, path, tasks, specs } = plan;
  return {
    change_id: change,
    archived_as: archivedAs,
    path,
    dry_run: dryRun,
    recovered: recovery?.end ?? 'none',
    ...(recovery ? { recovered_change: recovery.change } : {}),
    task_progress: tasks,
    specs,
  };
}
