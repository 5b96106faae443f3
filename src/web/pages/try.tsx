/** The skills that each agent would reach for: a row for each of the first three, and a column for each agent. */
import { quoteForBash } from '../../core/quote-for-bash.ts';
import { tryRequest, type TriedAgent } from '../../operations/try-request.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { shown } from '../../agents/try-request.ts';
import { skillAddress, TRY_ADDRESS, whyAddress } from '../address.ts';
import { Command, Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage } from '../page.ts';
import { sentence } from './why.tsx';

type Answer = AnswerOf<typeof tryRequest>;

const TITLE = 'Which skill would each agent reach for?';

export const tryPage = definePage({
  path: TRY_ADDRESS,
  section: 'agents',
  isPrivate: true,
  twin: { path: '/api/agents/try', operation: tryRequest, input: ({ q = '' }) => ({ request: q }) },
  show: (answer, { here }) => ({
    title: `Try: ${answer.request}`,
    main: (
      <Asking request={answer.request}>
        <Results answer={answer} here={here} />
      </Asking>
    ),
  }),
  failed: ({ code, message }, { values }) => {
    const { q = '' } = values;
    if (code !== 'USAGE' && code !== 'NOT_FOUND') return undefined;
    const problem = q.trim() === '' ? null : <p>{sentence(message)}</p>;
    return { title: TITLE, main: <Asking request={q}>{problem}</Asking> };
  },
});

function Asking({ request, children }: { request: string; children?: unknown }): Html {
  return (
    <>
      <p class="crumb">
        <Link to="/agents">Agents</Link> / Try a request
      </p>
      <h1>{TITLE}</h1>
      <p class="lede">
        Type a request as a user would. This ranks the text your agents show; it does not ask a model. Shortened
        descriptions count as shortened, and hidden skills do not count.
      </p>
      <form class="asking" action={TRY_ADDRESS}>
        <label class="vh" for="request">
          Request
        </label>
        <input class="field" id="request" name="q" autocomplete="off" maxlength={2000} value={request} />
        <button class="chip" type="submit">
          Try
        </button>
      </form>
      {children}
    </>
  );
}

interface Row {
  name: string;
  fullName: string | null;
  words: readonly string[];
  score: number;
}

/** The results of all agents, each skill once, best first. */
function rowsOf(agents: readonly TriedAgent[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { results } of agents)
    for (const { name, fullName, words, score } of results) {
      const known = rows.get(name);
      if (!known || known.score < score) rows.set(name, { name, fullName, words, score });
    }
  return [...rows.values()].sort((a, b) => b.score - a.score);
}

const PLACES = ['1st', '2nd', '3rd'] as const;

function Results({ answer: { request, agents }, here }: { answer: Answer; here: Here }): Html {
  const rows = rowsOf(agents);
  const best = rows[0];
  return (
    <div class="split">
      <div class="card tried">
        {rows.length === 0 ? (
          <p class="pad">The lists of these agents are empty.</p>
        ) : (
          <div class="wide" tabindex={0} role="region" aria-label="Skills by agent">
            <table>
              <thead>
                <tr>
                  <th scope="col">Skill, and its words in the request</th>
                  <th scope="col">Fit</th>
                  {agents.map(({ title }) => (
                    <th scope="col">{title}</th>
                  ))}
                </tr>
              </thead>
              <tbody id="rows">
                {rows.map((row) => (
                  <ResultRow row={row} agents={agents} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <p class="fold small dim">1st, 2nd, 3rd: its place in the list of that agent. –: not among the first three.</p>
      </div>
      <aside class="card pad">
        <h2 class="h3">In words</h2>
        {agents.map((agent) => (
          <InWords agent={agent} here={here} />
        ))}
        {best === undefined ? null : (
          <>
            <p class="small">Keep this request as a check:</p>
            <Command
              run={`lectern try --save ${quoteForBash(request)} --expect ${quoteForBash(expectedOf(agents))}`}
              here={here}
            />
          </>
        )}
      </aside>
    </div>
  );
}

/** A hidden skill that fits better than all listed ones, or the first skill of the first agent for which one fits. */
function expectedOf(agents: readonly TriedAgent[]): string {
  const [missing] = agents.flatMap(({ missing: hidden = [] }) => hidden);
  if (missing) return missing.name;
  return agents.find(({ verdict }) => verdict !== 'none')?.results[0]?.name ?? 'none';
}

function ResultRow({ row, agents }: { row: Row; agents: readonly TriedAgent[] }): Html {
  const { name, fullName, words, score } = row;
  const isFirst = agents.some(({ verdict, results }) => verdict !== 'none' && results[0]?.name === name);
  return (
    <tr class={isFirst ? 'first' : undefined} data-row>
      <th scope="row">
        {fullName === null ? name : <Link to={skillAddress(fullName)}>{name}</Link>}
        <span class="tiny dim">
          {words.length > 0 ? words.join(', ') : fullName === null ? 'built in' : 'no word of the request'}
        </span>
      </th>
      <td>
        <svg
          class="prog"
          viewBox="0 0 100 5"
          preserveAspectRatio="none"
          role="img"
          aria-label={`score ${shown(score)}`}
        >
          <rect class="track" width="100" height="5" rx="2" />
          <rect class="fill" width={(100 * score).toFixed(1)} height="5" rx="2" />
        </svg>
        <span class="tiny dim">{shown(score)}</span>
      </td>
      {agents.map(({ results, verdict }) => {
        const at = results.findIndex((result) => result.name === name);
        const place = PLACES[at];
        return <td class="c">{place === undefined ? '–' : at === 0 && verdict !== 'none' ? <b>{place}</b> : place}</td>;
      })}
    </tr>
  );
}

function InWords({ agent, here }: { agent: TriedAgent; here: Here }): Html {
  const { id, title, verdict, results, margin, missing = [] } = agent;
  const [first, second] = results;
  return (
    <div class="said">
      <p>
        {verdict === 'none' ? (
          <>No skill in the list of {title} fits.</>
        ) : verdict === 'clear' ? (
          <>
            {title}: <b>{first?.name}</b>, {shown(margin)} ahead of the next.
          </>
        ) : (
          <>
            {title}: <b>{first?.name}</b> and <b>{second?.name}</b> are close ({shown(first?.score ?? 0)} and{' '}
            {shown(second?.score ?? 0)}).
          </>
        )}
      </p>
      {missing.map(({ name, reason }) => (
        <p class="small">
          <b>{name}</b> would fit better: {here.say(reason)}. <Link to={whyAddress(id, name)}>Why</Link>
        </p>
      ))}
    </div>
  );
}
