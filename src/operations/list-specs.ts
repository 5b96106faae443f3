import * as z from 'zod';
import { defineOperation } from './define.ts';
import { specIndex } from './spec-index.ts';

export const ListSpecsOutput = z.object({
  specs: z.array(z.object({ id: z.string(), title: z.string(), purpose: z.string() })),
});
export type ListSpecsOutput = z.output<typeof ListSpecsOutput>;

export const listSpecs = defineOperation({
  name: 'list_specs',
  title: 'List specs',
  summary: 'A small index of all specs: id, title and purpose.',
  input: z.strictObject({}),
  output: ListSpecsOutput,
  readOnly: true,
  run: (_, workspace) => specIndex(workspace),
});
