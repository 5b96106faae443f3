import { integer, list, object, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { getSpec } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { SPEC_ID } from './shapes.ts';

/** For the id of the spec and everything around the list. */
const RESERVED_BYTES = 20_000;

/** As many items as fit. A reply has each of them twice: as data, and as text, in which quotes are escaped. */
function withinReply<T>(items: readonly T[], maxBytes: number): T[] {
  let left = maxBytes;
  const end = items.findIndex((item) => {
    const json = JSON.stringify(item);
    left -= Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
    return left < 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

export const getSpecRequirements = defineOperation({
  name: 'get_spec_requirements',
  title: 'Get the requirements of a spec',
  summary: 'List the requirements of one spec by name, with the number of their scenarios',
  params: { spec_id: SPEC_ID },
  output: {
    spec_id: text(),
    requirements: list(object({ name: text(), scenario_count: integer() })),
    requirements_left_out: optional(integer('How many requirements did not fit in the reply')),
  },
  reads: 'specs',
  tool: 'specs',
  library: 'specs.requirements',
  async run({ spec_id }, workspace) {
    const spec = getSpec(await workspace.snapshot.specs(), spec_id);
    const all = spec.parsed.requirements.map(({ name, scenarios }) => ({ name, scenario_count: scenarios.length }));
    const requirements = withinReply(all, LIMITS.requirementsReplyBytes.value - RESERVED_BYTES);
    const leftOut = all.length - requirements.length;
    return { spec_id: spec.id, requirements, ...(leftOut === 0 ? {} : { requirements_left_out: leftOut }) };
  },
});
