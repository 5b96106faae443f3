/** Scenarios, requirements and deltas as plain data, the same in every answer. */
import { list, map, object, type ObjectOf, optional, text, type ValueOf } from '../core/fields/field.ts';
import type { Outline } from '../core/headings.ts';
import type { DeltaFile } from './change-folder.ts';
import { groupClauses } from './clauses.ts';
import { clausesOf, describeRequirement, type Requirement, type Scenario } from './parse-spec.ts';

export const SCENARIO = {
  name: text(),
  given: list(text()),
  when: text('The WHEN with its ANDs, as one sentence'),
  when_clauses: list(text()),
  then: list(text()),
  notes: optional(text('Text that is not a clause')),
} as const;

export const REQUIREMENT = { name: text(), description: text(), scenarios: list(object(SCENARIO)) } as const;

export const DELTAS = map(
  object({
    added: list(object(REQUIREMENT)),
    modified: list(object(REQUIREMENT)),
    removed: list(object({ name: text(), reason: optional(text()), migration: optional(text()) })),
    renamed: list(object({ from: text(), to: text() })),
  }),
  'What changes, by capability',
);

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
