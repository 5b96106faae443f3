import { choice, flag, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { localDay } from '../core/local-day.ts';
import { codePointStart, echo } from '../core/text.ts';
import type { ArchivePlan } from '../specs/archive.ts';
import type { Recovery } from '../specs/journal.ts';
import { getChange } from '../specs/lookup.ts';
import { stateFolder } from '../workspace/state-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { CHANGE_ID, TASK_PROGRESS, TODAY } from './shapes.ts';

const output = {
  change_id: text(),
  archived_as: text(),
  path: text(),
  dry_run: flag('Nothing was written'),
  recovered: choice(['none', 'completed', 'undone'], 'Outcome of an interrupted earlier run'),
  recovered_change: optional(text('The change of that run')),
  task_progress: object(TASK_PROGRESS),
  notes: list(text(), 'About the change as a whole'),
  specs: list(
    object({
      capability: text(),
      file: text(),
      action: choice(['created', 'updated', 'unchanged', 'retired']),
      counts: object({ added: integer(), modified: integer(), removed: integer(), renamed: integer() }),
      notes: list(text()),
      diff: text('Unified'),
      content: optional(text('With full: the whole spec afterwards; empty if it is retired')),
      left_out: optional(integer('With characters: number of characters left out')),
    }),
  ),
} as const;

export const archiveChange = defineOperation({
  name: 'change_archive',
  title: 'Archive a change',
  summary: 'Apply a finished change to the specs and move it to the archive, all or nothing',
  params: {
    change_id: CHANGE_ID,
    dry_run: { type: 'flag', default: false, help: 'Show the diff and write nothing' },
    allow_open_tasks: {
      type: 'flag',
      default: false,
      flags: ['--allow-open-tasks', '--yes', '-y'],
      help: 'Archive even if tasks are open',
    },
    allow_ignored: {
      type: 'flag',
      default: false,
      help: 'Archive even if headings of a delta are ignored',
    },
    full: { type: 'flag', default: false, help: 'Include the full text of the resulting specs (--json)' },
    characters: {
      type: 'integer',
      min: 1,
      placeholder: 'n',
      help: 'With --full: maximum characters per spec',
    },
    skip_specs: { type: 'flag', default: false, help: 'Only move the folder; do not change the specs' },
    today: TODAY,
  },
  output,
  reads: 'specs',
  settings: ['specs'],
  writes: 'project',
  command: {
    name: 'change archive',
    group: 'Specs and changes',
    completes: 'changes',
    examples: [
      ['lectern change archive add-wish-list --dry-run', 'show the changes as a diff'],
      ['lectern change archive add-wish-list', 'update the specs and move the change'],
    ],
  },
  library: 'specs.archive',
  async run(input, workspace: Workspace, { notice }) {
    const { change_id, today = localDay(), dry_run, allow_open_tasks, allow_ignored, skip_specs } = input;
    const included = input.full ? (input.characters ?? Number.POSITIVE_INFINITY) : 0;
    const { archiveChange: archive, planArchive } = await import('../specs/archive.ts');
    const catalog = await workspace.snapshot.specs();
    const change = getChange(catalog, change_id);
    const options = {
      today,
      allowOpenTasks: allow_open_tasks || dry_run,
      allowIgnored: allow_ignored,
      skipSpecs: skip_specs,
    };
    if (dry_run) return outputOf(planArchive(catalog, change, options), { dryRun: true, included });
    try {
      const done = archive(() => catalog.reopened(), change, {
        ...options,
        disk: workspace.diskFor('project'),
        records: { stateDir: stateFolder(workspace.disk, workspace.options), project: workspace.projectRoot },
        // Reported even if this run then fails.
        onRecovered: ({ end, change: earlier }) =>
          notice?.(
            `${end === 'completed' ? 'completed' : 'undid'} the interrupted archive of "${echo(earlier)}" first`,
          ),
      });
      return outputOf(done, { dryRun: false, included, recovery: done.recovery });
    } finally {
      await workspace.fresh();
    }
  },
});

function outputOf(
  plan: ArchivePlan,
  { dryRun, included, recovery }: { dryRun: boolean; included: number; recovery?: Recovery | undefined },
): ObjectOf<typeof output> {
  const { change, archivedAs, path, tasks, notes, specs } = plan;
  return {
    change_id: change,
    archived_as: archivedAs,
    path,
    dry_run: dryRun,
    recovered: recovery?.end ?? 'none',
    ...(recovery ? { recovered_change: recovery.change } : {}),
    task_progress: tasks,
    notes,
    specs:
      included === 0 ? specs : specs.map((spec) => ({ ...spec, ...contentOf(plan.textOf(spec.capability), included) })),
  };
}

function contentOf(content: string, most: number): { content: string; left_out?: number } {
  if (content.length <= most) return { content };
  const end = codePointStart(content, most);
  return { content: content.slice(0, end), left_out: content.length - end };
}
