import type { changeStatus } from '../operations/change-status.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count } from '../core/text.ts';
import { paintOf } from './changes.ts';
import { renderProgress } from './progress.ts';
import { safe, type Style } from './style.ts';

export function renderChangeStatus(data: AnswerOf<typeof changeStatus>, style: Style): string {
  const title = data.title === data.change_id ? '' : ` ${style.dim(safe(data.title))}`;
  const parts = data.parts.map(({ name, state, file, errors }) => {
    const mark = { present: style.green('✓'), missing: style.dim('·'), invalid: style.red('✗') }[state];
    const note = name === 'design' && state === 'missing' ? 'none (optional)' : state;
    const where = file === undefined ? '' : ` ${style.dim(style.place(file))}`;
    return `  ${mark} ${name.padEnd(9)} ${errors > 0 ? `${note}, ${count(errors, 'error')}` : note}${where}`;
  });
  const sections = [
    `${style.bold(style.cyan(safe(data.change_id)))}${title}\n${paintOf(data, style)(data.state)}  ${renderProgress(data.task_progress, style)}`,
    parts.join('\n'),
    ...(data.next.length === 0 ? [] : [`${style.bold('Next')}\n${renderSteps(data, style).join('\n')}`]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** The reasons of a blocked change are shown with their places. */
function renderSteps({ blockedBy = [], next }: AnswerOf<typeof changeStatus>, style: Style): string[] {
  const reasons = blockedBy.flatMap(({ reason, fix, file, line }) => [
    `  ${style.yellow('!')} ${style.say(reason)}`,
    ...(file === undefined ? [] : [`    ${style.dim(style.place(file, line))}`]),
    `    ${style.say(fix)}`,
  ]);
  return [...reasons, ...next.slice(blockedBy.length).map((step) => `  ${style.cyan(safe(step))}`)];
}
