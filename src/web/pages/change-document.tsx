/** The texts of a change: its proposal, tasks and design. */
import { Failure } from '../../core/failure.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { showChange } from '../../operations/show-change.ts';
import { grouped } from '../../core/text.ts';
import { Highlighted } from '../highlighted.tsx';
import { Command, type Html } from '../html.tsx';
import { MARKDOWN_CHARACTERS, markdown } from '../markdown.ts';
import type { Here } from '../here.ts';
import { definePage } from '../page.ts';
import { ChangeHead, headOf, type Tab } from './change-parts.tsx';

const PARTS = ['proposal', 'tasks', 'design'] as const;

export const changeDocumentPage = definePage({
  path: '/changes/:id/:part',
  section: 'changes',
  twin: { path: '/api/change/texts', operation: showChange, input: ({ id }) => ({ change_id: id ?? '' }) },
  show: (change, { values, here }) => {
    const part = PARTS.find((each) => each === values['part']);
    if (part === undefined)
      throw new Failure('NOT_FOUND', 'A change has no such document.', { suggestions: [...PARTS] });
    return { title: `${change.change_id}: ${part}`, main: ChangeDocument({ change, part, here }) };
  },
});

type Shown = AnswerOf<typeof showChange>;

interface Props {
  change: Shown;
  part: Exclude<Tab, '' | 'after'>;
  here: Here;
}

function ChangeDocument({ change, part, here }: Props): Html {
  return (
    <>
      <ChangeHead head={headOf(change)} tab={part} here={here} />
      <section aria-label={part}>
        {part === 'tasks' ? <Tasks tasks={change.tasks} /> : <Text text={change[part] ?? ''} name={part} />}
        <p class="tiny dim at-end">
          <span class="path">{here.place(`${change.path}/${part}.md`)}</span>
        </p>
        {part === 'tasks' && !change.archived && here.can.runCommands ? (
          <p class="at-end">
            <Command run={`lectern change status ${change.change_id}`} here={here} />
          </p>
        ) : null}
      </section>
    </>
  );
}

interface TextProps {
  text: string;
  name: string;
  /** Number of characters that are not shown. */
  left?: number | undefined;
}

export function Text({ text, name, left = text.length - MARKDOWN_CHARACTERS }: TextProps): Html {
  if (text.trim() === '') return <p class="empty">There is no {name}.</p>;
  return (
    <article class="card pad">
      <div class="read">{markdown(text.slice(0, MARKDOWN_CHARACTERS))}</div>
      {left > 0 ? <p class="small dim">The file has {grouped(left)} more characters.</p> : null}
    </article>
  );
}

/** A longer list would make the page slow. */
const TASKS_MAX = 400;

function Tasks({ tasks }: { tasks: Shown['tasks'] }): Html {
  if (tasks.length === 0) return <p class="empty">There are no tasks.</p>;
  const groups: { title: string; tasks: typeof tasks }[] = [];
  for (const task of tasks.slice(0, TASKS_MAX)) {
    const last = groups.at(-1);
    if (last?.title === task.group) last.tasks.push(task);
    else groups.push({ title: task.group, tasks: [task] });
  }
  return (
    <>
      {groups.map(({ title, tasks: listed }) => (
        <div class="card pad tasks">
          {title === '' ? null : <h2 class="h3">{title}</h2>}
          <ul>
            {listed.map(({ text, done, indent, line }) => (
              <li id={`t-${line}`} class={`in-${Math.min(4, Math.floor(indent / 2))}${done ? ' done' : ''}`} data-row>
                <span class="box" role="img" aria-label={done ? 'done' : 'open'}>
                  {done ? '✓' : ''}
                </span>
                <span dir="auto">
                  <Highlighted text={text} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {tasks.length > TASKS_MAX ? <p class="small dim">The file has {tasks.length - TASKS_MAX} more tasks.</p> : null}
    </>
  );
}
