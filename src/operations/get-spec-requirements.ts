import * as z from 'zod';
import { defineOperation } from './define.ts';
import { getSpec } from './spec-lookup.ts';

export const SpecRequirementsOutput = z.object({
  spec_id: z.string(),
  requirements: z.array(z.object({ name: z.string(), scenario_count: z.int() })),
});

export type SpecRequirementsOutput = z.output<typeof SpecRequirementsOutput>;

export const getSpecRequirements = defineOperation({
  name: 'get_spec_requirements',
  title: 'Get the requirements of a spec',
  summary: 'The requirements of one spec by name, with the number of their scenarios.',
  input: z.strictObject({ spec_id: z.string().min(1).describe('The id from list_specs') }),
  output: SpecRequirementsOutput,
  readOnly: true,
  async run({ spec_id }, workspace) {
    const spec = getSpec(await workspace.snapshot.specs(), spec_id);
    return {
      spec_id: spec.id,
      requirements: spec.parsed.requirements.map(({ name, scenarios }) => ({ name, scenario_count: scenarios.length })),
    };
  },
});
