/** The table of skills by agent, with an explanation of each cell. */
import path from 'node:path';
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import { agents, type AgentsOutput } from '../../operations/agents.ts';
import { why, type WhyOutput } from '../../operations/why.ts';
import type { Status } from '../../agents/status.ts';
import { count, grouped } from '../../core/text.ts';
import { address, TRY_ADDRESS, agentAddress, skillAddress } from '../address.ts';
import { Command, Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { STATUS_LOOKS, StatusMark } from '../status.tsx';
import { definePage, type PageContext, type Values } from '../page.ts';
import { AgentHead, Gap, PatternTable } from './agent-patterns.tsx';
import { FilterField } from './filter-field.tsx';
import { copiesElsewhere, type Elsewhere, WhyPanel } from './why.tsx';

/** Filters of the table with a row for each skill. Without one, the page shows a row for each pattern. */
const FILTERS = [
  ['all', 'Skill by skill'],
  ['differs', 'Differs between agents'],
  ['cut', 'Shortened, name only or other text'],
  ['dropped', 'Dropped'],
  ['hidden', 'Hidden'],
  ['nobody', 'Seen by no agent'],
] as const;

type Row = NonNullable<AgentsOutput['rows']>[number];

export const agentsPage = definePage({
  path: '/agents',
  section: 'agents',
  twin: {
    path: '/api/agents',
    operation: agents,
    input: ({ show, q, like, cursor, limit }) => ({
      matrix: true,
      by: show === undefined ? 'pattern' : 'skill',
      show,
      query: q?.trim() === '' ? undefined : q?.trim(),
      like,
      cursor,
      limit,
    }),
  },
  show: async (matrix, context) => {
    const { agents: summaries = [] } = await context.ask(agents);
    const all = summaries as AgentSummary[];
    const ids = (matrix.agents ?? []) as string[];
    const columns = ids.flatMap((id) => all.find((agent) => agent.id === id) ?? []);
    if (columns.length === 0) return { title: TITLE, main: <NoAgent all={all} here={context.here} /> };
    const picked = await pickedCell(matrix, context);
    return {
      title: TITLE,
      main: <Matrix matrix={matrix} columns={columns} picked={picked} values={context.values} here={context.here} />,
    };
  },
});

const TITLE = 'What each agent sees';

interface Picked {
  skill: string;
  agent: string;
  output: WhyOutput;
  elsewhere: readonly Elsewhere[];
}

/** The selected cell, or one that needs an explanation. */
async function pickedCell({ rows = [] }: AgentsOutput, context: PageContext): Promise<Picked | undefined> {
  const { agent, skill } = context.values;
  // A pattern has no cell that needs an explanation more than others.
  const cell = agent !== undefined && skill !== undefined ? { agent, skill } : firstHeldBack(rows);
  if (!cell) return undefined;
  const output = await context.ask(why, { name: cell.skill, agent: cell.agent });
  return { ...cell, output, elsewhere: await copiesElsewhere(output.agents[0], context, cell.skill) };
}

/** Most surprising first. */
const PUZZLES: readonly Status[] = [
  'other-copy',
  'dropped',
  'broken',
  'other-text',
  'name-only',
  'shortened',
  'disabled',
  'manual-only',
];

function firstHeldBack(rows: readonly Row[]): { agent: string; skill: string } | undefined {
  for (const puzzle of PUZZLES)
    for (const { name, status } of rows)
      for (const [agent, is] of Object.entries(status)) if (is === puzzle) return { agent, skill: name };
  return undefined;
}

function Matrix({
  matrix,
  columns,
  picked,
  values,
  here,
}: {
  matrix: AgentsOutput;
  columns: readonly AgentSummary[];
  picked: Picked | undefined;
  values: Values;
  here: Here;
}): Html {
  const { rows = [], patterns, counts = {}, patternTotal = 0 } = matrix;
  const [answer] = picked?.output.agents ?? [];
  const statuses = (patterns ?? rows).flatMap(({ status }) => Object.values(status));
  const isWide = patterns !== undefined && !picked;
  return (
    <>
      <h1>{TITLE}</h1>
      <p class="lede">
        {patterns
          ? `${count(counts['all'] ?? 0, 'skill')} in ${count(patternTotal, 'pattern')}. One line shows all skills that the same agents see the same way. Open it for the skills, or select a cell to see why.`
          : 'Each agent reads its own folders in its own order, and shortens descriptions that do not fit. Select a cell to see why.'}
      </p>
      {here.can.seeContext ? (
        <p class="small">
          <Link to={TRY_ADDRESS}>Try a request: which skill would each agent reach for?</Link>
        </p>
      ) : null}
      <Tabs matrix={matrix} values={values} />
      <FilterField of="agents" by="name" values={values} keep={['show', 'like']} />
      <div class={isWide ? 'whole' : 'split'}>
        <div class="card">
          {patterns ? (
            <PatternTable patterns={patterns} columns={columns} picked={picked} values={values} here={here} />
          ) : rows.length === 0 ? (
            <p class="pad">{emptyWords(values)}</p>
          ) : (
            <Table rows={rows} columns={columns} picked={picked} values={values} here={here} />
          )}
          <BelowTable matrix={matrix} values={values} here={here} />
          <Legend statuses={new Set(statuses)} />
        </div>
        {isWide ? null : (
          <aside class="side" id="why" aria-label="Why" tabindex={-1}>
            {picked && answer ? (
              <WhyPanel name={picked.output.name} answer={answer} elsewhere={picked.elsewhere} here={here} />
            ) : (
              <section class="card pad small dim">Select a cell to see why.</section>
            )}
          </aside>
        )}
      </div>
      <Gap matrix={matrix} columns={columns} here={here} />
    </>
  );
}

function Tabs({ matrix: { counts = {}, patternTotal = 0 }, values }: { matrix: AgentsOutput; values: Values }): Html {
  const { show, q } = values;
  return (
    <nav class="chips" aria-label="Rows">
      <Link
        class="chip"
        to={address('/agents', { q })}
        aria-current={show === undefined ? 'true' : undefined}
        data-soft
      >
        By pattern <span class="tiny">{grouped(patternTotal)}</span>
      </Link>
      {FILTERS.map(([key, label]) => (
        <Link
          class="chip"
          to={address('/agents', { show: key, q })}
          aria-current={key === show ? 'true' : undefined}
          data-soft
        >
          {label} <span class="tiny">{grouped(counts[key] ?? 0)}</span>
        </Link>
      ))}
    </nav>
  );
}

function emptyWords({ show = 'all', q = '', like }: Values): string {
  if (q.trim() !== '' || like !== undefined) return 'No skill here matches.';
  return EMPTY[show] ?? 'There are no skills here yet.';
}

interface TableProps {
  columns: readonly AgentSummary[];
  picked: Picked | undefined;
  values: Values;
  here: Here;
}

function Table({ rows, columns, ...rest }: TableProps & { rows: readonly Row[] }): Html {
  return (
    <div class="mx-wrap" tabindex={0} role="region" aria-label="Skills by agent">
      <table class="mx">
        <caption class="vh">Which agent sees which skill</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="dim small">Skill</span>
            </th>
            {columns.map((agent) => (
              <AgentHead agent={agent} />
            ))}
          </tr>
        </thead>
        <tbody id="rows">
          {rows.map((row) => (
            <SkillRow row={row} columns={columns} {...rest} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The parts of the address that select the rows. */
function viewOf({ show, q, like }: Values): Values {
  return { show, q, like };
}

function SkillRow({ row, columns, picked, values, here }: TableProps & { row: Row }): Html {
  const cellAddress = (agent: string, skill: string): string =>
    `${address('/agents', { ...viewOf(values), cursor: values['cursor'], agent, skill })}#why`;
  return (
    <tr id={`row-${encodeURIComponent(row.name)}`} data-row>
      <th scope="row">
        <Link to={skillAddress(row.fullName, here.copyOf(row.fullName, row.path))}>{row.name}</Link>
        <RowNote row={row} here={here} />
      </th>
      {columns.map(({ id, name }) => {
        const status = row.status[id] ?? 'unknown';
        const isPicked = picked?.agent === id && picked.skill === row.name;
        return (
          <td>
            <Link
              class="cell"
              to={cellAddress(id, row.name)}
              aria-label={`${row.name} in ${name}: ${STATUS_LOOKS[status].words}`}
              aria-current={isPicked ? 'true' : undefined}
              data-soft
            >
              <StatusMark status={status} />
            </Link>
          </td>
        );
      })}
    </tr>
  );
}

/** The next page, the skills that are the same for all agents, and folders that are too large. */
function BelowTable({ matrix, values, here }: { matrix: AgentsOutput; values: Values; here: Here }): Html {
  const { total = 0, counts = {}, nextCursor, incomplete = [] } = matrix;
  const { show } = values;
  const alike = (counts['all'] ?? 0) - (counts['differs'] ?? 0);
  return (
    <>
      {nextCursor === undefined ? null : (
        <p class="fold" id="more">
          <Link to={address('/agents', { ...viewOf(values), cursor: nextCursor })}>
            {grouped(total - Number(nextCursor))} more
          </Link>
        </p>
      )}
      {show === 'differs' && alike > 0 ? (
        <p class="fold">
          <Link to={address('/agents', { show: 'all' })} data-soft>
            {count(alike, 'more skill')}
          </Link>
          {alike === 1 ? ' is' : ' are'} the same for every agent here.
        </p>
      ) : null}
      {incomplete.map((dir) => (
        <p class="fold">
          Only part of this folder was examined: <code>{here.place(dir)}</code>
        </p>
      ))}
    </>
  );
}

const EMPTY: Readonly<Record<string, string>> = {
  differs: 'Every agent here sees the same skills.',
  cut: 'Every skill in a list here has its full description.',
  dropped: 'No agent here has a full list.',
  hidden: 'No agent here uses a different version, and no skill is disabled or broken.',
  nobody: 'Every skill is seen by at least one agent here.',
};

function RowNote({ row: { copies = 1, status, used = {}, path: dir }, here }: { row: Row; here: Here }): Html | null {
  const nobody = Object.values(status).every((is) => is === 'not-read');
  const notes = [
    ...(copies > 1 ? [count(copies, 'copy', 'copies')] : []),
    ...(new Set(Object.values(used)).size > 1 ? ['agents use different ones'] : []),
    ...(nobody ? [`in ${here.place(path.dirname(dir))}, which no agent reads`] : []),
  ];
  return notes.length === 0 ? null : <span class="tiny">{notes.join('; ')}</span>;
}

function Legend({ statuses }: { statuses: ReadonlySet<Status> }): Html {
  const shown = (Object.keys(STATUS_LOOKS) as Status[]).filter((status) => statuses.has(status));
  return (
    <div class="legend">
      {shown.map((status) => (
        <span>
          <StatusMark status={status} />
          {STATUS_LOOKS[status].words}
        </span>
      ))}
    </div>
  );
}

function NoAgent({ all, here }: { all: readonly AgentSummary[]; here: Here }): Html {
  return (
    <>
      <h1>No agent is set up here</h1>
      <p class="lede">
        None of the {all.length} agents that Lectern knows has a folder, file or command here. Connect one:
      </p>
      <p>
        <Command run="lectern setup claude" here={here} />
      </p>
      <p class="lede">Or preview one anyway:</p>
      <ul class="chips">
        {all.map(({ id, name }) => (
          <li>
            <Link class="chip" to={agentAddress(id)}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
