/** One field for skills, requirements and changes. The first line says how they were searched. */
import type { Child } from 'hono/jsx';
import { count, grouped } from '../../core/text.ts';
import { statusesByFile, surveyAgents } from '../../operations/agent-shapes.ts';
import { changeStates } from '../../operations/change-states.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { search } from '../../operations/search.ts';
import { address, changeAddress, requirementAddress, skillAddress } from '../address.ts';
import { Badge, Link, type Html } from '../html.tsx';
import type { Places } from '../places.ts';
import { definePage, type PageContext, type Values } from '../page.ts';

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
  show: async (answer, context) => {
    const { values, ask } = context;
    // With one kind chosen, the numbers of the others are those of the same search over everything.
    const totals = placeOf(values)
      ? (await ask(search, { query: answer.query, mode: answer.mode, limit: 1 })).totals
      : answer.totals;
    const hasChange = [...answer.results, ...(answer.near ?? [])].some(({ kind }) => kind === 'change');
    const { changes } = hasChange ? await ask(changeStates, {}) : { changes: [] };
    const states = new Map(
      changes.map(({ id, state, task_progress: { completed, total } }) => [id, `${state}, ${completed}/${total}`]),
    );
    const skills = await skillsIn(answer, context);
    const main = SearchPage({ answer, totals, states, skills, values, tookMs: context.tookMs });
    return { title: `Search: ${answer.query}`, main };
  },
  failed: ({ code }, { values, places }) =>
    code === 'USAGE' && (values['q'] ?? '').trim() === '' ? { title: 'Search', main: Empty({ places }) } : undefined,
});

interface FoundSkill {
  /** `claude, project` */
  where: string;
  /** How many of the agents here have it in their list; undefined in a shared catalog. */
  seenBy?: number;
}

/** Where the skills among the results are, and who sees them; by file. */
async function skillsIn({ results, near = [] }: Answer, { reader }: PageContext): Promise<Map<string, FoundSkill>> {
  const files = new Set([...results, ...near].flatMap(({ kind, path }) => (kind === 'skill' ? [path] : [])));
  if (files.size === 0) return new Map();
  const skills = reader.snapshot.all.copies.filter(({ file }) => files.has(file));
  if (reader.isShared) return new Map(skills.map(({ file, source = '' }) => [file, { where: `in ${source}` }]));
  const statuses = statusesByFile(await surveyAgents(reader));
  return new Map(
    skills.map(({ file, provider, location }) => {
      const seen = Object.values(statuses(file)).filter((status) => IN_LIST.has(status));
      return [file, { where: `${provider}, ${location}`, seenBy: seen.length }];
    }),
  );
}

const IN_LIST: ReadonlySet<string> = new Set(['seen', 'shortened', 'name-only']);

function Empty({ places }: { places: Places }): Html {
  return (
    <>
      <h1>Search</h1>
      <p class="lede">
        Type words, or a question in your own words. Skills, requirements and changes are searched together, by words
        and by meaning{places.catalogUrl === undefined ? ', on this machine' : ''}.
      </p>
    </>
  );
}

interface Props {
  answer: Answer;
  totals: Answer['totals'];
  /** Of changes, by id. */
  states: ReadonlyMap<string, string>;
  skills: ReadonlyMap<string, FoundSkill>;
  values: Values;
  tookMs: number;
}

function SearchPage({ answer, totals, states, skills, values, tookMs }: Props): Html {
  const { query, results, near = [], suggestions = [], nextCursor } = answer;
  const here = { q: query, in: placeOf(values), mode: values['mode'] };
  /** A hit with much less of a score than the best is there for completeness. */
  const isLikely = (result: Result | undefined): boolean =>
    answer.mode === 'keyword' || (result !== undefined && result.score >= LIKELY * best);
  const best = Math.max(...results.map(({ score }) => score), Number.EPSILON);
  return (
    <>
      <h1 class="vh">Search</h1>
      <Honest answer={answer} here={here} tookMs={tookMs} />
      <div class="chips" role="group" aria-label="Kind">
        <Chip label={`Everything ${grouped(totals.skill + totals.requirement + totals.change)}`} here={here} />
        <Chip label={`Skills ${grouped(totals.skill)}`} here={here} place="skills" />
        <Chip label={`Requirements ${grouped(totals.requirement)}`} here={here} place="specs" />
        <Chip label={`Changes ${grouped(totals.change)}`} here={here} place="changes" />
      </div>
      {results.length === 0 ? (
        <div class="empty">
          <p>
            <b>Nothing matches “{query}”.</b>{' '}
            {answer.mode === 'keyword'
              ? 'Every word must occur; try fewer words.'
              : 'Nothing is similar enough; try other words.'}
          </p>
          {suggestions.length === 0 ? null : (
            <p>
              Did you mean{' '}
              {suggestions.map((word, index) => (
                <>
                  {index === 0 ? '' : ', '}
                  <Link data-soft to={address('/search', { ...here, q: word })}>
                    {word}
                  </Link>
                </>
              ))}
              ?
            </p>
          )}
          {near.length === 0 ? null : <h2 class="h3">What comes nearest</h2>}
        </div>
      ) : null}
      {results.length + near.length === 0 ? null : (
        <ul class="card res" id="rows" aria-label={results.length > 0 ? 'Results' : 'What comes nearest'}>
          {[...results, ...(results.length === 0 ? near : [])].map((result, index, all) => (
            <>
              {isLikely(all[index - 1]) && !isLikely(result) ? <li class="rest">Less likely</li> : null}
              <Hit result={result} best={best} states={states} skill={skills.get(result.path)} />
            </>
          ))}
        </ul>
      )}
      {nextCursor === undefined ? null : (
        <p id="more" class="more">
          <Link to={address('/search', { ...here, cursor: nextCursor })}>More results</Link>
        </p>
      )}
      <p class="small dim keys-hint">
        <kbd>↓</kbd> <kbd>↑</kbd> choose · <kbd>Enter</kbd> open · <kbd>Esc</kbd> leave the field
      </p>
    </>
  );
}

