/** Updates the block of skills in a hand-written file. The block between the markers is replaced; all other bytes are kept. */
import path from 'node:path';
import { tryReadTarget } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { clip, compareText, oneLine } from '../core/text.ts';
import type { Skill } from '../skills/skill.ts';

/** The lines around a block that Lectern keeps in a hand-written file. */
interface Marks {
  start: string;
  end: string;
}

const MARKS: Marks = { start: '<!-- lectern:start -->', end: '<!-- lectern:end -->' };
const DESCRIPTION_CHARACTERS = 300;

export interface BlockPlan {
  file: string;
  /** The file with all links resolved. */
  target: string;
  isNew: boolean;
  /** Undefined if the file is up to date. */
  write: (() => void) | undefined;
}

/** Plans the block with the skills. Fails if the file cannot be read or its markers do not match. */
export function planBlock(disk: Disk, file: string, skills: readonly Skill[]): BlockPlan {
  const lines = blockOf(file, skills);
  return planText(disk, file, (before) => withBlock(before, file, { lines, isOptional: skills.length === 0 }));
}

/** Plans a block of other lines, such as those that a shell reads when it starts. */
export function planLines(disk: Disk, file: string, lines: readonly string[], marks: Marks): BlockPlan {
  const marked = [marks.start, ...lines, marks.end];
  return planText(disk, file, (before) => withBlock(before, file, { lines: marked, marks }));
}

/** Plans the removal of a block with the line break after it. */
export function planRemoval(disk: Disk, file: string, marks?: Marks): BlockPlan {
  return planText(disk, file, (before) => {
    const place = markersIn(before, file, marks);
    if (!place) return before;
    const after = before.slice(place.end).replace(/^\r?\n/u, '');
    return before.slice(0, place.start).replace(/(\r?\n)\r?\n$/u, '$1') + after;
  });
}

/** Whether a file has a block. A file that cannot be read, or whose markers do not match, has none. */
export function hasBlock(disk: FileTree, file: string, marks?: Marks): boolean {
  const read = tryReadTarget(disk, file, LIMITS.jsonFileBytes.value);
  if (!read || read instanceof FileTrouble) return false;
  try {
    return markersIn(Buffer.from(read.bytes).toString('latin1'), file, marks) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function planText(disk: Disk, file: string, change: (before: string) => string): BlockPlan {
  const read = tryReadTarget(disk, file, LIMITS.jsonFileBytes.value);
  if (read instanceof FileTrouble)
    throw new Failure(
      read.reason === 'outside' ? 'REFUSED' : 'UNREADABLE',
      `${file} cannot be read: ${reasonText(read)}.`,
      { path: file },
    );
  if (!read && disk.look(file))
    throw new Failure('REFUSED', `${file} is a link that leads nowhere.`, { path: file, hint: 'Remove the link.' });
  // Treats bytes as characters, so that the rest of the file is written back unchanged in any encoding.
  const before = read ? Buffer.from(read.bytes).toString('latin1') : '';
  const target = read?.realPath ?? file;
  const after = change(before);
  if (after === before) return { file, target, isNew: false, write: undefined };
  const write = (): void => {
    const bytes = Buffer.from(after, 'latin1');
    if (read) disk.replace(target, bytes, read.stamp);
    else disk.create(target, bytes);
  };
  return { file, target, isNew: !read, write };
}

interface Block {
  lines: readonly string[];
  marks?: Marks;
  /** Only replaces a block that is already there. */
  isOptional?: boolean;
}

function withBlock(before: string, file: string, { lines, marks, isOptional = false }: Block): string {
  if (before.startsWith('\u00ff\u00fe') || before.startsWith('\u00fe\u00ff'))
    throw new Failure('REFUSED', `${file} is in UTF-16.`, { path: file, hint: 'Save it as UTF-8.' });
  const lineEnd = /\r\n/u.test(before) && !/(?<!\r)\n/u.test(before) ? '\r\n' : '\n';
  const text = Buffer.from(lines.join(lineEnd), 'utf8').toString('latin1');
  const place = markersIn(before, file, marks);
  if (place) return before.slice(0, place.start) + text + before.slice(place.end);
  if (isOptional) return before;
  const gap = before === '' ? '' : before.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  return before + gap + text + lineEnd;
}

/** Finds the block. A marker counts if it is alone on its line, not indented and not in code. */
function markersIn(
  text: string,
  file: string,
  { start, end }: Marks = MARKS,
): { start: number; end: number } | undefined {
  const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/u);
  const isCode = fencedLines(lines);
  const found: { mark: string; line: number; at: number }[] = [];
  let at = 0;
  for (const [index, line] of lines.entries()) {
    const mark = line.trimEnd().replace(/^\u00ef\u00bb\u00bf/u, '');
    if (!isCode[index] && (mark === start || mark === end))
      found.push({ mark, line: index + 1, at: at + line.indexOf(mark) });
    at += line.length;
  }
  const [first, second, third] = found;
  if (!first) return undefined;
  if (first.mark === start && second?.mark === end && !third) return { start: first.at, end: second.at + end.length };
  const wrong = first.mark === end ? first : second?.mark === end ? third : (second ?? first);
  throw new Failure('REFUSED', `The markers in ${file} do not fit together: line ${wrong?.line ?? first.line}.`, {
    path: file,
    line: wrong?.line ?? first.line,
    hint: `Keep one ${start} and one ${end} below it, each on a separate line, or remove both.`,
  });
}

/** Prefix of a fence in a list or a quote. */
const CONTAINERS = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]?)+/u;
const FENCE = /^(?:(?<backticks>`{3,})[^`]*|(?<tildes>~{3,})(?:[^~].*)?)$/u;

