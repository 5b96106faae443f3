/** The specs that open changes touch, the order in which to archive the changes, and the changes archived each week. */
import { count, grouped, inWords } from '../../core/text.ts';
import type { SpecMap } from '../../operations/spec-map.ts';
import { stagesOf } from '../../render/spec-map.ts';
import { changeAddress, compareAddress, specAddress } from '../address.ts';
import { Command, Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { Weeks } from '../plots/weeks.tsx';
import { OPERATIONS } from './change-parts.tsx';

type Row = SpecMap['rows'][number];
type Cell = Row['cells'][number];

const MAP_ADDRESS = '/specs?view=map';

/** A larger table would make the page slow. The command prints all rows. */
const ROWS_MAX = 40;
const COLUMNS_MAX = 30;

/** Links to the two views of the specs. */
export function SpecViews({ isMap = false }: { isMap?: boolean }): Html {
  return (
    <nav class="chips" aria-label="Views">
      <Link class="chip" to="/specs" aria-current={isMap ? undefined : 'true'}>
        List
      </Link>
      <Link class="chip" to={MAP_ADDRESS} aria-current={isMap ? 'true' : undefined}>
        Map of open changes
      </Link>
    </nav>
  );
}

export function MapPage({ map, specs, here }: { map: SpecMap; specs: number; here: Here }): Html {
  const { rows, changes } = map;
  const touched = rows.filter(({ spec_id: id }) => id !== undefined).length;
  const added = rows.length - touched;
  return (
    <>
      <h1>Where open changes meet the specs</h1>
      <p class="lede">
        {changes.length === 0
          ? 'No open change touches a spec.'
          : `${count(changes.length, 'open change')} ${changes.length === 1 ? 'touches' : 'touch'} ${grouped(touched)} of ${count(specs, 'spec')}${added === 0 ? '' : `, and ${changes.length === 1 ? 'adds' : 'add'} ${count(added, 'new one')}`}. Archiving a hatched one would be refused now; framed ones touch the same requirement.`}
      </p>
      <SpecViews isMap />
      <div class="split">
        <div class="card">
          {rows.length === 0 ? (
            <p class="pad">Specs appear here when a change has deltas for them.</p>
          ) : (
            <Table map={map} />
          )}
          <MapLegend />
        </div>
        <aside class="side" aria-label="Archiving">
          <Order map={map} here={here} />
          <Archived archived={map.archived} />
        </aside>
      </div>
    </>
  );
}

/** Puts changes in the order of the first row that they touch, so that filled cells are near the diagonal. */
function columnsOf({ rows, changes }: SpecMap): string[] {
  const touched = rows.flatMap(({ cells }) => cells.map(({ change }) => change));
  return [...new Set([...touched, ...changes.map(({ id }) => id)])];
}

function Table({ map }: { map: SpecMap }): Html {
  const columns = columnsOf({ ...map, rows: map.rows.slice(0, ROWS_MAX) }).slice(0, COLUMNS_MAX);
  const rows = map.rows.slice(0, ROWS_MAX);
  const left = [
    ...(map.rows.length > rows.length ? [count(map.rows.length - rows.length, 'more spec')] : []),
    ...(map.changes.length > columns.length ? [count(map.changes.length - columns.length, 'more change')] : []),
  ];
  return (
    <>
      <div class="mx-wrap pad" tabindex={0} role="region" aria-label="Specs by open change">
        <table class="map">
          <caption class="vh">The open changes that touch each spec</caption>
          <thead>
            <tr>
              <td></td>
              {columns.map((id) => (
                <th scope="col">
                  <Link to={changeAddress(id)}>{id}</Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody id="rows">
            {rows.map((row) => (
              <MapRow row={row} columns={columns} />
            ))}
          </tbody>
        </table>
      </div>
      {left.length === 0 ? null : (
        <p class="fold">
          {inWords(left)}: use <code>lectern spec list --map</code>
        </p>
      )}
    </>
  );
}

function MapRow({ row, columns }: { row: Row; columns: readonly string[] }): Html {
  const { capability, spec_id: id, cells } = row;
  const byChange = new Map(cells.map((cell) => [cell.change, cell]));
  return (
    <tr id={`map-${encodeURIComponent(id ?? capability)}`} data-row>
      <th scope="row">
        {id === undefined ? (
          <>
            {capability} <span class="tiny">new</span>
          </>
        ) : (
          <Link to={specAddress(id)}>{capability}</Link>
        )}
      </th>
      {columns.map((change) => {
        const cell = byChange.get(change);
        return cell ? (
          <td class={classOf(cell)}>
            <CellLink cell={cell} capability={capability} />
          </td>
        ) : (
          <td></td>
        );
      })}
    </tr>
  );
}

const KINDS = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];

function classOf({ counts, refused, meets }: Cell): string {
  const main = counts.removed > 0 ? 'removed' : (KINDS.find((kind) => counts[kind] > 0) ?? 'modified');
  const ground = refused === undefined ? `map-${OPERATIONS[main].mark}` : 'map-no';
  return meets ? `${ground} map-meet` : ground;
}

function CellLink({ cell, capability }: { cell: Cell; capability: string }): Html {
  const { change, counts, refused, meets = [] } = cell;
  const shown = KINDS.filter((kind) => counts[kind] > 0);
  const signs = shown.map((kind) => `${OPERATIONS[kind].sign}${counts[kind]}`);
  const words = [
    `${signs.join('')} ${change} in ${capability}: ${shown.map((kind) => `${counts[kind]} ${kind}`).join(', ')}`,
    ...(refused === undefined ? [] : ['archiving would be refused']),
    ...(meets.length === 0 ? [] : [`meets ${inWords(meets)}`]),
  ];
  const [other] = meets;
  return (
    <Link
      to={other === undefined ? changeAddress(change) : compareAddress(change, other)}
      aria-label={words.join('; ')}
    >
      {signs.map((sign) => (
        <span>{sign}</span>
      ))}
    </Link>
  );
}

function MapLegend(): Html {
  return (
    <div class="legend">
      {(['added', 'modified', 'removed'] as const).map((kind) => (
        <span>
          <b class={`swatch map-${OPERATIONS[kind].mark}`}>{OPERATIONS[kind].sign}n</b> {kind}
        </span>
      ))}
      <span>
        <b class="swatch map-no">~n</b> would be refused
      </span>
      <span>
        <b class="swatch map-m map-meet">~n</b> two changes touch one requirement
      </span>
    </div>
  );
}

/** Stages in the card. The JSON has all steps. */
const STAGES_MAX = 30;

function Order({ map, here }: { map: SpecMap; here: Here }): Html {
  const stages = stagesOf(map);
  return (
    <section class="card pad">
      <h2 class="h3">In which order to archive</h2>
      {stages.length === 0 ? (
        <p class="small">There is nothing to archive.</p>
      ) : (
        <ol class="stages small">
          {stages.slice(0, STAGES_MAX).map(({ kind, changes, text }) => (
            <li class={kind === 'refused' || kind === 'conflict' ? 'hard' : undefined}>
              {changes.map((id, index) => (
                <>
                  {index === 0 ? '' : ', '}
                  <Link to={changeAddress(id)}>{id}</Link>
                </>
              ))}
              <span class="dim">{here.say(text)}</span>
            </li>
          ))}
        </ol>
      )}
      {stages.length > STAGES_MAX ? (
        <p class="small dim">and {count(stages.length - STAGES_MAX, 'more step')}</p>
      ) : null}
      <details id="order-rule" class="small">
        <summary>How this order is found</summary>
        <p>
          Changes that touch nothing that others touch can be archived at any time. Of two changes that touch one
          requirement, both orders are tried: the one in which the second still applies and keeps the text of the first
          is used. Otherwise, more finished tasks come first. Open tasks are not counted as a refusal here.
        </p>
      </details>
      <Command run="lectern spec list --map" here={here} />
    </section>
  );
}

function Archived({ archived: { total, weeks } }: { archived: SpecMap['archived'] }): Html | null {
  if (weeks.length === 0) return null;
  return (
    <section class="card pad">
      <h2 class="h3">Archived each week</h2>
      <Weeks weeks={weeks} />
      <p class="small dim">{count(total, 'change')} in all, by the dates in the names of their folders</p>
    </section>
  );
}
