/** Copies of a skill on the left, connected to the agents that use them on the right. On a phone, this is a list. */
import { Badge, Link, type Html } from '../html.tsx';
import { inWords } from '../words.ts';

export interface CopyNode {
  /** Label of its location. */
  title: string;
  place: string;
  /** Its folder without a path of this machine, as a tooltip. */
  tip: string;
  to: string;
  isThis: boolean;
  /** How its text differs from the copy on this page. */
  note: string;
  compare?: string | undefined;
  /** Agents that use it. */
  agents: readonly string[];
}

/** Wide enough for the longest label and its note. */
const BOX = { width: 400, height: 56, gap: 20 };
const LINE = 34;
const WIDTH = 780;
const DOT_X = 600;

export function Copies({ copies }: { copies: readonly CopyNode[] }): Html {
  const agents = copies.flatMap((copy, index) => copy.agents.map((name) => ({ name, index })));
  const boxes = copies.length * (BOX.height + BOX.gap) - BOX.gap;
  const height = Math.max(boxes, agents.length * LINE) + 16;
  const top = (height - boxes) / 2;
  const boxY = (index: number): number => top + index * (BOX.height + BOX.gap);
  const dotY = (at: number): number => (height - agents.length * LINE) / 2 + at * LINE + LINE / 2;
  return (
    <div class="card pad copies">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={sentence(copies)}>
        {copies.map(({ title, place, isThis, note, agents: users }, index) => (
          <>
            <rect
              class={isThis ? 'cp-box win' : users.length === 0 ? 'cp-box off' : 'cp-box'}
              x="1"
              y={boxY(index)}
              width={BOX.width}
              height={BOX.height}
              rx="6"
            />
            <text class="cp-t" x="14" y={boxY(index) + 23}>
              {title}
            </text>
            <text class="cp-a" x={BOX.width - 12} y={boxY(index) + 23} text-anchor="end">
              {isThis ? 'this copy' : note}
            </text>
            <text class="cp-s" x="14" y={boxY(index) + 43}>
              {clipped(place)}
            </text>
          </>
        ))}
        {agents.map(({ name, index }, at) => (
          <>
            <path
              class="cp-e"
              d={`M${BOX.width + 1} ${boxY(index) + BOX.height / 2} C 500 ${boxY(index) + BOX.height / 2}, 520 ${dotY(at)}, ${DOT_X} ${dotY(at)}`}
            />
            <circle class="seg" cx={DOT_X} cy={dotY(at)} r="4" />
            <text class="cp-a" x={DOT_X + 12} y={dotY(at) + 4}>
              {name}
            </text>
          </>
        ))}
      </svg>
      <Compare copies={copies} />
      <CopiesList copies={copies} />
    </div>
  );
}

function CopiesList({ copies }: { copies: readonly CopyNode[] }): Html {
  return (
    <ul class="copies-list lines">
      {copies.map(({ title, place, to, isThis, note, compare, agents: users }) => (
        <li data-row>
          <Link to={to}>
            <b>{title}</b>
          </Link>{' '}
          {isThis ? <Badge tone="ok">this copy</Badge> : null}
          <span class="path">{place}</span>
          {users.length === 0 ? 'not used by any agent here' : `used by ${inWords(users)}`}
          {isThis ? '' : `; ${note}`}
          {compare === undefined ? null : (
            <>
              {'; '}
              <Link to={compare}>compare</Link>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Links to the copies, because the drawing has none. */
function Compare({ copies }: { copies: readonly CopyNode[] }): Html {
  const others = copies.filter(({ isThis }) => !isThis);
  return (
    <p class="copies-links small">
      Open{' '}
      {others.map(({ title, to, tip }, index) => (
        <>
          {index === 0 ? '' : ', '}
          <Link to={to} title={tip}>
            {title}
          </Link>
        </>
      ))}
      {others.some(({ compare }) => compare !== undefined) ? '; compare this text with ' : ''}
      {others.flatMap(({ title, compare, tip }, index) =>
        compare === undefined
          ? []
          : [
              index === 0 ? '' : ', ',
              <Link to={compare} title={tip}>
                {title}
              </Link>,
            ],
      )}
      .
    </p>
  );
}

const PLACE_MAX = 44;

function clipped(place: string): string {
  return place.length <= PLACE_MAX ? place : `…${place.slice(-(PLACE_MAX - 1))}`;
}

function sentence(copies: readonly CopyNode[]): string {
  return copies
    .map(
      ({ title, agents }) =>
        `${title}: ${agents.length === 0 ? 'not used by any agent here' : `used by ${inWords(agents)}`}`,
    )
    .join('. ');
}
