/** The table with a row for all skills that the same agents see the same way. */
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import type { AgentsOutput } from '../../operations/agents.ts';
import { count, grouped } from '../../core/text.ts';
import { gapSentence, patternNotes, patternPlaces, patternTitle } from '../../render/agent-patterns.ts';
import { address, agentAddress, skillAddress } from '../address.ts';
import { Command, Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { listedCount } from '../plots/strips.tsx';
import { STATUS_LOOKS, StatusMark } from '../status.tsx';
import type { Values } from '../page.ts';

type Pattern = NonNullable<AgentsOutput['patterns']>[number];

/** Names in the closed line of a pattern. */
const NAMES_SHOWN = 4;

/** More columns do not fit on a phone, so the table scrolls and its head cannot stay in view. */
const COLUMNS_MAX = 6;

interface Props {
  columns: readonly AgentSummary[];
  picked: { agent: string; skill: string } | undefined;
  values: Values;
  here: Here;
}

export function PatternTable({ patterns, columns, ...rest }: Props & { patterns: readonly Pattern[] }): Html {
  if (patterns.length === 0)
    return <p class="pad">{rest.values['q'] ? 'No skill here matches.' : 'There are no skills here yet.'}</p>;
  const table = (
    <table class="mx patterns">
      <caption class="vh">Which agents see which skills</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="dim small">Skills</span>
          </th>
          {columns.map((agent) => (
            <AgentHead agent={agent} />
          ))}
        </tr>
      </thead>
      <tbody id="rows">
        {patterns.map((pattern) => (
          <PatternRow pattern={pattern} columns={columns} {...rest} />
        ))}
      </tbody>
    </table>
  );
  if (columns.length <= COLUMNS_MAX) return table;
  return (
    <div class="mx-wrap" tabindex={0} role="region" aria-label="Skills by agent">
      {table}
    </div>
  );
}

function PatternRow({ pattern, columns, picked, values, here }: Props & { pattern: Pattern }): Html {
  const { total, skills, status } = pattern;
  const nameOf = (id: string): string => columns.find((agent) => agent.id === id)?.name ?? id;
  const title = patternTitle(pattern, nameOf);
  const notes = patternNotes(pattern, (is) => STATUS_LOOKS[is].words, nameOf);
  const [first] = skills;
  const skill = first?.name ?? '';
  return (
    <tr id={`pattern-${encodeURIComponent(first?.fullName ?? '')}`} data-row>
      <th scope="row">
        <details id={`skills-${encodeURIComponent(first?.fullName ?? '')}`}>
          <summary>
            <b class="many">{grouped(total)}</b> <b>{title}</b>{' '}
            <span class="tiny">{patternPlaces(pattern, (folder) => here.place(folder))}</span>
            {notes.length === 0 ? null : <span class="tiny also">{notes.join('; ')}</span>}
            <span class="tiny some">{someNames(pattern)}</span>
          </summary>
          <ul>
            {skills.map(({ name, fullName }) => (
              <li>
                <Link to={skillAddress(fullName)}>{name}</Link>
              </li>
            ))}
            {total > skills.length ? (
              <li>
                <Link to={address('/agents', { show: 'all', q: values['q'], like: first?.fullName })}>
                  {grouped(total - skills.length)} more
                </Link>
              </li>
            ) : null}
          </ul>
        </details>
      </th>
      {columns.map(({ id, name }) => {
        const is = status[id] ?? 'unknown';
        const isPicked = picked?.agent === id && picked.skill === skill;
        return (
          <td>
            <Link
              class="cell"
              to={`${address('/agents', { q: values['q'], cursor: values['cursor'], agent: id, skill })}#why`}
              aria-label={`${count(total, 'skill')} in ${name}: ${STATUS_LOOKS[is].words}`}
              aria-current={isPicked ? 'true' : undefined}
              data-soft
            >
              <StatusMark status={is} />
            </Link>
          </td>
        );
      })}
    </tr>
  );
}

function someNames({ total, skills }: Pattern): string {
  const names = skills.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const left = total - names.length;
  return names.join(', ') + (left > 0 ? ` and ${grouped(left)} more` : '');
}

/** The largest gap, with the command that closes it. */
export function Gap({
  matrix: { gap },
  columns,
  here,
}: {
  matrix: AgentsOutput;
  columns: readonly AgentSummary[];
  here: Here;
}): Html | null {
  if (!gap) return null;
  const nameOf = (id: string): string => columns.find((agent) => agent.id === id)?.name ?? id;
  return (
    <section class="gap" id="gap">
      <h2 class="h3">Largest gap</h2>
      <p>{gapSentence(gap, nameOf, (folder) => here.place(folder))}.</p>
      <Command run={gap.command} here={here} />
    </section>
  );
}

/** An agent with the share of its limit that its list needs. The drawing has the same length as the figure. */
export function AgentHead({ agent }: { agent: AgentSummary }): Html {
  const { used, wanted, limit } = agent.budget;
  return (
    <th scope="col">
      <Link to={agentAddress(agent.id)}>{agent.name}</Link>
      <span class="cnt">{count(listedCount(agent), 'skill')}</span>
      {limit === null ? (
        <span class="cnt">no known limit</span>
      ) : (
        <>
          <LimitBar used={used} wanted={wanted} limit={limit} />
          <span class="cnt">{Math.round((wanted * 100) / limit)} % of limit</span>
        </>
      )}
    </th>
  );
}

const BAR_WIDTH = 84;

function LimitBar({ used, wanted, limit }: { used: number; wanted: number; limit: number }): Html {
  const x = (size: number): string => ((size * BAR_WIDTH) / Math.max(1, limit, wanted)).toFixed(1);
  return (
    <svg
      viewBox={`0 0 ${BAR_WIDTH} 8`}
      role="img"
      aria-label={`The list needs ${Math.round((wanted * 100) / limit)} percent of the limit`}
    >
      <rect class="track" width={BAR_WIDTH} height="8" rx="2" />
      <rect class="seg" width={x(used)} height="8" rx="2" />
      {wanted > used ? <rect class="seg cut" x={x(used)} width={x(wanted - used)} height="8" /> : null}
      <line class="limit" x1={x(limit)} x2={x(limit)} y1="0" y2="8" stroke-width="2" />
    </svg>
  );
}
