import * as z from 'zod';
import { findOverlaps } from '../specs/overlap.ts';
import { OPERATIONS } from '../specs/words.ts';
import { defineOperation } from './define.ts';

export const OverlapsOutput = z.object({
  overlaps: z.array(
    z.object({
      capability: z.string(),
      requirement: z.string(),
      claims: z.array(z.object({ change: z.string(), operation: z.enum(OPERATIONS), file: z.string(), line: z.int() })),
    }),
  ),
});
export type OverlapsOutput = z.output<typeof OverlapsOutput>;

export const changeOverlaps = defineOperation({
  name: 'change_overlap',
  title: 'Overlapping changes',
  summary: 'Requirements that several active changes touch.',
  input: z.strictObject({}),
  output: OverlapsOutput,
  readOnly: true,
  async run(_, workspace) {
    return { overlaps: [...findOverlaps((await workspace.snapshot.specs()).changes)] };
  },
});
