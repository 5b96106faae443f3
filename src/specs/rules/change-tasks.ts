import { splitLines } from '../../core/headings.ts';
import { TASKS } from '../change-folder.ts';
import { taskAt } from '../tasks.ts';
import type { ChangeSubject } from '../validate-change.ts';
import { defineAdvice, defineVerdict, type FindingPlace, type ItemCode, type ItemFinding } from './finding.ts';

const tasksUnchecked = defineVerdict({
  code: 'tasks-without-boxes',
  severity: 'warning',
  title: 'The tasks are a list without check boxes',
  about: 'Progress counts check boxes only, so this change looks as if nothing had to be done.',
  fix: 'Write each task as "- [ ] 1.1 what to do".',
});

const taskGroup = defineVerdict({
  code: 'task-number-group',
  severity: 'warning',
  title: 'A task number does not fit its group',
  about: 'Below "## 2." the tasks are 2.1, 2.2 and so on. A number of another group makes references ambiguous.',
  fix: 'Move the task, or renumber it.',
});

const taskDuplicate = defineVerdict({
  code: 'task-number-duplicate',
  severity: 'warning',
  title: 'Two tasks have the same number',
  about: 'A task is referred to by its number.',
  fix: 'Renumber one of the two.',
});

const archivedOpenTasks = defineAdvice({
  code: 'archive-open-tasks',
  severity: 'warning',
  title: 'An archived change has open tasks',
  about: 'The change was archived before all its tasks were done.',
  fix: 'Finish the tasks, or tick what is no longer needed.',
});

export const TASK_CODES: readonly ItemCode[] = [tasksUnchecked, taskGroup, taskDuplicate, archivedOpenTasks];

export function* checkTasks(subject: ChangeSubject): Iterable<ItemFinding> {
  const { change } = subject;
  const file = change.tasksFile;
  if (!file) return;
  if (change.isArchived && change.progress.completed < change.progress.total) {
    const { completed, total } = change.progress;
    const open = change.tasks.find(({ done }) => !done);
    yield archivedOpenTasks.at(
      subject.in(file.path, (open?.line ?? 1) - 1, TASKS),
      `${total - completed} of ${total} tasks are open`,
    );
  }
  if (!subject.isSpecDriven) return;
  const lines = splitLines(file.text);
  // OpenSpec counts boxes inside fences as well; its verdict depends on there being none at all.
  if (!lines.some((line) => line.includes('[') && taskAt(line))) {
    const line = firstListItem(lines);
    if (line !== undefined)
      yield tasksUnchecked.at(subject.in(file.path, line, TASKS), 'no line of the list is a check box');
  }
  if (/^ {0,3}##[ \t]+\d+\./mu.test(file.text)) yield* checkNumbers(subject, file.path, lines);
}

const GROUP_HEADING = /^ {0,3}##(?!#)(?:[ \t]+|[ \t]*$)/u;
const NUMBERED_HEADING = /^ {0,3}##[ \t]+(\d+)\.(?:[ \t]|$)/u;
const TASK_NUMBER = /^(\d+(?:\.\d+)+[A-Za-z]*)(?=\s|$)/u;

function* checkNumbers(subject: ChangeSubject, file: string, lines: readonly string[]): Iterable<ItemFinding> {
  const seen = new Map<string, number>();
  let group: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.includes('##') && GROUP_HEADING.test(line)) group = NUMBERED_HEADING.exec(line)?.[1];
    if (group === undefined || !line.includes('[')) continue;
    const number = TASK_NUMBER.exec(taskAt(line)?.text ?? '')?.[1];
    if (number === undefined) continue;
    const place = (): FindingPlace => subject.in(file, index, TASKS);
    const own = number.split('.', 1)[0] ?? '';
    if (withoutZeros(own) !== withoutZeros(group))
      yield taskGroup.at(place(), `task ${number} stands in group ${group}`);
    const first = seen.get(number);
    if (first === undefined) seen.set(number, index);
    else yield taskDuplicate.at(place(), `task ${number} stands on line ${first + 1} already`);
  }
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '');
}

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/u;

/** The first list item that is shown as one: not in front matter, a fence, a comment or an indented block. */
function firstListItem(lines: readonly string[]): number | undefined {
  let fence: { mark: string; length: number } | undefined;
  let inComment = false;
  for (let index = frontMatterEnd(lines); index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (inComment) {
      inComment = !line.includes('-->');
      continue;
    }
    const run = FENCE.exec(line);
    if (run) {
      const [mark, length] = [run[1]?.[0] ?? '', run[1]?.length ?? 0];
      if (!fence) fence = { mark, length };
      else if (mark === fence.mark && length >= fence.length && run[2]?.trim() === '') fence = undefined;
      continue;
    }
    if (fence) continue;
    if (line.trimStart().startsWith('<!--')) {
      inComment = !line.includes('-->', line.indexOf('<!--') + 4);
      continue;
    }
    if (LIST_ITEM.test(line) && indentOf(line) < 4) return index;
  }
  return undefined;
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  return end === -1 ? 0 : end + 1;
}

function indentOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === ' ') column += 1;
    else if (character === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}