/** The values of the address. */
type Here = Readonly<Record<string, string | undefined>>;

/** How many, how they were found, and what to know about that. */
function Honest({ answer, here, tookMs }: { answer: Answer; here: Here; tookMs: number }): Html {
  const { mode, model, total, searched, corrections, confidence, reason } = answer;
  const isAuto = mode === 'auto';
  const how = !isAuto ? 'every word must occur' : model === null ? 'by words alone' : 'by words and by meaning';
  const over = [
    ...(here['in'] === undefined || here['in'] === 'skills' ? [count(searched.skill, 'skill')] : []),
    ...(here['in'] === undefined || here['in'] === 'specs' ? [count(searched.requirement, 'requirement')] : []),
    ...(here['in'] === undefined || here['in'] === 'changes' ? [count(searched.change, 'change')] : []),
  ];
  // What was corrected is said in its own words below.
  const why = corrections.length > 0 ? undefined : reason;
  return (
    <>
      <div class="honest" role="status" id="honest">
        <b>{count(total, 'result')}</b> <Badge tone="acc">{mode}</Badge>{' '}
        <span>
          {how}, {grouped(Math.max(1, Math.round(tookMs)))} ms, over{' '}
          {over.length === 1 ? over[0] : `${over.slice(0, -1).join(', ')} and ${over.at(-1)}`}
        </span>
        {confidence === undefined ? null : <Badge tone="warn">may not be what you look for</Badge>}
        <Link data-soft to={address('/search', { ...here, mode: isAuto ? 'keyword' : undefined })}>
          {isAuto ? 'only with every word' : 'by meaning too'}
        </Link>
      </div>
      {corrections.map(({ typed, meant }) => (
        <p class="small dim">
          No text has “{typed}”, so <b>{meant}</b> was searched too.
        </p>
      ))}
      {why === undefined ? null : <p class="small dim">{why}.</p>}
    </>
  );
}

function Chip({ label, here, place }: { label: string; here: Here; place?: Place }): Html {
  return (
    <Link
      class="chip"
      data-soft
      to={address('/search', { ...here, in: place })}
      aria-current={here['in'] === place ? 'true' : undefined}
    >
      {label}
    </Link>
  );
}

const LIKELY = 0.5;

const KIND_WORDS = { skill: 'Skill', requirement: 'Requirement', change: 'Change' } as const;

/** From here on a meaning counts as near. */
const MEANING_SHOWN = 0.15;

interface HitProps {
  result: Result;
  best: number;
  states: Props['states'];
  skill: FoundSkill | undefined;
}

function Hit({ result, best, states, skill }: HitProps): Html {
  const { kind, id, name, score, snippet, marks, words, meaning, spec_id, requirement } = result;
  const to =
    kind === 'skill'
      ? skillAddress(id)
      : kind === 'change'
        ? changeAddress(id)
        : requirementAddress(spec_id ?? id, requirement ?? name);
  const where =
    kind === 'requirement' ? `in ${spec_id}` : kind === 'change' ? (states.get(id) ?? '') : (skill?.where ?? '');
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
          {where}
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
      <div class="reason">
        {reasons.join(', ')}
        <svg viewBox="0 0 60 6" role="img" aria-label={`score ${score}`}>
          <rect class="track" width="60" height="6" rx="2" />
          <rect class="seg" width={((60 * score) / best).toFixed(1)} height="6" rx="2" />
        </svg>
      </div>
      <div class="snip">
        <Snippet text={snippet} marks={marks} />
      </div>
    </li>
  );
}

/** The words of the query marked, and Markdown's own marks left out. */
function Snippet({ text, marks }: { text: string; marks: readonly (readonly number[])[] }): Html {
  const parts: Child[] = [];
  let at = 0;
  for (const [start = 0, end = 0] of marks) {
    if (start < at) continue;
    parts.push(plain(text.slice(at, start)), <mark>{text.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {plain(text.slice(at))}
    </>
  );
}

function plain(text: string): string {
  return text
    .replace(/(^|[\s…])#{1,6}\s+(?:(?:Scenario|Requirement):\s*)?/gu, '$1· ')
    .replace(/\*\*|`/gu, '')
    .replace(/(^|[\s…])(?:-\s+|\[[ x]\]\s+){1,2}/giu, '$1');
}
