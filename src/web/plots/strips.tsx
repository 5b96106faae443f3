/** One row for each agent, with one block for each skill, as long as the skill's line in the unit of the agent's budget. */
import { type Block, listBlocks } from '../../agents/list-blocks.ts';
import { countOf, isListed } from '../../agents/status.ts';
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

/** Draws a list in the unit of its budget, so that the picture matches the numbers. */
export function Strip({ data: { agent, entries } }: { data: StripData }): Html {
  return <BlockStrip budget={agent.budget} blocks={listBlocks(agent.budget, entries)} label={sentenceOf(agent)} />;
}

/** Draws blocks up to `end`, so that several strips can have one scale. */
export function BlockStrip({
  budget: { limit, unit, wanted },
  blocks,
  label: sentence,
  end = Math.max(1, limit ?? 0, wanted),
}: {
  budget: Pick<AgentSummary['budget'], 'limit' | 'unit' | 'wanted'>;
  blocks: readonly Block[];
  label: string;
  end?: number;
}): Html {
  const scale = WIDTH / end;
  const x = (size: number): string => (size * scale).toFixed(1);
  return (
    <svg viewBox={`0 0 ${WIDTH} 26`} preserveAspectRatio="none" role="img" aria-label={sentence}>
      <rect class="track" x="0" y="5" width={WIDTH} height="16" />
      {blocks.map(({ from, length, kind, label }) => (
        <rect
          class={SEGMENTS[kind]}
          x={x(from)}
          y="5"
          width={Math.max(0.8, length * scale - GAP).toFixed(1)}
          height="16"
        >
          <title>{`${label}: ${count(length, unit.slice(0, -1))}${kind === 'lost' ? ' cut off' : ''}`}</title>
        </rect>
      ))}
      {limit === null ? null : (
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

const SEGMENTS = { kept: 'seg', own: 'seg own', lost: 'seg cut' } as const;

function sentenceOf(agent: AgentSummary): string {
  return `${agent.name}: ${budgetFigures(agent)}`;
}

/** Returns `5,440 of 5,440 tokens; 12,000 needed`. */
function budgetFigures({ budget: { limit, unit, used, wanted } }: AgentSummary): string {
  if (limit === null) return `${count(used, unit.slice(0, -1))}, no known limit`;
  return `${grouped(used)} of ${grouped(limit)} ${unit}${wanted > used ? `; ${grouped(wanted)} needed` : ''}`;
}

export function listedCount({ counts }: AgentSummary): number {
  return countOf(counts, isListed);
}

/** Number of listed skills, and how many are shortened. */
function CutFigures({ agent }: { agent: AgentSummary }): Html {
  const { shortened, nameOnly, otherText, dropped } = agent.counts;
  const parts = [
    ...(nameOnly === 0 ? [] : [`${grouped(nameOnly)} by name only`]),
    ...(shortened === 0 ? [] : [`${grouped(shortened)} shortened`]),
    ...(otherText === 0 ? [] : [`${grouped(otherText)} with another text`]),
    ...(dropped === 0 ? [] : [`${grouped(dropped)} more dropped`]),
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
            <Strip data={data} />
          </div>
          <div class="fig">
            <CutFigures agent={data.agent} />
            <br />
            {budgetFigures(data.agent)}
          </div>
        </div>
      ))}
      <StripLegend />
      <AsTable strips={strips} />
    </div>
  );
}

export function StripLegend(): Html {
  return (
    <div class="legend">
      <span>
        <svg viewBox="0 0 14 12" aria-hidden="true">
          <rect class="seg" width="14" height="12" />
        </svg>
        in the list
      </span>
      <span>
        <svg viewBox="0 0 14 12" aria-hidden="true">
          <rect class="seg cut" width="14" height="12" />
        </svg>
        cut off
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
              <th scope="col">Other text</th>
              <th scope="col">Dropped</th>
              <th scope="col">List length</th>
              <th scope="col">Limit</th>
            </tr>
          </thead>
          <tbody>
            {strips.map(({ agent }) => (
              <tr>
                <th scope="row">{agent.name}</th>
                <td>{grouped(listedCount(agent))}</td>
                <td>{grouped(agent.counts.seen)}</td>
                <td>{grouped(agent.counts.shortened)}</td>
                <td>{grouped(agent.counts.nameOnly)}</td>
                <td>{grouped(agent.counts.otherText)}</td>
                <td>{grouped(agent.counts.dropped)}</td>
                <td>{`${grouped(agent.budget.wanted)} ${agent.budget.unit}`}</td>
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
