/** Searches skills, requirements and changes together. */
import { count, grouped } from '../../core/text.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { search } from '../../operations/search.ts';
import { address, changeAddress, requirementAddress, skillAddress } from '../address.ts';
import { Highlighted } from '../highlighted.tsx';
import { Badge, Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage, type Values } from '../page.ts';
import { inWords } from '../words.ts';

type Answer = AnswerOf<typeof search>;
type Result = Answer['results'][number];

const AT_ONCE = 20;

const PLACES = ['skills', 'specs', 'changes'] as const;
type Place = (typeof PLACES)[number];
const placeOf = ({ in: place }: Values): Place | undefined => PLACES.find((each) => each === place);

export const searchPage = definePage({
  path: '/search',
  section: 'search',
  twin: {
    path: '/api/search',
    operation: search,
    input: (values) => {
      const [place, { q = '', mode, cursor }] = [placeOf(values), values];
      return {
        query: q,
        limit: AT_ONCE,
        ...(mode === 'keyword' ? { mode: 'keyword' as const } : {}),
        ...(place === undefined ? {} : { in: [place] }),
        ...(cursor === undefined ? {} : { cursor }),
      };
    },
  },
  show: (answer, { values }) => ({ title: `Search: ${answer.query}`, main: SearchPage({ answer, values }) }),
  failed: ({ code }, { values, here }) =>
    code === 'USAGE' && (values['q'] ?? '').trim() === '' ? { title: 'Search', main: Empty({ here }) } : undefined,
});

function Empty({ here }: { here: Here }): Html {
  return (
    <>
      <h1>Search</h1>
      <p class="lede">
        Type words or a question. Lectern searches skills, requirements and changes by words and by meaning
        {here.can.seeSources ? '' : ', on this machine'}.
      </p>
    </>
  );
}

interface Props {
  answer: Answer;
  values: Values;
}

function SearchPage({ answer, values }: Props): Html {
  const { query, results, near = [], nextCursor, allTotals: totals = answer.totals } = answer;
  const chosen = { q: query, in: placeOf(values), mode: values['mode'], scores: values['scores'] };
  if (answer.preparing) return <Preparing answer={answer} chosen={chosen} />;
  /** Results with a much lower score than the best one are listed as less likely. */
  const isLikely = (result: Result | undefined): boolean =>
    answer.mode === 'keyword' || (result !== undefined && result.score >= LIKELY * best);
  const best = Math.max(...results.map(({ score }) => score), Number.EPSILON);
  return (
    <>
      <h1 class="vh">Search</h1>
      <Summary answer={answer} chosen={chosen} />
      <div class="chips" role="group" aria-label="Kind">
        <Chip label={`Everything ${grouped(totals.skill + totals.requirement + totals.change)}`} chosen={chosen} />
        <Chip label={`Skills ${grouped(totals.skill)}`} chosen={chosen} place="skills" />
        <Chip label={`Requirements ${grouped(totals.requirement)}`} chosen={chosen} place="specs" />
        <Chip label={`Changes ${grouped(totals.change)}`} chosen={chosen} place="changes" />
      </div>
      {results.length === 0 ? <NothingFound answer={answer} chosen={chosen} /> : null}
      {results.length + near.length === 0 ? null : (
        <ul class="card res lines" id="rows" aria-label={results.length > 0 ? 'Results' : 'Nearest results'}>
          {[...results, ...(results.length === 0 ? near : [])].map((result, index, all) => (
            <>
              {isLikely(all[index - 1]) && !isLikely(result) ? <li class="rest">Less likely</li> : null}
              <Hit result={result} best={best} hasScores={chosen.scores !== undefined} />
            </>
          ))}
        </ul>
      )}
      {nextCursor === undefined ? null : (
        <p id="more" class="more">
          <Link to={address('/search', { ...chosen, cursor: nextCursor })}>More results</Link>
        </p>
      )}
      <p class="small dim keys-hint">
        <kbd>↓</kbd> <kbd>↑</kbd> select · <kbd>Enter</kbd> open · <kbd>Esc</kbd> leave the field
      </p>
    </>
  );
}

/** Shown by the first search on a machine. The page is updated when the index is ready. */
function Preparing({ answer: { query, searched }, chosen }: { answer: Answer; chosen: Chosen }): Html {
  const documents = searched.skill + searched.requirement + searched.change;
  return (
    <>
      <h1 class="vh">Search</h1>
      <div class="honest" role="status" id="honest">
        <b>Building the search index</b> <span>of {count(documents, 'document')}</span>
      </div>
      <div class="empty">
        <p>
          This is needed once. The results for “{query}” will appear here. Without JavaScript,{' '}
          <Link to={address('/search', chosen)}>reload the page</Link> in a moment.
        </p>
      </div>
    </>
  );
}

/** The values of the address. */
type Chosen = Readonly<Record<string, string | undefined>>;

function NothingFound({ answer, chosen }: { answer: Answer; chosen: Chosen }): Html {
  const { query, near = [], suggestions = [] } = answer;
  return (
    <div class="empty">
      <p>
        <b>Nothing matches “{query}”.</b>{' '}
        {answer.mode === 'keyword'
          ? 'All words must occur. Try fewer words.'
          : 'Nothing is similar enough. Try other words.'}
      </p>
      {suggestions.length === 0 ? null : (
        <p>
          Did you mean{' '}
          {suggestions.map((word, index) => (
            <>
              {index === 0 ? '' : ', '}
              <Link data-soft to={address('/search', { ...chosen, q: word })}>
                {word}
              </Link>
            </>
          ))}
          ?
        </p>
      )}
      {near.length === 0 ? null : <h2 class="h3">Nearest results</h2>}
    </div>
  );
}

