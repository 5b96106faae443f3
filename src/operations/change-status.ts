import path from 'node:path';
import { isDecisive } from '../core/diagnostics.ts';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { count } from '../core/text.ts';
import type { ChangeFolder } from '../specs/change-folder.ts';
import type { StateOfChange } from '../specs/change-state.ts';
import { getChange } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { CHANGE_ID, CHANGE_STATE, TASK_PROGRESS } from './shapes.ts';

const PART = {
  name: choice(['proposal', 'specs', 'design', 'tasks']),
  state: choice(['present', 'missing', 'invalid']),
  file: optional(text()),
  errors: integer(),
} as const;
type Part = ObjectOf<typeof PART>;

export const changeStatus = defineOperation({
  name: 'change_status',
  title: 'Status of a change',
  summary: 'Show the parts of a change, their problems and the next steps',
  params: { change_id: CHANGE_ID },
  output: {
    change_id: text(),
    title: text(),
    path: text(),
    ...CHANGE_STATE,
    task_progress: object(TASK_PROGRESS),
    parts: list(object(PART), 'Parts in writing order; the design is optional'),
    next: list(text(), 'Next steps: commands, or parts to write'),
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'change status',
    group: 'Specs and changes',
    completes: 'changes',
    examples: [['lectern change status add-wish-list', 'show missing and invalid parts']],
  },
  library: 'specs.changeStatus',
  async run({ change_id }, workspace) {
    const [{ stateOfChange }, { validateChange }] = await Promise.all([
      import('../specs/change-state.ts'),
      import('../specs/validate-change.ts'),
    ]);
    const catalog = await workspace.snapshot.specs();
    const change = getChange(catalog, change_id);
    const errors = change.isArchived
      ? []
      : validateChange(catalog, change).filter((diagnostic) => isDecisive(diagnostic));
    const parts = partsOf(change, errors);
    const { completed, total } = change.progress;
    const state = stateOfChange(catalog, change);
    return {
      change_id: change.id,
      title: change.title,
      path: change.dir,
      ...state,
      task_progress: { completed, total },
      parts,
      next: change.isArchived ? [] : (stepsOfBlocked(change, state) ?? nextSteps(change, parts, errors.length)),
    };
  },
});

function partsOf(change: ChangeFolder, errors: readonly { path: string }[]): Part[] {
  const part = (name: Part['name'], file: string | undefined, isOfPart: (place: string) => boolean): Part => {
    const found = errors.filter((error) => isOfPart(error.path)).length;
    const state = file === undefined ? 'missing' : found > 0 ? 'invalid' : 'present';
    return { name, state, ...(file === undefined ? {} : { file }), errors: found };
  };
  const { proposal, design, tasksFile, deltas, dir } = change;
  const specs = path.join(dir, 'specs');
  return [
    part('proposal', proposal?.path, (place) => place === proposal?.path),
    part('specs', deltas.length > 0 ? specs : undefined, (place) => place.startsWith(specs)),
    part('design', design?.path, (place) => place === design?.path),
    part('tasks', tasksFile?.path, (place) => place === tasksFile?.path),
  ];
}

const TO_WRITE: Record<Exclude<Part['name'], 'design'>, string> = {
  proposal: 'write proposal.md: the reason and the changes',
  specs: 'write specs/<capability>/spec.md: the requirements that are added, modified or removed',
  tasks: 'write tasks.md: a list of - [ ] tasks',
};

/** Returns why a change is blocked, with the fixes and the command that rechecks it. */
function stepsOfBlocked({ id }: ChangeFolder, { blockedBy }: StateOfChange): string[] | undefined {
  if (!blockedBy) return undefined;
  return [...blockedBy.map(({ reason, fix }) => `${reason} ${fix}`.trim()), `lectern change archive ${id} --dry-run`];
}

function nextSteps(change: ChangeFolder, parts: readonly Part[], errors: number): string[] {
  const missing = parts.flatMap(({ name, state }) =>
    state === 'missing' && name !== 'design' ? [TO_WRITE[name]] : [],
  );
  const { completed, total } = change.progress;
  const steps = [
    ...missing,
    ...(errors > 0 && !missing.includes(TO_WRITE.specs) ? [`lectern change validate ${change.id}`] : []),
    ...(completed < total ? [`do the ${count(total - completed, 'open task')} in tasks.md`] : []),
  ];
  return steps.length > 0 ? steps : [`lectern change archive ${change.id}`];
}
