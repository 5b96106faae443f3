import { flag, integer, list, object, optional, text } from '../core/fields/field.ts';
import { getChange } from '../specs/lookup.ts';
import { DELTAS } from '../specs/shapes.ts';
import { defineOperation } from './define.ts';
import { CHANGE_HEAD, changeHead } from './change-head.ts';
import { CHANGE_ID, IGNORED, OVERLAPS_LEFT_OUT, TASK_PROGRESS } from './shapes.ts';

export const showChange = defineOperation({
  name: 'show_change',
  title: 'Show a change',
  summary: 'Show one change: proposal, tasks, deltas and overlapping changes',
  params: { change_id: CHANGE_ID },
  output: {
    change_id: text(),
    title: text(),
    archived: flag(),
    path: text(),
    proposal: text(),
    design: optional(text()),
    task_progress: object(TASK_PROGRESS),
    tasks: list(object({ text: text(), done: flag(), line: integer(), indent: integer(), group: text() })),
    deltas: DELTAS,
    ignored: list(
      object({ capability: text(), file: text(), ...IGNORED }),
      'Headings of the deltas that archiving would ignore',
    ),
    overlaps: list(
      object({ capability: text(), requirement: text(), changes: list(text()), left_out: OVERLAPS_LEFT_OUT }),
      'Other active changes that touch the same requirements',
    ),
    head: CHANGE_HEAD,
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'change show',
    group: 'Specs and changes',
    completes: 'changes',
    examples: [['lectern change show add-wish-list', 'show the whole change']],
  },
  library: 'specs.showChange',
  async run({ change_id }, workspace, { isForPage = false }) {
    const { deltasAsData } = await import('../specs/as-data.ts');
    const { otherChanges } = await import('../specs/overlap.ts');
    const { ignoredHeadings } = await import('../specs/ignored-headings.ts');
    const catalog = await workspace.snapshot.specs();
    const change = getChange(catalog, change_id);
    const { completed, total } = change.progress;
    return {
      change_id: change.id,
      title: change.title,
      archived: change.isArchived,
      path: change.dir,
      proposal: change.proposal?.text ?? '',
      ...(change.design === undefined ? {} : { design: change.design.text }),
      task_progress: { completed, total },
      tasks: [...change.tasks],
      deltas: deltasAsData(change.deltas),
      ignored: change.deltas.flatMap(({ capability, file, parsed }) =>
        ignoredHeadings(parsed).map((heading) => ({ capability, file: file.path, ...heading, line: heading.line + 1 })),
      ),
      overlaps: catalog.overlapsOf(change).map(({ overlap }) => {
        const { named, more } = otherChanges(change.id, [overlap]);
        const { capability, requirement } = overlap;
        return { capability, requirement, changes: named, ...(more > 0 ? { left_out: more } : {}) };
      }),
      ...(isForPage ? { head: await changeHead(workspace, change) } : {}),
    };
  },
});
