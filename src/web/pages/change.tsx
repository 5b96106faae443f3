/** The requirements that a change touches, next to their current text. */
import { count, grouped } from '../../core/text.ts';
import { diffChange } from '../../operations/diff-change.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { validateChange } from '../../operations/validate-specs.ts';
import { address, anchorOf, changeAddress, compareAddress, requirementAddress, specAddress } from '../address.ts';
import { Highlighted } from '../highlighted.tsx';
import { Badge, Command, Link, Sign, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage, type PageContext, type Values } from '../page.ts';
import { ChangeHead, type ChangeHeader, headOf, OPERATIONS } from './change-parts.tsx';
import { type Diffed, OneColumn, ROWS_MAX, rowsOf, SideBySide } from './comparison.tsx';

type Diff = AnswerOf<typeof diffChange>;
type Capability = Diff['capabilities'][number];

/** Requirements per page of a large change. */
const AT_ONCE = 200;

export const changePage = definePage({
  path: '/changes/:id',
  section: 'changes',
  twin: {
    path: '/api/change',
    operation: diffChange,
    input: ({ id, cursor }) => ({
      change_id: id ?? '',
      limit: AT_ONCE,
      ...(cursor === undefined ? {} : { cursor }),
    }),
  },
  show: async (diff, context) => {
    const { here, values } = context;
    // A local project has a problems page instead.
    const errors = here.can.seeProblems || diff.archived ? [] : await errorsOf(context, diff.change_id);
    return { title: diff.change_id, main: Change({ diff, head: headOf(diff), here, values, errors }) };
  },
});

type Errors = AnswerOf<typeof validateChange>['errors'];

async function errorsOf({ ask }: PageContext, id: string): Promise<Errors> {
  return (await ask(validateChange, { change_id: id })).errors;
}

interface ChangeProps {
  diff: Diff;
  head: ChangeHeader;
  here: Here;
  /** `requirement` is shown in full if the change is too large for one page. */
  values: Values;
  /** Validation errors to show on this page. */
  errors: Errors;
}

function Change({ diff, head, here, values, errors }: ChangeProps): Html {
  const { change_id: id, capabilities } = diff;
  const isOpen = whichAreOpen(capabilities, values['requirement']);
  return (
    <>
      <ChangeHead head={head} tab="" here={here} />
      <div class="split">
        <div>
          {errors.slice(0, ERRORS_MAX).map((error) => (
            <ErrorNote of={error} here={here} />
          ))}
          {errors.length > ERRORS_MAX ? (
            <p class="small dim">{count(errors.length - ERRORS_MAX, 'more error')}</p>
          ) : null}
          {capabilities.length === 0 ? (
            <p class="empty">This change touches no spec. Its deltas belong in specs/&lt;capability&gt;/spec.md.</p>
          ) : null}
          {diff.archived ? (
            <p class="empty">
              This change is archived and already part of the specs. It is compared with the current specs.
            </p>
          ) : null}
          {capabilities.map((capability) => (
            <>
              <Trouble capability={capability} archived={diff.archived} here={here} />
              {capability.requirements.filter(isOpen).map((requirement) => (
                <RequirementCard
                  id={id}
                  of={requirement}
                  capability={capability}
                  now={here.place(requirement.nearest?.file ?? capability.file)}
                />
              ))}
              <Closed
                id={id}
                capability={capability.capability}
                of={capability.requirements.filter((requirement) => !isOpen(requirement))}
                cursor={values['cursor']}
              />
            </>
          ))}
          {diff.nextCursor === undefined ? null : (
            <p class="more">
              <Link to={address(changeAddress(id), { cursor: diff.nextCursor })}>
                {`More requirements, from ${grouped(Number(diff.nextCursor) + 1)} of ${grouped(diff.total)}`}
              </Link>
            </p>
          )}
        </div>
        <Aside diff={diff} head={head} here={here} />
      </div>
    </>
  );
}

const ERRORS_MAX = 10;

function ErrorNote({ of, here }: { of: Errors[number]; here: Here }): Html {
  const { description, file, line, fix, code } = of;
  return (
    <div class="note bad">
      <Sign of="bad" />
      <div>
        <b>{here.say(description)}</b>
        <div class="small dim">
          <span class="path">
            {here.place(file)}
            {line === undefined ? '' : `:${line}`}
          </span>{' '}
          {here.say(fix)} <code>{code}</code>
        </div>
      </div>
    </div>
  );
}

