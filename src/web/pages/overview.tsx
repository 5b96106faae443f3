/** The overview: counts, items that need attention, and the skill list of each agent. */
import path from 'node:path';
import { changedAt } from '../../core/disk/tree.ts';
import { count, grouped } from '../../core/text.ts';
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import { agents, type AgentsOutput } from '../../operations/agents.ts';
import { changeOverlaps } from '../../operations/change-overlaps.ts';
import { changeStates } from '../../operations/change-states.ts';
import { overview } from '../../operations/overview.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { specCounts } from '../../operations/spec-counts.ts';
import { fullNameOf, isSkillPath } from '../../skills/skill.ts';
import type { Reader } from '../../workspace/reader.ts';
import { agentAddress, changeAddress, skillAddress, specAddress, whyAddress } from '../address.ts';
import { Command, Link, SectionHead, Sign, type Html } from '../html.tsx';
import type { Places } from '../places.ts';
import { type StripData, Strips } from '../plots/strips.tsx';
import { ago } from '../ago.ts';
import { SHORT_COLUMN, ShortBoard } from './changes.tsx';
import { ShortSpecs } from './specs.tsx';
import { definePage, type PageContext } from '../page.ts';

type Found = AnswerOf<typeof overview>;
type Overlaps = AnswerOf<typeof changeOverlaps>['overlaps'];

/** An item that needs attention, with its consequence and a command. */
interface Todo {
  sign: 'bad' | 'cut' | 'warn';
  fact: string;
  to?: string | undefined;
  consequence: string;
  command: string;
}

const TODO_MAX = 5;

interface Facts {
  found: Found;
  strips: readonly StripData[];
  todo: readonly Todo[];
  lately: readonly Touched[];
  board: AnswerOf<typeof changeStates>;
  specs: AnswerOf<typeof specCounts>['specs'];
  places: Places;
  project: string;
}

export const overviewPage = definePage({
  path: '/',
  section: 'overview',
  twin: { path: '/api/overview', operation: overview, input: () => ({}) },
  show: async (found, context) => {
    const { ask, places, reader } = context;
    const lists = await listsOf(context);
    const { overlaps } = await ask(changeOverlaps);
    const facts: Facts = {
      found,
      strips: lists.flatMap(({ agent, entries = [] }) => (agent ? [{ agent, entries }] : [])),
      todo: needsAttention(found, lists, overlaps, places),
      lately: await changedLately(reader),
      board: await ask(changeStates, { with_archived: SHORT_COLUMN }),
      specs: (await ask(specCounts)).specs,
      places,
      project: path.basename(reader.options.projectDir),
    };
    return { title: 'Overview', main: <Overview {...facts} /> };
  },
});

async function listsOf({ ask }: PageContext): Promise<AgentsOutput[]> {
  const { agents: all = [] } = await ask(agents);
  const lists: AgentsOutput[] = [];
  for (const { id, found } of all as AgentSummary[]) if (found) lists.push(await ask(agents, { agent: id }));
  return lists;
}

/** Most serious first: errors, shortened lists, other copies, overlaps, then the rest. */
function needsAttention(
  { attention }: Found,
  lists: readonly AgentsOutput[],
  overlaps: Overlaps,
  places: Places,
): Todo[] {
  const [errors, others] = [
    attention.filter(({ severity }) => severity === 'error'),
    attention.filter(({ severity }) => severity !== 'error'),
  ];
  return [
    ...errors.map((finding) => ofFinding(finding, places)),
    ...lists.flatMap(({ agent }) => ofCuts(agent)),
    ...lists.flatMap((list) => ofOtherCopies(list, places)),
    ...overlaps.map(ofOverlap),
    ...others.map((finding) => ofFinding(finding, places)),
  ];
}

function ofFinding({ severity, message, path: file, line, fix }: Found['attention'][number], places: Places): Todo {
  const place = `${places.place(file)}${line === undefined ? '' : `:${line}`}`;
  const isSkill = isSkillPath(file);
  return {
    sign: severity === 'error' ? 'bad' : 'warn',
    fact: isSkill ? `${path.basename(path.dirname(file))}: ${places.say(message)}` : places.say(message),
    to: isSkill ? skillAddress(path.basename(path.dirname(file)), path.dirname(file)) : undefined,
    consequence: `${place}. ${places.say(fix)}`,
    command: isSkill ? `lectern validate ${path.dirname(file)}` : 'lectern validate --all',
  };
}

