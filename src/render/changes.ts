import type { listChanges } from '../operations/list-changes.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count } from '../core/text.ts';
import { renderProgress } from './progress.ts';
import { makeStyle, safe, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

type ChangeIndex = AnswerOf<typeof listChanges>;

const ID_COLUMNS_MAX = 40;
const TITLE_COLUMNS_MIN = 12;

export function renderChanges({ changes }: ChangeIndex, style: Style, { archived }: { archived: boolean }): string {
  if (changes.length === 0)
    return archived
      ? 'No archived changes.\n'
      : `No active changes.\n\n${style.dim('Propose one:')} lectern change new add-something\n`;
  const ids = changes.map(({ id }) => safe(id));
  const columns = Math.min(ID_COLUMNS_MAX, Math.max(...ids.map(widthOf)));
  const plain = makeStyle({ color: false });
  const barWidths = changes.map(({ task_progress }) => widthOf(renderProgress(task_progress, plain)));
  const barColumns = Math.max(...barWidths);
  const rows = changes.map(({ title, id, task_progress }, index) => {
    const name = ids[index] ?? '';
    const bar = renderProgress(task_progress, style) + ' '.repeat(barColumns - (barWidths[index] ?? 0));
    const titleColumns =
      style.width === undefined
        ? Number.POSITIVE_INFINITY
        : style.width - Math.max(columns, widthOf(name)) - barColumns - 6;
    const about = title === id || titleColumns < TITLE_COLUMNS_MIN ? '' : fit(safe(title), titleColumns);
    return `  ${style.cyan(padEnd(name, columns))}  ${bar}  ${about}`.trimEnd();
  });
  const done = changes.filter(({ task_progress: { completed, total } }) => total > 0 && completed === total).length;
  return `${rows.join('\n')}\n\n${style.dim(`${count(changes.length, archived ? 'archived change' : 'active change')}${done > 0 && !archived ? `, ${done} with all tasks done` : ''}`)}\n`;
}
