/** Explains whether an agent uses a copy of a skill. Shown next to the agent table and on a separate page. */
import path from 'node:path';
import { count } from '../../core/text.ts';
import { why } from '../../operations/why.ts';
import type { WhyOutput } from '../../operations/why.ts';
import { agentAddress } from '../address.ts';
import { Badge, Command, CopyNote, Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { STATUS_LOOKS } from '../status.tsx';
import { definePage, type PageContext } from '../page.ts';
import { inWords } from '../words.ts';

type Answer = WhyOutput['agents'][number];
type Step = Answer['chain'][number];

export const whyPage = definePage({
  path: '/agents/:agent/why',
  section: 'agents',
  twin: {
    path: '/api/why',
    operation: why,
    input: ({ agent, skill, name = skill, copy }) => ({ name, agent, copy }),
  },
  show: async (output, context) => {
    const [answer] = output.agents;
    const elsewhere = await copiesElsewhere(answer, context, output.name);
    const title = answer ? `${output.name} in ${answer.title}` : output.name;
    return {
      title,
      main: (
        <>
          <p class="crumb">
            <Link to="/agents">Agents</Link>
            {answer ? (
              <>
                {' / '}
                <Link to={agentAddress(answer.id)}>{answer.title}</Link>
              </>
            ) : null}
          </p>
          <h1>{title}</h1>
          <CopyNote isMissing={output.copyMissing} copy={context.values['copy']} />
          <div class="narrow">
            {answer ? (
              <WhyPanel name={output.name} answer={answer} elsewhere={elsewhere} here={context.here} isPage />
            ) : (
              <p class="lede">This agent does not find the skill.</p>
            )}
          </div>
        </>
      ),
    };
  },
});

/** A copy in a folder that this agent does not read, with the agents that do. */
export interface Elsewhere {
  path: string;
  readers: string[];
}

/** Finds the copies in folders that only other agents read. */
export async function copiesElsewhere(
  answer: Answer | undefined,
  { ask }: PageContext,
  name: string,
): Promise<Elsewhere[]> {
  if (!answer) return [];
  const own = new Set(answer.chain.map((step) => step.path));
  const { agents } = await ask(why, { name });
  const found = new Map<string, string[]>();
  for (const other of agents)
    for (const step of other.chain)
      if (step.found && !own.has(step.path)) found.set(step.path, [...(found.get(step.path) ?? []), other.title]);
  return [...found].map(([dir, readers]) => ({ path: dir, readers }));
}

/** Commands begin with a small letter, sentences with a capital one. */
function isCommand(fix: string): boolean {
  return /^[a-z]/u.test(fix);
}

export function WhyPanel({
  name,
  answer,
  elsewhere,
  here,
  isPage = false,
}: {
  name: string;
  answer: Answer;
  elsewhere: readonly Elsewhere[];
  here: Here;
  isPage?: boolean;
}): Html {
  const { title: agent, status, reason, chain, fix, source, text, path: copy } = answer;
  const { title, badge, words } = STATUS_LOOKS[status];
  const folder = path.basename(copy);
  return (
    <>
      <section class="card pad why" aria-labelledby="why-h">
        {isPage ? null : (
          <p class="small dim">
            {name} in {agent}
          </p>
        )}
        <h2 class="h3" id="why-h">
          {title}
        </h2>
        <div class="verdict">
          <Badge tone={badge}>{words}</Badge>
          <p>
            {sentence(here.say(reason))}
            {text === undefined ? null : ` The list has “${text}”.`}
          </p>
        </div>
        <p class="small dim">Folders that {agent} reads, in order:</p>
        <ol class="chain">
          {folded(chain).map((step) =>
            'skipped' in step ? (
              <li class="lost">
                no skill with this name in <span class="path">{here.place(step.first)}</span>
                {step.skipped === 0 ? null : `and in ${count(step.skipped, 'more folder')}`}
              </li>
            ) : (
              <li class={step.used ? 'win' : 'hid'}>
                <b>{placeWords(step, here)}</b>
                <span class="path">{here.place(path.join(step.path, folder))}</span>
                {step.used
                  ? 'found first and used'
                  : status === 'other-copy'
                    ? 'hidden: same name'
                    : 'found, but not used'}
              </li>
            ),
          )}
          {elsewhere.map(({ path: dir, readers }) => (
            <li class="out">
              <b>Not read by {agent}</b>
              <span class="path">{here.place(path.join(dir, folder))}</span>
              read by {inWords(readers)}
            </li>
          ))}
        </ol>
        {fix === undefined ? null : (
          <div class="fix">
            <h3 class="h3">To change that</h3>
            <Fix fix={fix} here={here} />
          </div>
        )}
      </section>
      <section class="card pad">
        <h2 class="h3">How we know</h2>
        <p class="small dim">
          {HOW[source.source] ?? source.source} {source.version}: {source.fact}.
        </p>
      </section>
    </>
  );
}

/** A command to copy, or a sentence. */
export function Fix({ fix, here }: { fix: string; here: Here }): Html {
  return isCommand(fix) ? <Command run={fix} here={here} /> : <p>{sentence(here.say(fix))}</p>;
}

const HOW: Readonly<Record<string, string>> = {
  observed: 'Observed with',
  'source code': 'Read in the source code of',
  documents: 'From the documentation of',
};

/** Starts with a capital and ends with a period. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…:]$/u.test(first) ? first : `${first}.`;
}

/** Merges consecutive folders without a copy into one line. */
function folded(chain: readonly Step[]): (Step | { first: string; skipped: number })[] {
  const lines: (Step | { first: string; skipped: number })[] = [];
  for (const step of chain) {
    const last = lines.at(-1);
    if (step.found) lines.push(step);
    else if (last && 'skipped' in last) last.skipped += 1;
    else lines.push({ first: step.path, skipped: 0 });
  }
  return lines;
}

/** Label of a folder. */
export function placeWords({ place, path: dir }: { place: string; path: string }, here: Here): string {
  if (place.startsWith('plugin')) return `Plugin ${place.slice('plugin '.length)}`;
  const shown = here.place(dir);
  const shared = /[/\\]\.agents[/\\]/u.test(dir) ? ', shared by several agents' : '';
  if (place === 'project') return `${here.key(dir).startsWith('./') ? 'Project' : 'Above the project'}${shared}`;
  if (place === 'user') return shown.startsWith('~') ? `Personal${shared}` : 'Managed by the organization';
  return place.charAt(0).toUpperCase() + place.slice(1);
}