function ofCuts(agent: AgentSummary | undefined): Todo[] {
  if (!agent) return [];
  const { counts, budget, name, id } = agent;
  const cut = counts.nameOnly + counts.shortened;
  if (cut === 0) return [];
  const how =
    counts.shortened === 0 ? 'by name only' : counts.nameOnly === 0 ? 'shortened' : 'shortened or by name only';
  const cause =
    budget.limit === null
      ? 'The descriptions are too long for it.'
      : `The full list needs ${grouped(budget.wanted)} ${budget.unit}; the budget is ${grouped(budget.limit)}.`;
  return [
    {
      sign: 'cut',
      fact: `${name} lists ${count(cut, 'skill')} ${how}`,
      to: agentAddress(id),
      consequence: `${cause} The model may not know when to use ${cut === 1 ? 'it' : 'them'}.`,
      command: `lectern agents ${id}`,
    },
  ];
}

function ofOtherCopies({ agent, hidden = [] }: AgentsOutput, places: Places): Todo[] {
  if (!agent) return [];
  return hidden
    .filter(({ status }) => status === 'other-copy')
    .map(({ name, path: dir, reason }) => ({
      sign: 'warn' as const,
      fact: `${agent.name} uses a different ${name}`,
      to: whyAddress(agent.id, dir),
      consequence: `${places.say(reason)}, not the one in ${places.place(path.dirname(dir))}.`,
      command: `lectern why ${name}`,
    }));
}

function ofOverlap({ requirement, claims, left_out: more = 0 }: Overlaps[number]): Todo {
  const names = claims.map(({ change }) => change);
  const total = names.length + more;
  const number = ['Two', 'Three', 'Four'][total - 2] ?? grouped(total);
  const all = more > 0 ? [...names, `${grouped(more)} more`] : names;
  return {
    sign: 'warn',
    fact: `${number} open changes touch “${requirement}”`,
    to: changeAddress(names[0] ?? ''),
    consequence: `${all.join(' and ')}: the one archived second may undo the first.`,
    command: `lectern change overlap ${names.slice(0, 2).join(' ')}`,
  };
}

interface Touched {
  name: string;
  to: string;
  at: number;
}

const LATELY = 5;

/** Reads modification times from the snapshot, because no operation returns them. */
async function changedLately({ snapshot }: Reader): Promise<Touched[]> {
  const specs = await snapshot.specs();
  const touched = [
    ...snapshot.all.copies.map((skill) => ({
      name: skill.name,
      to: skillAddress(fullNameOf(skill), skill.dir),
      stamp: skill.stamp,
    })),
    ...specs.specs.map(({ id, file }) => ({ name: `specs/${id}`, to: specAddress(id), stamp: file.stamp })),
    ...specs.changes.flatMap(({ id, proposal, tasksFile, design, deltas }) =>
      [
        { file: proposal, part: 'proposal' },
        { file: tasksFile, part: 'tasks' },
        { file: design, part: 'design' },
        ...deltas.map(({ file }) => ({ file, part: '' })),
      ].flatMap(({ file, part }) =>
        file ? [{ name: `${id}/${path.basename(file.path)}`, to: changeAddress(id, part), stamp: file.stamp }] : [],
      ),
    ),
  ];
  const dated = touched.flatMap(({ stamp, ...rest }): Touched[] => {
    const at = changedAt(stamp)?.getTime();
    return at === undefined ? [] : [{ ...rest, at }];
  });
  return dated.sort((a, b) => b.at - a.at).slice(0, LATELY);
}

