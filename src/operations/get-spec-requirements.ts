import { fitText, pageFrom, replyCost } from '../core/cursor.ts';
import { integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { getSpec } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { named } from './join.ts';
import { CURSOR, NEXT_CURSOR, SPEC_ID } from './shapes.ts';

const REQUIREMENT = {
  name: text(),
  text: text(),
  scenario_count: integer(),
  scenarios: list(text()),
  left_out: optional(integer('Characters missing: the requirement is too long for one reply')),
} as const;
type Requirement = ObjectOf<typeof REQUIREMENT>;

export const getSpecRequirements = defineOperation({
  name: 'get_spec_requirements',
  title: 'Get the requirements of a spec',
  summary: 'Get the requirements of a spec with their texts and the names of their scenarios',
  details: 'Use it before you change behavior that a spec covers.',
  params: { spec_id: SPEC_ID, cursor: { ...CURSOR, faces: ['mcp'], help: 'nextCursor of the last page' } },
  output: { spec_id: text(), requirements: list(object(REQUIREMENT)), nextCursor: NEXT_CURSOR },
  reads: 'specs',
  tool: 'specs',
  join: named('spec_id', { kind: 'spec' }),
  library: 'specs.requirements',
  async run({ spec_id, cursor }, workspace, { replyCharacters }) {
    const { describeRequirement } = await import('../specs/parse-spec.ts');
    const spec = getSpec(await workspace.snapshot.specs(), spec_id);
    const requirements = spec.parsed.requirements.map((requirement) => ({
      name: requirement.name,
      text: describeRequirement(spec.parsed, requirement),
      scenario_count: requirement.scenarios.length,
      scenarios: requirement.scenarios.map(({ name }) => name),
    }));
    const { page, ...next } = pageFrom(requirements, { cursor, characters: replyCharacters });
    return { spec_id: spec.id, requirements: page.map((each) => cutTo(each, replyCharacters)), ...next };
  },
});

/** Cuts a requirement that does not fit: first the end of its text, then its last scenario names. */
function cutTo(requirement: Requirement, characters: number | undefined): Requirement {
  if (characters === undefined || replyCost(requirement) <= characters) return requirement;
  const { name, text: whole, scenario_count, scenarios } = requirement;
  const kept = fitText(whole, characters / 2 - replyCost(name));
  const { page } = pageFrom(scenarios, { characters: characters / 2 - 200 });
  const lost = scenarios.slice(page.length).reduce((sum, each) => sum + each.length, whole.length - kept.length);
  return { name, text: kept, scenario_count, scenarios: page, left_out: lost };
}
