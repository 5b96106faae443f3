import { integer, list, object, optional, text } from '../core/fields/field.ts';
import { getRequirement, getSpec } from '../specs/lookup.ts';
import { REQUIREMENT } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { NAME, SPEC_ID } from './shapes.ts';

export const showSpec = defineOperation({
  name: 'show_spec',
  title: 'Show a spec',
  summary: 'Show one spec, or one requirement of it, with its scenarios',
  params: {
    spec_id: SPEC_ID,
    requirement: { ...NAME, positional: true, help: 'Show only the requirement with this name' },
    full: { type: 'flag', default: false, help: 'Include the whole file' },
  },
  output: {
    id: text(),
    title: text(),
    purpose: text(),
    file: text(),
    requirements: list(object({ ...REQUIREMENT, line: integer() })),
    content: optional(text('The whole file, with full: true')),
  },
  reads: 'specs',
  command: {
    name: 'spec show',
    group: 'Specs and changes',
    completes: 'specs',
    examples: [
      ['lectern spec show checkout', 'show the whole spec'],
      ['lectern spec show checkout "Guest checkout"', 'show one requirement'],
    ],
  },
  library: 'specs.show',
  async run({ spec_id, requirement, full }, workspace) {
    const { requirementAsData } = await import('../specs/as-data.ts');
    const spec = getSpec(await workspace.snapshot.specs(), spec_id);
    const chosen = requirement === undefined ? spec.parsed.requirements : [getRequirement(spec, requirement)];
    return {
      id: spec.id,
      title: spec.title,
      purpose: spec.purpose,
      file: spec.file.path,
      requirements: chosen.map((each) => ({ ...requirementAsData(spec.parsed, each), line: each.line + 1 })),
      ...(full ? { content: spec.file.text } : {}),
    };
  },
});
