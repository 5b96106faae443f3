/** The skill list of one agent, as its model gets it. */
import path from 'node:path';
import { countOf, isCut } from '../../agents/status.ts';
import { skillOverlaps, type OverlapOutput } from '../../operations/skill-overlaps.ts';
import { agents, type AgentsOutput, type HiddenSkill, type ListedLine } from '../../operations/agents.ts';
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import { LIMITS } from '../../core/limits.ts';
import { count, grouped } from '../../core/text.ts';
import { address, agentAddress, contextAddress, skillAddress, TRY_ADDRESS, whyAddress } from '../address.ts';
import { Badge, Command, Link, SectionHead, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { listedCount, Strip, StripLegend } from '../plots/strips.tsx';
import { STATUS_LOOKS } from '../status.tsx';
import { definePage } from '../page.ts';
import { fitAddress } from './fit.tsx';
import { placeWords } from './why.tsx';

const LINES = 100;

/** Number of competing pairs on the page. */
const PAIRS = 3;

export const agentPage = definePage({
  path: '/agents/:agent',
  section: 'agents',
  twin: {
    path: '/api/agents/:agent',
    operation: agents,
    input: ({ agent, cursor, limit = LINES, window }) => ({ agent, limit, cursor, window }),
  },
  show: async (output, { ask, values, here }) => {
    const { agent, total = 0 } = output;
    if (!agent) throw new Error('the operation returns the requested agent');
    const { window } = values;
    const whole = await ask(agents, { agent: agent.id, ...(window === undefined ? {} : { window }) });
    const { project } = here;
    const overlap =
      here.can.seeContext && total <= LIMITS.countedSkills.value
        ? await ask(skillOverlaps, { agents: [agent.id], limit: PAIRS })
        : undefined;
    return {
      title: agent.name,
      main: (
        <AgentPage
          output={output}
          agent={agent}
          all={whole.entries ?? []}
          overlap={overlap}
          here={here}
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
  overlap,
  here,
  project,
  window,
}: {
  output: AgentsOutput;
  agent: AgentSummary;
  /** The complete list; the output contains one page of it. */
  all: readonly ListedLine[];
  overlap: OverlapOutput | undefined;
  here: Here;
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
        The skill list that the model gets at the start of a session in <code>{project}</code>, in the agent’s own
        order. <Budget agent={agent} />
      </p>
      {agent.found ? null : <p class="lede">{agent.name} was not found here, so this is a preview.</p>}
      {here.can.seeContext ? (
        <p class="small">
          <Link to={contextAddress(agent.id)}>Everything in its context before the first message</Link>
        </p>
      ) : null}
      <Gauge agent={agent} />
      <div class="split">
        <div>
          {listed === 0 && entries.length === 0 ? (
            <NoSkills agent={agent} output={output} here={here} />
          ) : (
            <section class="card" aria-label="Skill list">
              <div class="solo">
                <Strip data={{ agent, entries: all }} />
              </div>
              <StripLegend />
              <ol class="lst lines" id="rows">
                {entries.map((entry) => (
                  <Line entry={entry} agent={agent} here={here} />
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
              <ul class="card lst lines hidden-list">
                {hidden.map((skill) => (
                  <NotListed skill={skill} agent={agent} here={here} />
                ))}
              </ul>
              {hiddenTotal > hidden.length ? (
                <p class="small dim">
                  and {grouped(hiddenTotal - hidden.length)} more. <Link to="/agents">See all in the agent table</Link>
                </p>
              ) : null}
            </section>
          )}
        </div>
        <aside class="side">
          <MakeItFit agent={agent} remedies={remedies} window={window} here={here} />
          {overlap && overlap.total > 0 ? <Competing agent={agent} overlap={overlap} here={here} /> : null}
          <WhereItLooks output={output} here={here} />
        </aside>
      </div>
    </>
  );
}

function Competing({ agent, overlap, here }: { agent: AgentSummary; overlap: OverlapOutput; here: Here }): Html {
  return (
    <section class="card pad">
      <h2 class="h3">Competing skills</h2>
      <p class="small dim">
        {count(overlap.total, 'pair')} may answer the same requests. <Link to={TRY_ADDRESS}>Try a request</Link>
      </p>
      <ul class="files lines">
        {overlap.pairs.slice(0, PAIRS).map(({ a, b, words, skills: [first, second] }) => (
          <li title={words.join(', ')}>
            <SkillName name={a} fullName={first?.fullName} /> and <SkillName name={b} fullName={second?.fullName} />
          </li>
        ))}
      </ul>
      <Command run={`lectern overlap --agent ${agent.id}`} here={here} />
    </section>
  );
}

/** A built-in skill has no page. */
function SkillName({ name, fullName }: { name: string; fullName: string | null | undefined }): Html {
  return typeof fullName === 'string' ? <Link to={skillAddress(fullName)}>{name}</Link> : <b>{name}</b>;
}

function Budget({ agent: { budget } }: { agent: AgentSummary }): Html {
  const { limit, unit, used, builtIn, window } = budget;
  if (limit === null) return <>The list has no known limit.</>;
  const left = limit - used;
  return (
    <>
      Budget for the list: {grouped(limit)} {unit}
      {window === null ? '' : ` (of a ${grouped(window)}-token window)`}.{' '}
      {builtIn === 0 ? '' : `${grouped(builtIn)} for built-in skills, `}
      {grouped(used - builtIn)} for skills here, {grouped(Math.max(0, left))} left.
    </>
  );
}

function Gauge({ agent }: { agent: AgentSummary }): Html {
  const { counts, budget } = agent;
  const held = counts.otherCopy + counts.disabled + counts.manualOnly + counts.broken + counts.unknown;
  return (
    <dl class="card gauge">
      <div>
        <dt>skills listed</dt>
        <dd>{grouped(listedCount(agent))}</dd>
      </div>
      <div>
        <dt>shortened, name only or other text</dt>
        <dd>{grouped(countOf(counts, isCut))}</dd>
      </div>
      {counts.dropped === 0 ? null : (
        <div>
          <dt>dropped, because the list is full</dt>
          <dd>{grouped(counts.dropped)}</dd>
        </div>
      )}
      <div>
        <dt>
          {budget.limit === null
            ? `${budget.unit}, no known limit`
            : `of the budget of ${grouped(budget.limit)} ${budget.unit}`}
        </dt>
        <dd>
          {budget.limit === null ? grouped(budget.used) : `${Math.round((budget.wanted * 100) / budget.limit)} %`}
        </dd>
      </div>
      <div>
        <dt>hidden, and {grouped(counts.notRead)} in folders it does not read</dt>
        <dd>{grouped(held)}</dd>
      </div>
    </dl>
  );
}

function Line({ entry, agent, here }: { entry: ListedLine; agent: AgentSummary; here: Here }): Html {
  const { position, name, fullName, path: dir, status, characters, text, description, builtIn } = entry;
  const isLess = isCut(status);
  return (
    <li id={`line-${position}-${encodeURIComponent(name)}`} class={isLess ? 'gone' : undefined} data-row>
      <span class="no">{position}</span>
      {fullName === null ? (
        <span class="own">{name}</span>
      ) : (
        <Link to={skillAddress(fullName, dir === null ? undefined : here.copyOf(fullName, dir))}>{name}</Link>
      )}
      <span class="d">
        {text === '' && builtIn ? <span class="dim">built in</span> : text}
        {description === undefined || !description.startsWith(text.replace(/…$/u, '')) ? null : (
          <del>{description.slice(text.replace(/…$/u, '').length)}</del>
        )}
      </span>
      <span class="src">{dir === null ? '' : here.place(path.dirname(dir))}</span>
      <span class="num">
        {isLess && dir !== null ? (
          <Link to={whyAddress(agent.id, name, here.onlyCopyOf(name, dir))}>{STATUS_LOOKS[status].words}</Link>
        ) : isLess ? (
          // Nothing explains a built-in skill.
          STATUS_LOOKS[status].words
        ) : (
          grouped(characters)
        )}
      </span>
    </li>
  );
}

function NotListed({ skill, agent, here }: { skill: HiddenSkill; agent: AgentSummary; here: Here }): Html {
  const { name, fullName, path: dir, status, reason } = skill;
  return (
    <li id={`not-${encodeURIComponent(here.key(dir))}`} data-row>
      <Link to={skillAddress(fullName, here.copyOf(fullName, dir))}>{name}</Link>
      <span class="d">
        <Badge tone={STATUS_LOOKS[status].badge}>{STATUS_LOOKS[status].words}</Badge> {here.say(reason)}
      </span>
      <Link
        class="num"
        to={whyAddress(agent.id, name, here.onlyCopyOf(name, dir))}
        aria-label={`Why ${name} is not in the list`}
      >
        Why
      </Link>
    </li>
  );
}

function MakeItFit({
  agent,
  remedies,
  window,
  here,
}: {
  agent: AgentSummary;
  remedies: NonNullable<AgentsOutput['remedies']>;
  window: string | undefined;
  here: Here;
}): Html {
  const { limit, wanted } = agent.budget;
  if (limit === null || wanted <= limit) {
    return (
      <p class="small dim">
        {limit === null ? 'The list has no known limit, so nothing is shortened.' : 'Everything fits.'}
      </p>
    );
  }
  return (
    <section class="card pad">
      <h2 class="h3">Make it fit</h2>
      <ul class="files lines">
        <li>
          Now<span class="num">{grouped(agent.counts.seen)} in full</span>
        </li>
        {remedies.map(({ fix, command, kept }) => (
          <li>
            {command === undefined ? here.say(fix) : <Command run={command} here={here} />}
            <span class="num">{grouped(kept)} in full</span>
          </li>
        ))}
      </ul>
      <p>
        <Link to={fitAddress(agent.id, window)}>Compare them, and see the words that are cut</Link>
      </p>
      <p>
        <Command run={`lectern fit ${agent.id}`} here={here} />
      </p>
    </section>
  );
}

function WhereItLooks({ output: { places: folders = [] }, here }: { output: AgentsOutput; here: Here }): Html {
  return (
    <section class="card pad">
      <h2 class="h3">Folders it reads, in order</h2>
      <ol class="chain">
        {folders.map((folder) => (
          <li class={folder.listed > 0 ? 'win' : 'lost'}>
            <b>{placeWords(folder, here)}</b>
            <span class="path">{here.place(folder.path)}</span>
            {folderFigures(folder)}
          </li>
        ))}
      </ol>
    </section>
  );
}

function folderFigures({ exists, skills, listed, unread }: NonNullable<AgentsOutput['places']>[number]): string {
  if (unread !== undefined) return 'not examined';
  if (!exists) return 'does not exist';
  return (
    count(skills, 'skill') + (listed === skills ? '' : listed === 0 ? ', none listed' : `, ${grouped(listed)} listed`)
  );
}

function NoSkills({ agent, output, here }: { agent: AgentSummary; output: AgentsOutput; here: Here }): Html {
  const first = output.places?.find(({ place }) => place === 'project') ?? output.places?.[0];
  return (
    <section class="card pad">
      <h2 class="h3">{agent.name} sees no skills here</h2>
      {first === undefined ? null : (
        <>
          <p>
            Copy a skill folder to <code>{here.place(first.path)}</code>, or create a skill:
          </p>
          <p>
            <Command run="lectern new my-skill" here={here} />
          </p>
        </>
      )}
    </section>
  );
}
