import * as z from 'zod';
import { defineOperation } from './define.ts';
import { changeIndex } from './spec-index.ts';

export const TaskProgress = z.object({ completed: z.int(), total: z.int() });

export const ListChangesOutput = z.object({
  changes: z.array(z.object({ id: z.string(), title: z.string(), task_progress: TaskProgress })),
});
export type ListChangesOutput = z.output<typeof ListChangesOutput>;

export const listChanges = defineOperation({
  name: 'list_changes',
  title: 'List changes',
  summary: 'All active change proposals with the progress of their tasks.',
  input: z.strictObject({ archived: z.boolean().default(false).describe('The archived changes instead') }),
  output: ListChangesOutput,
  readOnly: true,
  run: (input, workspace) => changeIndex(workspace, input),
});
