/**
 * Parses the checkboxes of a tasks file. Boxes inside a closed code fence are examples, not tasks. A fence that is never closed
 * does not hide tasks: open work must not disappear because of a forgotten line.
 */
import { outlineOf } from '../core/headings.ts';
import { count } from '../core/text.ts';

export interface Task {
  done: boolean;
  text: string;
  /** 1-based line in the file. */
  line: number;
  /** Indentation before the bullet. Deeper tasks are subtasks of the one above. */
  indent: number;
  /** Heading above the task, without its marks. */
  group: string;
}

export interface ParsedTasks {
  tasks: Task[];
  /** Boxes inside a closed code fence, which do not count here. OpenSpec counts them. */
  examples: Task[];
  /** 1-based line of a code fence that is never closed, if there are boxes below it. */
  openFence: number | undefined;
}

const HEADING = /^#{1,6}[ \t]+([^ \t\r\n].*)?$/u;

export function parseTasks(text: string): ParsedTasks {
  const { lines, fenced, openFence = lines.length } = outlineOf(text);
  const parsed: ParsedTasks = { tasks: [], examples: [], openFence: undefined };
  let group = '';
  for (const [index, line] of lines.entries()) {
    const isExample = fenced[index] === 1 && index < openFence;
    const heading = isExample ? null : HEADING.exec(line);
    if (heading) group = heading[1]?.trim() ?? '';
    const task = heading ? undefined : taskAt(line);
    if (!task) continue;
    const indent = line.length - line.trimStart().length;
    const list = isExample ? parsed.examples : parsed.tasks;
    list.push({ done: task.done, text: task.text, line: index + 1, indent, group });
    if (index > openFence) parsed.openFence = openFence + 1;
  }
  return parsed;
}

export function progressOf(tasks: readonly Task[]): { completed: number; total: number } {
  return { completed: tasks.filter(({ done }) => done).length, total: tasks.length };
}

/** Returns notes for a task count that is affected by code fences. */
export function fenceNotes({ tasks, examples, openFence }: ParsedTasks): { openFence?: string; examples?: string } {
  const theirs = progressOf([...tasks, ...examples]);
  const [first] = examples;
  return {
    ...(openFence === undefined
      ? {}
      : { openFence: `the code fence of line ${openFence} is never closed, so the boxes below it count as tasks` }),
    ...(first
      ? {
          examples: `${count(examples.length, 'box', 'boxes')} inside code fences (line ${first.line}) left out of the count; for OpenSpec, ${theirs.completed} of ${count(theirs.total, 'task')} are done`,
        }
      : {}),
  };
}

/** A list item with a box, such as `- [ ]`, `* [x]` or `1. [X]`, and the next bracket if it is a link. */
const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])\s*\[([^\]]*)\]([([]?)/u;

/** Parses a single line. A box has at most one mark. Any mark except x means an open task, as in `[~]`. */
export function taskAt(line: string): { done: boolean; text: string } | undefined {
  const box = line.includes('[') ? BOX.exec(line) : null;
  if (!box) return undefined;
  const [{ length }, content = '', bracket = ''] = box;
  const mark = content.trim();
  // `[a](b)` is a link; `[ ](b)` is a box.
  const isLink = bracket !== '' && (mark !== '' || content === '');
  if (mark.length > 1 || isLink) return undefined;
  return { done: mark.toLowerCase() === 'x', text: line.slice(length - bracket.length).trim() };
}
