/** Converts scenarios, requirements and deltas to plain data for all outputs. */
import type { ObjectOf, ValueOf } from '../core/fields/field.ts';
import type { Outline } from '../core/headings.ts';
import type { DeltaFile } from './change-folder.ts';
import { groupClauses } from './clauses.ts';
import { clausesOf, describeRequirement, type Requirement, type Scenario } from './parse-spec.ts';
import type { DELTAS, REQUIREMENT, SCENARIO } from './shapes.ts';

export function scenarioAsData(source: { outline: Outline }, scenario: Scenario): ObjectOf<typeof SCENARIO> {
  const { clauses, notes } = clausesOf(source, scenario);
  return { name: scenario.name, ...groupClauses(clauses), ...(notes === '' ? {} : { notes }) };
}

export function requirementAsData(
  source: { outline: Outline },
  requirement: Requirement,
): ObjectOf<typeof REQUIREMENT> {
  return {
    name: requirement.name,
    description: describeRequirement(source, requirement),
    scenarios: requirement.scenarios.map((scenario) => scenarioAsData(source, scenario)),
  };
}

export function deltasAsData(deltas: readonly DeltaFile[]): ValueOf<typeof DELTAS> {
  return Object.fromEntries(
    deltas.map(({ capability, parsed }) => {
      const blocks = (operation: 'added' | 'modified') =>
        parsed.blocks
          .filter((block) => block.operation === operation)
          .map(({ requirement }) => requirementAsData(parsed, requirement));
      return [
        capability,
        {
          added: blocks('added'),
          modified: blocks('modified'),
          removed: parsed.removed.map(({ name, reason, migration }) => ({
            name,
            ...(reason === undefined ? {} : { reason }),
            ...(migration === undefined ? {} : { migration }),
          })),
          renamed: parsed.renamed.map(({ from, to }) => ({ from, to })),
        },
      ];
    }),
  );
}
