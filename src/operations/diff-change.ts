import * as z from 'zod';
import { diffChange as diff } from '../specs/diff.ts';
import { OPERATIONS } from '../specs/words.ts';
import { defineOperation } from './define.ts';
import { getChange } from './spec-lookup.ts';

export const DiffChangeOutput = z.object({
  change_id: z.string(),
  archived: z.boolean().describe('Its deltas are in the specs already, so that they can hardly be applied once more'),
  capabilities: z.array(
    z.object({
      capability: z.string(),
      file: z.string(),
      is_new: z.boolean(),
      refused: z.string().optional().describe('Why the delta cannot be applied to the spec as it is'),
      requirements: z.array(
        z.object({
          operation: z.enum(OPERATIONS),
          requirement: z.string(),
          to: z.string().optional(),
          diff: z.string(),
        }),
      ),
    }),
  ),
});
export type DiffChangeOutput = z.output<typeof DiffChangeOutput>;

export const diffChange = defineOperation({
  name: 'change_diff',
  title: 'Diff a change',
  summary: 'The deltas of a change against the current specs, requirement by requirement.',
  input: z.strictObject({ change_id: z.string().min(1).describe('The id from list_changes') }),
  output: DiffChangeOutput,
  readOnly: true,
  async run({ change_id }, workspace) {
    const catalog = await workspace.snapshot.specs();
    const change = getChange(catalog, change_id);
    return {
      change_id: change.id,
      archived: change.isArchived,
      capabilities: diff(catalog, change).map(({ capability, file, isNew, refused, requirements }) => ({
        capability,
        file,
        is_new: isNew,
        ...(refused === undefined ? {} : { refused }),
        requirements,
      })),
    };
  },
});
