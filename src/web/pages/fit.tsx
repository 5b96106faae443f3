/** The remedies for a full skill list as strips on one scale, and the words that are cut. */
import { fitList, type FitOutput } from '../../operations/fit.ts';
import { count, grouped } from '../../core/text.ts';
import { address, agentAddress, skillAddress, whyAddress } from '../address.ts';
import { Command, Link, SectionHead, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage, type Values } from '../page.ts';
import { BlockStrip, StripLegend } from '../plots/strips.tsx';
import { STATUS_LOOKS } from '../status.tsx';

type Remedy = FitOutput['remedies'][number];
type Effect = Pick<Remedy, 'kept' | 'shortened' | 'nameOnly' | 'dropped' | 'tokens'>;
type StripOf = NonNullable<FitOutput['strips']>[number];

export function fitAddress(agent: string, window?: string, after?: string): string {
  return address(`${agentAddress(agent)}/fit`, { window, after });
}

export const fitPage = definePage({
  path: '/agents/:agent/fit',
  section: 'agents',
  // Parameters that would change files are never passed on.
  twin: {
    path: '/api/agents/:agent/fit',
    operation: fitList,
    input: ({ agent, window, after, cursor }) => ({ agent, window, after, cursor }),
  },
  show: (output, { values, here }) => ({
    title: `Make it fit: ${output.agent.name}`,
    main: <FitPage output={output} values={values} here={here} />,
  }),
});

function FitPage({ output, values, here }: { output: FitOutput; values: Values; here: Here }): Html {
  const { agent, fits, cutTotal = 0 } = output;
  return (
    <>
      <p class="crumb">
        <Link to="/agents">Agents</Link> / <Link to={agentAddress(agent.id)}>{agent.name}</Link> / Make it fit
      </p>
      <h1>{headingOf(output)}</h1>
      <p class="lede">
        <Budget output={output} />
      </p>
      {fits ? null : (
        <section class="card" aria-label="Remedies">
          <Options output={output} values={values} here={here} />
          {output.remedies.length === 0 ? <p class="pad">No remedy is known that would show more.</p> : null}
          <StripLegend />
        </section>
      )}
      {fits && cutTotal === 0 ? null : <Lost output={output} values={values} here={here} />}
    </>
  );
}

function headingOf({ agent: { name, budget }, fits, now }: FitOutput): string {
  if (budget.limit === null) return `${name} has no known limit`;
  if (fits) return `Every description fits into the list of ${name}`;
  const cut = now.shortened + now.nameOnly + now.dropped;
  return `${name} cuts ${grouped(cut)} of ${count(cut + now.kept, 'description')}`;
}

function Budget({ output: { agent, fits } }: { output: FitOutput }): Html {
  const { limit, wanted, unit } = agent.budget;
  if (limit === null) return <>Nothing is shortened to fit the list.</>;
  return (
    <>
      The budget for its list is {grouped(limit)} {unit}, and the whole list needs {grouped(wanted)}.
      {fits ? '' : ' Solid parts reach the model, hatched parts do not. All strips have the same scale.'}
    </>
  );
}

function Options({ output, values, here }: { output: FitOutput; values: Values; here: Here }): Html {
  const { agent, now, remedies, strips = [] } = output;
  const { window, after } = values;
  const end = Math.max(1, ...strips.flatMap(({ limit, wanted }) => [limit ?? 0, wanted]));
  const selected = remedies.some(({ id }) => id === after) ? after : undefined;
  const strip = (id: string | undefined): StripOf | undefined => strips.find((each) => each.id === id);
  return (
    <ul class="lines fits">
      <Option
        id={undefined}
        title="Now"
        to={fitAddress(agent.id, window)}
        isSelected={selected === undefined}
        strip={strip(undefined)}
        {...{ end, agent, effect: now, figure: '' }}
      />
      {remedies.map((remedy) => (
        <Option
          id={remedy.id}
          title={titleOf(remedy, strip(remedy.id), agent.budget.unit)}
          to={fitAddress(agent.id, window, remedy.id)}
          isSelected={selected === remedy.id}
          strip={strip(remedy.id)}
          {...{ end, agent, effect: remedy, figure: costOf(remedy) }}
        >
          {remedy.setting ? <span class="small dim">{here.say(remedy.fix)}</span> : null}
          {remedy.command === undefined ? null : <Command run={remedy.command} here={here} />}
        </Option>
      ))}
    </ul>
  );
}

