/** The board of changes, from draft to archive. */
import type { Child } from 'hono/jsx';
import { count, grouped } from '../../core/text.ts';
import { changeStates } from '../../operations/change-states.ts';
import { address } from '../address.ts';
import { Command, Link, SectionHead, type Html } from '../html.tsx';
import type { Places } from '../places.ts';
import { defineView } from '../view.ts';
import { type Board, ChangeCard, STATES } from './change-parts.tsx';

/** At first; each `more` shows as many again. */
const ARCHIVED_SHOWN = 20;
const ARCHIVED_MAX = 200;

function archivedShown(asked: string | undefined): number {
  const wanted = Number(asked ?? ARCHIVED_SHOWN);
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, ARCHIVED_MAX) : ARCHIVED_SHOWN;
}

export const changesView = defineView({
  path: '/changes',
  section: 'changes',
  twin: {
    path: '/api/changes',
    operation: changeStates,
    input: ({ archived }) => ({ with_archived: archivedShown(archived) }),
  },
  show: (board, { values, places }) => ({
    title: 'Changes',
    main: Changes({ board, places, shown: archivedShown(values['archived']) }),
  }),
});

function Changes({ board, places, shown }: { board: Board; places: Places; shown: number }): Html {
  const { changes, archived_total: archived = 0 } = board;
  const active = changes.filter(({ state }) => state !== 'archived').length;
  const ready = changes.filter(({ state }) => state === 'ready to archive').length;
  return (
    <>
      <h1>Changes</h1>
      <p class="lede">
        {active === 0
          ? 'No change is open.'
          : `${count(active, 'open change')}${ready === 0 ? '' : `, ${ready} ready to archive`}.`}
      </p>
      {active + archived === 0 ? (
        <p class="empty">
          A change is a proposal with tasks and the requirements that it adds, modifies or removes. Propose one:{' '}
          <Command run="lectern change new add-something" places={places} />
        </p>
      ) : (
        <Columns
          board={board}
          heading="h2"
          more={
            shown < ARCHIVED_MAX
              ? (left) => (
                  <Link data-soft to={address('/changes', { archived: String(shown + ARCHIVED_SHOWN) })}>
                    {count(Math.min(ARCHIVED_SHOWN, left), 'more archived change')}
                  </Link>
                )
              : undefined
          }
        />
      )}
    </>
  );
}

/** The board on the overview: the first of each column. */
export function ShortBoard({ board }: { board: Board }): Html {
  const active = board.changes.filter(({ state }) => state !== 'archived');
  const [done, all] = (['completed', 'total'] as const).map((key) =>
    active.reduce((sum, { task_progress }) => sum + task_progress[key], 0),
  );
  return (
    <section aria-labelledby="board">
      <SectionHead
        id="board"
        title="Changes"
        note={all === 0 ? undefined : `${grouped(done ?? 0)} of ${count(all ?? 0, 'task')} done`}
        more={<Link to="/changes">Board</Link>}
      />
      <Columns board={board} heading="h3" perColumn={SHORT_COLUMN} more={(left) => `and ${grouped(left)} more`} />
    </section>
  );
}

/** How many archived changes the overview needs. */
export const SHORT_COLUMN = 3;

interface ColumnsProps {
  board: Board;
  heading: 'h2' | 'h3';
  perColumn?: number;
  /** What to say of those that are not shown. */
  more: ((left: number) => Child) | undefined;
}

function Columns({ board, heading: Heading, perColumn = Number.POSITIVE_INFINITY, more }: ColumnsProps): Html {
  return (
    <div class="board" tabindex={0} role="region" aria-label="Changes by state">
      {STATES.map(([state, title]) => {
        const cards = board.changes.filter((change) => change.state === state);
        const total = state === 'archived' ? (board.archived_total ?? 0) : cards.length;
        const left = total - Math.min(cards.length, perColumn);
        const id = `col-${title.toLowerCase().replaceAll(' ', '-')}`;
        return (
          <div class="col" role="group" aria-labelledby={id}>
            <Heading id={id}>
              {title} <span>{grouped(total)}</span>
            </Heading>
            {cards.slice(0, perColumn).map((change) => (
              <ChangeCard change={change} />
            ))}
            {left > 0 && more ? <p class="more">{more(left)}</p> : null}
          </div>
        );
      })}
    </div>
  );
}
