/** One square for each requirement of a spec: plain, touched by an open change, or without a scenario. */
import { count } from '../../core/text.ts';
import type { Html } from '../html.tsx';

export interface SquaresProps {
  requirements: number;
  /** Zero-based positions. */
  touched: readonly number[];
  untested: readonly number[];
  inARow?: number;
  rows?: number;
}

const SIDE = 10;
const STEP = 13;

/**
 * Draws one path per kind, however many squares there are. For large specs, only the first squares are drawn; the total is
 * next to the plot.
 */
export function Squares({ requirements, touched, untested, inARow = 30, rows = 3 }: SquaresProps): Html {
  const shown = Math.min(requirements, inARow * rows);
  const [isTouched, isUntested] = [new Set(touched), new Set(untested)];
  const kinds = { '': '', touch: '', none: '' };
  for (let index = 0; index < shown; index++) {
    const kind = isUntested.has(index) ? 'none' : isTouched.has(index) ? 'touch' : '';
    const inset = kind === 'none' ? 0.75 : 0;
    const side = SIDE - 2 * inset;
    const [x, y] = [index % inARow, Math.floor(index / inARow)].map((at) => at * STEP + 1.5 + inset);
    kinds[kind] += `M${x} ${y}h${side}v${side}h${-side}z`;
  }
  const width = Math.max(1, Math.min(shown, inARow)) * STEP;
  const height = Math.max(1, Math.ceil(shown / inARow)) * STEP;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMinYMid meet"
      role="img"
      aria-label={inWords()}
    >
      {Object.entries(kinds).map(([kind, path]) =>
        path === '' ? null : <path class={kind === '' ? 'sq' : `sq ${kind}`} d={path} />,
      )}
    </svg>
  );

  function inWords(): string {
    return [
      count(requirements, 'requirement'),
      ...(touched.length > 0 ? [`${touched.length} touched by an open change`] : []),
      ...(untested.length > 0 ? [`${untested.length} without a scenario`] : []),
    ].join(', ');
  }
}

export function SquaresLegend(): Html {
  return (
    <div class="legend">
      {(['', 'touch', 'none'] as const).map((kind) => (
        <span>
          <svg viewBox="0 0 14 12" aria-hidden="true">
            <rect class={kind === '' ? 'sq' : `sq ${kind}`} x="1.75" y="1.75" width="8.5" height="8.5" />
          </svg>
          {LEGEND[kind]}
        </span>
      ))}
    </div>
  );
}

const LEGEND = {
  '': 'one requirement',
  touch: 'touched by an open change',
  none: 'without a scenario',
} as const;
