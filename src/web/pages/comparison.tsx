/** A requirement before and after a change, side by side or, on a phone, one below the other. */
import type { Child } from 'hono/jsx';
import { count } from '../../core/text.ts';
import type { diffChange } from '../../operations/diff-change.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { Highlighted } from '../highlighted.tsx';
import type { Html } from '../html.tsx';

export type Diffed = AnswerOf<typeof diffChange>['capabilities'][number]['requirements'][number];
export type Scenario = Diffed['scenarios'][number];
export type Clause = Scenario['clauses'][number];
export type Row = Diffed['text'][number];
type Marked = NonNullable<Row['after']>;

/** More rows than this would make the page slow; the command shows them all. */
export const ROWS_MAX = 240;

/** Text with the words that differ marked. */
export function Words({ of: { text, marks }, as }: { of: Marked; as: 'del' | 'ins' }): Html {
  return (
    <span class="tx" dir="auto">
      <Highlighted text={text} marks={marks} as={as} />
    </span>
  );
}

/** Shows GIVEN, WHEN and THEN in a separate column. */
export function ClauseLine({ keyword, children }: { keyword?: string | undefined; children?: Child }): Html {
  return (
    <div class="cl">
      <span class="k">{keyword?.toUpperCase()}</span>
      {children}
    </div>
  );
}

function Side({ row, of }: { row: Row | Clause; of: 'before' | 'after' }): Html {
  const text = row[of];
  if (text === undefined) return <div class="nil"></div>;
  const isChanged = row.change !== 'same';
  const words = <Words of={text} as={of === 'before' ? 'del' : 'ins'} />;
  const keyword = 'keyword' in row ? ((of === 'before' ? row.keyword_before : undefined) ?? row.keyword) : undefined;
  return (
    <div class={isChanged ? sideClass(row, of) : undefined}>
      {keyword === undefined ? words : <ClauseLine keyword={keyword}>{words}</ClauseLine>}
    </div>
  );
}

/** A side whose words are all on the other side too is not colored. */
function sideClass({ before, after }: Row | Clause, of: 'before' | 'after'): string {
  const [own, other] = of === 'before' ? [before, after] : [after, before];
  const isKept = other !== undefined && own?.marks.length === 0 && other.marks.length > 0;
  return of === 'before' ? (isKept ? 'was kept' : 'was') : isKept ? 'now kept' : 'now';
}

function Pair({ row }: { row: Row | Clause }): Html {
  // Unchanged rows have only the current text, which both sides show.
  const whole = row.change === 'same' ? { ...row, before: row.after } : row;
  return (
    <div class={row.change === 'same' ? 'pair eq' : 'pair'}>
      <Side row={whole} of="before" />
      <Side row={whole} of="after" />
    </div>
  );
}

/** Collapses unchanged content behind a summary. */
function Folded({ summary, children }: { summary: Child; children?: Child }): Html {
  return (
    <details class="same">
      <summary>
        {summary} <span class="show">show</span>
      </summary>
      {children}
    </details>
  );
}

/** Longest run of unchanged rows that is not collapsed. A rewritten clause needs more context than an added one. */
const NEIGHBORS = { rewritten: 3, added: 1 } as const;

function Pairs({ rows, noun }: { rows: readonly (Row | Clause)[]; noun: string }): Html {
  const kept = rows.some(({ change }) => change === 'changed') ? NEIGHBORS.rewritten : NEIGHBORS.added;
  const runs: (Row | Clause)[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && last[0]?.change === 'same' && row.change === 'same') last.push(row);
    else runs.push([row]);
  }
  return (
    <>
      {runs.map((run) => {
        const pairs = run.map((row) => <Pair row={row} />);
        return run.length > kept ? <Folded summary={`${count(run.length, noun)} unchanged ·`}>{pairs}</Folded> : pairs;
      })}
    </>
  );
}

function ScenarioPairs({ scenario: { name, change, clauses } }: { scenario: Scenario }): Html {
  return (
    <>
      <div class={change === 'added' || change === 'removed' ? 'pair head' : 'pair head eq'}>
        {change === 'added' ? (
          <div class="nil"></div>
        ) : (
          <div class={change === 'removed' ? 'was' : undefined}>{name}</div>
        )}
        {change === 'removed' ? (
          <div class="nil"></div>
        ) : (
          <div class={change === 'added' ? 'now' : undefined}>{name}</div>
        )}
      </div>
      {change === 'same' ? clauses.map((clause) => <Pair row={clause} />) : <Pairs rows={clauses} noun="clause" />}
    </>
  );
}

/** Both versions, with unchanged content collapsed. */
export function SideBySide({ of, before, after }: { of: Diffed; before: Child; after: Child }): Html {
  const { text, scenarios, left } = limited(of);
  const runs: Scenario[][] = [];
  for (const scenario of scenarios) {
    const last = runs.at(-1);
    if (last && last[0]?.change === 'same' && scenario.change === 'same') last.push(scenario);
    else runs.push([scenario]);
  }
  return (
    <>
      <div class="sides">
        <div>{before}</div>
        <div>{after}</div>
      </div>
      <Pairs rows={text} noun="paragraph" />
      {runs.map((run) =>
        run[0]?.change === 'same' ? (
          <Folded
            summary={
              <>
                {count(run.length, 'scenario')} unchanged: {run.map(({ name }) => name).join(', ')} ·
              </>
            }
          >
            {run.map((scenario) => (
              <ScenarioPairs scenario={scenario} />
            ))}
          </Folded>
        ) : (
          <ScenarioPairs scenario={run[0] as Scenario} />
        ),
      )}
      <Left rows={left} />
    </>
  );
}

/** A requirement that exists only before or only after the change, in one column. */
export function OneColumn({ of }: { of: Diffed }): Html {
  const { text, scenarios, left } = limited(of);
  return (
    <div class={of.operation === 'removed' ? 'one gone' : 'one'}>
      {text.map((row) => (
        <div dir="auto">
          <Highlighted text={(row.after ?? row.before)?.text ?? ''} />
        </div>
      ))}
      {scenarios.map(({ name, clauses }) => (
        <>
          <div class="hd">{name}</div>
          {clauses.map((clause) => (
            <div>
              <ClauseLine keyword={clause.keyword}>
                <span class="tx" dir="auto">
                  <Highlighted text={(clause.after ?? clause.before)?.text ?? ''} />
                </span>
              </ClauseLine>
            </div>
          ))}
        </>
      ))}
      <Left rows={left} />
    </div>
  );
}

function Left({ rows }: { rows: number }): Html {
  return rows === 0 ? <></> : <div class="same">{count(rows, 'more row')}; `lectern change diff` shows them all</div>;
}

export function rowsOf({ text, scenarios }: Pick<Diffed, 'text' | 'scenarios'>): number {
  return text.length + scenarios.reduce((sum, { clauses }) => sum + clauses.length + 1, 0);
}

/** Limits the rows of a very long requirement. */
function limited(of: Diffed): Pick<Diffed, 'text' | 'scenarios'> & { left: number } {
  const all = rowsOf(of);
  if (all <= ROWS_MAX) return { text: of.text, scenarios: of.scenarios, left: 0 };
  const text = of.text.slice(0, ROWS_MAX);
  let rows = text.length;
  const scenarios: Scenario[] = [];
  for (const scenario of of.scenarios) {
    if (rows >= ROWS_MAX) break;
    const clauses = scenario.clauses.slice(0, ROWS_MAX - rows);
    scenarios.push({ ...scenario, clauses });
    rows += clauses.length + 1;
  }
  return { text, scenarios, left: Math.max(0, all - rows) };
}
