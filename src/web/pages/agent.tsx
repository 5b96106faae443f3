/** One agent's list, as its model gets it. */
import path from 'node:path';
import { agents, type AgentsOutput, type HiddenSkill, type ListedLine } from '../../operations/agents.ts';
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import { count, grouped } from '../../core/text.ts';
import { address, agentAddress, skillAddress, whyAddress } from '../address.ts';
import { Badge, Command, Link, SectionHead, type Html } from '../html.tsx';
import type { Places } from '../places.ts';
import { axisEnd, listedCount, Strip, StripLegend } from '../plots/strips.tsx';
import { STATUS_LOOKS } from '../status.tsx';
import { definePage } from '../page.ts';
import { placeWords } from './why.tsx';

const LINES = 100;

export const agentPage = definePage({
  path: '/agents/:agent',
  section: 'agents',
  twin: {
    path: '/api/agents/:agent',
    operation: agents,
    input: ({ agent, cursor, limit = LINES, window }) => ({ agent, limit, cursor, window }),
  },
  show: async (output, { ask, values, places, reader }) => {
    const { agent } = output;
    if (!agent) throw new Error('the operation describes the agent it is asked about');
    const { window } = values;
    const whole = await ask(agents, { agent: agent.id, ...(window === undefined ? {} : { window }) });
    const project = path.basename(reader.options.projectDir);
    return {
      title: agent.name,
      main: (
        <AgentPage
          output={output}
          agent={agent}
          all={whole.entries ?? []}
          places={places}
          project={project}
          window={window}
        />
      ),
    };
  },
});

function AgentPage({
  output,
  agent,
  all,
  places,
  project,
  window,
}: {
  output: AgentsOutput;
  agent: AgentSummary;
  /** The whole list; the output has a page of it. */
  all: readonly ListedLine[];
  places: Places;
  project: string;
  window: string | undefined;
}): Html {
  const { entries = [], hidden = [], hiddenTotal = 0, remedies = [], nextCursor, total = 0 } = output;
  const listed = listedCount(agent);
  return (
    <>
      <p class="crumb">
        <Link to="/agents">Agents</Link> / {agent.name}
      </p>
      <h1>{agent.name}</h1>
      <p class="lede">
        The list of skills that the model gets at the start of a session in <code>{project}</code>, in the agent’s own
        order. <Room agent={agent} />
      </p>
      {agent.found ? null : <p class="lede">It was not found here: this is what it would see.</p>}
      <Gauge agent={agent} hidden={hiddenTotal} />
      <div class="split">
        <div>
          {listed === 0 && entries.length === 0 ? (
            <NoSkills agent={agent} output={output} places={places} />
          ) : (
            <section class="card" aria-label="The list">
              <div class="solo">
                <Strip data={{ agent, entries: all }} end={axisEnd([{ agent, entries: all }])} />
              </div>
              <StripLegend hasTokens={agent.budget.unit === 'tokens' && agent.budget.limit !== null} />
              <ol class="lst" id="rows">
                {entries.map((entry) => (
                  <Line entry={entry} agent={agent} places={places} />
                ))}
              </ol>
              {nextCursor === undefined ? null : (
                <p class="fold" id="more">
                  <Link to={address(agentAddress(agent.id), { window, cursor: nextCursor })}>
                    {grouped(total - Number(nextCursor))} more
                  </Link>
                </p>
              )}
            </section>
          )}
          {hidden.length === 0 ? null : (
            <section aria-labelledby="not">
              <SectionHead id="not" title="Not in its list" note={count(hiddenTotal, 'copy', 'copies')} />
              <ul class="card lst hidden-list">
                {hidden.map((skill) => (
                  <NotListed skill={skill} agent={agent} places={places} />
                ))}
              </ul>
              {hiddenTotal > hidden.length ? (
                <p class="small dim">
                  and {grouped(hiddenTotal - hidden.length)} more. <Link to="/agents">All of them, by agent</Link>
                </p>
              ) : null}
            </section>
          )}
        </div>
        <aside class="side">
          <MakeItFit agent={agent} remedies={remedies} places={places} />
          <WhereItLooks output={output} places={places} />
        </aside>
      </div>
    </>
  );
}

/** The limit, what the agent's own skills take, and what is left. */
function Room({ agent: { budget } }: { agent: AgentSummary }): Html {
  const { limit, unit, used, builtIn, window } = budget;
  if (limit === null) return <>No limit of its length is known.</>;
  const left = limit - used;
  return (
    <>
      It has room for {grouped(limit)} {unit}
      {window === null ? '' : `, for a model with a window of ${grouped(window)} tokens`}:{' '}
      {builtIn === 0 ? '' : `${grouped(builtIn)} go to skills that it brings along, `}
      {grouped(used - builtIn)} to those here, {grouped(Math.max(0, left))} are left.
    </>
  );
}

