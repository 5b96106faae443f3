import * as z from 'zod';
import { Failure } from '../core/failure.ts';
import { describeRequirement } from '../specs/parse-spec.ts';
import { defineOperation } from './define.ts';
import { ScenarioSchema, scenarioParts } from './scenario-parts.ts';
import { getRequirement, getScenarioOf, getSpec } from './spec-lookup.ts';

export const ScenarioOutput = z.object({
  spec_id: z.string(),
  requirement: z.string(),
  requirement_description: z.string(),
  ...ScenarioSchema.shape,
});

export type ScenarioOutput = z.output<typeof ScenarioOutput>;

export const getScenario = defineOperation({
  name: 'get_scenario',
  title: 'Get a scenario',
  summary: 'One scenario in full: its clauses and the text of its requirement.',
  input: z.strictObject({
    spec_id: z.string().min(1).describe('The id from list_specs'),
    requirement: z.string().min(1).describe('The name from get_spec_requirements'),
    scenario: z.string().min(1).optional().describe('The name of the scenario; without it, the first one'),
  }),
  output: ScenarioOutput,
  readOnly: true,
  async run(input, workspace) {
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
      ...scenarioParts(spec.parsed, scenario),
    };
  },
});
