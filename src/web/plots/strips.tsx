/** One row for each agent, with one block for each skill. A block is as long as the skill's line in the agent's list. */
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import type { ListedLine } from '../../operations/agents.ts';
import { count, grouped } from '../../core/text.ts';
import { agentAddress } from '../address.ts';
import { Link, type Html } from '../html.tsx';

export interface StripData {
  agent: AgentSummary;
  entries: readonly ListedLine[];
}

/** Width of the drawing, and gap between blocks. */
const WIDTH = 1_000;
const GAP = 1.8;
/** A longer list is drawn in fewer, longer blocks, because more would be indistinguishable. */
const BLOCKS_MAX = 120;
/** A token is about four characters. */
const CHARACTERS_PER_TOKEN = 4;

interface Block {
  from: number;
  length: number;
  kind: 'whole' | 'cut' | 'own';
  label: string;
}

/** Length of a line with its full description. */
function wholeLength({ characters, text, description }: ListedLine): number {
  if (description === undefined) return characters;
  // Without a description, the colon and the space before it are missing too.
  return characters + description.length - text.length + (text === '' ? 2 : 0);
}

function kindOf({ builtIn, status }: ListedLine): Block['kind'] {
  if (builtIn) return 'own';
  return status === 'name-only' || status === 'shortened' ? 'cut' : 'whole';
}

/** Full lines come first, so that dropped descriptions are at the end, beyond the limit. */
function blocksOf(entries: readonly ListedLine[]): Block[] {
  const order = { whole: 0, own: 1, cut: 2 };
  const sorted = entries.toSorted((a, b) => order[kindOf(a)] - order[kindOf(b)]);
  const perBlock = Math.ceil(sorted.length / BLOCKS_MAX);
  const blocks: (Block & { lines: number })[] = [];
  let at = 0;
  for (const entry of sorted) {
    const [kind, length, last] = [kindOf(entry), wholeLength(entry), blocks.at(-1)];
    if (last?.kind === kind && last.lines < perBlock) {
      last.length += length;
      last.lines += 1;
      last.label = count(last.lines, 'skill');
    } else blocks.push({ from: at, length, kind, label: entry.name, lines: 1 });
    at += length;
  }
  return blocks;
}

function limitOf({ budget: { limit, unit } }: AgentSummary): number | undefined {
  if (limit === null) return undefined;
  return unit === 'tokens' ? limit * CHARACTERS_PER_TOKEN : limit;
}

function lengthOf(entries: readonly ListedLine[]): number {
  return entries.reduce((sum, entry) => sum + wholeLength(entry), 0);
}

/** Returns a round number that covers the longest list and the largest limit. */
export function axisEnd(strips: readonly StripData[]): number {
  const most = Math.max(1_000, ...strips.flatMap(({ agent, entries }) => [lengthOf(entries), limitOf(agent) ?? 0]));
  const step = 10 ** Math.floor(Math.log10(most / 4));
  return Math.ceil(most / 4 / step) * step * 4;
}

