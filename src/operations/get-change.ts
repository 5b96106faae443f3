import { Failure } from '../core/failure.ts';
import { optional, text } from '../core/fields/field.ts';
import { getChange as findChange, requireReadable } from '../specs/lookup.ts';
import { DELTAS } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { named } from './join.ts';
import { CHANGE_ID } from './shapes.ts';

const SECTIONS = ['proposal', 'tasks', 'design', 'deltas'] as const;

export const getChange = defineOperation({
  name: 'get_change',
  title: 'Get a change',
  summary: 'Get a change proposal: proposal, tasks, design and deltas, or one of these sections',
  details: 'Use it before you work on a change.',
  params: { change_id: CHANGE_ID, section: { type: 'choice', choices: SECTIONS, help: 'Only this section' } },
  output: {
    change_id: text(),
    proposal: optional(text('proposal.md; empty if there is none')),
    tasks: optional(text('tasks.md; empty if there is none')),
    design: optional(text('design.md, if there is one')),
    deltas: optional(DELTAS),
  },
  reads: 'specs',
  tool: 'specs',
  join: named('change_id', {
    kind: 'change',
    // A change may have no design.
    probe: (change_id) => ({ operation: 'get_change', input: { change_id, section: 'tasks' } }),
  }),
  library: 'specs.change',
  async run({ change_id, section }, workspace) {
    const { deltasAsData } = await import('../specs/as-data.ts');
    const change = findChange(await workspace.snapshot.specs(), change_id);
    const wants = (part: (typeof SECTIONS)[number]): boolean => section === undefined || section === part;
    const texts = { proposal: 'proposal.md', tasks: 'tasks.md', design: 'design.md', deltas: 'specs' };
    requireReadable(
      change,
      SECTIONS.filter(wants).map((part) => texts[part]),
    );
    const design = wants('design') ? change.design?.text : undefined;
    if (section === 'design' && design === undefined) {
      throw new Failure('NOT_FOUND', `Change '${change.id}' has no design.md.`, { path: change.dir });
    }
    return {
      change_id: change.id,
      ...(wants('proposal') ? { proposal: change.proposal?.text ?? '' } : {}),
      ...(wants('tasks') ? { tasks: change.tasksFile?.text ?? '' } : {}),
      ...(design === undefined ? {} : { design }),
      ...(wants('deltas') ? { deltas: deltasAsData(change.deltas) } : {}),
    };
  },
});
