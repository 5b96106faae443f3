/** All skills, with filters and a search field that updates the list while the user types. */
import path from 'node:path';
import { isListed } from '../../agents/status.ts';
import { count, grouped } from '../../core/text.ts';
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import { agents } from '../../operations/agents.ts';
import { listSkills } from '../../operations/list-skills.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { marksOf } from '../../search/marks.ts';
import { address, skillAddress } from '../address.ts';
import { Highlighted } from '../highlighted.tsx';
import { Badge, Command, Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { listedCount } from '../plots/strips.tsx';
import { STATUS_LOOKS } from '../status.tsx';
import { FilterField } from './filter-field.tsx';
import { OtherVersion } from './skill/same-name.tsx';
import { definePage, type PageContext, type Values } from '../page.ts';

type Listed = AnswerOf<typeof listSkills>;
type Row = Listed['skills'][number];
type Diagnostic = Listed['diagnostics'][number];

const ROWS = 100;

export const skillsPage = definePage({
  path: '/skills',
  section: 'skills',
  twin: {
    path: '/api/skills',
    operation: listSkills,
    input: ({ q, provider, location, state, agent, cursor, limit = ROWS }) => ({
      query: q === '' ? undefined : q,
      provider,
      location,
      state: state === 'enabled' || state === 'disabled' ? state : 'all',
      agent,
      agents: true,
      cursor,
      limit,
    }),
  },
  show: async (listed, context) => ({
    title: 'Skills',
    main: <Skills listed={listed} {...await contextOf(listed, context)} />,
  }),
});

export interface SkillsContext {
  values: Values;
  here: Here;
  all: Pick<Listed['counts'], 'total' | 'disabled'>;
  filters: readonly FilterGroup[];
  /** Agents found here. */
  present?: readonly AgentSummary[];
}

/** Links that narrow the list, each with the number of matching skills. */
export interface FilterGroup {
  /** Query parameter. */
  key: string;
  title: string;
  choices: readonly (readonly [value: string, label: string, number: number])[];
  /** Link to the remaining choices. */
  more?: Html;
}

async function contextOf({ broken = [] }: Listed, { ask, values, here }: PageContext): Promise<SkillsContext> {
  const { counts } = await ask(listSkills, { state: 'all', limit: 1 });
  const { agents: summaries = [] } = await ask(agents);
  const present = (summaries as AgentSummary[]).filter(({ found }) => found);
  return {
    values,
    here,
    all: counts,
    filters: filtersOf(counts, broken, present),
    present,
  };
}

function filtersOf(
  all: Listed['counts'],
  broken: readonly Diagnostic[],
  present: readonly AgentSummary[],
): FilterGroup[] {
  const tallied = (tally: Record<string, number>) =>
    Object.entries(tally).map(([name, number]) => [name, name, number] as const);
  return [
    { key: 'agent', title: 'Seen by', choices: present.map((agent) => [agent.id, agent.name, listedCount(agent)]) },
    { key: 'provider', title: 'Provider', choices: tallied(all.byProvider) },
    { key: 'location', title: 'Location', choices: tallied(all.byLocation) },
    {
      key: 'state',
      title: 'State',
      choices: [
        ['enabled', 'enabled', all.enabled],
        ['disabled', 'disabled', all.disabled],
        ['broken', 'broken', broken.length],
      ],
    },
  ];
}

export function Skills(props: SkillsContext & { listed: Listed }): Html {
  const { listed, values, here, all, filters, present } = props;
  const { skills, counts, nextCursor, broken = [], near = [] } = listed;
  const isBroken = values['state'] === 'broken';
  const total = isBroken ? broken.length : counts.total;
  return (
    <>
      <h1>Skills</h1>
      <p class="lede">
        {count(all.total, 'skill')}
        {all.disabled > 0 ? `, ${grouped(all.disabled)} of them disabled` : ''}
        {broken.length > 0 ? `, and ${count(broken.length, 'broken file')}` : ''}.
      </p>
      <div class="browse">
        <Filters values={values} groups={filters} />
        <div>
          <FilterField of="skills" by="name or description" values={values} keep={filters.map(({ key }) => key)} />
          <p class="small dim" role="status" id="found">
            {grouped(total)} {total === 1 ? 'match' : 'matches'}
          </p>
          {isBroken ? (
            <ul class="card rows lines" id="rows">
              {broken.slice(0, ROWS).map((finding) => (
                <BrokenRow finding={finding} here={here} />
              ))}
            </ul>
          ) : skills.length === 0 ? (
            <NothingFound values={values} near={near} here={here} isEmpty={all.total === 0} />
          ) : (
            <ul class="card rows lines" id="rows">
              {skills.map((skill) => (
                <SkillRow skill={skill} query={values['q']} here={here} present={present} />
              ))}
            </ul>
          )}
          {nextCursor === undefined || isBroken ? null : (
            <p class="fold" id="more">
              <Link to={address('/skills', { ...values, cursor: nextCursor })}>
                {grouped(counts.total - Number(nextCursor))} more
              </Link>
            </p>
          )}
        </div>
      </div>
    </>
  );
}

/** Maximum number of choices in a filter group. */
const CHOICES_MAX = 20;

function Filters({ values, groups }: { values: Values; groups: readonly FilterGroup[] }): Html {
  return (
    <nav class="filters" aria-label="Filters">
      {groups.map(({ key, title, choices, more }) =>
        choices.length === 0 ? null : (
          <div>
            <h2 class="h3">{title}</h2>
            <ul>
              {choices.slice(0, CHOICES_MAX).map(([value, label, number]) => {
                const isChosen = values[key] === value;
                return (
                  <li>
                    <Link
                      to={address('/skills', { ...values, cursor: undefined, [key]: isChosen ? undefined : value })}
                      aria-current={isChosen ? 'true' : undefined}
                      data-soft
                    >
                      {label} <span class="n">{grouped(number)}</span>
                    </Link>
                  </li>
                );
              })}
            </ul>
            {more}
          </div>
        ),
      )}
    </nav>
  );
}

function SkillRow({
  skill,
  query,
  here,
  present,
}: {
  skill: Row;
  query: string | undefined;
  here: Here;
  present: readonly AgentSummary[] | undefined;
}): Html {
  const { name, fullName, description, provider, location, path: dir, disabled, shadowedBy, places: all = [] } = skill;
  const { seeSources } = here.can;
  return (
    <li id={`skill-${encodeURIComponent(here.key(dir))}`} data-row class={disabled ? 'off' : undefined}>
      <div>
        <Link
          class="ttl"
          to={skillAddress(fullName, seeSources && shadowedBy === undefined ? undefined : here.copyOf(fullName, dir))}
        >
          <Marked text={name} query={query} />
        </Link>{' '}
        {disabled ? <Badge>disabled</Badge> : null}
        {disabled ? null : <OtherVersion file={shadowedBy} usedBy={skill.usedBy} here={here} />}
        {all.length > 1 ? <Badge>{count(all.length, 'copy', 'copies')}</Badge> : null}
      </div>
      <p class="d" dir="auto">
        <Marked text={description} query={query} />
      </p>
      <p class="src">
        {seeSources ? '' : `${provider} · ${location} · `}
        <span class="path">{here.place(path.dirname(dir))}</span>
      </p>
      {present === undefined ? null : <SeenDots skill={skill} present={present} />}
    </li>
  );
}

/** One dot for each agent found here, with a text alternative. */
function SeenDots({ skill, present }: { skill: Row; present: readonly AgentSummary[] }): Html {
  const seen = present.filter(({ id }) => isListed(skill.agents?.[id])).map(({ name }) => name);
  const label = seen.length === 0 ? 'Seen by no agent here' : `Seen by ${seen.join(', ')}`;
  return (
    <svg class="dots" viewBox={`0 0 ${Math.max(1, present.length) * 12} 12`} role="img" aria-label={label}>
      <title>{label}</title>
      {present.map(({ id }, index) => {
        const status = skill.agents?.[id] ?? 'not-read';
        const isSeen = status === 'seen';
        return (
          <circle
            class={`g-${STATUS_LOOKS[status].tone}`}
            cx={index * 12 + 6}
            cy="6"
            r={isSeen ? 4.5 : 3.6}
            fill={isSeen || STATUS_LOOKS[status].tone === 'cut' ? 'currentColor' : 'none'}
            stroke="currentColor"
            stroke-width="1.4"
          />
        );
      })}
    </svg>
  );
}

/** Marks the words of the query. */
function Marked({ text, query = '' }: { text: string; query?: string | undefined }): Html {
  const marks = marksOf(text, query.toLowerCase().split(/\s+/u));
  return <Highlighted text={text} marks={marks} />;
}

function BrokenRow({ finding, here }: { finding: Diagnostic; here: Here }): Html {
  const dir = path.dirname(finding.path);
  return (
    <li id={`skill-${encodeURIComponent(here.key(dir))}`} data-row>
      <div>
        <Link class="ttl" to={skillAddress(path.basename(dir), here.copyOf(path.basename(dir), dir))}>
          {path.basename(dir)}
        </Link>{' '}
        <Badge tone="bad">broken</Badge>
      </div>
      <p class="d">{here.say(finding.message)}</p>
      <p class="src path">
        {here.place(finding.path)}
        {finding.line === undefined ? '' : `:${finding.line}`}
      </p>
    </li>
  );
}

function NothingFound({
  values,
  near,
  here,
  isEmpty,
}: {
  values: Values;
  near: readonly string[];
  here: Here;
  isEmpty: boolean;
}): Html {
  const { q } = values;
  return (
    <div class="card pad" id="rows">
      {isEmpty ? (
        here.can.runCommands ? (
          <>
            <p>No skills here yet. Create one:</p>
            <Command run="lectern new my-skill" here={here} />
          </>
        ) : (
          <p>None of the sources that you can read has skills yet.</p>
        )
      ) : (
        <>
          <p>No skill matches.</p>
          {near.length === 0 ? null : (
            <p>
              Similar names:{' '}
              {near.map((name, index) => (
                <>
                  {index === 0 ? '' : ', '}
                  <Link to={address('/skills', { q: name })}>{name}</Link>
                </>
              ))}
            </p>
          )}
          {q === undefined ? null : (
            <p>
              <Link to={address('/search', { q })}>Search by meaning</Link>, including specs and changes.
            </p>
          )}
        </>
      )}
    </div>
  );
}
