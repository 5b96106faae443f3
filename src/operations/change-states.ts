import { integer, list, map, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { memo } from '../core/memo.ts';
import { compareText } from '../core/text.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ChangeFolder, DeltaFile } from '../specs/change-folder.ts';
import type { Operation } from '../specs/words.ts';
import { defineOperation } from './define.ts';
import type { otherChanges as OtherChanges } from '../specs/overlap.ts';
import { CHANGE_STATE, OVERLAPS_LEFT_OUT, PACKAGE, packageOf, TASK_PROGRESS } from './shapes.ts';

const STATE = {
  id: text(),
  title: text(),
  ...CHANGE_STATE,
  task_progress: object(TASK_PROGRESS),
  modified: optional(text('Time of the last change to its files')),
} as const;
type State = ObjectOf<typeof STATE>;

export const DELTA_COUNTS = object(
  { added: integer(), modified: integer(), removed: integer(), renamed: integer() },
  'Number of requirements that its deltas change',
);

const CHANGE = {
  ...STATE,
  counts: DELTA_COUNTS,
  overlaps: list(text(), 'Other active changes that touch one of its requirements'),
  overlaps_left_out: OVERLAPS_LEFT_OUT,
  package: PACKAGE,
} as const;
type Change = ObjectOf<typeof CHANGE>;
/** A change in lists that show its state. */
export const LISTED_CHANGE = object(CHANGE);

const OPEN_TASK = object({ text: text(), line: integer(), group: text('The heading above it') });
const OPEN_TASKS = {
  openTasks: optional(list(OPEN_TASK, 'With open: the tasks that are not done')),
  tasksFile: optional(text('With open: the file with the tasks')),
} as const;

const SORTS = ['name', 'recent', 'progress'] as const;

export const changeStates = defineOperation({
  name: 'change_states',
  title: 'States of changes',
  summary: 'List changes with their state, age and progress',
  params: {
    archived: { type: 'flag', default: false, help: 'List the archived changes instead of the active ones' },
    open: { type: 'flag', default: false, help: 'Print the open tasks of each change' },
    with_archived: {
      type: 'integer',
      min: 0,
      max: 1_000,
      default: 0,
      placeholder: 'n',
      help: 'Also list this many archived changes, newest first',
    },
    per_state: {
      type: 'integer',
      min: 1,
      max: 1_000,
      faces: ['web'],
      placeholder: 'n',
      help: 'Maximum per state',
    },
    sort: { type: 'choice', choices: SORTS, default: 'name', help: 'The order' },
  },
  output: {
    changes: list(object({ ...CHANGE, ...OPEN_TASKS })),
    archived_total: optional(integer('With with_archived: number of archived changes')),
    totals: optional(map(integer(), 'With per_state: number of active changes by state')),
  },
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'change list',
    group: 'Specs and changes',
    examples: [
      ['lectern change list', 'show work in progress'],
      ['lectern change list --open', 'show the remaining work'],
      ['lectern change list --sort recent', 'show the most recent changes first'],
      ['lectern change list --archived', 'show finished work'],
    ],
  },
  library: 'specs.changeStates',
  async run({ archived, open, with_archived, per_state, sort }, workspace) {
    const catalog = await workspace.snapshot.specs();
    const { describe, active } = await describer(catalog);
    const all = archived ? catalog.archived.map(describe) : active();
    const { changes, ...totals } = firstOfEach(all.toSorted(CHANGE_ORDERS[sort]), per_state);
    const listed = open ? withOpenTasks(changes, archived ? catalog.archived : catalog.changes) : changes;
    if (with_archived === 0 || archived) return { changes: listed, ...totals };
    return {
      changes: [...listed, ...newestArchived(catalog, with_archived).map(describe)],
      archived_total: catalog.archived.length,
      ...totals,
    };
  },
});

function withOpenTasks(
  changes: readonly Change[],
  folders: readonly ChangeFolder[],
): (Change & ObjectOf<typeof OPEN_TASKS>)[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  return changes.map((change) => {
    const { tasks = [], tasksFile } = byId.get(change.id) ?? {};
    const openTasks = tasks.filter(({ done }) => !done).map(({ text: of, line, group }) => ({ text: of, line, group }));
    return { ...change, openTasks, ...(tasksFile ? { tasksFile: tasksFile.path } : {}) };
  });
}

/** The name of an archived change begins with its date, so the last name is the newest. */
function newestArchived(catalog: SpecCatalog, number: number): ChangeFolder[] {
  return [...catalog.archived].sort((a, b) => compareText(b.name, a.name)).slice(0, number);
}

/** Describes the newest archived changes. */
export async function describeArchived(catalog: SpecCatalog, number: number): Promise<Change[]> {
  const { describe } = await describer(catalog);
  return newestArchived(catalog, number).map(describe);
}

export async function describeActive(catalog: SpecCatalog): Promise<readonly Change[]> {
  return (await describer(catalog)).active();
}

/** Describes active changes once per catalog: finding out whether a change is ready means validating it. */
const describer = memo(async (catalog: SpecCatalog) => {
  const [{ describeChange }, { otherChanges }] = await Promise.all([
    import('../specs/change-state.ts'),
    import('../specs/overlap.ts'),
  ]);
  const describe = (change: ChangeFolder): Change => ({
    ...describeChange(catalog, change),
    counts: countsOf(change),
    ...overlapsOf(catalog, change, otherChanges),
    ...packageOf(catalog, change),
  });
  let active: Change[] | undefined;
  return { describe, active: () => (active ??= catalog.changes.map(describe)) };
});

function firstOfEach(
  changes: readonly Change[],
  max: number | undefined,
): { changes: Change[]; totals?: Record<string, number> } {
  if (max === undefined) return { changes: [...changes] };
  const totals: Record<string, number> = {};
  const first = changes.filter(({ state }) => (totals[state] = (totals[state] ?? 0) + 1) <= max);
  return { changes: first, totals };
}

export function countsOf({ deltas }: ChangeFolder): Change['counts'] {
  const counts = { added: 0, modified: 0, removed: 0, renamed: 0 };
  for (const delta of deltas)
    for (const [operation, number] of Object.entries(countDelta(delta))) counts[operation as Operation] += number;
  return counts;
}

export function countDelta({ parsed }: Pick<DeltaFile, 'parsed'>): Change['counts'] {
  const counts = { added: 0, modified: 0, removed: parsed.removed.length, renamed: parsed.renamed.length };
  for (const { operation } of parsed.blocks) counts[operation] += 1;
  return counts;
}

function overlapsOf(
  catalog: SpecCatalog,
  change: ChangeFolder,
  otherChanges: typeof OtherChanges,
): Pick<Change, 'overlaps' | 'overlaps_left_out'> {
  const overlaps = catalog.overlapsOf(change).map(({ overlap }) => overlap);
  const { named, more } = otherChanges(change.id, overlaps);
  return { overlaps: named, ...(more > 0 ? { overlaps_left_out: more } : {}) };
}

const share = ({ task_progress: { completed, total } }: State): number => (total === 0 ? 0 : completed / total);

/** Ties keep the order of names. */
export const CHANGE_ORDERS: Record<(typeof SORTS)[number], (a: State, b: State) => number> = {
  name: (a, b) => compareText(a.id, b.id),
  recent: (a, b) => compareText(b.modified ?? '', a.modified ?? '') || compareText(a.id, b.id),
  progress: (a, b) => share(b) - share(a) || compareText(a.id, b.id),
};