export function Strip({ data: { agent, entries }, end }: { data: StripData; end: number }): Html {
  const scale = WIDTH / end;
  const limit = limitOf(agent);
  const x = (characters: number): string => (characters * scale).toFixed(1);
  return (
    <svg viewBox={`0 0 ${WIDTH} 26`} preserveAspectRatio="none" role="img" aria-label={sentenceOf(agent, entries)}>
      <rect class="track" x="0" y="5" width={WIDTH} height="16" />
      {blocksOf(entries).map(({ from, length, kind, label }) => (
        <rect
          class={kind === 'whole' ? 'seg' : `seg ${kind}`}
          x={x(from)}
          y="5"
          width={Math.max(0.8, length * scale - GAP).toFixed(1)}
          height="16"
        >
          <title>{`${label}: ${grouped(length)} characters`}</title>
        </rect>
      ))}
      {limit === undefined ? null : (
        <line
          class="limit"
          x1={x(limit)}
          x2={x(limit)}
          y1="1"
          y2="25"
          stroke-width="3"
          vector-effect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}

function sentenceOf({ name, budget: { limit, unit } }: AgentSummary, entries: readonly ListedLine[]): string {
  const budget = limit === null ? 'no known limit' : `budget of ${grouped(limit)} ${unit}`;
  return `${name}: ${grouped(lengthOf(entries))} characters; ${budget}`;
}

export function listedCount({ counts: { seen, shortened, nameOnly } }: AgentSummary): number {
  return seen + shortened + nameOnly;
}

/** Number of listed skills, and how many are shortened. */
function CutFigures({ agent }: { agent: AgentSummary }): Html {
  const { shortened, nameOnly } = agent.counts;
  const parts = [
    ...(nameOnly === 0 ? [] : [`${grouped(nameOnly)} by name only`]),
    ...(shortened === 0 ? [] : [`${grouped(shortened)} shortened`]),
  ];
  const listed = listedCount(agent);
  return (
    <>
      <b>{grouped(listed)}</b> {listed === 1 ? 'skill' : 'skills'}
      {parts.length > 0 ? (
        <>
          , <span class="over">{parts.join(', ')}</span>
        </>
      ) : agent.budget.limit === null ? null : (
        ', all in full'
      )}
    </>
  );
}

export function Strips({ strips }: { strips: readonly StripData[] }): Html {
  const end = axisEnd(strips);
  const hasTokens = strips.some(({ agent: { budget } }) => budget.limit !== null && budget.unit === 'tokens');
  return (
    <div class="card">
      {strips.map((data) => (
        <div class="strip" id={`strip-${data.agent.id}`} data-row>
          <div>
            <Link class="ttl" to={agentAddress(data.agent.id)}>
              {data.agent.name}
            </Link>
          </div>
          <div>
            <Strip data={data} end={end} />
          </div>
          <div class="fig">
            <CutFigures agent={data.agent} />
          </div>
        </div>
      ))}
      <div class="axis" aria-hidden="true">
        <span></span>
        <div>
          {[0, 1, 2].map((quarter) => (
            <span>{grouped((end / 4) * quarter)}</span>
          ))}
          <span>
            <i class="nb">{grouped((end / 4) * 3)}</i>
            <i class="nb">{grouped(end)} characters</i>
          </span>
        </div>
        <span></span>
      </div>
      <StripLegend hasTokens={hasTokens} />
      <AsTable strips={strips} />
    </div>
  );
}

export function StripLegend({ hasTokens }: { hasTokens: boolean }): Html {
  return (
    <div class="legend">
      <span>
        <svg viewBox="0 0 14 12" aria-hidden="true">
          <rect class="seg" width="14" height="12" />
        </svg>
        full description
      </span>
      <span>
        <svg viewBox="0 0 14 12" aria-hidden="true">
          <rect class="seg cut" width="14" height="12" />
        </svg>
        shortened or name only
      </span>
      <span>
        <svg viewBox="0 0 14 12" aria-hidden="true">
          <rect class="seg own" width="14" height="12" />
        </svg>
        built-in skills
      </span>
      <span>
        <svg viewBox="0 0 14 12" aria-hidden="true">
          <line class="limit" x1="7" x2="7" y1="0" y2="12" stroke-width="2" />
        </svg>
        the agent’s limit, if known
        {hasTokens ? '; a token is drawn as four characters' : ''}
      </span>
    </div>
  );
}

function AsTable({ strips }: { strips: readonly StripData[] }): Html {
  return (
    <details class="astable" id="strips-table">
      <summary>As a table</summary>
      <div class="wide" tabindex={0} role="region" aria-label="Skill lists of all agents">
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Skills</th>
              <th scope="col">Full description</th>
              <th scope="col">Shortened</th>
              <th scope="col">Name only</th>
              <th scope="col">List length</th>
              <th scope="col">Limit</th>
            </tr>
          </thead>
          <tbody>
            {strips.map(({ agent, entries }) => (
              <tr>
                <th scope="row">{agent.name}</th>
                <td>{grouped(listedCount(agent))}</td>
                <td>{grouped(agent.counts.seen)}</td>
                <td>{grouped(agent.counts.shortened)}</td>
                <td>{grouped(agent.counts.nameOnly)}</td>
                <td>{grouped(lengthOf(entries))} characters</td>
                <td>
                  {agent.budget.limit === null ? 'none known' : `${grouped(agent.budget.limit)} ${agent.budget.unit}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
