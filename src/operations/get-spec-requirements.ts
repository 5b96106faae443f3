import { integer, list, object, text } from '../core/fields/field.ts';
import { getSpec } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { SPEC_ID } from './shapes.ts';

export const getSpecRequirements = defineOperation({
  name: 'get_spec_requirements',
  title: 'Get the requirements of a spec',
  summary: 'List the requirements of one spec by name, with the number of their scenarios',
  params: { spec_id: SPEC_ID },
  output: { spec_id: text(), requirements: list(object({ name: text(), scenario_count: integer() })) },
  reads: 'specs',
  tool: 'specs',
  library: 'specs.requirements',
  async run({ spec_id }, workspace) {
    const spec = getSpec(await workspace.snapshot.specs(), spec_id);
    return {
      spec_id: spec.id,
      requirements: spec.parsed.requirements.map(({ name, scenarios }) => ({ name, scenario_count: scenarios.length })),
    };
  },
});
