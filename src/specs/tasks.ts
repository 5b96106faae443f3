/** Check boxes of a tasks file. Boxes inside code fences are examples, not work. */
import { outlineOf } from '../core/headings.js';

export interface Task {
  done: boolean;
  text: string;
  /** 1-based line in the file. */
  line: number;
  /** Width of the blanks before the bullet; deeper tasks are parts of the one above. */
  indent: number;
  /** The heading above, without its marks. */
  group: string;
}

export interface TaskProgress {
  completed: number;
  total: number;
}

export interface ParsedTasks extends TaskProgress {
  tasks: Task[];
}

const BULLET = /^\s*(?:[-*+]|\d{1,9}[.)])\s*\[/u;

export function parseTasks(text: string): ParsedTasks {
  const outline = outlineOf(text);
  const tasks: Task[] = [];
  let next = 0;
  let group = '';
  let completed = 0;
  for (const [index, line] of outline.lines.entries()) {
    const heading = outline.headings[next];
    if (heading?.line === index) {
      next += 1;
      if (!heading.tight) group = heading.text;
      continue;
    }
    if (outline.fenced[index] === 1 || !line.includes('[')) continue;
    const task = taskAt(line);
    if (!task) continue;
    if (task.done) completed += 1;
    tasks.push({ ...task, line: index + 1, indent: line.length - line.trimStart().length, group });
  }
  return { tasks, completed, total: tasks.length };
}

/**
 * One line by itself: a list item with a box that holds one mark at most, such as `- [ ]`, `* [x]`, `1. [X]` or `[~]`. Only x
 * means done; any other mark is work that is not. `[a](b)` is a link, though a blank box before a bracket is still a box.
 */
export function taskAt(line: string): { done: boolean; text: string } | undefined {
  const start = BULLET.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  const end = line.indexOf(']', start);
  if (end === -1) return undefined;
  const mark = line.slice(start, end).trim();
  const isLink = line[end + 1] === '(' || line[end + 1] === '[';
  if (mark.length > 1 || (isLink && (mark !== '' || end === start))) return undefined;
  return { done: mark === 'x' || mark === 'X', text: line.slice(end + 1).trim() };
}
