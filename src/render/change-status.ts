import type { changeStatus } from '../operations/change-status.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count } from '../core/text.ts';
import { renderProgress } from './progress.ts';
import { safe, type Style } from './style.ts';

export function renderChangeStatus(data: AnswerOf<typeof changeStatus>, style: Style): string {
  const title = data.title === data.change_id ? '' : ` ${style.dim(safe(data.title))}`;
  const paint = data.state === 'ready to archive' ? style.green : style.yellow;
  const parts = data.parts.map(({ name, state, file, errors }) => {
    const mark = { present: style.green('✓'), missing: style.dim('·'), invalid: style.red('✗') }[state];
    const note = name === 'design' && state === 'missing' ? 'none (optional)' : state;
    const where = file === undefined ? '' : ` ${style.dim(style.place(file))}`;
    return `  ${mark} ${name.padEnd(9)} ${errors > 0 ? `${note}, ${count(errors, 'error')}` : note}${where}`;
  });
  const sections = [
    `${style.bold(style.cyan(safe(data.change_id)))}${title}\n${paint(data.state)}${data.reason === undefined ? '' : `: ${safe(data.reason)}`}  ${renderProgress(data.task_progress, style)}`,
    parts.join('\n'),
    ...(data.next.length === 0
      ? []
      : [`${style.bold('Next')}\n${data.next.map((step) => `  ${style.cyan(safe(step))}`).join('\n')}`]),
  ];
  return `${sections.join('\n\n')}\n`;
}
