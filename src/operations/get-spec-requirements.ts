import { integer, list, object, text } from '../core/fields/field.ts';
import { getSpec } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { SPEC_ID } from './shapes.ts';

export const getSpecRequirements = defineOperation({
  name: 'get_spec_requirements',
  title: 'Get the requirements of a spec',
  summary: 'Get the requirements of a spec with their texts and the names of their scenarios',
  details: 'Use it before you change what a spec covers.',
  params: { spec_id: SPEC_ID },
  output: {
    spec_id: text(),
    requirements: list(object({ name: text(), text: text(), scenario_count: integer(), scenarios: list(text()) })),
  },
  reads: 'specs',
  tool: 'specs',
  library: 'specs.requirements',
  async run({ spec_id }, workspace) {
    const { describeRequirement } = await import('../specs/parse-spec.ts');
    const spec = getSpec(await workspace.snapshot.specs(), spec_id);
    return {
      spec_id: spec.id,
      requirements: spec.parsed.requirements.map((requirement) => ({
        name: requirement.name,
        text: describeRequirement(spec.parsed, requirement),
        scenario_count: requirement.scenarios.length,
        scenarios: requirement.scenarios.map(({ name }) => name),
      })),
    };
  },
});