/** Number of results, how they were found, and notes on them. */
function Summary({ answer, chosen }: { answer: Answer; chosen: Chosen }): Html {
  const { mode, model, total, searched, corrections, confidence, reason } = answer;
  const isAuto = mode === 'auto';
  const how = !isAuto ? ', with all words' : model === null ? ', by words only' : '';
  const over = [
    ...(chosen['in'] === undefined || chosen['in'] === 'skills' ? [count(searched.skill, 'skill')] : []),
    ...(chosen['in'] === undefined || chosen['in'] === 'specs' ? [count(searched.requirement, 'requirement')] : []),
    ...(chosen['in'] === undefined || chosen['in'] === 'changes' ? [count(searched.change, 'change')] : []),
  ];
  // Corrections are described separately below.
  const why = corrections.length > 0 ? undefined : reason;
  return (
    <>
      <div class="honest" role="status" id="honest">
        <b>{count(total, 'result')}</b>{' '}
        <span>
          in {inWords(over)}
          {how}
        </span>
        {confidence === undefined ? null : <Badge tone="warn">weak match</Badge>}
        <Link data-soft to={address('/search', { ...chosen, mode: isAuto ? 'keyword' : undefined })}>
          {isAuto ? 'all words' : 'by meaning too'}
        </Link>
        <Link
          data-soft
          to={address('/search', { ...chosen, scores: chosen['scores'] === undefined ? '1' : undefined })}
          aria-current={chosen['scores'] === undefined ? undefined : 'true'}
        >
          {chosen['scores'] === undefined ? 'show scores' : 'hide scores'}
        </Link>
      </div>
      {corrections.map(({ typed, meant }) => (
        <p class="small dim">
          “{typed}” was not found, so <b>{meant}</b> was searched too.
        </p>
      ))}
      {why === undefined ? null : <p class="small dim">{why}.</p>}
    </>
  );
}

function Chip({ label, chosen, place }: { label: string; chosen: Chosen; place?: Place }): Html {
  return (
    <Link
      class="chip"
      data-soft
      to={address('/search', { ...chosen, in: place })}
      aria-current={chosen['in'] === place ? 'true' : undefined}
    >
      {label}
    </Link>
  );
}

const LIKELY = 0.5;

const KIND_WORDS = { skill: 'Skill', requirement: 'Requirement', change: 'Change' } as const;

/** Minimum similarity to show as a reason. */
const MEANING_SHOWN = 0.15;

function Hit({ result, best, hasScores }: { result: Result; best: number; hasScores: boolean }): Html {
  const { kind, id, name, score, snippet, marks, words, meaning, spec_id, requirement, skill, shown } = result;
  const to =
    kind === 'skill'
      ? skillAddress(id)
      : kind === 'change'
        ? changeAddress(id)
        : requirementAddress(spec_id ?? id, requirement ?? name);
  const reasons = [
    ...(meaning !== undefined && meaning >= MEANING_SHOWN ? [`meaning ${meaning.toFixed(2)}`] : []),
    ...(words.length > 0 ? [`words: ${words.join(', ')}`] : []),
  ];
  return (
    <li data-row>
      <span class="kind">{KIND_WORDS[kind]}</span>
      <div>
        <Link class="ttl" to={to}>
          {kind === 'change' ? id : name}
        </Link>{' '}
        <span class="in">
          {kind === 'change' && name !== id ? `${name} · ` : ''}
          {whereIs(result)}
        </span>
        {skill?.seenBy === undefined ? null : (
          <>
            {' '}
            <Badge tone={skill.seenBy > 0 ? 'ok' : ''}>
              {skill.seenBy > 0 ? `seen by ${count(skill.seenBy, 'agent')}` : 'seen by no agent'}
            </Badge>
          </>
        )}
      </div>
      <div class="snip" dir="auto">
        <Snippet {...(shown ?? { text: snippet, marks })} />
      </div>
      {hasScores ? (
        <div class="reason">
          {reasons.join(', ')}
          <svg viewBox="0 0 60 6" role="img" aria-label={`score ${score}`}>
            <rect class="track" width="60" height="6" rx="2" />
            <rect class="seg" width={((60 * score) / best).toFixed(1)} height="6" rx="2" />
          </svg>
        </div>
      ) : null}
    </li>
  );
}

function whereIs({ kind, spec_id, skill, change }: Result): string {
  if (kind === 'requirement') return `in ${spec_id}`;
  if (skill) return skill.source === undefined ? `${skill.provider}, ${skill.location}` : `in ${skill.source}`;
  if (!change) return '';
  const { completed, total } = change.task_progress;
  return `${change.state}, ${completed}/${total}`;
}

/** Marks the words of the query and strips Markdown syntax. */
function Snippet({ text, marks }: { text: string; marks: readonly (readonly number[])[] }): Html {
  return <Highlighted text={text} marks={marks} between={plain} />;
}

function plain(text: string): string {
  return text
    .replace(/(^|[\s…])#{1,6}\s+(?:(?:Scenario|Requirement):\s*)?/gu, '$1· ')
    .replace(/\*\*|`/gu, '')
    .replace(/(^|[\s…])(?:-\s+|\[[ x]\]\s+){1,2}/giu, '$1');
}
