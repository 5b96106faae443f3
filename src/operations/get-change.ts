import * as z from 'zod';
import { Failure } from '../core/failure.ts';
import { deltasOf, DeltasSchema } from './change-deltas.ts';
import { defineOperation } from './define.ts';
import { getChange as findChange } from './spec-lookup.ts';

export const CHANGE_SECTIONS = ['proposal', 'tasks', 'design', 'deltas'] as const;

export const ChangeOutput = z.object({
  change_id: z.string(),
  proposal: z.string().optional().describe('proposal.md, or an empty text'),
  tasks: z.string().optional().describe('tasks.md, or an empty text'),
  design: z.string().optional().describe('design.md, where there is one'),
  deltas: DeltasSchema.optional().describe('What changes, by capability'),
});
export type ChangeOutput = z.output<typeof ChangeOutput>;

export const getChange = defineOperation({
  name: 'get_change',
  title: 'Get a change',
  summary: 'A change proposal: proposal, tasks, design and deltas, or one of these sections.',
  input: z.strictObject({
    change_id: z.string().min(1).describe('The id from list_changes'),
    section: z.enum(CHANGE_SECTIONS).optional().describe('Only this section'),
  }),
  output: ChangeOutput,
  readOnly: true,
  async run({ change_id, section }, workspace) {
    const change = findChange(await workspace.snapshot.specs(), change_id);
    const wants = (part: (typeof CHANGE_SECTIONS)[number]): boolean => section === undefined || section === part;
    const design = wants('design') ? change.design?.text : undefined;
    if (section === 'design' && design === undefined) {
      throw new Failure('NOT_FOUND', `Change '${change.id}' has no design.md.`, { path: change.dir });
    }
    return {
      change_id: change.id,
      ...(wants('proposal') ? { proposal: change.proposal?.text ?? '' } : {}),
      ...(wants('tasks') ? { tasks: change.tasksFile?.text ?? '' } : {}),
      ...(design === undefined ? {} : { design }),
      ...(wants('deltas') ? { deltas: deltasOf(change.deltas) } : {}),
    };
  },
});
