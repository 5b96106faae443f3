/** Two changes that touch the same requirement, next to its current text. */
import type { Child } from 'hono/jsx';
import { count } from '../../core/text.ts';
import { changeOverlaps } from '../../operations/change-overlaps.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { changeAddress, requirementAddress } from '../address.ts';
import { Highlighted } from '../highlighted.tsx';
import { Badge, Command, Link, Sign, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage } from '../page.ts';
import { OPERATIONS, ordersInWords } from './change-parts.tsx';
import { ClauseLine, type Clause, type Row, ROWS_MAX, type Scenario, Words } from './comparison.tsx';

type Shared = NonNullable<AnswerOf<typeof changeOverlaps>['compared']>[number];
type Version = Shared['versions'][number];

export const comparePage = definePage({
  path: '/changes/compare',
  section: 'changes',
  twin: {
    path: '/api/compare',
    operation: changeOverlaps,
    input: ({ a, b, requirement }) => ({
      change_id: a ?? '',
      other_id: b ?? '',
      ...(requirement === undefined ? {} : { requirement }),
    }),
  },
  show: ({ compared = [] }, { values: { a = '', b = '' }, here }) => ({
    title: `${a} and ${b}`,
    main: Compare({ compared, a, b, here }),
  }),
});

function Compare({ compared, a, b, here }: { compared: readonly Shared[]; a: string; b: string; here: Here }): Html {
  return (
    <>
      <p class="crumb">
        <Link to="/changes">Changes</Link> / compare
      </p>
      <h1>
        {a} and {b}
      </h1>
      <p class="lede">
        {compared.length === 0
          ? 'These changes have no requirement in common, so they can be archived in any order.'
          : 'How each change rewrites the same requirement, next to its current text.'}
      </p>
      {compared.map((shared) => (
        <SharedCard shared={shared} a={a} b={b} here={here} />
      ))}
      {here.can.runCommands ? (
        <p class="at-end">
          <Command run={`lectern change overlap ${a} ${b}`} here={here} />
        </p>
      ) : null}
    </>
  );
}

interface CardProps {
  shared: Shared;
  a: string;
  b: string;
  here: Here;
}

function SharedCard({ shared, a, b, here }: CardProps): Html {
  const { requirement, capability, spec_id, versions, orders } = shared;
  // If a change both renames and modifies a requirement, the text is in the modification.
  const of = (id: string): Version | undefined => {
    const own = versions.filter(({ change }) => change === id);
    return own.find(({ operation }) => operation !== 'renamed') ?? own[0];
  };
  const [first, second] = [of(a), of(b)];
  const isQuiet = orders.every(({ outcome }) => outcome === 'kept');
  const rows = first && second ? threeWay(first, second) : [];
  return (
    <article class="card req">
      <div class="req-h">
        <h2 class="h3">{requirement}</h2>
        <span class="sum">
          in{' '}
          {spec_id === undefined ? (
            <b>{capability}</b>
          ) : (
            <Link to={requirementAddress(spec_id, requirement)}>{capability}</Link>
          )}
        </span>
      </div>
      <div class="order">
        <Sign of={isQuiet ? 'ok' : 'warn'} />
        <p>{ordersInWords(orders)}</p>
      </div>
      <div class="sides three">
        <div>{shared.current ? 'Now' : 'Now: none'}</div>
        {[first, second].map((version) =>
          version === undefined ? null : (
            <div>
              <Link to={changeAddress(version.change)}>{version.change}</Link>{' '}
              <Badge tone={OPERATIONS[version.operation].tone}>{version.operation}</Badge>
              {version.to === undefined ? null : ` → ${version.to}`}
              <span class="tiny"> {version.summary}</span>
            </div>
          ),
        )}
      </div>
      {rows.slice(0, ROWS_MAX).map((row) => (
        <ThreeWay row={row} a={a} b={b} />
      ))}
      {rows.length > ROWS_MAX ? (
        <p class="same">
          {count(rows.length - ROWS_MAX, 'more row')}
          {here.can.runCommands ? '; the command below shows them all' : ''}
        </p>
      ) : null}
    </article>
  );
}

