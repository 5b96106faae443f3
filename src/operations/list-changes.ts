import { list, object, text } from '../core/fields/field.ts';
import { orUnreadable } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { lists } from './join.ts';
import { TASK_PROGRESS } from './shapes.ts';

export const listChanges = defineOperation({
  name: 'list_changes',
  title: 'List changes',
  summary: 'List the active change proposals with the progress of their tasks',
  details: 'Use it to find the work in progress.',
  params: { archived: { type: 'flag', default: false, help: 'List the archived changes instead of the active ones' } },
  output: { changes: list(object({ id: text(), title: text(), task_progress: object(TASK_PROGRESS) })) },
  reads: 'specs',
  tool: 'specs',
  join: lists('changes', { kind: 'change', name: 'id' }),
  library: 'specs.changes',
  async run({ archived }, workspace) {
    const catalog = await workspace.snapshot.specs();
    const found = orUnreadable(catalog, archived ? catalog.archived : catalog.changes, 'change');
    return {
      changes: found.map(({ id, title, progress: { completed, total } }) => ({
        id,
        title,
        task_progress: { completed, total },
      })),
    };
  },
});
