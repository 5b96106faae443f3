import * as z from 'zod';
import { defineOperation } from './define.ts';
import { TaskProgress } from './list-changes.ts';
import { DiagnosticSchema } from './schemas.ts';
import { overviewNow } from './work/overview.ts';

export const OverviewOutput = z.object({
  projectDir: z.string(),
  skills: z.int(),
  disabled: z.int(),
  shadowed: z.int(),
  filteredOut: z.int().describe('Skills that the filters leave out'),
  specs: z.int(),
  changes: z
    .array(z.object({ id: z.string(), title: z.string(), task_progress: TaskProgress }))
    .describe('The active changes'),
  groups: z.array(z.object({ provider: z.string(), location: z.string(), skills: z.int() })),
  /** The names of some skills, to have something to try. */
  examples: z.array(z.string()),
  errors: z.int(),
  warnings: z.int(),
  attention: z.array(DiagnosticSchema).describe('The first problems, worst first'),
});
export type OverviewOutput = z.output<typeof OverviewOutput>;

export const overview = defineOperation({
  name: 'overview',
  title: 'Overview',
  summary: 'What was found here and what needs attention.',
  input: z.strictObject({}),
  output: OverviewOutput,
  readOnly: true,
  run: (_, workspace) => overviewNow(workspace),
});