/**
 * Returns whether each line is in a fenced block, following CommonMark. Indented code is ignored, because indented lines are
 * never markers. A fence that is never closed is a mistake and does not hide a block.
 */
function fencedLines(lines: readonly string[]): boolean[] {
  const isCode = lines.map(() => false);
  let fence: { marks: string; line: number; isNested: boolean } | undefined;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    const isIndented = /^(?: {4}| {0,3}\t)/u.test(line);
    // A less indented line ends a list item and its fence.
    if (fence?.isNested && text !== '' && /^\S/u.test(line)) fence = undefined;
    if (fence) {
      const closes = text.startsWith(fence.marks) && text.replaceAll(fence.marks.charAt(0), '') === '';
      if (!closes || (isIndented && !fence.isNested)) continue;
      isCode.fill(true, fence.line, index + 1);
      fence = undefined;
      continue;
    }
    const bare = text.replace(CONTAINERS, '');
    const { backticks, tildes } = (isIndented ? undefined : FENCE.exec(bare)?.groups) ?? {};
    const marks = backticks ?? tildes;
    if (marks !== undefined) fence = { marks, line: index, isNested: bare !== text };
  }
  return isCode;
}

function blockOf(file: string, skills: readonly Skill[]): string[] {
  const entries = [...skills]
    .sort((a, b) => compareText(a.key, b.key) || compareText(a.file, b.file))
    .map((skill) => {
      const place = path.relative(path.dirname(file), skill.file).split(path.sep).join('/');
      return `- **${inText(skill.name)}**: ${inText(clip(skill.description, DESCRIPTION_CHARACTERS))} (${inText(place)})`;
    });
  return [
    MARKS.start,
    '<!-- Written by lectern sync. What you change here is lost. -->',
    '',
    '## Skills',
    '',
    ...(entries.length === 0
      ? ['There are no skills in this project.']
      : ['Before a task that a skill describes, read its file and follow it.', '', ...entries]),
    MARKS.end,
  ];
}

/** Escapes untrusted text for the block: one line, without markers or other markup. */
function inText(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Instruction files that agents read in a project, in search order. */
export const USUAL_FILES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** Returns the instruction files in a folder. */
export function usualFiles(disk: FileTree, dir: string): string[] {
  return USUAL_FILES.map((name) => path.join(dir, name)).filter((file) => disk.look(file) !== undefined);
}
