/** The board of changes, from draft to archive. */
import type { Child } from 'hono/jsx';
import { count, grouped } from '../../core/text.ts';
import { changeStates } from '../../operations/change-states.ts';
import { address } from '../address.ts';
import { Command, Link, SectionHead, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage, type Values } from '../page.ts';
import { type Board, ChangeCard, STATES } from './change-parts.tsx';

/** Initial number of archived changes, and how many each click adds. */
const ARCHIVED_SHOWN = 20;
const ARCHIVED_MAX = 200;

function archivedShown(requested: string | undefined): number {
  const wanted = Number(requested ?? ARCHIVED_SHOWN);
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, ARCHIVED_MAX) : ARCHIVED_SHOWN;
}

/** Initial number of changes per open state in a shared catalog, and how many each click adds. */
const SHOWN = 50;
const SHOWN_MAX = 300;

function shownOf(requested: string | undefined): number {
  const wanted = Number(requested ?? SHOWN);
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, SHOWN_MAX) : SHOWN;
}

export const changesPage = definePage({
  path: '/changes',
  section: 'changes',
  twin: {
    path: '/api/changes',
    operation: changeStates,
    input: ({ archived }) => ({ with_archived: archivedShown(archived) }),
  },
  show: (board, { values, here }) => ({ title: 'Changes', main: Changes({ board, here, values }) }),
});

/** Limits the number of changes per state, because a shared catalog can have many. */
export const catalogChangesPage = definePage({
  path: '/changes',
  section: 'changes',
  twin: {
    path: '/api/changes',
    operation: changeStates,
    input: ({ archived, shown }) => ({ with_archived: archivedShown(archived), per_state: shownOf(shown) }),
  },
  show: (board, { values, here }) => ({ title: 'Changes', main: Changes({ board, here, values }) }),
});

function Changes({ board, here, values }: { board: Board; here: Here; values: Values }): Html {
  const { archived_total: archived = 0 } = board;
  const active = OPEN_STATES.reduce((sum, state) => sum + totalOf(board, state), 0);
  const finished = (['blocked', 'ready to archive'] as const)
    .map((state) => ({ state, total: totalOf(board, state) }))
    .filter(({ total }) => total > 0);
  const [shown, old] = [shownOf(values['shown']), archivedShown(values['archived'])];
  const more = (key: 'archived' | 'shown', number: number, left: number, noun: string): Html => (
    <Link data-soft to={address('/changes', { ...values, [key]: String(number) })}>
      {count(left, `more ${noun}`)}
    </Link>
  );
  return (
    <>
      <h1>Changes</h1>
      <p class="lede">
        {active === 0
          ? 'No open changes.'
          : `${[count(active, 'open change'), ...finished.map(({ state, total }) => `${grouped(total)} ${state}`)].join(', ')}.`}
      </p>
      {active + archived === 0 ? (
        <p class="empty">
          A change is a proposal with tasks and the requirements that it adds, modifies or removes.{' '}
          {here.can.runCommands ? (
            <>
              Propose one: <Command run="lectern change new add-something" here={here} />
            </>
          ) : (
            'Changes appear here when their source is published.'
          )}
        </p>
      ) : (
        <Columns
          board={board}
          here={here}
          heading="h2"
          more={(left, state) =>
            state === 'archived'
              ? old < ARCHIVED_MAX &&
                more('archived', old + ARCHIVED_SHOWN, Math.min(ARCHIVED_SHOWN, left), 'archived change')
              : shown < SHOWN_MAX
                ? more('shown', shown + SHOWN, Math.min(SHOWN, left), 'change')
                : `and ${grouped(left)} more; use the search to find them`
          }
        />
      )}
    </>
  );
}

/** The board on the overview, with the first changes of each state. */
export function ShortBoard({ board, here }: { board: Board; here: Here }): Html {
  const active = board.changes.filter(({ state }) => state !== 'archived');
  const isPart = board.totals !== undefined;
  const [done, all] = (['completed', 'total'] as const).map((key) =>
    active.reduce((sum, { task_progress }) => sum + task_progress[key], 0),
  );
  return (
    <section aria-labelledby="board">
      <SectionHead
        id="board"
        title="Changes"
        note={isPart || all === 0 ? undefined : `${grouped(done ?? 0)} of ${count(all ?? 0, 'task')} done`}
        more={<Link to="/changes">Board</Link>}
      />
      <Columns
        board={board}
        here={here}
        heading="h3"
        perColumn={SHORT_COLUMN}
        more={(left) => `and ${grouped(left)} more`}
      />
    </section>
  );
}

/** Changes per column on the overview. */
export const SHORT_COLUMN = 3;

type State = (typeof STATES)[number][0];
const OPEN_STATES = STATES.map(([state]) => state).filter((state) => state !== 'archived');

function totalOf({ changes, totals, archived_total: archived = 0 }: Board, state: State): number {
  if (state === 'archived') return archived;
  return totals ? (totals[state] ?? 0) : changes.filter((change) => change.state === state).length;
}

interface ColumnsProps {
  board: Board;
  here: Here;
  heading: 'h2' | 'h3';
  perColumn?: number;
  /** Returns the text below the cards if some changes are not shown. */
  more: (left: number, state: State) => Child;
}

function Columns({ board, here, heading: Heading, perColumn = Number.POSITIVE_INFINITY, more }: ColumnsProps): Html {
  return (
    <div class="board" tabindex={0} role="region" aria-label="Changes by state">
      {STATES.map(([state, title]) => {
        const cards = board.changes.filter((change) => change.state === state);
        const total = totalOf(board, state);
        const left = total - Math.min(cards.length, perColumn);
        const id = `col-${title.toLowerCase().replaceAll(' ', '-')}`;
        return (
          <div class="col" role="group" aria-labelledby={id}>
            <Heading id={id}>
              {title} <span>{grouped(total)}</span>
            </Heading>
            {cards.slice(0, perColumn).map((change) => (
              <ChangeCard change={change} here={here} />
            ))}
            {left > 0 ? <p class="more">{more(left, state)}</p> : null}
          </div>
        );
      })}
    </div>
  );
}
