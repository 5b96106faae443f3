import { choice, integer, list, object, optional, text } from '../core/fields/field.ts';
import { pageFrom } from '../core/cursor.ts';
import { getRequirement, getSpec } from '../specs/lookup.ts';
import { OPERATIONS, REQUIREMENT } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { NAME, NEXT_CURSOR, PAGE, SPEC_ID } from './shapes.ts';

const CHANGES = list(object({ change: text(), operation: choice(OPERATIONS) }), 'Active changes that touch it');

export const showSpec = defineOperation({
  name: 'show_spec',
  title: 'Show a spec',
  summary: 'Show one spec, or one requirement of it, with its scenarios',
  params: {
    spec_id: SPEC_ID,
    requirement: {
      ...NAME,
      positional: true,
      completes: 'requirements',
      help: 'Show only the requirement with this name',
    },
    full: { type: 'flag', default: false, help: 'Include the whole file' },
    heads: { type: 'flag', default: false, help: 'List the requirements without their text (--json)' },
    ...PAGE,
  },
  output: {
    id: text(),
    title: text(),
    purpose: text(),
    file: text(),
    root: optional(text('On the page: the name of its root; in a shared catalog, the source')),
    requirements: list(object({ ...REQUIREMENT, line: integer(), changes: CHANGES })),
    heads: optional(
      list(object({ name: text(), line: integer(), scenarios: integer(), changes: CHANGES }), 'With heads: true'),
    ),
    total: integer('Number of requirements of the spec'),
    nextCursor: NEXT_CURSOR,
    content: optional(text('The whole file, with full: true')),
  },
  reads: 'specs',
  settings: ['specs'],
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
  async run({ spec_id, requirement, full, heads, limit, cursor }, workspace, { isForPage = false }) {
    const [{ requirementAsData }, { changesTouching }] = await Promise.all([
      import('../specs/as-data.ts'),
      import('../specs/touched.ts'),
    ]);
    const catalog = await workspace.snapshot.specs();
    const spec = getSpec(catalog, spec_id);
    const { requirements } = spec.parsed;
    const touching = changesTouching(catalog)(spec);
    const { page, ...next } = pageFrom(requirements, { limit, cursor });
    const asked = requirement === undefined ? undefined : getRequirement(spec, requirement);
    const chosen = asked ? [asked] : heads ? [] : page;
    return {
      id: spec.id,
      title: spec.title,
      purpose: spec.purpose,
      file: spec.file.path,
      ...(isForPage ? { root: spec.root.name } : {}),
      requirements: chosen.map((each) => ({
        ...requirementAsData(spec.parsed, each),
        line: each.line + 1,
        changes: touching(each.name),
      })),
      ...(heads
        ? {
            heads: page.map(({ name, line, scenarios }) => ({
              name,
              line: line + 1,
              scenarios: scenarios.length,
              changes: touching(name),
            })),
          }
        : {}),
      total: requirements.length,
      ...(asked && !heads ? {} : next),
      ...(full ? { content: spec.file.text } : {}),
    };
  },
});
