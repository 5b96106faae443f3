/** The board of changes, from draft to archive. */
import { count } from '../../core/text.ts';
import { changeStates } from '../../operations/change-states.ts';
import { address } from '../address.ts';
import { Command, Link, type Html } from '../html.tsx';
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
        <div class="board" tabindex={0} role="region" aria-label="Changes by state">
          {STATES.map(([state, title]) => {
            const cards = changes.filter((change) => change.state === state);
            const total = state === 'archived' ? archived : cards.length;
            return (
              <section class="col" aria-labelledby={`col-${title.toLowerCase().replaceAll(' ', '-')}`}>
                <h2 class="h3" id={`col-${title.toLowerCase().replaceAll(' ', '-')}`}>
                  {title} <span>{total}</span>
                </h2>
                {cards.map((change) => (
                  <ChangeCard change={change} />
                ))}
                {total > cards.length && shown < ARCHIVED_MAX ? (
                  <p class="more">
                    <Link data-soft to={address('/changes', { archived: String(shown + ARCHIVED_SHOWN) })}>
                      {count(Math.min(ARCHIVED_SHOWN, total - cards.length), 'more archived change')}
                    </Link>
                  </p>
                ) : null}
              </section>
            );
          })}
        </div>
      )}
    </>
  );
}
