import { quoteForBash } from '../core/quote-for-bash.ts';
import type { changeStates } from '../operations/change-states.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { viewChanges } from '../operations/view-changes.ts';
import { count, grouped } from '../core/text.ts';
import { renderProgress } from './progress.ts';
import { makeStyle, safe, type Style } from './style.ts';
import { type Cell, type Column, layOut, type Table } from './table.ts';

type ChangeIndex = AnswerOf<typeof changeStates>;
type Change = ChangeIndex['changes'][number];
/** The columns of a change in a list. */
type Row = Pick<Change, 'id' | 'title' | 'state' | 'task_progress'> &
  Partial<Pick<Change, 'package' | 'modified' | 'reason'>>;

/** Narrower terminals show the number of tasks without a bar. */
const BAR_WIDTH_MIN = 100;

const COLUMNS: readonly Column[] = [
  { head: 'CHANGE' },
  { head: 'PACKAGE' },
  { head: 'STATE' },
  { head: 'TASKS', inWords: (cell) => (/\d$/u.test(cell) ? `${cell} tasks` : cell) },
  { head: 'AGE' },
  { head: 'TITLE', fillsAtLeast: 12 },
];

export function renderChanges(
  { changes }: ChangeIndex,
  style: Style,
  { archived, open }: { archived: boolean; open: boolean },
): string {
  if (changes.length === 0)
    return archived
      ? 'No archived changes.\n'
      : `No active changes.\n\n${style.dim('Propose one:')} lectern change new add-something\n`;
  const openTasks = changes.reduce((sum, { task_progress: tasks }) => sum + tasks.total - tasks.completed, 0);
  const total = style.dim(
    [
      count(changes.length, archived ? 'archived change' : 'active change'),
      ...finished(changes),
      ...(open ? [count(openTasks, 'open task')] : []),
    ].join(', '),
  );
  const sections = open
    ? [...changes.flatMap((change) => renderOpen(change, style)), total]
    : [tableOf(changes, style), total, ...nextOf(changes, style)];
  return `${sections.join('\n\n')}\n`;
}

/** One section per state, with its total. */
export function renderBoard({ states, tasks }: AnswerOf<typeof viewChanges>, style: Style): string {
  const all = states.flatMap(({ changes }) => changes);
  if (all.length === 0) return renderChanges({ changes: [] }, style, { archived: false, open: false });
  const { rows } = layOutChanges(all, style, { withState: false });
  const rowOf = new Map(all.map((change, index) => [change, rows[index] ?? '']));
  const active = states.reduce((sum, { state, total }) => sum + (state === 'archived' ? 0 : total), 0);
  const archived = states.find(({ state }) => state === 'archived')?.total ?? 0;
  const sections = states.flatMap(({ state, total, changes }) => {
    if (total === 0) return [];
    const left = total - changes.length;
    const more =
      left > 0 ? [style.dim(`  … and ${grouped(left)} more; lectern change list --archived shows them all`)] : [];
    const title = `${state.charAt(0).toUpperCase()}${state.slice(1)}`;
    return [
      [
        `${style.bold(title)} ${style.dim(grouped(total))}`,
        ...changes.map((each) => withReason(rowOf.get(each) ?? '', each, style)),
        ...more,
      ].join('\n'),
    ];
  });
  const done = tasks.total === 0 ? '' : `, ${grouped(tasks.completed)} of ${count(tasks.total, 'task')} done`;
  const summary = `${style.bold(count(active, 'active change'))}${done}${archived > 0 ? `; ${grouped(archived)} archived` : ''}`;
  return `${[summary, ...sections, ...nextOf(all, style)].join('\n\n')}\n`;
}

/** A table with column heads. The reason follows a blocked change. */
export function tableOf(changes: readonly Row[], style: Style): string {
  const { head, rows } = layOutChanges(changes, style, { withState: true });
  const lines = changes.map((change, index) => withReason(rows[index] ?? '', change, style));
  return [...(head === undefined ? [] : [head]), ...lines].join('\n');
}

