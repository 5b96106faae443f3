/** Rules for the tasks of a change. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { TASKS } from '../change-folder.ts';
import { columnsOf } from '../columns.ts';
import { fenceNotes, taskAt } from '../tasks.ts';
import { at, type ChangeSubject } from './subject.ts';

export const tasksUnchecked = defineRule<ChangeSubject>({
  code: 'tasks-without-boxes',
  severity: 'warning',
  title: 'The tasks are a list without check boxes',
  about: 'Progress counts only check boxes, so this change seems to have no tasks.',
  fix: 'Write each task as "- [ ] 1.1 Add the endpoint".',
  bad: { 'tasks.md': '- Add the form' },
  good: { 'tasks.md': '- [ ] 1.1 Add the form' },
  *check({ tasks }) {
    // OpenSpec also counts boxes inside fences. Only a file without any box gets this warning.
    if (!tasks || tasks.lines.some((line) => taskAt(line))) return;
    const line = firstListItem(tasks.lines);
    if (line !== undefined)
      yield { message: 'no line of the list is a check box', path: tasks.path, ...at(line, TASKS) };
  },
});

export const taskGroup = defineRule<ChangeSubject>({
  code: 'task-number-group',
  severity: 'warning',
  title: 'A task number does not match its group',
  about: 'Below "## 2." the tasks are 2.1, 2.2 and so on. A number of another group makes references ambiguous.',
  fix: 'Move the task, or renumber it.',
  bad: { 'tasks.md': '## 1. Form\n- [ ] 2.1 Add the form' },
  good: { 'tasks.md': '## 1. Form\n- [ ] 1.1 Add the form' },
  *check({ tasks }) {
    if (!tasks) return;
    for (const { number, group, line } of numberedTasks(tasks.lines))
      if (withoutZeros(number.split('.', 1)[0] ?? '') !== withoutZeros(group))
        yield { message: `task ${number} is in group ${group}`, path: tasks.path, ...at(line, TASKS) };
  },
});

export const taskDuplicate = defineRule<ChangeSubject>({
  code: 'task-number-duplicate',
  severity: 'warning',
  title: 'Two tasks have the same number',
  about: 'Tasks are referred to by their numbers.',
  fix: 'Renumber one of the two.',
  bad: { 'tasks.md': '## 1. Form\n- [ ] 1.1 Add the form\n- [ ] 1.1 Test the form' },
  good: { 'tasks.md': '## 1. Form\n- [ ] 1.1 Add the form\n- [ ] 1.2 Test the form' },
  *check({ tasks }) {
    if (!tasks) return;
    const seen = new Map<string, number>();
    for (const { number, line } of numberedTasks(tasks.lines)) {
      const first = seen.get(number);
      if (first === undefined) seen.set(number, line);
      else yield { message: `task ${number} is already on line ${first + 1}`, path: tasks.path, ...at(line, TASKS) };
    }
  },
});

export const archivedOpenTasks = defineRule<ChangeSubject>({
  code: 'archive-open-tasks',
  severity: 'warning',
  advice: true,
  title: 'An archived change has open tasks',
  about: 'The change was archived before all its tasks were done.',
  fix: 'Finish the tasks, or tick those that are no longer needed.',
  *check({ change }) {
    if (!change.isArchived || !change.tasksFile) return;
    const open = change.tasks.filter(({ done }) => !done);
    const [first] = open;
    if (first)
      yield {
        message: `${open.length} of ${change.tasks.length} tasks are open`,
        path: change.tasksFile.path,
        ...at(first.line - 1, TASKS),
      };
  },
});

export const tasksFenceOpen = defineRule<ChangeSubject>({
  code: 'tasks-fence-open',
  severity: 'warning',
  advice: true,
  title: 'A code fence among the tasks is never closed',
  about: 'Markdown shows the rest of the file as code. The boxes below still count as tasks, so that none is lost.',
  fix: 'Close the code fence.',
  bad: { 'tasks.md': '```sh\nnpm test\n\n- [ ] 1.1 Add the form' },
  good: { 'tasks.md': '```sh\nnpm test\n```\n\n- [ ] 1.1 Add the form' },
  *check({ change }) {
    const { openFence } = change.parsedTasks;
    const message = fenceNotes(change.parsedTasks).openFence;
    if (change.tasksFile && openFence !== undefined && message !== undefined)
      yield { message, path: change.tasksFile.path, ...at(openFence - 1, TASKS) };
  },
});

export const tasksFenced = defineRule<ChangeSubject>({
  code: 'tasks-in-fence',
  severity: 'info',
  advice: true,
  title: 'Boxes inside code fences are not counted as tasks',
  about: 'They are examples. OpenSpec counts them, so the two tools show different progress for this change.',
  fix: 'Move them out of the code fence if they are tasks.',
  bad: { 'tasks.md': '- [ ] 1.1 Add the form\n\n```md\n- [ ] an example\n```' },
  good: { 'tasks.md': '- [ ] 1.1 Add the form' },
  *check({ change }) {
    const [first] = change.parsedTasks.examples;
    const message = fenceNotes(change.parsedTasks).examples;
    if (change.tasksFile && first && message !== undefined)
      yield { message, path: change.tasksFile.path, ...at(first.line - 1, TASKS) };
  },
});

const GROUP_HEADING = /^ {0,3}##(?!#)(?:[ \t]+|[ \t]*$)/u;
const NUMBERED_HEADING = /^ {0,3}##[ \t]+(\d+)\.(?:[ \t]|$)/u;
const TASK_NUMBER = /^(\d+(?:\.\d+)+[A-Za-z]*)(?=\s|$)/u;

/** Yields every numbered task and the number of its group. */
function* numberedTasks(lines: readonly string[]): Iterable<{ number: string; group: string; line: number }> {
  let group: string | undefined;
  for (const [line, text] of lines.entries()) {
    if (GROUP_HEADING.test(text)) group = NUMBERED_HEADING.exec(text)?.[1];
    const number = group && TASK_NUMBER.exec(taskAt(text)?.text ?? '')?.[1];
    if (group && number) yield { number, group, line };
  }
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '');
}

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/u;

/** Finds the first rendered list item, outside front matter, fences, comments and indented blocks. */
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
    if (LIST_ITEM.test(line) && columnsOf(line) < 4) return index;
  }
  return undefined;
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  return end === -1 ? 0 : end + 1;
}
