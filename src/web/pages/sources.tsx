/** The sources of a shared catalog that the caller can see, each with its latest publication. */
import { count, grouped } from '../../core/text.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { listSources, type SourceFacts } from '../catalog/list-sources.ts';
import { address, sourceAddress } from '../address.ts';
import { Badge, Link, type Html } from '../html.tsx';
import { definePage, type Values } from '../page.ts';
import { FilterField } from './filter-field.tsx';
import { By, contentInWords, sourcesInWords } from './source-parts.tsx';

const ROWS = 100;

export const sourcesPage = definePage({
  path: '/sources',
  section: 'sources',
  twin: {
    path: '/api/sources',
    operation: listSources,
    input: ({ q, cursor, limit = ROWS }) => ({ query: q === '' ? undefined : q, cursor, limit }),
  },
  show: (answer, { values }) => ({ title: 'Sources', main: Sources({ answer, values }) }),
});

function Sources({ answer, values }: { answer: AnswerOf<typeof listSources>; values: Values }): Html {
  const { sources, total, own, nextCursor } = answer;
  const { q } = values;
  return (
    <>
      <h1>Sources</h1>
      <p class="lede">
        A source is the content that one repository publishes.{' '}
        {q === undefined || q === ''
          ? total === 0
            ? 'There are none that you can read yet.'
            : `You can read ${sourcesInWords(total, own)}.`
          : `${count(total, 'match', 'matches')}.`}
      </p>
      <FilterField of="sources" by="name" values={values} />
      {sources.length === 0 ? (
        <p class="card pad" id="rows">
          {q === undefined || q === ''
            ? 'Sources appear here when they are published or shared.'
            : 'No source matches.'}
        </p>
      ) : (
        <ul class="card rows lines" id="rows">
          {sources.map((source) => (
            <SourceRow of={source} />
          ))}
        </ul>
      )}
      {nextCursor === undefined ? null : (
        <p class="fold" id="more">
          <Link to={address('/sources', { q, cursor: nextCursor })}>{grouped(total - Number(nextCursor))} more</Link>
        </p>
      )}
    </>
  );
}

function SourceRow({ of }: { of: SourceFacts }): Html {
  return (
    <li id={`source-${of.source}`} data-row>
      <div>
        <Link class="ttl" to={sourceAddress(of.source)}>
          {of.source}
        </Link>{' '}
        <Badge tone={of.own ? 'ok' : ''}>{of.own ? 'your team' : 'shared with you'}</Badge>
      </div>
      <p class="d">{contentInWords(of)}</p>
      {of.published === undefined ? null : (
        <p class="src">
          version {of.version}, published <By of={of.published} />
        </p>
      )}
    </li>
  );
}
