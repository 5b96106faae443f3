import type { changeStates } from '../operations/change-states.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count } from '../core/text.ts';
import { renderProgress } from './progress.ts';
import { makeStyle, safe, type Style } from './style.ts';
import { fit, widthOf } from './width.ts';

type ChangeIndex = AnswerOf<typeof changeStates>;

const TITLE_COLUMNS_MIN = 12;

export function renderChanges({ changes }: ChangeIndex, style: Style, { archived }: { archived: boolean }): string {
  if (changes.length === 0)
    return archived
      ? 'No archived changes.\n'
      : `No active changes.\n\n${style.dim('Propose one:')} lectern change new add-something\n`;
  const plain = makeStyle({ color: false });
  const now = Date.now();
  const cells = changes.map(({ id, state, modified, task_progress }) => [
    { text: safe(id), paint: style.cyan },
    { text: state, paint: state === 'ready to archive' ? style.green : style.dim },
    { text: renderProgress(task_progress, plain), painted: renderProgress(task_progress, style) },
    { text: modified === undefined ? '' : age(now - Date.parse(modified)), paint: style.dim },
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => widthOf(row[column]?.text ?? ''))));
  const rows = changes.map(({ title, id, reason }, index) => {
    const row = (cells[index] ?? []).map(({ text, paint, painted }, column) => {
      const gap = ' '.repeat((widths[column] ?? 0) - widthOf(text));
      return (painted ?? paint?.(text) ?? text) + gap;
    });
    const left = (style.width ?? Number.POSITIVE_INFINITY) - widths.reduce((sum, width) => sum + width + 2, 2);
    const about = title === id || left < TITLE_COLUMNS_MIN ? '' : `  ${fit(safe(title), left - 2)}`;
    const why = reason === undefined ? '' : `\n    ${style.yellow('!')} ${safe(reason)}`;
    return `  ${row.join('  ')}${about}`.trimEnd() + why;
  });
  const ready = changes.filter(({ state }) => state === 'ready to archive').length;
  const counts = `${count(changes.length, archived ? 'archived change' : 'active change')}${ready > 0 ? `, ${ready} ready to archive` : ''}`;
  return `${rows.join('\n')}\n\n${style.dim(counts)}\n`;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns `today`, `3 days ago` or `5 weeks ago`. */
function age(milliseconds: number): string {
  const days = Math.floor(Math.max(0, milliseconds) / DAY_MS);
  if (days === 0) return 'today';
  if (days < 14) return `${count(days, 'day')} ago`;
  return days < 60 ? `${Math.floor(days / 7)} weeks ago` : `${count(Math.floor(days / 30), 'month')} ago`;
}
