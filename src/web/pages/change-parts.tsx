/** Shared parts of the change pages: counts, the card on the board, and the header with its tabs. */
import { count } from '../../core/text.ts';
import type { ChangeHead as Head } from '../../operations/change-head.ts';
import type { changeOverlaps } from '../../operations/change-overlaps.ts';
import type { changeStates } from '../../operations/change-states.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { changeAddress, compareAddress } from '../address.ts';
import { Lede } from '../highlighted.tsx';
import { Badge, Bar, Link, Sign, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { InSource } from './source-parts.tsx';

export type Board = AnswerOf<typeof changeStates>;
export type CardOf = Board['changes'][number];
export type Counts = CardOf['counts'];
type Overlaps = AnswerOf<typeof changeOverlaps>;

export const OPERATIONS = {
  added: { sign: '+', mark: 'a', tone: 'ok', verb: 'adds' },
  modified: { sign: '~', mark: 'm', tone: 'acc', verb: 'modifies' },
  removed: { sign: '−', mark: 'r', tone: 'bad', verb: 'removes' },
  renamed: { sign: '→', mark: 'm', tone: 'acc', verb: 'renames' },
} as const;
type Operation = keyof typeof OPERATIONS;

/** `+1 ~2`, or with words `+1 added ~2 modified`. */
export function Ops({ counts, inWords = false }: { counts: Counts; inWords?: boolean }): Html {
  const shown = (Object.keys(OPERATIONS) as Operation[]).filter((operation) => counts[operation] > 0);
  return (
    <span class="ops">
      {shown.map((operation, index) => (
        <>
          {index === 0 ? '' : ' '}
          <span class={`op-${OPERATIONS[operation].mark}`}>
            {OPERATIONS[operation].sign}
            {counts[operation]}
            {inWords ? ` ${operation}` : <span class="vh"> {operation}</span>}
          </span>
        </>
      ))}
    </span>
  );
}

/** One change on the board. */
export function ChangeCard({ change, here }: { change: CardOf; here: Here }): Html {
  const {
    id,
    title,
    task_progress: { completed, total },
    counts,
    overlaps,
    reason,
    state,
  } = change;
  const tasks = total === 0 ? 'no tasks' : `${completed} of ${count(total, 'task')}`;
  return (
    <Link class="tick" to={changeAddress(id)} id={`c-${id}`} data-row>
      <div class="t">{id}</div>
      {title === id ? null : <div class="about">{title}</div>}
      <div class="m">
        <Ops counts={counts} />
        <span>{total === 0 ? 'no tasks' : `${completed}/${total}`}</span>
      </div>
      {state === 'archived' ? null : <Bar value={completed} max={total} label={tasks} />}
      {reason === undefined ? null : <div class="about">{here.say(reason)}</div>}
      {overlaps.length === 0 && reason === undefined ? null : (
        <div class="m">
          {overlaps.length === 0 ? null : <Badge tone="warn">overlap</Badge>}
          {reason === undefined ? null : <Badge tone="bad">{state}</Badge>}
        </div>
      )}
    </Link>
  );
}

export const STATES = [
  ['draft', 'Draft'],
  ['in progress', 'In progress'],
  ['blocked', 'Blocked'],
  ['ready to archive', 'Ready to archive'],
  ['archived', 'Archived'],
] as const;

export type Tab = '' | 'proposal' | 'tasks' | 'design' | 'after';

export type { Head as ChangeHeader };

/** Returns the header that every operation adds for a page of a change. */
export function headOf({ head }: { head?: Head | undefined }): Head {
  if (!head) throw new Error('the operation returns the header of a change');
  return head;
}

/** The header of every tab: title, progress, overlaps and tabs. */
export function ChangeHead({ head, tab, here }: { head: Head; tab: Tab; here: Here }): Html {
  const { id, title, root, state, why, task_progress: tasks, overlaps } = head;
  return (
    <>
      <p class="crumb">
        <Link to="/changes">Changes</Link>
        {here.can.seeSources ? <InSource root={root} /> : null} / {state}
      </p>
      <h1>{id}</h1>
      {title === id ? null : <p class="sub">{title}</p>}
      {why === '' ? null : <Lede text={why} />}
      <div class="bigbar">
        {tasks.total === 0 ? (
          <span>no tasks</span>
        ) : (
          <>
            <Bar value={tasks.completed} max={tasks.total} label={`${tasks.completed} of ${tasks.total} tasks`} />
            <span>
              <b>
                {tasks.completed} of {tasks.total}
              </b>{' '}
              tasks
            </span>
          </>
        )}
        <Ops counts={head.counts} inWords />
        <Verdict of={head} here={here} />
      </div>
      {tab === 'after' ? null : <Blockers of={head} here={here} />}
      {overlaps.map(({ other, shared }) => (
        <OverlapNote id={id} other={other} shared={shared} />
      ))}
      <nav class="tabs" aria-label="Parts of the change">
        {(
          [
            ['', 'What it changes'],
            ['proposal', 'Proposal'],
            ['tasks', tasks.total === 0 ? 'Tasks' : `Tasks ${tasks.completed}/${tasks.total}`],
            ...(head.design ? ([['design', 'Design']] as const) : []),
            ...(head.archived ? [] : ([['after', 'After archiving']] as const)),
          ] as const
        ).map(([name, label]) => (
          <Link to={changeAddress(id, name)} aria-current={name === tab ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}

/** The reasons why a finished change cannot be archived, and their fixes. */
function Blockers({ of: { blockedBy = [] }, here }: { of: Head; here: Here }): Html {
  return (
    <>
      {blockedBy.map(({ reason, fix, file, line }) => (
        <div class="note bad">
          <Sign of="bad" />
          <div>
            <b>{here.say(reason)}</b>
            <p>{here.say(fix)}</p>
            {file === undefined ? null : (
              <p class="path">
                {here.place(file)}
                {line === undefined ? '' : `:${line}`}
              </p>
            )}
          </div>
        </div>
      ))}
    </>
  );
}

function Verdict({ of: { archived, state, errors, refused }, here }: { of: Head; here: Here }): Html {
  if (archived) return <Badge>archived</Badge>;
  if (state === 'blocked') return <Badge tone="bad">blocked</Badge>;
  if (errors > 0) {
    const badge = <Badge tone="bad">{count(errors, 'error')}</Badge>;
    return here.can.seeProblems ? <Link to="/problems?kind=changes">{badge}</Link> : badge;
  }
  return (
    <>
      <Badge tone="ok">{state === 'ready to archive' ? state : 'valid'}</Badge>
      {refused === 0 ? null : <Badge tone="warn">does not fit the current specs</Badge>}
    </>
  );
}

function OverlapNote({
  id,
  other,
  shared,
}: {
  id: string;
  other: string;
  shared: Head['overlaps'][number]['shared'];
}): Html {
  const [first, ...more] = shared;
  if (!first) return <></>;
  const operation = first.versions.find(({ change }) => change === other)?.operation ?? 'modified';
  return (
    <div class="note">
      <Sign of="warn" />
      <div>
        <b>
          {other} {OPERATIONS[operation].verb} “{first.requirement}”
          {more.length === 0 ? '' : ` and ${count(more.length, 'other requirement')} of this change`} too
        </b>
        <div class="small dim">{ordersInWords(first.orders)}</div>
      </div>
      <Link class="small" to={compareAddress(id, other)}>
        Compare the two
      </Link>
    </div>
  );
}

type Orders = NonNullable<Overlaps['compared']>[number]['orders'];

/** Describes the effect on the change that is archived second, for both orders. */
export function ordersInWords(orders: Orders): string {
  const outcomes = new Set(orders.map(({ outcome }) => outcome));
  const [order] = orders;
  if (!order) return '';
  if (outcomes.has('blocked')) {
    // One of them may need the other.
    const possible = orders.find(({ outcome }) => outcome !== 'blocked') ?? order;
    return `${possible.message}.`;
  }
  if (outcomes.size === 1) {
    switch (order.outcome) {
      case 'replaces':
        return 'The change archived second overwrites the other one, because it contains its own copy of the requirement.';
      case 'refused':
        return 'The change archived second is refused, because its copy of the requirement is outdated by then.';
      case 'kept':
        return 'The change archived second keeps the text of the other one.';
    }
  }
  return orders.map(({ first, message }) => `If ${first} is archived first, ${message}.`).join(' ');
}
