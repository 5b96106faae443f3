import { choice, integer, list, object, text } from '../core/fields/field.ts';
import { OPERATIONS } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';

export const changeOverlaps = defineOperation({
  name: 'change_overlap',
  title: 'Overlapping changes',
  summary: 'Find requirements that several active changes touch',
  params: {},
  output: {
    overlaps: list(
      object({
        capability: text(),
        requirement: text(),
        claims: list(object({ change: text(), operation: choice(OPERATIONS), file: text(), line: integer() })),
      }),
    ),
  },
  reads: 'specs',
  command: {
    name: 'change overlap',
    group: 'Specs and changes',
    examples: [['lectern change overlap', 'find conflicts early; exit code 1 if there are any']],
  },
  library: 'specs.overlaps',
  async run(_, workspace) {
    return { overlaps: [...(await workspace.snapshot.specs()).overlaps] };
  },
  hasErrors: ({ overlaps }) => overlaps.length > 0,
});
