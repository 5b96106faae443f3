/** The first request of an agent: one strip, and the parts below it. */
import type { ItemStatus } from '../../agents/names.ts';
import { context, type ContextItem, type ContextOutput } from '../../operations/context.ts';
import { count, grouped } from '../../core/text.ts';
import { KIND_WORDS } from '../../render/context.ts';
import { agentAddress } from '../address.ts';
import { Badge, Command, Link, type Html, type Tone } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage } from '../page.ts';
import { PartLegend, PartStrip } from '../plots/parts.tsx';
import { Fix, sentence } from './why.tsx';

/** Further parts are only in the JSON. */
const ROWS = 200;

export const contextPage = definePage({
  path: '/agents/:agent/context',
  section: 'agents',
  isPrivate: true,
  twin: {
    path: '/api/agents/:agent/context',
    operation: context,
    input: ({ agent, window }) => ({ agent, window }),
  },
  show: (output, { here }) => ({
    title: `Context of ${output.name ?? ''}`,
    main: <ContextPage output={output} here={here} />,
  }),
});

function ContextPage({ output, here }: { output: ContextOutput; here: Here }): Html {
  const { agent = '', name = '', version, installed, window, items = [], total } = output;
  const shown = items.slice(0, ROWS);
  return (
    <>
      <p class="crumb">
        <Link to="/agents">Agents</Link> / <Link to={agentAddress(agent)}>{name}</Link> / Context
      </p>
      <h1>Context of {name}</h1>
      <p class="lede">
        About {grouped(total?.tokens ?? 0)}
        {window === null || window === undefined ? '' : ` of ${grouped(window)}`} tokens are in use in{' '}
        <code>{here.project}</code> before the first message.{' '}
        {version === null || version === undefined
          ? 'The first request of this agent was not observed, so only the files are known.'
          : `Observed with ${version}${installed === undefined || installed === version ? '' : `; installed: ${installed}`}.`}
      </p>
      <section class="card" aria-label="Parts of the first request">
        <div class="solo first-request">
          <PartStrip label={`First request of ${name}: about ${count(total?.tokens ?? 0, 'token')}`} items={items} />
        </div>
        <PartLegend items={items} />
        <ol class="lst lines parts" id="rows">
          {shown.map((item, index) => (
            <PartRow item={item} index={index} here={here} />
          ))}
        </ol>
        {items.length > shown.length ? (
          <p class="fold small dim">and {count(items.length - shown.length, 'more part')}; the JSON has all</p>
        ) : null}
      </section>
      <p class="small dim at-end">
        ~ marks sizes that belong to the observed version of the agent or are estimated. Tokens are characters / 4.
      </p>
      <p>
        <Command run={`lectern context ${agent}`} here={here} />
      </p>
    </>
  );
}

const TONES: Readonly<Record<ItemStatus, Tone>> = {
  loaded: 'ok',
  cut: 'cut',
  'not-followed': 'warn',
  'not-read': 'line',
  duplicate: 'warn',
  unknown: '',
};

function PartRow({ item, index, here }: { item: ContextItem; index: number; here: Here }): Html {
  const { kind, name, path, characters, tokens, exact, status, reason, fix } = item;
  return (
    <li id={`part-${index}`} data-row>
      <span class="kind">{KIND_WORDS[kind]}</span>
      <div class="what">
        <b>{path === undefined || kind === 'mcp-server' ? name : here.place(path)}</b>{' '}
        <Badge tone={TONES[status]}>{status.replace('-', ' ')}</Badge>
        {path !== undefined && kind === 'mcp-server' ? <span class="path">{here.place(path)}</span> : null}
        {reason === undefined ? null : <p class="small dim">{sentence(here.say(reason))}</p>}
        {fix === undefined ? null : <Fix fix={fix} here={here} />}
      </div>
      <span class="num">
        {tokens === null || characters === null ? (
          'size unknown'
        ) : (
          <>
            {exact ? '' : '~'}
            {count(tokens, 'token')}
            <span class="tiny dim">{count(characters, 'character')}</span>
          </>
        )}
      </span>
    </li>
  );
}
