/** The length of a description, and the lengths at which agents cut it. */
import { grouped } from '../../core/text.ts';
import type { Html } from '../html.tsx';

export interface Mark {
  agent: string;
  at: number;
}

const WIDTH = 300;

export function Ruler({ length, marks }: { length: number; marks: readonly Mark[] }): Html {
  const end = Math.max(length, ...marks.map(({ at }) => at)) * 1.06;
  const x = (characters: number): string => ((characters * WIDTH) / end).toFixed(1);
  const label = [
    `${grouped(length)} characters`,
    ...marks.map(({ agent, at }) => `${agent} cuts at ${grouped(at)}`),
  ].join('; ');
  return (
    <div class="ruler">
      <svg viewBox={`0 0 ${WIDTH} 14`} role="img" aria-label={label}>
        <rect class="rule-b" x="0" y="2" width={WIDTH} height="8" rx="2" />
        <rect class="rule-f" x="0" y="2" width={x(length)} height="8" rx="2" />
        {marks.map(({ at }) => (
          <line class="rule-l" x1={x(at)} x2={x(at)} y1="0" y2="14" />
        ))}
      </svg>
      <p class="tiny dim">{marks.map(({ agent, at }) => `${agent} ${grouped(at)}`).join(' · ')}</p>
    </div>
  );
}