function layOutChanges(changes: readonly Row[], style: Style, { withState }: { withState: boolean }): Table {
  const now = Date.now();
  const plain = makeStyle({ color: false });
  const hasBar = style.width !== undefined && style.width >= BAR_WIDTH_MIN;
  const tasksOf = ({ task_progress: progress }: Row): Cell =>
    hasBar
      ? { text: renderProgress(progress, plain), paint: () => renderProgress(progress, style) }
      : progress.total === 0
        ? { text: 'no tasks', paint: style.dim }
        : { text: `${progress.completed}/${progress.total}` };
  return layOut(
    COLUMNS,
    changes.map((change) => [
      { text: safe(change.id), paint: style.cyan },
      { text: safe(change.package ?? '') },
      { text: withState ? change.state : '', paint: paintOf(change, style) },
      tasksOf(change),
      { text: change.modified === undefined ? '' : age(now - Date.parse(change.modified)), paint: style.dim },
      { text: change.title === change.id ? '' : safe(change.title) },
    ]),
    style,
  );
}

/** The color of a state, the same in every list. */
export function paintOf({ state }: Pick<Change, 'state'>, style: Style): (text: string) => string {
  return state === 'ready to archive' ? style.green : state === 'blocked' ? style.yellow : style.dim;
}

function withReason(row: string, { reason }: Pick<Row, 'reason'>, style: Style): string {
  return reason === undefined ? row : `${row}\n    ${style.yellow('!')} ${style.say(reason)}`;
}

function finished(changes: readonly Change[]): string[] {
  return (['blocked', 'ready to archive'] as const).flatMap((wanted) => {
    const number = changes.filter(({ state }) => state === wanted).length;
    return number === 0 ? [] : [`${grouped(number)} ${wanted}`];
  });
}

/** Renders the remaining work of a change: its open tasks, the reasons why it is blocked, or the command to archive it. */
function renderOpen(change: Change, style: Style): string[] {
  const { id, state, task_progress: progress, openTasks = [], tasksFile, blockedBy = [] } = change;
  const steps = [
    ...openTasks.map(({ text }) => `  [ ] ${safe(text)}`),
    ...blockedBy.flatMap(({ reason, fix }) => [`  ${style.yellow('!')} ${style.say(reason)}`, `    ${style.say(fix)}`]),
    ...(state === 'ready to archive' ? [`  ${style.cyan(`lectern change archive ${quoteForBash(safe(id))}`)}`] : []),
    ...(state === 'draft' && progress.total === 0 ? [style.dim('  no tasks yet')] : []),
  ];
  if (steps.length === 0) return [];
  const done = progress.total === 0 ? '' : `  ${progress.completed}/${progress.total}`;
  const where = openTasks.length > 0 && tasksFile !== undefined ? `  ${style.dim(style.place(tasksFile))}` : '';
  return [
    [`${style.bold(style.cyan(safe(id)))}  ${paintOf(change, style)(state)}${done}${where}`, ...steps].join('\n'),
  ];
}

/** Commands for the first finished change and the first blocked one, and for the open tasks of all active changes. */
function nextOf(changes: readonly Change[], style: Style): string[] {
  const first = (wanted: Change['state']): string[] =>
    changes
      .filter(({ state }) => state === wanted)
      .slice(0, 1)
      .map(({ id }) => quoteForBash(safe(id)));
  const steps = [
    ...first('ready to archive').map((id) => `lectern change archive ${id}`),
    ...first('blocked').map((id) => `lectern change status ${id}`),
    ...(changes.some(hasOpenTasks) ? ['lectern change list --open'] : []),
  ];
  return steps.length === 0
    ? []
    : [`${style.bold('Next')}\n${steps.map((step) => `  ${style.cyan(step)}`).join('\n')}`];
}

function hasOpenTasks({ state, task_progress: { completed, total } }: Change): boolean {
  return state !== 'archived' && completed < total;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns `today`, `3d`, `5w`, `3mo` or `2y`. */
function age(milliseconds: number): string {
  const days = Math.floor(Math.max(0, milliseconds) / DAY_MS);
  if (days === 0) return 'today';
  if (days < 14) return `${days}d`;
  if (days < 60) return `${Math.floor(days / 7)}w`;
  return days < 730 ? `${Math.floor(days / 30)}mo` : `${Math.floor(days / 365)}y`;
}
