import { pageFrom } from '../core/cursor.ts';
import { choice, flag, integer, list, object, optional, text } from '../core/fields/field.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { RequirementDiff } from '../specs/diff.ts';
import { getChange } from '../specs/lookup.ts';
import { COMPARED, OPERATIONS } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { CHANGE_HEAD, changeHead } from './change-head.ts';
import { CHANGE_ID, IGNORED, NEXT_CURSOR, OVERLAPS_LEFT_OUT, PAGE } from './shapes.ts';

export const diffChange = defineOperation({
  name: 'change_diff',
  title: 'Diff a change',
  summary: 'Compare a change with the current specs, requirement by requirement',
  params: { change_id: CHANGE_ID, ...PAGE },
  output: {
    change_id: text(),
    archived: flag('Set if it is archived: its deltas are already in the specs and can rarely be applied again'),
    capabilities: list(
      object({
        capability: text(),
        file: text(),
        is_new: flag(),
        refused: optional(text('Why the delta cannot be applied to the current spec')),
        ignored: list(object(IGNORED), 'Headings of the delta that archiving would ignore'),
        spec_id: optional(text('The current spec')),
        requirements: list(
          object({
            operation: choice(OPERATIONS),
            requirement: text(),
            to: optional(text('The new name of a rename')),
            reason: optional(text('Of a removal')),
            migration: optional(text('Of a removal')),
            missing: optional({ type: 'flag', always: true, help: 'The current spec has no such requirement' }),
            nearest: optional(
              object(
                { spec_id: text(), requirement: text(), file: optional(text('On the page: the file of the spec')) },
                'Similar requirement, compared if the named one is missing',
              ),
            ),
            overlaps: list(text(), 'Other active changes that touch the requirement'),
            overlaps_left_out: OVERLAPS_LEFT_OUT,
            diff: text('Unified'),
            ...COMPARED,
          }),
        ),
      }),
    ),
    total: integer('Total number of requirements in the change'),
    nextCursor: NEXT_CURSOR,
    head: CHANGE_HEAD,
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'change diff',
    group: 'Specs and changes',
    completes: 'changes',
    examples: [
      [
        'lectern change diff add-wish-list',
        'review before archiving; exit code 1 if a delta cannot be applied as a whole',
      ],
    ],
  },
  library: 'specs.diff',
  async run({ change_id, limit, cursor }, workspace, { isForPage = false }) {
    const { diffChange: diff } = await import('../specs/diff.ts');
    const catalog = await workspace.snapshot.specs();
    const change = getChange(catalog, change_id);
    const capabilities = diff(catalog, change);
    const all = capabilities.flatMap(({ requirements }) => requirements);
    const { page, ...next } = pageFrom(all, { limit, cursor });
    const isListed = new Set(page);
    return {
      change_id: change.id,
      archived: change.isArchived,
      capabilities: capabilities.map(({ capability, spec, file, isNew, refused, ignored, requirements }) => ({
        capability,
        file,
        is_new: isNew,
        ...(spec === undefined ? {} : { spec_id: spec }),
        ...(refused === undefined ? {} : { refused }),
        ignored: ignored.map((heading) => ({ ...heading, line: heading.line + 1 })),
        requirements: requirements
          .filter((requirement) => isListed.has(requirement))
          .map((requirement) => (isForPage ? withFile(requirement, catalog) : requirement)),
      })),
      total: all.length,
      ...next,
      ...(isForPage ? { head: await changeHead(workspace, change, capabilities) } : {}),
    };
  },
  hasErrors: ({ archived, capabilities }) =>
    !archived && capabilities.some(({ refused, ignored }) => refused !== undefined || ignored.length > 0),
});

/** Adds the file of the spec that is compared instead of a missing requirement. */
function withFile(requirement: RequirementDiff, { specs }: SpecCatalog) {
  const { nearest } = requirement;
  const file = nearest && specs.find(({ id }) => id === nearest.spec_id)?.file.path;
  return nearest === undefined || file === undefined ? requirement : { ...requirement, nearest: { ...nearest, file } };
}
