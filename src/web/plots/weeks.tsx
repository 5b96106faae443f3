/** Bars of changes by week, up to the last week with a change. */
import { count } from '../../core/text.ts';
import type { Html } from '../html.tsx';

interface Week {
  /** Its Monday, as YYYY-MM-DD. */
  week: string;
  changes: number;
}

const SHOWN = 10;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const STEP = 30;
const HEIGHT = 60;
const TOP = 14;

/** Adds the weeks without a change, because the axis is time. */
function lastWeeks(weeks: readonly Week[]): Week[] {
  const known = new Map(weeks.map(({ week, changes }) => [week, changes]));
  const last = Date.parse(weeks.at(-1)?.week ?? '');
  return Array.from({ length: SHOWN }, (_, index) => {
    const week = new Date(last - (SHOWN - 1 - index) * WEEK_MS).toISOString().slice(0, 10);
    return { week, changes: known.get(week) ?? 0 };
  });
}

export function Weeks({ weeks }: { weeks: readonly Week[] }): Html {
  const shown = lastWeeks(weeks);
  const most = Math.max(1, ...shown.map(({ changes }) => changes));
  const words = shown
    .filter(({ changes }) => changes > 0)
    .map(({ week, changes }) => `${changes} in the week of ${week}`);
  return (
    <svg
      class="weeks"
      viewBox={`0 0 ${SHOWN * STEP} ${TOP + HEIGHT + 16}`}
      role="img"
      aria-label={`Archived in ${count(SHOWN, 'week')}: ${words.join(', ')}`}
    >
      {shown.map(({ week, changes }, index) => {
        const height = (changes * HEIGHT) / most;
        const middle = index * STEP + STEP / 2;
        return (
          <>
            <rect
              class="seg"
              x={index * STEP + 3}
              y={(TOP + HEIGHT - height).toFixed(1)}
              width={STEP - 6}
              height={height.toFixed(1)}
            />
            {changes === 0 ? null : (
              <text class="axis" x={middle} y={(TOP + HEIGHT - height - 3).toFixed(1)} text-anchor="middle">
                {changes}
              </text>
            )}
            <text class="axis" x={middle} y={TOP + HEIGHT + 12} text-anchor="middle">
              {`${week.slice(5, 7)}/${week.slice(8)}`}
            </text>
          </>
        );
      })}
    </svg>
  );
}