function Gauge({ agent, hidden }: { agent: AgentSummary; hidden: number }): Html {
  const { counts, budget } = agent;
  const held = counts.otherCopy + counts.disabled + counts.manualOnly + counts.broken;
  return (
    <dl class="card gauge">
      <div>
        <dt>skills listed</dt>
        <dd>{grouped(listedCount(agent))}</dd>
      </div>
      <div>
        <dt>{counts.shortened > 0 ? 'shortened or by name only' : 'by name only'}</dt>
        <dd>{grouped(counts.nameOnly + counts.shortened)}</dd>
      </div>
      <div>
        <dt>
          {budget.limit === null
            ? `${budget.unit}, no limit known`
            : `of ${grouped(budget.limit)} ${budget.unit} wanted`}
        </dt>
        <dd>
          {budget.limit === null ? grouped(budget.used) : `${Math.round((budget.wanted * 100) / budget.limit)} %`}
        </dd>
      </div>
      <div>
        <dt>hidden, and {grouped(Math.max(0, hidden - held))} not read</dt>
        <dd>{grouped(held)}</dd>
      </div>
    </dl>
  );
}

function Line({ entry, agent, places }: { entry: ListedLine; agent: AgentSummary; places: Places }): Html {
  const { position, name, fullName, path: dir, status, characters, text, description, builtIn } = entry;
  const isCut = status === 'name-only' || status === 'shortened';
  return (
    <li id={`line-${position}-${encodeURIComponent(name)}`} class={isCut ? 'gone' : undefined} data-row>
      <span class="no">{position}</span>
      {fullName === null ? (
        <span class="own">{name}</span>
      ) : (
        <Link to={skillAddress(fullName, dir ?? undefined)}>{name}</Link>
      )}
      <span class="d">
        {text === '' && builtIn ? <span class="dim">brought along by {agent.name}</span> : text}
        {description === undefined || !description.startsWith(text.replace(/…$/u, '')) ? null : (
          <del>{description.slice(text.replace(/…$/u, '').length)}</del>
        )}
      </span>
      <span class="src">{dir === null ? '' : places.place(path.dirname(dir))}</span>
      <span class="num">
        {isCut ? <Link to={whyAddress(agent.id, dir ?? name)}>{STATUS_LOOKS[status].words}</Link> : grouped(characters)}
      </span>
    </li>
  );
}

function NotListed({ skill, agent, places }: { skill: HiddenSkill; agent: AgentSummary; places: Places }): Html {
  const { name, fullName, path: dir, status, reason } = skill;
  return (
    <li id={`not-${encodeURIComponent(dir)}`} data-row>
      <Link to={skillAddress(fullName, dir)}>{name}</Link>
      <span class="d">
        <Badge tone={STATUS_LOOKS[status].badge}>{STATUS_LOOKS[status].words}</Badge> {places.say(reason)}
      </span>
      <Link class="num" to={whyAddress(agent.id, dir)} aria-label={`Why ${name} is not in the list`}>
        Why
      </Link>
    </li>
  );
}

function MakeItFit({
  agent,
  remedies,
  places,
}: {
  agent: AgentSummary;
  remedies: NonNullable<AgentsOutput['remedies']>;
  places: Places;
}): Html {
  const { limit, wanted } = agent.budget;
  const isTooLong = limit !== null && wanted > limit;
  return (
    <section class="card pad">
      <h2 class="h3">Make it fit</h2>
      {isTooLong ? (
        <ul class="files">
          <li>
            As it is<span class="num">{grouped(agent.counts.seen)} whole</span>
          </li>
          {remedies.map(({ fix, gains }) => (
            <li>
              {places.say(fix)}
              <span class="num">{grouped(agent.counts.seen + gains)} whole</span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="small dim">{limit === null ? 'No limit is known, so nothing is cut.' : 'Everything fits.'}</p>
      )}
      <p>
        <Command run={`lectern agents ${agent.id}`} places={places} />
      </p>
    </section>
  );
}

function WhereItLooks({ output: { places: folders = [] }, places }: { output: AgentsOutput; places: Places }): Html {
  return (
    <section class="card pad">
      <h2 class="h3">Where it looks, in order</h2>
      <ol class="chain">
        {folders.map((folder) => (
          <li class={folder.skills > 0 ? 'win' : 'lost'}>
            <b>{placeWords(folder, places)}</b>
            <span class="path">{places.place(folder.path)}</span>
            {folder.exists ? count(folder.skills, 'skill') : 'not there'}
          </li>
        ))}
      </ol>
    </section>
  );
}

function NoSkills({ agent, output, places }: { agent: AgentSummary; output: AgentsOutput; places: Places }): Html {
  const first = output.places?.find(({ place }) => place === 'project') ?? output.places?.[0];
  return (
    <section class="card pad">
      <h2 class="h3">{agent.name} sees no skill here</h2>
      {first === undefined ? null : (
        <>
          <p>
            Put the folder of a skill into <code>{places.place(first.path)}</code>, or write a new one:
          </p>
          <p>
            <Command run="lectern new my-skill" places={places} />
          </p>
        </>
      )}
    </section>
  );
}
