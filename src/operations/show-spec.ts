import * as z from 'zod';
import { defineOperation } from './define.ts';
import { requirementParts, RequirementSchema } from './scenario-parts.ts';
import { getRequirement, getSpec } from './spec-lookup.ts';

export const ShowSpecOutput = z.object({
  id: z.string(),
  title: z.string(),
  purpose: z.string(),
  file: z.string(),
  requirements: z.array(RequirementSchema.extend({ line: z.int() })),
  content: z.string().optional().describe('The whole file, with full: true'),
});
export type ShowSpecOutput = z.output<typeof ShowSpecOutput>;

export const showSpec = defineOperation({
  name: 'show_spec',
  title: 'Show a spec',
  summary: 'One spec with its requirements and scenarios, or one requirement of it.',
  input: z.strictObject({
    spec_id: z.string().min(1).describe('The id from list_specs'),
    requirement: z.string().min(1).optional().describe('Only this requirement'),
    full: z.boolean().default(false).describe('Include the whole file'),
  }),
  output: ShowSpecOutput,
  readOnly: true,
  async run({ spec_id, requirement, full }, workspace) {
    const spec = getSpec(await workspace.snapshot.specs(), spec_id);
    const chosen = requirement === undefined ? spec.parsed.requirements : [getRequirement(spec, requirement)];
    return {
      id: spec.id,
      title: spec.title,
      purpose: spec.purpose,
      file: spec.file.path,
      requirements: chosen.map((each) => ({ ...requirementParts(spec.parsed, each), line: each.line + 1 })),
      ...(full ? { content: spec.file.text } : {}),
    };
  },
});
