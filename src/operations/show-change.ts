import * as z from 'zod';
import { findOverlaps } from '../specs/overlap.ts';
import { deltasOf, DeltasSchema } from './change-deltas.ts';
import { defineOperation } from './define.ts';
import { TaskProgress } from './list-changes.ts';
import { getChange } from './spec-lookup.ts';

export const ShowChangeOutput = z.object({
  change_id: z.string(),
  title: z.string(),
  archived: z.boolean(),
  path: z.string(),
  proposal: z.string(),
  design: z.string().optional(),
  task_progress: TaskProgress,
  tasks: z.array(z.object({ text: z.string(), done: z.boolean(), line: z.int(), indent: z.int(), group: z.string() })),
  deltas: DeltasSchema,
  overlaps: z
    .array(z.object({ capability: z.string(), requirement: z.string(), changes: z.array(z.string()) }))
    .describe('Other active changes that touch the same requirements'),
});
export type ShowChangeOutput = z.output<typeof ShowChangeOutput>;

export const showChange = defineOperation({
  name: 'show_change',
  title: 'Show a change',
  summary: 'One change with its tasks, deltas and the other changes it meets.',
  input: z.strictObject({ change_id: z.string().min(1).describe('The id from list_changes') }),
  output: ShowChangeOutput,
  readOnly: true,
  async run({ change_id }, workspace) {
    const catalog = await workspace.snapshot.specs();
    const change = getChange(catalog, change_id);
    const { completed, total } = change.progress;
    const overlaps = change.isArchived
      ? []
      : findOverlaps(catalog.changes).filter(({ claims }) => claims.some((claim) => claim.change === change.id));
    return {
      change_id: change.id,
      title: change.title,
      archived: change.isArchived,
      path: change.dir,
      proposal: change.proposal?.text ?? '',
      ...(change.design === undefined ? {} : { design: change.design.text }),
      task_progress: { completed, total },
      tasks: change.tasks,
      deltas: deltasOf(change.deltas),
      overlaps: overlaps.map(({ capability, requirement, claims }) => ({
        capability,
        requirement,
        changes: claims.map((claim) => claim.change).filter((id) => id !== change.id),
      })),
    };
  },
});