function Option({
  id = 'now',
  title,
  to,
  isSelected,
  strip,
  end,
  agent,
  effect,
  figure,
  children,
}: {
  id: string | undefined;
  title: string;
  to: string;
  isSelected: boolean;
  strip: StripOf | undefined;
  end: number;
  agent: FitOutput['agent'];
  effect: Effect;
  figure: string;
  children?: unknown;
}): Html {
  const { unit } = agent.budget;
  const parts = [
    ...(effect.shortened > 0 ? [`${grouped(effect.shortened)} shortened`] : []),
    ...(effect.nameOnly > 0 ? [`${grouped(effect.nameOnly)} by name only`] : []),
    ...(effect.dropped > 0 ? [`${grouped(effect.dropped)} dropped`] : []),
    ...(figure === '' ? [] : [figure]),
  ];
  return (
    <li id={`fit-${id}`} class={isSelected ? 'on' : undefined} data-row>
      {strip ? (
        <BlockStrip
          budget={{ ...strip, unit }}
          blocks={strip.blocks}
          end={end}
          label={`${title}: ${grouped(strip.used)} of ${grouped(strip.wanted)} ${unit} reach the model`}
        />
      ) : null}
      <div class="fig">
        <b>{grouped(effect.kept)}</b> in full
        {parts.length === 0 ? null : (
          <>
            <br />
            {parts.join(', ')}
          </>
        )}
      </div>
      <div class="how">
        <Link class="ttl" to={to} aria-current={isSelected ? 'true' : undefined} data-soft>
          {title}
        </Link>
        {children}
      </div>
    </li>
  );
}

function titleOf({ id, fix, to, skills = 0 }: Remedy, strip: StripOf | undefined, unit: string): string {
  switch (id) {
    case 'limit':
      return `Raise the limit to ${grouped(strip?.limit ?? 0)} ${unit}`;
    case 'built-in':
      return 'Disable the built-in skills';
    case 'shorten':
      return `Shorten ${count(skills, 'description')} to ${grouped(to ?? 0)} characters`;
    case 'unused':
      return fix;
  }
}

function costOf({ tokens }: Remedy): string {
  if (tokens === 0) return 'no more tokens';
  return `${count(Math.abs(tokens), 'token')} ${tokens > 0 ? 'more' : 'fewer'} in every session`;
}

function Lost({ output, values, here }: { output: FitOutput; values: Values; here: Here }): Html {
  const { agent, cut = [], cutTotal = 0, nextCursor, remedies, strips = [] } = output;
  const chosen = remedies.find(({ id }) => id === values['after']);
  const title = chosen
    ? titleOf(
        chosen,
        strips.find(({ id }) => id === chosen.id),
        agent.budget.unit,
      )
    : '';
  return (
    <section aria-labelledby="lost">
      <SectionHead
        id="lost"
        title={chosen ? 'Descriptions that are then still cut' : 'Descriptions that are cut'}
        note={`${grouped(cutTotal)}, longest loss first`}
      />
      {chosen ? <p class="small dim">With this remedy: {title}.</p> : null}
      {cut.length === 0 ? (
        <p class="empty">No description is cut.</p>
      ) : (
        <>
          <ul class="card lines lost-lines" id="rows">
            {cut.map((line) => (
              <LostLine line={line} agent={agent.id} />
            ))}
          </ul>
          {nextCursor === undefined ? null : (
            <p class="fold" id="more">
              <Link to={address(`${agentAddress(agent.id)}/fit`, { ...restOf(values), cursor: nextCursor })}>
                {grouped(cutTotal - Number(nextCursor))} more
              </Link>
            </p>
          )}
        </>
      )}
      {here.can.runCommands ? (
        <p class="at-end">
          <Command run={`lectern fit ${agent.id} --shorten`} here={here} />
        </p>
      ) : null}
    </section>
  );
}

function restOf({ window, after }: Values): Values {
  return { window, after };
}

function LostLine({ line, agent }: { line: NonNullable<FitOutput['cut']>[number]; agent: string }): Html {
  const { name, fullName, status, text, lost, characters, lostCharacters, loads } = line;
  return (
    <li id={`lost-${encodeURIComponent(fullName)}`} data-row>
      <div>
        <Link class="ttl" to={skillAddress(fullName)}>
          {name}
        </Link>
        <p class="small">
          {text}
          <del>{lost}</del>
        </p>
      </div>
      <span class="num">
        {grouped(lostCharacters)} of {count(characters, 'character')} cut
        <Link class="tiny" to={whyAddress(agent, fullName)}>
          {STATUS_LOOKS[status].words}
        </Link>
        {loads === undefined ? null : (
          <span class="tiny">
            {loads === 0 ? 'never loaded' : `loaded ${loads === 1 ? 'once' : `${grouped(loads)} times`}`}
          </span>
        )}
      </span>
    </li>
  );
}
