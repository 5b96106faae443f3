/** The overview of a shared catalog: counts for the caller, the latest publications, and how to connect. */
import { count } from '../../core/text.ts';
import { changeStates } from '../../operations/change-states.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { specCounts } from '../../operations/spec-counts.ts';
import { catalogOverview } from '../catalog/catalog-overview.ts';
import { sourceAddress } from '../address.ts';
import { Badge, Command, Link, SectionHead, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage } from '../page.ts';
import { SHORT_COLUMN, ShortBoard } from './changes.tsx';
import { By, contentInWords, sourcesInWords } from './source-parts.tsx';
import { SHORT_LIST, ShortSpecs } from './specs.tsx';

type Found = AnswerOf<typeof catalogOverview>;

export const catalogOverviewPage = definePage({
  path: '/',
  section: 'overview',
  twin: { path: '/api/overview', operation: catalogOverview, input: () => ({}) },
  show: async (found, { ask, here }) => {
    const { specs } = await ask(specCounts, { largest: true, limit: SHORT_LIST });
    const board = await ask(changeStates, { with_archived: SHORT_COLUMN, per_state: SHORT_COLUMN });
    return {
      title: 'Overview',
      main: (
        <>
          <h1>
            {count(found.skills, 'skill')}, {count(found.specs, 'spec')} and {count(found.changes, 'change')}
          </h1>
          <p class="lede">{inSources(found)}</p>
          <div class="grid2">
            <Lately lately={found.lately} />
            <Connect here={here} />
          </div>
          {board.changes.length === 0 ? null : <ShortBoard board={board} here={here} />}
          {specs.length === 0 ? null : <ShortSpecs specs={specs} total={found.specs} />}
        </>
      ),
    };
  },
});

function inSources({ sources, own }: Found): string {
  if (sources === 0) return 'There are no sources that you can read yet.';
  return `In ${sourcesInWords(sources, own)}.`;
}

function Lately({ lately }: { lately: Found['lately'] }): Html {
  return (
    <section aria-labelledby="lately">
      <SectionHead id="lately" title="Recently published" more={<Link to="/sources">All sources</Link>} />
      {lately.length === 0 ? (
        <p class="empty">Nothing has been published yet.</p>
      ) : (
        <ul class="card rows lines">
          {lately.map((source) => (
            <li data-row>
              <div>
                <Link class="ttl" to={sourceAddress(source.source)}>
                  {source.source}
                </Link>{' '}
                {source.own ? <Badge tone="ok">your team</Badge> : null}
              </div>
              <p class="d">{contentInWords(source)}</p>
              {source.published === undefined ? null : (
                <p class="src">
                  <By of={source.published} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Connect({ here }: { here: Here }): Html {
  return (
    <section aria-labelledby="connect">
      <SectionHead id="connect" title="Connect your agent" />
      <div class="card pad">
        <dl class="facts">
          <dt>Address</dt>
          <dd>
            <code>{here.catalogUrl}/mcp</code>
          </dd>
          <dt>Token</dt>
          <dd>
            with the read permission, in <code>LECTERN_TOKEN</code>
          </dd>
        </dl>
        <p class="at-end">
          <Command run={`lectern setup claude --url ${here.catalogUrl} --write`} here={here} />
        </p>
        <p class="tiny dim">or any other client instead of claude</p>
        <p class="at-end">
          <Command run={`lectern setup claude --url ${here.catalogUrl} --transport stdio --write`} here={here} />
        </p>
        <p class="tiny dim">together with the skills on your machine</p>
      </div>
    </section>
  );
}
