import type { showChange } from '../operations/show-change.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { forTerminal } from '../core/text.ts';
import { listChanges } from '../specs/overlap.ts';
import { renderIgnored } from './diff.ts';
import { renderProgress } from './progress.ts';
import { renderRequirement } from './requirement.ts';
import { safe, type Style, titled } from './style.ts';

type ShowChangeOutput = AnswerOf<typeof showChange>;

const BAR_COLUMNS = 24;

export function renderChange(data: ShowChangeOutput, style: Style): string {
  const mark = data.archived ? ` ${style.yellow('[archived]')}` : '';
  const sections = [
    `${titled(data.title, data.change_id, style)}${mark}\n${style.dim(style.place(data.path))}`,
    ...(data.proposal.trim() === '' ? [] : [forTerminal(withoutTitle(data.proposal).trim())]),
    renderTasks(data, style),
    ...Object.entries(data.deltas).map(([capability, delta]) => renderDelta(capability, delta, data, style)),
    ...(data.overlaps.length === 0 ? [] : [renderOverlaps(data, style)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function withoutTitle(text: string): string {
  return text.replace(/^\uFEFF?\s*#\s[^\n]*\n/u, '');
}

function renderTasks({ tasks, task_progress }: ShowChangeOutput, style: Style): string {
  const lines: string[] = [];
  let group = '';
  for (const task of tasks) {
    if (task.group !== group) {
      group = task.group;
      lines.push(`  ${style.dim(safe(group))}`);
    }
    const indent = ' '.repeat(Math.min(12, task.indent));
    lines.push(
      `  ${indent}${task.done ? style.green('✓') : style.dim('·')} ${task.done ? style.dim(safe(task.text)) : safe(task.text)}`,
    );
  }
  return [`${style.bold('Tasks')} ${renderProgress(task_progress, style, BAR_COLUMNS)}`, ...lines].join('\n');
}

function renderDelta(
  capability: string,
  delta: ShowChangeOutput['deltas'][string],
  { ignored }: ShowChangeOutput,
  style: Style,
): string {
  const lines = [
    ...ignored
      .filter((heading) => heading.capability === capability)
      .map((heading) => `  ${renderIgnored(heading, style)}`),
    ...delta.added.map(
      (requirement) => `  ${style.green('+ added')}\n${renderRequirement(requirement, '    ', style)}`,
    ),
    ...delta.modified.map(
      (requirement) => `  ${style.yellow('~ modified')}\n${renderRequirement(requirement, '    ', style)}`,
    ),
    ...delta.removed.map(
      ({ name, reason }) =>
        `  ${style.red('- removed')} ${style.bold(safe(name))}${reason === undefined ? '' : ` ${style.dim(safe(reason))}`}`,
    ),
    ...delta.renamed.map(
      ({ from, to }) => `  ${style.cyan('→ renamed')} ${safe(from)} ${style.dim('→')} ${style.bold(safe(to))}`,
    ),
  ];
  return [
    `${style.bold('Spec')} ${style.cyan(safe(capability))}`,
    ...(lines.length > 0 ? lines : [style.dim('  no readable entries')]),
  ].join('\n');
}

function renderOverlaps({ overlaps }: ShowChangeOutput, style: Style): string {
  const lines = overlaps.map(
    ({ capability, requirement, changes, left_out: more = 0 }) =>
      `  ${safe(requirement)} ${style.dim(`of ${safe(capability)}, also in ${safe(listChanges({ named: changes, more }))}`)}`,
  );
  return `${style.yellow('Other changes touch the same requirements')}\n${lines.join('\n')}`;
}
