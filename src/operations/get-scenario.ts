import { Failure } from '../core/failure.ts';
import { text } from '../core/fields/field.ts';
import { getRequirement, getScenarioOf, getSpec } from '../specs/lookup.ts';
import { SCENARIO } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { NAME, SPEC_ID } from './shapes.ts';

export const getScenario = defineOperation({
  name: 'get_scenario',
  title: 'Get a scenario',
  summary: 'Get one scenario in full: its clauses and the text of its requirement',
  params: {
    spec_id: SPEC_ID,
    requirement: { ...NAME, required: true, help: 'The name from get_spec_requirements' },
    scenario: { ...NAME, help: 'The name of the scenario; without it, the first one' },
  },
  output: { spec_id: text(), requirement: text(), requirement_description: text(), ...SCENARIO },
  reads: 'specs',
  tool: 'specs',
  library: 'specs.scenario',
  async run(input, workspace) {
    const [{ scenarioAsData }, { describeRequirement }] = await Promise.all([
      import('../specs/as-data.ts'),
      import('../specs/parse-spec.ts'),
    ]);
    const spec = getSpec(await workspace.snapshot.specs(), input.spec_id);
    const requirement = getRequirement(spec, input.requirement);
    const scenario =
      input.scenario === undefined ? requirement.scenarios[0] : getScenarioOf(requirement, input.scenario);
    if (!scenario) {
      throw new Failure('NOT_FOUND', `Requirement '${requirement.name}' has no scenario.`, {
        path: spec.file.path,
        line: requirement.line + 1,
      });
    }
    return {
      spec_id: spec.id,
      requirement: requirement.name,
      requirement_description: describeRequirement(spec.parsed, requirement),
      ...scenarioAsData(spec.parsed, scenario),
    };
  },
});
