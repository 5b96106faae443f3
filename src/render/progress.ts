import type { Style } from './style.ts';

const BAR_COLUMNS = 12;

/** Returns `███████░░░░░ 7/12`, full and green when all tasks are done. */
export function renderProgress(
  { completed, total }: { completed: number; total: number },
  style: Style,
  columns = BAR_COLUMNS,
): string {
  if (total === 0) return style.dim('no tasks');
  // A single finished or open task must be visible.
  const filled =
    completed === 0
      ? 0
      : completed === total
        ? columns
        : Math.min(columns - 1, Math.max(1, Math.round((completed / total) * columns)));
  const paint = completed === total ? style.green : style.cyan;
  return `${paint('█'.repeat(filled))}${style.dim('░'.repeat(columns - filled))} ${completed}/${total}`;
}