function Overview({ found, strips, todo, lately, board, specs, places, project }: Facts): Html {
  const skills = found.skills + found.disabled;
  return (
    <>
      <h1>
        {count(skills, 'skill')}, {count(found.specs, 'spec')} and {count(found.changes.length, 'change')}
      </h1>
      <p class="lede">
        Found for <code>{project}</code>. <AgentsSentence strips={strips} />
      </p>
      <Attention todo={todo} found={found} places={places} />
      {strips.length === 0 ? null : (
        <section aria-labelledby="sees">
          <SectionHead
            id="sees"
            title="What each agent sees"
            note="one block per skill, as long as its line in the agent’s list"
            more={<Link to="/agents">Compare skill by skill</Link>}
          />
          <Strips strips={strips} />
        </section>
      )}
      {board.changes.length === 0 ? null : <ShortBoard board={board} />}
      {specs.length === 0 ? (
        <div class="grid2">
          <Lately lately={lately} />
          <ForAgents found={found} places={places} />
        </div>
      ) : (
        <div class="grid2">
          <ShortSpecs specs={specs} />
          <div>
            <Lately lately={lately} />
            <ForAgents found={found} places={places} />
          </div>
        </div>
      )}
    </>
  );
}

function Lately({ lately }: { lately: readonly Touched[] }): Html {
  return (
    <section aria-labelledby="lately">
      <SectionHead id="lately" title="Recently changed" />
      <ul class="card pad files">
        {lately.map(({ name, to, at }) => (
          <li data-row>
            <Link to={to}>{name}</Link>
            <span class="num">{ago(at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ForAgents({ found, places }: { found: Found; places: Places }): Html {
  return (
    <section aria-labelledby="serving">
      <SectionHead id="serving" title="For agents" />
      <dl class="card pad facts">
        <dt>Served</dt>
        <dd>
          over MCP at <code>/mcp</code>
        </dd>
        <dt>Set up</dt>
        <dd>{found.connected === 0 ? 'not in any client yet' : `in ${count(found.connected, 'client')}`}</dd>
        <dt>Connect</dt>
        <dd>
          <Command run="lectern setup claude" places={places} />
        </dd>
      </dl>
    </section>
  );
}

function AgentsSentence({ strips }: { strips: readonly StripData[] }): Html {
  if (strips.length === 0) return <>No agent is set up here.</>;
  const sets = new Set(
    strips.map(({ entries }) =>
      entries
        .flatMap(({ path: dir }) => dir ?? [])
        .toSorted()
        .join('\n'),
    ),
  );
  const seen =
    strips.length === 1
      ? ''
      : sets.size === 1
        ? ' and see the same skills'
        : ` and see ${count(sets.size, 'different set')} of skills`;
  return (
    <>
      {count(strips.length, 'agent')} {strips.length === 1 ? 'is' : 'are'} set up here{seen}.
    </>
  );
}

function Attention({ todo, found, places }: { todo: readonly Todo[]; found: Found; places: Places }): Html {
  if (found.skills + found.disabled + found.specs === 0 && todo.length === 0) return <Empty places={places} />;
  return (
    <section aria-labelledby="todo">
      <SectionHead
        id="todo"
        title="Needs attention"
        more={todo.length > TODO_MAX ? <Link to="/problems">All {grouped(todo.length)}</Link> : undefined}
      />
      {todo.length === 0 ? (
        <p class="card pad calm">
          <Sign of="ok" /> Nothing needs attention.
        </p>
      ) : (
        <ul class="card todo">
          {todo.slice(0, TODO_MAX).map(({ sign, fact, to, consequence, command }) => (
            <li data-row id={`todo-${encodeURIComponent(fact)}`}>
              <Sign of={sign} />
              <div>
                <b>{to === undefined ? fact : <Link to={to}>{fact}</Link>}</b>
                <p class="why">{consequence}</p>
              </div>
              <Command run={command} places={places} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Empty({ places }: { places: Places }): Html {
  return (
    <section class="card pad" aria-labelledby="empty">
      <h2 id="empty">No skills here yet</h2>
      <p>Lectern looked in the folders of all known agents, in this project and in your home directory. Create one:</p>
      <p>
        <Command run="lectern new my-skill" places={places} />
      </p>
      <p>Or propose a change to the specs:</p>
      <p>
        <Command run="lectern change new add-something" places={places} />
      </p>
    </section>
  );
}
