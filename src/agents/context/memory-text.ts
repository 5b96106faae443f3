/**
 * Reads the Markdown of a memory file as Claude Code does: comments that start a line are left out, and `@path` outside code is
 * an import. A line is examined once, so the time is linear.
 */

export interface MemoryText {
  /** Text without comments. */
  kept: string;
  /** Paths of imports as written, each once. */
  imports: string[];
}

const FENCE = /^ *(?:`{3,}[^`]*$|~{3,})/u;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: {1,4}|$)/u;
const BLOCK_TAG =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|li|link|main|menu|nav|ol|optgroup|option|p|pre|script|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul)(?:[\s>]|\/>|$)/iu;
const ANY_TAG = /^ {0,3}<\/?[a-z][a-z0-9-]*(?:\s[^>]*)?\/?>\s*$/iu;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/u;

export function readMemoryText(given: string): MemoryText {
  // Line breaks change only where comments are removed.
  const text = given.includes('<!--') ? given.replaceAll(/\r\n?/gu, '\n') : given;
  const kept: string[] = [];
  const prose: string[] = [];
  let fence: string | undefined;
  let listIndent = 0;
  let inParagraph = false;
  let inTags = false;
  let isAfterBlank = false;
  let at = 0;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    const line = text.slice(at, next);
    const bare = line.trimEnd();
    const indent = indentOf(bare);
    const wasAfterBlank = isAfterBlank;
    isAfterBlank = bare === '';
    if (fence === undefined && bare !== '' && isCommentStart(bare, indent, { listIndent, inParagraph, inTags })) {
      const close = text.indexOf('-->', at);
      if (close === -1) {
        kept.push(text.slice(at));
        break;
      }
      let end = text.indexOf('\n', close);
      end = end === -1 ? text.length : end + 1;
      while (text[end] === '\n') end += 1;
      const rest = withoutComments(text.slice(at, end));
      if (rest.trim() !== '') {
        kept.push(rest);
        prose.push(rest);
      }
      listIndent = 0;
      inParagraph = false;
      at = end;
      continue;
    }
    at = next;
    kept.push(line);
    if (fence !== undefined) {
      if (closes(fence, bare)) fence = undefined;
    } else if (bare === '') {
      inParagraph = false;
      inTags = false;
      prose.push('\n');
    } else if (FENCE.test(bare) && (indent <= 3 || listIndent > 0)) {
      fence = /`+|~+/u.exec(bare)?.[0];
      inParagraph = false;
    } else if (inTags || BLOCK_TAG.test(bare) || (!inParagraph && ANY_TAG.test(bare))) {
      inTags = true;
    } else if (indent >= 4 && !inParagraph && (listIndent === 0 || indent >= listIndent + 4)) {
      // Indented code.
    } else {
      const item = LIST_ITEM.exec(bare);
      if (item) listIndent = item[0].length;
      else if (indent < listIndent && (wasAfterBlank || HEADING.test(bare))) listIndent = 0;
      inParagraph = !HEADING.test(bare) && item === null;
      prose.push(line);
    }
  }
  return { kept: kept.join(''), imports: text.includes('@') ? importsIn(prose.join('')) : [] };
}

function isCommentStart(
  line: string,
  indent: number,
  { listIndent, inParagraph, inTags }: { listIndent: number; inParagraph: boolean; inTags: boolean },
): boolean {
  if (inTags || indent > (inParagraph ? 0 : 3) || !line.startsWith('<!--', indent)) return false;
  return listIndent === 0 || indent <= Math.min(3, listIndent - 1);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function closes(fence: string, line: string): boolean {
  const marks = line.trim();
  return marks.length >= fence.length && marks === fence[0]?.repeat(marks.length);
}

function withoutComments(text: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('<!--', at);
    const end = start === -1 ? -1 : text.indexOf('-->', start);
    if (end === -1) return kept + text.slice(at);
    kept += text.slice(at, start);
    at = end + 3;
  }
}

const IMPORT = /(^|[\s*_~[])@((?:[^\s\\]|\\ )+)/gu;

function importsIn(prose: string): string[] {
  const found = new Set<string>();
  for (const paragraph of prose.split(/\n[ \t]*\n/u)) {
    for (const [, before = '', written = ''] of withoutComments(withoutCode(paragraph)).matchAll(IMPORT)) {
      const inMarks = before === '[' ? written.split(']')[0] : /[*_~]/u.test(before) ? withoutMarks(written) : written;
      const [path = ''] = (inMarks ?? '').split('#');
      const plain = path.replaceAll('\\ ', ' ');
      if (isPath(plain)) found.add(plain);
    }
  }
  return [...found];
}

function withoutMarks(written: string): string {
  let end = written.length;
  while (end > 0 && '*_~'.includes(written[end - 1] ?? '')) end -= 1;
  return written.slice(0, end);
}

function isPath(written: string): boolean {
  return written.startsWith('~/') || (written.startsWith('/') && written !== '/') || /^[a-zA-Z0-9._-]/u.test(written);
}

/** Removes code spans: a run of backticks ends at the next run of the same length. */
function withoutCode(text: string): string {
  const runs = [...text.matchAll(/`+/gu)];
  // The next run of the same length, found from the end, so that each run is visited once.
  const closers: (number | undefined)[] = [];
  const latest = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]?.[0].length ?? 0;
    closers[index] = latest.get(length);
    latest.set(length, index);
  }
  let kept = '';
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const close = closers[index];
    const [start, end] = [runs[index], close === undefined ? undefined : runs[close]];
    if (start === undefined || end === undefined || close === undefined) continue;
    kept += `${text.slice(at, start.index)}\n`;
    at = end.index + end[0].length;
    index = close;
  }
  return kept + text.slice(at);
}
