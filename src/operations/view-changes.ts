import { choice, integer, list, object } from '../core/fields/field.ts';
import { CHANGE_STATES } from '../specs/state-names.ts';
import { CHANGE_ORDERS, describeActive, describeArchived, LISTED_CHANGE } from './change-states.ts';
import { defineOperation } from './define.ts';
import { TASK_PROGRESS } from './shapes.ts';

export const viewChanges = defineOperation({
  name: 'change_view',
  title: 'View changes',
  summary: 'Show the changes by state, with totals',
  params: {
    archived: {
      type: 'integer',
      min: 0,
      max: 1_000,
      default: 5,
      placeholder: 'n',
      help: 'Maximum number of archived changes, newest first',
    },
  },
  output: {
    states: list(
      object({
        state: choice(CHANGE_STATES),
        total: integer('Number of changes in this state'),
        changes: list(LISTED_CHANGE),
      }),
      'Every state, in workflow order',
    ),
    tasks: object(TASK_PROGRESS, 'Progress of all active changes'),
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'change view',
    group: 'Specs and changes',
    examples: [['lectern change view', 'show drafts, work in progress, and finished changes']],
  },
  library: 'specs.viewChanges',
  async run({ archived }, workspace) {
    const catalog = await workspace.snapshot.specs();
    const active = (await describeActive(catalog)).toSorted(CHANGE_ORDERS.progress);
    const newest = await describeArchived(catalog, archived);
    const sum = (key: 'completed' | 'total'): number =>
      active.reduce((total, { task_progress }) => total + task_progress[key], 0);
    return {
      states: CHANGE_STATES.map((state) => {
        const changes = state === 'archived' ? newest : active.filter((change) => change.state === state);
        return { state, total: state === 'archived' ? catalog.archived.length : changes.length, changes };
      }),
      tasks: { completed: sum('completed'), total: sum('total') },
    };
  },
});
