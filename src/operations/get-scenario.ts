import { fitText, pageFrom } from '../core/cursor.ts';
import { Failure } from '../core/failure.ts';
import { list, object, optional, text } from '../core/fields/field.ts';
import { getRequirement, getScenarioOf, getSpec } from '../specs/lookup.ts';
import { REQUIREMENT, SCENARIO } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { named } from './join.ts';
import { CURSOR, NAME, NEXT_CURSOR, SPEC_ID } from './shapes.ts';

/** Selects all scenarios instead of one name. */
const ALL = '*';

const { name, given, when, when_clauses, then, notes } = SCENARIO;

export const getScenario = defineOperation({
  name: 'get_scenario',
  title: 'Get a scenario',
  summary: 'Get scenarios in full: the clauses of one, of all of a requirement or of the whole spec',
  details: 'Use it when the exact behavior matters, for example for a test.',
  params: {
    spec_id: SPEC_ID,
    requirement: { ...NAME, required: true, help: 'Its name; "*" for every requirement of the spec' },
    scenario: { ...NAME, help: 'Its name, by default the first; "*" for all' },
    cursor: { ...CURSOR, faces: ['mcp'], help: 'nextCursor of the last page' },
  },
  output: {
    spec_id: text(),
    requirement: text(),
    requirement_description: text(),
    name: optional(name),
    given: optional(given),
    when: optional(when),
    when_clauses: optional(when_clauses),
    then: optional(then),
    notes,
    scenarios: optional(list(object(SCENARIO), 'With scenario "*"')),
    requirements: optional(list(object(REQUIREMENT), 'With requirement "*"')),
    nextCursor: NEXT_CURSOR,
  },
  reads: 'specs',
  tool: 'specs',
  join: named('spec_id', {
    kind: 'spec',
    probe: (spec_id) => ({ operation: 'get_spec_requirements', input: { spec_id } }),
  }),
  library: 'specs.scenario',
  async run(input, workspace, { replyCharacters: characters }) {
    const [{ requirementAsData, scenarioAsData }, { describeRequirement }] = await Promise.all([
      import('../specs/as-data.ts'),
      import('../specs/parse-spec.ts'),
    ]);
    const spec = getSpec(await workspace.snapshot.specs(), input.spec_id);
    if (input.requirement === ALL) {
      const all = spec.parsed.requirements.map((each) => requirementAsData(spec.parsed, each));
      const { page: requirements, ...next } = pageFrom(all, { cursor: input.cursor, characters });
      return { spec_id: spec.id, requirement: ALL, requirement_description: '', requirements, ...next };
    }
    const requirement = getRequirement(spec, input.requirement);
    const description = describeRequirement(spec.parsed, requirement);
    const head = {
      spec_id: spec.id,
      requirement: requirement.name,
      requirement_description: characters === undefined ? description : fitStart(description, characters / 4),
    };
    if (input.scenario === ALL) {
      const all = requirement.scenarios.map((each) => scenarioAsData(spec.parsed, each));
      const most = characters === undefined ? undefined : (characters * 3) / 4;
      const { page: scenarios, ...next } = pageFrom(all, { cursor: input.cursor, characters: most });
      return { ...head, scenarios, ...next };
    }
    const scenario =
      input.scenario === undefined ? requirement.scenarios[0] : getScenarioOf(requirement, input.scenario);
    if (!scenario) {
      throw new Failure('NOT_FOUND', `Requirement '${requirement.name}' has no scenario.`, {
        path: spec.file.path,
        line: requirement.line + 1,
      });
    }
    return { ...head, ...scenarioAsData(spec.parsed, scenario) };
  },
});

/** Cuts a long description. `get_spec_requirements` returns more of it. */
function fitStart(description: string, characters: number): string {
  const start = fitText(description, characters);
  return start === description ? description : `${start}…`;
}
