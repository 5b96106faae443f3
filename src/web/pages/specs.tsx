/** All specs, by source and folder, with a square for each requirement. */
import { count, grouped } from '../../core/text.ts';
import { specCounts } from '../../operations/spec-counts.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { address, sourceAddress, specAddress } from '../address.ts';
import { Command, Link, SectionHead, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { folderOf, idInRoot, sourceIn } from '../spec-ids.ts';
import { Squares, SquaresLegend } from '../plots/squares.tsx';
import { definePage } from '../page.ts';
import { MapPage, SpecViews } from './spec-map.tsx';

type Spec = AnswerOf<typeof specCounts>['specs'][number];

export const specsPage = definePage({
  path: '/specs',
  section: 'specs',
  twin: { path: '/api/specs', operation: specCounts, input: ({ view }) => (view === 'map' ? { map: true } : {}) },
  // The twin matches the output of the command, which has no roots.
  show: async ({ specs, map }, { ask, here }) => {
    if (map) return { title: 'Spec map', main: <MapPage map={map} specs={specs.length} here={here} /> };
    const answer = await ask(specCounts, { by_root: true });
    const tabs = specs.length > 0 ? <SpecViews /> : null;
    return { title: 'Specs', main: Specs({ answer, here, tabs }) };
  },
});

/** More lines would make the page slow. */
const SPECS_MAX = 400;

/** Paginated, because a shared catalog can have many specs. */
export const catalogSpecsPage = definePage({
  path: '/specs',
  section: 'specs',
  twin: {
    path: '/api/specs',
    operation: specCounts,
    input: ({ cursor, limit = AT_ONCE }) => ({ by_root: true, cursor, limit }),
  },
  show: (answer, { here }) => ({ title: 'Specs', main: Specs({ answer, here }) }),
});

const AT_ONCE = 100;

function Specs({
  answer,
  here,
  tabs = null,
}: {
  answer: AnswerOf<typeof specCounts>;
  here: Here;
  tabs?: Html | null;
}): Html {
  const { specs, totals, nextCursor } = answer;
  const sum = (of: (spec: Spec) => number): number => specs.reduce((total, spec) => total + of(spec), 0);
  const total = totals?.specs ?? specs.length;
  const requirements = totals?.requirements ?? sum((spec) => spec.requirements);
  const touched = totals?.touched ?? sum((spec) => spec.touched.length);
  const untested = totals?.untested ?? sum((spec) => spec.untested.length);
  const roots = together(specs.slice(0, SPECS_MAX), ({ root = '' }) => root);
  const hasHeads = here.can.seeSources || roots.size > 1;
  return (
    <>
      <h1>Specs</h1>
      <p class="lede">
        {total === 0
          ? 'No specs here yet.'
          : `${count(total, 'spec')} with ${count(requirements, 'requirement')}${touched === 0 ? '' : `; open changes touch ${grouped(touched)}`}${untested === 0 ? '' : `; ${grouped(untested)} ${untested === 1 ? 'has' : 'have'} no scenario`}.`}
      </p>
      {tabs}
      {total === 0 ? (
        <p class="empty">
          A spec describes the required behavior of one part of the system.{' '}
          {here.can.runCommands ? (
            <>
              Propose a change to create one: <Command run="lectern change new add-something" here={here} />
            </>
          ) : (
            'Specs appear here when their source is published.'
          )}
        </p>
      ) : (
        <section class="card" aria-label="Specs by folder">
          {[...roots].map(([root, listed]) => (
            <>
              {hasHeads ? <RootHead root={root} here={here} /> : null}
              <Folders specs={listed} heading={hasHeads ? 'h3' : 'h2'} />
            </>
          ))}
          <SquaresLegend />
        </section>
      )}
      {nextCursor === undefined ? null : (
        <p class="fold">
          <Link to={address('/specs', { cursor: nextCursor })}>{grouped(total - Number(nextCursor))} more</Link>
        </p>
      )}
      {specs.length > SPECS_MAX ? (
        <p class="small dim">
          {count(specs.length - SPECS_MAX, 'more spec')}: use the search, or <code>lectern spec list</code>
        </p>
      ) : null}
    </>
  );
}

function together(specs: readonly Spec[], by: (spec: Spec) => string): Map<string, Spec[]> {
  const groups = new Map<string, Spec[]>();
  for (const spec of specs) groups.set(by(spec), [...(groups.get(by(spec)) ?? []), spec]);
  return groups;
}

/** In a shared catalog a root is named after its source. */
function RootHead({ root, here }: { root: string; here: Here }): Html {
  const source = sourceIn(root);
  return (
    <h2 class="folder root">
      {here.can.seeSources ? <Link to={sourceAddress(source)}>{source}</Link> : root}
      {here.can.seeSources ? root.slice(source.length) : ''}
    </h2>
  );
}

function Folders({ specs, heading: Heading }: { specs: readonly Spec[]; heading: 'h2' | 'h3' }): Html {
  const folders = together(specs, (spec) => folderOf(idInRoot(spec.id, spec.root)));
  // List specs without a folder first.
  const inOrder = [...folders].sort(([a], [b]) => Number(a !== '') - Number(b !== ''));
  return (
    <>
      {inOrder.map(([folder, listed]) => (
        <>
          {folder === '' ? null : <Heading class="folder">{folder}/</Heading>}
          <ul class={folder === '' ? 'spec-list' : 'spec-list in'}>
            {listed.map((spec) => (
              <SpecRow spec={spec} />
            ))}
          </ul>
        </>
      ))}
    </>
  );
}

function SpecRow({ spec }: { spec: Spec }): Html {
  const { id, root, purpose, requirements, scenarios } = spec;
  const inRoot = idInRoot(id, root);
  return (
    <li id={`s-${id}`} data-row>
      <div>
        <Link class="ttl" to={specAddress(id)}>
          {inRoot.slice(inRoot.lastIndexOf('/') + 1)}
        </Link>
        <p class="about">{purpose.replace(/\s+/gu, ' ').slice(0, PURPOSE_CHARACTERS)}</p>
      </div>
      <Squares {...spec} />
      <span class="num">
        {count(requirements, 'requirement')}, {count(scenarios, 'scenario')}
      </span>
    </li>
  );
}

const PURPOSE_CHARACTERS = 200;

/** Number of specs on the overview, largest first. */
export const SHORT_LIST = 10;

export function ShortSpecs({ specs, total = specs.length }: { specs: readonly Spec[]; total?: number }): Html {
  const largest = [...specs].sort((a, b) => b.requirements - a.requirements).slice(0, SHORT_LIST);
  return (
    <section aria-labelledby="specs">
      <SectionHead
        id="specs"
        title="Specs"
        note="one square per requirement"
        more={<Link to="/specs">All {grouped(total)}</Link>}
      />
      <div class="card">
        <ul class="pad specs">
          {largest.map((spec) => (
            <li>
              <Link to={specAddress(spec.id)}>{spec.id}</Link>
              <Squares {...spec} inARow={15} rows={1} />
              <span class="num">
                {spec.requirements} req · {spec.scenarios} sc
              </span>
            </li>
          ))}
        </ul>
        <SquaresLegend />
      </div>
    </section>
  );
}
