/**
 * Finds the headings and code fences of a Markdown text, line by line. Specs need only these two, so a one-pass scanner replaces
 * a Markdown parser.
 */
export interface Heading {
  level: number;
  /** The trimmed heading text without its marks. */
  text: string;
  /** Index into `lines`. The line number in the file is one more. */
  line: number;
  /** `###Text` without a space after the marks. Markdown does not treat it as a heading, but authors intend one. */
  tight: boolean;
}

export interface Outline {
  /** The lines without byte order mark and line ends. */
  lines: readonly string[];
  /** 1 for every line of a fenced block, its fences included, and for every line of a hidden comment. */
  fenced: Uint8Array;
  /** 1 for every line of an HTML comment of several lines, if comments are hidden. */
  commented?: Uint8Array;
  headings: readonly Heading[];
  /** Index of the line with a fence that is never closed. It hides the rest of the text. */
  openFence: number | undefined;
}

const HASH = 35;
const BACKTICK = 96;
const TILDE = 126;

/**
 * With `hideComments`, headings and fences inside HTML comments do not count. A comment begins at the start of a line, as in
 * Markdown, and an unclosed comment extends to the end. OpenSpec reads such headings, so use this only for writing.
 */
export function outlineOf(text: string, { hideComments = false }: { hideComments?: boolean } = {}): Outline {
  const lines = splitLines(text);
  const fenced = new Uint8Array(lines.length);
  if (hideComments && text.includes(COMMENT_OPEN)) return outlineAround(lines, fenced, new Uint8Array(lines.length));
  return outlineAround(lines, fenced, undefined);
}

const COMMENT_OPEN = '<!--';
export const COMMENT_START = /^ {0,3}<!--/u;
/** HTML accepts both forms. */
const COMMENT_END = /--!?>/u;

function outlineAround(lines: string[], fenced: Uint8Array, commented: Uint8Array | undefined): Outline {
  let isComment = false;
  const headings: Heading[] = [];
  let fence: { mark: number; length: number; line: number } | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (commented && !fence && (isComment || COMMENT_START.test(line))) {
      const rest: string = isComment ? line : line.slice(line.indexOf(COMMENT_OPEN) + COMMENT_OPEN.length);
      isComment = !COMMENT_END.test(rest);
      commented[index] = 1;
      fenced[index] = 1;
      continue;
    }
    // Nearly every line begins with a letter or a dash and needs no further check.
    const first = line.charCodeAt(0);
    if (first > 32 && first < 127 && first !== HASH && first !== BACKTICK && first !== TILDE) {
      if (fence) fenced[index] = 1;
      continue;
    }
    const start = line.length - line.trimStart().length;
    const mark = line.charCodeAt(start);
    if (mark === BACKTICK || mark === TILDE) {
      const length = runLength(line, start, mark);
      if (fence) {
        fenced[index] = 1;
        if (mark === fence.mark && length >= fence.length && line.slice(start + length).trim() === '')
          fence = undefined;
        continue;
      }
      if (length >= 3) {
        fence = { mark, length, line: index };
        fenced[index] = 1;
      }
      continue;
    }
    if (fence) fenced[index] = 1;
    else if (start === 0 && mark === HASH) {
      const heading = headingOf(line, index);
      if (heading) headings.push(heading);
    }
  }
  return { lines, fenced, headings, openFence: fence?.line, ...(commented ? { commented } : {}) };
}

/** Splits a text into lines without their ends. A lone carriage return ends a line too, as in files from old editors. */
export function splitLines(text: string): string[] {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return body.includes('\r') ? body.split(/\r\n?|\n/u) : body.split('\n');
}

/** Returns the index of the line where the section of a heading ends: at the next heading that is not deeper, or at the end. */
export function sectionEnd(outline: Outline, index: number): number {
  const level = outline.headings[index]?.level ?? 0;
  for (let next = index + 1; next < outline.headings.length; next++) {
    const heading = outline.headings[next];
    if (heading && !heading.tight && heading.level <= level) return heading.line;
  }
  return outline.lines.length;
}

/** Returns the lines `[from, to)` as one trimmed text. */
export function textOf(outline: Outline, from: number, to: number): string {
  return outline.lines.slice(from, to).join('\n').trim();
}

/** Returns the index after the last line of `[from, to)` that is not blank. */
export function lastInk(outline: Outline, from: number, to: number): number {
  let end = to;
  while (end > from && (outline.lines[end - 1] ?? '').trim() === '') end -= 1;
  return end;
}

function headingOf(line: string, index: number): Heading | undefined {
  const level = runLength(line, 0, HASH);
  // A line of marks alone is not a heading.
  if (level > 6 || line.length === level) return undefined;
  return { level, text: line.slice(level).trim(), line: index, tight: line.charAt(level).trim() !== '' };
}

/** `Name ###` renders as `Name`. Closing marks count only after a space, so `C#` is kept. */
export function withoutClosingMarks(text: string): string {
  if (!text.endsWith('#')) return text.trim();
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === HASH) end -= 1;
  const before = text.charCodeAt(end - 1);
  if (before !== 32 && before !== 9) return text.trim();
  return text.slice(0, end).trim();
}

function runLength(line: string, start: number, mark: number): number {
  let end = start;
  while (end < line.length && line.charCodeAt(end) === mark) end += 1;
  return end - start;
}

/** Replaces HTML comments by blanks, wherever they open. Line ends are kept. */
export function maskComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(COMMENT_OPEN, at);
    if (open === -1) return [...parts, text.slice(at)].join('');
    const end = /--!?>/gu;
    end.lastIndex = open + COMMENT_OPEN.length;
    const close = end.exec(text);
    const to = close ? end.lastIndex : text.length;
    parts.push(text.slice(at, open), text.slice(open, to).replaceAll(/[^\r\n]/gu, ' '));
    at = to;
  }
}
