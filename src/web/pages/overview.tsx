/** The overview: counts, items that need attention, and the skill list of each agent. */
import path from 'node:path';
import { count, grouped } from '../../core/text.ts';
import type { AgentSummary } from '../../operations/agent-shapes.ts';
import { agents, type AgentsOutput } from '../../operations/agents.ts';
import { changeStates } from '../../operations/change-states.ts';
import { overview } from '../../operations/overview.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { specCounts } from '../../operations/spec-counts.ts';
import { agentAddress, changeAddress, skillAddress, specAddress, whyAddress } from '../address.ts';
import { Command, Link, SectionHead, Sign, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { listedCount, type StripData, Strips } from '../plots/strips.tsx';
import { ago } from '../ago.ts';
import { SHORT_COLUMN, ShortBoard } from './changes.tsx';
import { ShortSpecs } from './specs.tsx';
import { definePage, type PageContext } from '../page.ts';

type Found = AnswerOf<typeof overview>;

type AttentionItem = Found['needsAttention'][number];
type Recent = NonNullable<Found['recent']>[number];

interface Facts {
  found: Found;
  strips: readonly StripData[];
  board: AnswerOf<typeof changeStates>;
  specs: AnswerOf<typeof specCounts>['specs'];
  here: Here;
}

export const overviewPage = definePage({
  path: '/',
  section: 'overview',
  twin: { path: '/api/overview', operation: overview, input: () => ({}) },
  show: async (found, context) => {
    const { ask, here } = context;
    const lists = await listsOf(context);
    const facts: Facts = {
      found,
      strips: lists.flatMap(({ agent, entries = [] }) => (agent ? [{ agent, entries }] : [])),
      board: await ask(changeStates, { with_archived: SHORT_COLUMN }),
      specs: (await ask(specCounts)).specs,
      here,
    };
    return { title: 'Overview', main: <Overview {...facts} /> };
  },
});

async function listsOf({ ask }: PageContext): Promise<AgentsOutput[]> {
  const { agents: all = [] } = await ask(agents);
  const lists: AgentsOutput[] = [];
  for (const { id, found } of all as AgentSummary[])
    if (found) lists.push(await ask(agents, { agent: id, lines: true }));
  return lists;
}

function Overview({ found, strips, board, specs, here }: Facts): Html {
  const { recent = [] } = found;
  return (
    <>
      <h1>
        {count(found.found, 'skill')}, {count(found.specs, 'spec')} and {count(found.changes.length, 'change')}
      </h1>
      <p class="lede">
        Found for <code>{path.basename(found.projectDir)}</code>. <AgentsSentence strips={strips} />
      </p>
      <Attention found={found} here={here} />
      {strips.length === 0 ? null : (
        <section aria-labelledby="sees">
          <SectionHead
            id="sees"
            title="What each agent sees"
            note="one block per skill, as long as its line in the unit of the agent’s budget"
            more={<Link to="/agents">Compare skill by skill</Link>}
          />
          <Strips strips={strips} />
        </section>
      )}
      {board.changes.length === 0 ? null : <ShortBoard board={board} here={here} />}
      {specs.length === 0 ? (
        <div class="grid2">
          <Lately recent={recent} here={here} />
          <ForAgents found={found} here={here} />
        </div>
      ) : (
        <div class="grid2">
          <ShortSpecs specs={specs} />
          <div>
            <Lately recent={recent} here={here} />
            <ForAgents found={found} here={here} />
          </div>
        </div>
      )}
    </>
  );
}

function Lately({ recent, here }: { recent: readonly Recent[]; here: Here }): Html {
  return (
    <section aria-labelledby="lately">
      <SectionHead id="lately" title="Recently changed" />
      <ul class="card pad files lines">
        {recent.map((item) => (
          <li data-row>
            <Link to={recentAddress(item, here)}>{item.name}</Link>
            <span class="num">{ago(Date.parse(item.modified))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function recentAddress({ kind, id, file, part }: Recent, here: Here): string {
  if (kind === 'skill') return skillAddress(id, here.copyOf(id, path.dirname(file)));
  return kind === 'spec' ? specAddress(id) : changeAddress(id, part);
}

function ForAgents({ found, here }: { found: Found; here: Here }): Html {
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
          <Command run="lectern setup claude" here={here} />
        </dd>
      </dl>
    </section>
  );
}

function AgentsSentence({ strips }: { strips: readonly StripData[] }): Html {
  if (strips.length === 0) return <>No agent is set up here.</>;
  const parts = strips.map(
    ({ agent }, index) => `${agent.name} ${index === 0 ? 'sees ' : ''}${grouped(listedCount(agent))}`,
  );
  return <>{parts.join(', ')}.</>;
}

function Attention({ found, here }: { found: Found; here: Here }): Html {
  const { needsAttention: items, errors, warnings } = found;
  const problems = errors + warnings;
  if (found.skills + found.disabled + found.specs === 0 && items.length === 0) return <Empty here={here} />;
  return (
    <section aria-labelledby="todo">
      <SectionHead
        id="todo"
        title="Needs attention"
        more={problems > 0 ? <Link to="/problems">{count(problems, 'problem')}</Link> : undefined}
      />
      {items.length === 0 ? (
        <p class="card pad calm">
          <Sign of="ok" /> Nothing needs attention.
        </p>
      ) : (
        <ul class="card todo lines">
          {items.map((item) => (
            <AttentionRow of={item} here={here} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AttentionRow({ of, here }: { of: AttentionItem; here: Here }): Html {
  const [fact, to] = [here.say(of.fact), itemAddress(of, here)];
  return (
    <li data-row id={`todo-${encodeURIComponent(fact)}`}>
      <Sign of={of.severity === 'error' ? 'bad' : of.kind === 'cut' ? 'cut' : 'warn'} />
      <div>
        <b>{to === undefined ? fact : <Link to={to}>{fact}</Link>}</b>
        <p class="why">{here.say(of.consequence)}</p>
      </div>
      <Command run={of.command} here={here} />
    </li>
  );
}

function itemAddress({ agent, skill, change }: AttentionItem, here: Here): string | undefined {
  const name = skill === undefined ? '' : path.basename(skill);
  if (agent !== undefined)
    return skill === undefined ? agentAddress(agent) : whyAddress(agent, name, here.onlyCopyOf(name, skill));
  if (skill !== undefined) return skillAddress(name, here.copyOf(name, skill));
  return change === undefined ? undefined : changeAddress(change);
}

function Empty({ here }: { here: Here }): Html {
  return (
    <section class="card pad" aria-labelledby="empty">
      <h2 id="empty">No skills here yet</h2>
      <p>Lectern looked in the folders of all known agents, in this project and in your home directory. Create one:</p>
      <p>
        <Command run="lectern new my-skill" here={here} />
      </p>
      <p>Or propose a change to the specs:</p>
      <p>
        <Command run="lectern change new add-something" here={here} />
      </p>
    </section>
  );
}
