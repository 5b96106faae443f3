/** Check boxes of a tasks file. Boxes inside code fences are examples, not work. */
import { outlineOf } from '../core/headings.ts';

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

export function parseTasks(text: string): Task[] {
  const outline = outlineOf(text);
  const tasks: Task[] = [];
  let next = 0;
  let group = '';
  for (let index = 0; index < outline.lines.length; index++) {
    const heading = outline.headings[next];
    if (heading?.line === index) {
      next += 1;
      if (!heading.tight) group = heading.text;
      continue;
    }
    if (outline.fenced[index] === 1) continue;
    const line = outline.lines[index] ?? '';
    const task = taskAt(line);
    if (task) tasks.push({ ...task, line: index + 1, indent: line.length - line.trimStart().length, group });
  }
  return tasks;
}

/** Only the numbers, which is what lists ask for; nothing is kept, so hundreds of files are counted in no time. */
export function countTasks(text: string): TaskProgress {
  if (!text.includes('[')) return { completed: 0, total: 0 };
  const { lines, fenced } = outlineOf(text);
  let completed = 0;
  let total = 0;
  for (let index = 0; index < lines.length; index++) {
    if (fenced[index] === 1) continue;
    const line = lines[index] ?? '';
    const box = boxAt(line);
    if (!box) continue;
    total += 1;
    if (isDone(line, box)) completed += 1;
  }
  return { completed, total };
}

/** One line by itself, whatever surrounds it. */
export function taskAt(line: string): { done: boolean; text: string } | undefined {
  const box = boxAt(line);
  return box && { done: isDone(line, box), text: line.slice(box.end + 1).trim() };
}

/** The places of the brackets. */
interface Box {
  start: number;
  end: number;
}

const DIGITS_MAX = 9;

/**
 * A list item with a box that holds one mark at most, such as `- [ ]`, `* [x]`, `1. [X]` or `[~]`; any mark but x is work that
 * is not done. `[a](b)` is a link, though a blank box before a bracket is still a box. Told by hand, character by character:
 * a pattern would take longer for the thousands of lines that are looked at than all the rest together.
 */
function boxAt(line: string): Box | undefined {
  let at = 0;
  while (isBlank(line.charCodeAt(at))) at += 1;
  const bullet = line.charCodeAt(at);
  if (bullet === 45 || bullet === 42 || bullet === 43) at += 1;
  else {
    const digits = at;
    while (line.charCodeAt(at) >= 48 && line.charCodeAt(at) <= 57) at += 1;
    const closer = line.charCodeAt(at);
    if (at === digits || at - digits > DIGITS_MAX || (closer !== 46 && closer !== 41)) return undefined;
    at += 1;
  }
  while (isBlank(line.charCodeAt(at))) at += 1;
  if (line.charCodeAt(at) !== 91) return undefined;
  const end = line.indexOf(']', at);
  if (end === -1) return undefined;
  const inner = end - at - 1;
  const mark = inner > 1 ? line.slice(at + 1, end).trim() : line.slice(at + 1, end);
  const isEmpty = mark.trim() === '';
  const isLink = line[end + 1] === '(' || line[end + 1] === '[';
  if (mark.length > 1 || (isLink && (!isEmpty || inner === 0))) return undefined;
  return { start: at, end };
}

function isDone(line: string, { start, end }: Box): boolean {
  const mark = line.slice(start + 1, end).trim();
  return mark === 'x' || mark === 'X';
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 160 && String.fromCharCode(code).trim() === '');
}