/** One line of the three columns. Empty columns are undefined. */
interface Line {
  head?: boolean;
  now?: Row | Clause | undefined;
  a?: Row | Clause | undefined;
  b?: Row | Clause | undefined;
}

/** Aligns two versions by the pieces of the text that both were compared with. Additions go between these pieces. */
function lineUp(a: readonly (Row | Clause)[], b: readonly (Row | Clause)[]): Line[] {
  const [left, right] = [slotsOf(a), slotsOf(b)];
  const lines: Line[] = [];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [own, other] = [left[index], right[index]];
    for (let added = 0; added < Math.max(own?.added.length ?? 0, other?.added.length ?? 0); added++)
      lines.push({ a: own?.added[added], b: other?.added[added] });
    const now = own?.row ?? other?.row;
    if (now) lines.push({ now, a: own?.row, b: other?.row });
  }
  return lines;
}

interface Slot {
  added: (Row | Clause)[];
  row?: Row | Clause;
}

/** Returns a slot for each piece of the current text, with the additions before it. */
function slotsOf(rows: readonly (Row | Clause)[]): Slot[] {
  const slots: Slot[] = [{ added: [] }];
  for (const row of rows) {
    const last = slots.at(-1) as Slot;
    if (row.change === 'added') last.added.push(row);
    else {
      last.row = row;
      slots.push({ added: [] });
    }
  }
  return slots;
}

function threeWay(a: Version, b: Version): Line[] {
  const names = [...new Set([...a.scenarios, ...b.scenarios].map(({ name }) => name))];
  const head = (scenario: Scenario | undefined): Row | undefined =>
    scenario && {
      change: scenario.change === 'changed' ? 'same' : scenario.change,
      after: { text: scenario.name, marks: [] },
      ...(scenario.change === 'removed' ? { before: { text: scenario.name, marks: [] } } : {}),
    };
  return [
    ...lineUp(a.text, b.text),
    ...names.flatMap((name): Line[] => {
      const [own, other] = [a, b].map(({ scenarios }) => scenarios.find((scenario) => scenario.name === name));
      const isNow = [own, other].some((scenario) => scenario !== undefined && scenario.change !== 'added');
      return [
        {
          head: true,
          now: isNow ? { change: 'same', after: { text: name, marks: [] } } : undefined,
          a: head(own),
          b: head(other),
        },
        ...lineUp(own?.clauses ?? [], other?.clauses ?? []),
      ];
    }),
  ];
}

function ThreeWay({ row: { head, now, a: left, b: right }, a, b }: { row: Line; a: string; b: string }): Html {
  const isSame = [left, right].every((row) => row === undefined || row.change === 'same') && now !== undefined;
  const text = now?.before ?? now?.after;
  return (
    <div class={`pair three${head ? ' head' : ''}${isSame ? ' eq' : ''}`}>
      {text === undefined || now === undefined ? (
        <div class="nil"></div>
      ) : (
        <div>
          {inClause(
            now,
            <span class="tx" dir="auto">
              <Highlighted text={text.text} />
            </span>,
            'before',
          )}
        </div>
      )}
      {(
        [
          [a, left],
          [b, right],
        ] as const
      ).map(([change, row]) => (
        <Column change={change} row={row} />
      ))}
    </div>
  );
}

function Column({ change, row }: { change: string; row: Row | Clause | undefined }): Html {
  if (row === undefined) return <div class="nil"></div>;
  if (row.change === 'same') return <div class="still">{inClause(row, row.after?.text, 'after')}</div>;
  const isGone = row.change === 'removed';
  const words = isGone ? <del class="tx">{row.before?.text}</del> : row.after && <Words of={row.after} as="ins" />;
  return (
    <div class={isGone ? 'was' : 'now'}>
      <span class="whose">{change}</span>
      {inClause(row, words, 'after')}
    </div>
  );
}

function inClause(row: Row | Clause, text: Child, side: 'before' | 'after'): Child {
  if (!('keyword' in row) || row.keyword === undefined) return text;
  return <ClauseLine keyword={(side === 'before' ? row.keyword_before : undefined) ?? row.keyword}>{text}</ClauseLine>;
}
