import { choice, flag, list, object, optional, text } from '../core/fields/field.ts';
import { getChange } from '../specs/lookup.ts';
import { OPERATIONS } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { CHANGE_ID, IGNORED } from './shapes.ts';

export const diffChange = defineOperation({
  name: 'change_diff',
  title: 'Diff a change',
  summary: 'Compare a change with the current specs, requirement by requirement',
  params: { change_id: CHANGE_ID },
  output: {
    change_id: text(),
    archived: flag('Its deltas are already in the specs, so they can rarely be applied again'),
    capabilities: list(
      object({
        capability: text(),
        file: text(),
        is_new: flag(),
        refused: optional(text('Why the delta cannot be applied to the current spec')),
        ignored: list(object(IGNORED), 'Headings of the delta that archiving would ignore'),
        requirements: list(
          object({ operation: choice(OPERATIONS), requirement: text(), to: optional(text()), diff: text() }),
        ),
      }),
    ),
  },
  reads: 'specs',
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
  async run({ change_id }, workspace) {
    const { diffChange: diff } = await import('../specs/diff.ts');
    const catalog = await workspace.snapshot.specs();
    const change = getChange(catalog, change_id);
    return {
      change_id: change.id,
      archived: change.isArchived,
      capabilities: diff(catalog, change).map(({ capability, file, isNew, refused, ignored, requirements }) => ({
        capability,
        file,
        is_new: isNew,
        ...(refused === undefined ? {} : { refused }),
        ignored: ignored.map((heading) => ({ ...heading, line: heading.line + 1 })),
        requirements,
      })),
    };
  },
  hasErrors: ({ archived, capabilities }) =>
    !archived && capabilities.some(({ refused, ignored }) => refused !== undefined || ignored.length > 0),
});
