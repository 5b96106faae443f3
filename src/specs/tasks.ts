/** The check boxes of a tasks file. Boxes inside code fences are examples, not work. */
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

export function parseTasks(text: string): Task[] {
  const { lines, fenced, headings } = outlineOf(text);
  const tasks: Task[] = [];
  let next = 0;
  let group = '';
  for (const [index, line] of lines.entries()) {
    const heading = headings[next];
    if (heading?.line === index) {
      next += 1;
      if (!heading.tight) group = heading.text;
    } else if (fenced[index] !== 1) {
      const task = taskAt(line);
      const indent = line.length - line.trimStart().length;
      if (task) tasks.push({ done: task.done, text: task.text, line: index + 1, indent, group });
    }
  }
  return tasks;
}

/** A list item with a box, such as `- [ ]`, `* [x]` or `1. [X]`, and the bracket that makes a link of it, if any. */
const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])\s*\[([^\]]*)\]([([]?)/u;

/** Reads one line by itself. A box has at most one mark. Any mark except x means open work, as in `[~]`. */
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
