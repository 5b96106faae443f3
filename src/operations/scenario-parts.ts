/** A scenario as data, the same in every answer. */
import * as z from 'zod';
import type { Outline } from '../core/headings.ts';
import { groupClauses } from '../specs/clauses.ts';
import { clausesOf, describeRequirement, type Requirement, type Scenario } from '../specs/parse-spec.ts';

export const ScenarioSchema = z.object({
  name: z.string(),
  given: z.array(z.string()),
  when: z.string().describe('The WHEN with its ANDs, as one sentence'),
  when_clauses: z.array(z.string()),
  then: z.array(z.string()),
  notes: z.string().optional().describe('Text of the scenario that is no clause'),
});
export type ScenarioParts = z.output<typeof ScenarioSchema>;

export const RequirementSchema = z.object({
  name: z.string(),
  description: z.string(),
  scenarios: z.array(ScenarioSchema),
});
export type RequirementParts = z.output<typeof RequirementSchema>;

export function scenarioParts(source: { outline: Outline }, scenario: Scenario): ScenarioParts {
  const { clauses, notes } = clausesOf(source, scenario);
  return { name: scenario.name, ...groupClauses(clauses), ...(notes === '' ? {} : { notes }) };
}

export function requirementParts(source: { outline: Outline }, requirement: Requirement): RequirementParts {
  return {
    name: requirement.name,
    description: describeRequirement(source, requirement),
    scenarios: requirement.scenarios.map((scenario) => scenarioParts(source, scenario)),
  };
}
