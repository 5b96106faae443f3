import { list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { compareText } from '../core/text.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ChangeFolder } from '../specs/change-folder.ts';
import { defineOperation } from './define.ts';
import { CHANGE_STATE, TASK_PROGRESS } from './shapes.ts';

const CHANGE = {
  id: text(),
  title: text(),
  ...CHANGE_STATE,
  task_progress: object(TASK_PROGRESS),
  modified: optional(text('When one of its files changed last')),
} as const;
type Change = ObjectOf<typeof CHANGE>;

const SORTS = ['name', 'recent', 'progress'] as const;

export const changeStates = defineOperation({
  name: 'change_states',
  title: 'States of changes',
  summary: 'List changes with their state, age and progress',
  params: {
    archived: { type: 'flag', default: false, help: 'List the archived changes instead of the active ones' },
    sort: { type: 'choice', choices: SORTS, default: 'name', help: 'The order' },
  },
  output: { changes: list(object(CHANGE)) },
  reads: 'specs',
  command: {
    name: 'change list',
    group: 'Specs and changes',
    examples: [
      ['lectern change list', 'show work in progress'],
      ['lectern change list --sort recent', 'show what was worked on last'],
      ['lectern change list --archived', 'show finished work'],
    ],
  },
  library: 'specs.changeStates',
  async run({ archived, sort }, workspace) {
    const catalog = await workspace.snapshot.specs();
    const { stateOfChange, lastChangeOf } = await import('../specs/change-state.ts');
    const describe = (change: ChangeFolder, among: SpecCatalog): Change => {
      const modified = lastChangeOf(change);
      const { completed, total } = change.progress;
      return {
        id: change.id,
        title: change.title,
        ...stateOfChange(among, change),
        task_progress: { completed, total },
        ...(modified === undefined ? {} : { modified: modified.toISOString() }),
      };
    };
    const changes = (archived ? catalog.archived : catalog.changes).map((change) => describe(change, catalog));
    return { changes: changes.sort(ORDERS[sort]) };
  },
});

const share = ({ task_progress: { completed, total } }: Change): number => (total === 0 ? 0 : completed / total);

/** Ties keep the order of names. */
const ORDERS: Record<(typeof SORTS)[number], (a: Change, b: Change) => number> = {
  name: (a, b) => compareText(a.id, b.id),
  recent: (a, b) => compareText(b.modified ?? '', a.modified ?? '') || compareText(a.id, b.id),
  progress: (a, b) => share(b) - share(a) || compareText(a.id, b.id),
};
