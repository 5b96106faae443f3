/** Previews the specs after archiving, or explains why archiving would fail. Writes nothing. */
import type { ExplainedError } from '../../core/failure.ts';
import { count } from '../../core/text.ts';
import { archiveChange } from '../../operations/archive-change.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { showChange } from '../../operations/show-change.ts';
import { Badge, Command, Sign, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import { MARKDOWN_CHARACTERS } from '../markdown.ts';
import { definePage, type PageContext } from '../page.ts';
import { Text } from './change-document.tsx';
import { ChangeHead, type ChangeHeader, headOf, Ops } from './change-parts.tsx';

type Plan = AnswerOf<typeof archiveChange>;

export const changeAfterPage = definePage({
  path: '/changes/:id/after',
  section: 'changes',
  twin: {
    path: '/api/change/after',
    operation: archiveChange,
    // Pages are read-only, so this is always a dry run.
    input: ({ id }) => ({ change_id: id ?? '', dry_run: true, full: true, characters: MARKDOWN_CHARACTERS }),
  },
  show: async (plan, context) => {
    const head = await headFor(context, plan.change_id);
    return { title: `${plan.change_id}: after archiving`, main: After({ plan, head, here: context.here }) };
  },
  failed: async (error, context) => {
    if (error.code !== 'REFUSED') return undefined;
    const head = await headFor(context, context.values['id'] ?? '');
    return { title: `${head.id}: after archiving`, main: Refused({ error, head, here: context.here }) };
  },
});

async function headFor({ ask }: PageContext, id: string): Promise<ChangeHeader> {
  return headOf(await ask(showChange, { change_id: id }));
}

function After({ plan, head, here }: { plan: Plan; head: ChangeHeader; here: Here }): Html {
  const open = plan.task_progress.total - plan.task_progress.completed;
  return (
    <>
      <ChangeHead head={head} tab="after" here={here} />
      <section aria-label="After archiving">
        <p class="lede">
          {plan.specs.length === 0 ? 'No spec would change.' : `${count(plan.specs.length, 'spec')} would be written`}
          {plan.specs.length === 0 ? '' : ', and the folder would move to '}
          {plan.specs.length === 0 ? null : <span class="path">{here.place(plan.path)}</span>}
          {plan.specs.length === 0 ? '' : '.'}
        </p>
        {open > 0 ? (
          <div class="note">
            <Sign of="warn" />
            <div>
              <b>{count(open, 'task is', 'tasks are')} open</b>
              <div class="small dim">
                Archiving is refused until {open === 1 ? 'it is' : 'they are'} done, unless you pass{' '}
                <code class="word">--allow-open-tasks</code>.
              </div>
            </div>
          </div>
        ) : null}
        {[...plan.notes, ...plan.specs.flatMap(({ notes }) => notes)].map((note) => (
          <p class="small dim">{here.say(note)}</p>
        ))}
        {plan.specs.map(({ capability, action, counts, file, content = '', left_out }) => (
          <section>
            <div class="sec-h">
              <h2>{capability}</h2>
              <Badge tone={action === 'retired' ? 'bad' : action === 'unchanged' ? '' : 'ok'}>{action}</Badge>
              <Ops counts={counts} inWords />
              <span class="more path">{here.place(file)}</span>
            </div>
            {action === 'retired' ? (
              <p class="empty">The file would be deleted.</p>
            ) : (
              <Text text={content} name="text" left={left_out} />
            )}
          </section>
        ))}
        {here.can.runCommands ? (
          <p class="at-end">
            <Command run={`lectern change archive ${plan.change_id}`} here={here} />
          </p>
        ) : null}
      </section>
    </>
  );
}

function Refused({ error, head, here }: { error: ExplainedError; head: ChangeHeader; here: Here }): Html {
  const { message, hint, path, line } = error;
  return (
    <>
      <ChangeHead head={head} tab="after" here={here} />
      <div class="note bad">
        <Sign of="bad" />
        <div>
          <b>Archiving would fail</b>
          <p>{here.say(message)}</p>
          {hint === undefined ? null : <p class="dim">{here.say(hint)}</p>}
          {path === undefined ? null : (
            <p class="path">
              {here.place(path)}
              {line === undefined ? '' : `:${line}`}
            </p>
          )}
        </div>
      </div>
      {head.archived || !here.can.runCommands ? null : (
        <p class="at-end">
          <Command run={`lectern change validate ${head.id}`} here={here} />
        </p>
      )}
    </>
  );
}