/** Rows to show in full if the change is too large for one page. The other requirements are collapsed to one line each. */
const OPEN_ROWS = 90;

/** Selects the requirements to show in full: all, or the first ones, starting with the requested one. */
function whichAreOpen(capabilities: readonly Capability[], requested: string | undefined): (of: Diffed) => boolean {
  const all = capabilities.flatMap(({ requirements }) => requirements);
  const total = all.reduce((sum, requirement) => sum + rowsOf(requirement) + HEAD_ROWS, 0);
  if (total <= ROWS_MAX) return () => true;
  const open = new Set<Diffed>();
  let rows = 0;
  for (const requirement of all.toSorted(
    (x, y) => Number(y.requirement === requested) - Number(x.requirement === requested),
  )) {
    rows += Math.min(ROWS_MAX, rowsOf(requirement)) + HEAD_ROWS;
    if (rows > OPEN_ROWS && open.size > 0) break;
    open.add(requirement);
  }
  return (requirement) => open.has(requirement);
}

/** Rows that the header of a card counts as. */
const HEAD_ROWS = 2;

/** Collapsed requirements of a large change. Each expands on click. */
function Closed({ id, capability, of, cursor }: ClosedProps): Html {
  if (of.length === 0) return <></>;
  return (
    <ul class="card heads lines at-end">
      {of.map(({ operation, requirement, summary }) => {
        const anchor = anchorOf(`${capability} ${requirement}`);
        return (
          <li id={anchor} data-row>
            <span class={`mark ${OPERATIONS[operation].mark}`}>{OPERATIONS[operation].sign}</span>
            <Link data-soft to={`${address(changeAddress(id), { requirement, cursor })}#${anchor}`}>
              {requirement}
            </Link>
            <span class="num">{summary}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface ClosedProps {
  id: string;
  capability: string;
  of: readonly Diffed[];
  cursor: string | undefined;
}

/** Shows why a delta cannot be applied, and which of its lines would be ignored. */
function Trouble({ capability, archived, here }: { capability: Capability; archived: boolean; here: Here }): Html {
  const { capability: name, refused, ignored } = capability;
  if (archived) return <></>;
  return (
    <>
      {refused === undefined ? null : (
        <div class="note bad">
          <Sign of="bad" />
          <div>
            <b>The delta for {name} cannot be applied</b>
            <div class="small dim">{here.say(refused)}.</div>
          </div>
        </div>
      )}
      {ignored.map(({ line, text, reason, fix }) => (
        <div class="note">
          <Sign of="warn" />
          <div>
            <b>
              Line {line} of the delta for {name} would be ignored
            </b>
            <div class="small dim">
              <code>{text}</code> {reason}. {fix}
            </div>
          </div>
        </div>
      ))}
    </>
  );
}

interface CardProps {
  id: string;
  of: Diffed;
  capability: Capability;
  /** File of the current text. */
  now: string;
}

function RequirementCard({ id, of, capability, now }: CardProps): Html {
  const { operation, requirement, overlaps, missing, summary } = of;
  const { sign, mark, tone } = OPERATIONS[operation];
  const [other] = overlaps;
  return (
    <article class="card req" id={anchorOf(`${capability.capability} ${requirement}`)} data-row>
      <div class="req-h">
        <span class={`mark ${mark}`} aria-hidden="true">
          {sign}
        </span>
        <h2 class="h3">
          {requirement}
          {of.to === undefined ? null : ` → ${of.to}`}
        </h2>
        <Badge tone={tone}>{operation}</Badge>
        {other === undefined ? null : (
          <Link class="b warn" to={compareAddress(id, other, requirement)}>
            overlap
          </Link>
        )}
        {missing ? <Badge tone="bad">not in the spec</Badge> : null}
        <span class="sum">
          in <SpecName capability={capability} />
          {capability.is_new ? ', a new spec' : ''} · {summary}
        </span>
      </div>
      <Body of={of} capability={capability} now={now} />
    </article>
  );
}

function SpecName({ capability: { capability, spec_id } }: { capability: Capability }): Html {
  return spec_id === undefined ? <b>{capability}</b> : <Link to={specAddress(spec_id)}>{capability}</Link>;
}

function Body({ of, capability, now }: Omit<CardProps, 'id'>): Html {
  const { operation, requirement, missing, nearest, reason, migration } = of;
  const current = capability.spec_id ?? capability.capability;
  if (missing && !nearest) {
    return (
      <>
        <p class="same">The current spec has no such requirement and no similar one.</p>
        <OneColumn of={of} />
      </>
    );
  }
  const isBoth = [...of.text, ...of.scenarios].some(({ change }) => change === 'same' || change === 'changed');
  const near = nearest && (
    <p class="same near">
      The current spec has no “{requirement}”. The nearest is{' '}
      <Link to={requirementAddress(nearest.spec_id, nearest.requirement)}>“{nearest.requirement}”</Link>
      {nearest.spec_id === current ? '' : ` in ${nearest.spec_id}`}
      {operation === 'modified' ? ', shown on the left.' : '.'}
    </p>
  );
  const notes =
    reason === undefined && migration === undefined ? null : (
      <dl class="facts why-gone">
        {reason === undefined ? null : (
          <>
            <dt>Reason</dt>
            <dd>{reason}</dd>
          </>
        )}
        {migration === undefined ? null : (
          <>
            <dt>Migration</dt>
            <dd>{migration}</dd>
          </>
        )}
      </dl>
    );
  const before = (
    <>
      Now, <span class="path">{now}</span>
      {nearest ? `: ${nearest.requirement}` : ''}
    </>
  );
  return (
    <>
      {near}
      {notes}
      {isBoth || nearest ? (
        <SideBySide of={of} before={before} after="After this change" />
      ) : of.text.length + of.scenarios.length > 0 ? (
        <OneColumn of={of} />
      ) : null}
    </>
  );
}

/** Table of contents, open tasks and the archive command. */
function Aside({ diff, head, here }: { diff: Diff; head: ChangeHeader; here: Here }): Html {
  const { id, archived, state, open_tasks: open } = head;
  return (
    <aside class="side" aria-label="About this change">
      {diff.capabilities.length === 0 ? null : (
        <section class="card pad">
          <h2 class="h3">Requirements</h2>
          <ul class="toc">
            {diff.capabilities.map(({ capability, is_new, requirements }) => (
              <>
                <li class="cap">
                  {capability} {is_new ? <Badge tone="ok">new</Badge> : null}
                </li>
                {requirements.slice(0, TOC_MAX).map(({ operation, requirement, to }) => (
                  <li>
                    <span class={`mark ${OPERATIONS[operation].mark}`} role="img" aria-label={operation}>
                      {OPERATIONS[operation].sign}
                    </span>
                    <Link to={`#${anchorOf(`${capability} ${requirement}`)}`}>{to ?? requirement}</Link>
                  </li>
                ))}
                {requirements.length > TOC_MAX ? (
                  <li>and {count(requirements.length - TOC_MAX, 'more requirement')}</li>
                ) : null}
              </>
            ))}
          </ul>
        </section>
      )}
      {open.length === 0 ? null : (
        <section class="card pad">
          <h2 class="h3">Open tasks</h2>
          <ul class="files lines">
            {open.slice(0, TASKS_MAX).map((text) => (
              <li dir="auto">
                <span>
                  <Highlighted text={text} />
                </span>
              </li>
            ))}
          </ul>
          {open.length > TASKS_MAX ? (
            <p class="tiny">
              <Link to={changeAddress(id, 'tasks')}>{count(open.length - TASKS_MAX, 'more task')}</Link>
            </p>
          ) : null}
        </section>
      )}
      {archived || !here.can.runCommands ? null : (
        <section class="card pad">
          <h2 class="h3">{ARCHIVE_HEADS[state] ?? 'When all tasks are done'}</h2>
          <p>
            <Command run={`lectern change archive ${id} --dry-run`} here={here} />
          </p>
          <p class="tiny dim">shows the resulting specs, writes nothing</p>
        </section>
      )}
    </aside>
  );
}

const ARCHIVE_HEADS: Partial<Record<string, string>> = {
  'ready to archive': 'Ready to archive',
  blocked: 'After the fix',
};

const TOC_MAX = 20;
const TASKS_MAX = 6;
