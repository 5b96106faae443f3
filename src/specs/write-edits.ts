/** Writes an edited spec. Unedited lines are preserved byte for byte. */
import { lastInk } from '../core/headings.ts';
import type { Block } from './blocks.ts';
import type { EditableSpec } from './structure.ts';

/** One requirement after the edits. */
export interface EditedBlock {
  /** Original block. Absent for a new one. */
  block?: Block;
  /** New lines. Absent if unchanged. */
  lines?: readonly string[];
  /** New first line, if only that changed. */
  header?: string;
  isGone?: true;
}

interface Row {
  text: string;
  /** Line end: `\n`, `\r\n`, `\r`, or empty at the end of the file. */
  end: string;
}

const LINE = /[^\r\n]+(?:\r\n|\r|\n)?|\r\n|\r|\n/gu;

/** `blocks` must contain the blocks of the spec in order, followed by new ones. */
export function writeEdits({ text, outline, section }: EditableSpec, blocks: readonly EditedBlock[]): string {
  const rows = rowsOf(text);
  const lineEnd = dominantLineEnd(text);
  const made = (lines: readonly string[]): Row[] => lines.map((line) => ({ text: line, end: lineEnd }));
  const firstLine = section?.blocks[0]?.line;
  const bodyEnd = section ? lastInk(outline, section.line + 1, section.to) : lastInk(outline, 0, rows.length);
  const headEnd = firstLine === undefined ? bodyEnd : lastInk(outline, 0, firstLine);
  const result = [...rows.slice(0, headEnd), ...(section ? [] : made(['', '## Requirements']))];
  let previousEnd = headEnd;
  for (const { block, lines, header, isGone } of blocks) {
    // The blank lines before a block belong to it.
    const gap = block ? rows.slice(previousEnd, block.line) : made(['']);
    if (block) previousEnd = block.end;
    if (isGone) continue;
    const kept = block && !lines ? rows.slice(block.line, block.end) : [];
    const [first] = kept;
    if (first && header !== undefined) kept[0] = { text: header, end: first.end };
    const fresh = lines ? made(lines) : [];
    const last = fresh.at(-1);
    if (last && block) last.end = rows[block.end - 1]?.end ?? lineEnd;
    result.push(...gap, ...kept, ...fresh);
  }
  return joinRows([...result, ...rows.slice(bodyEnd)], rows.at(-1)?.end ?? '', lineEnd);
}

function rowsOf(text: string): Row[] {
  return (text.match(LINE) ?? []).map((line) => {
    const bare = line.endsWith('\r\n') ? line.slice(0, -2) : /[\r\n]$/u.test(line) ? line.slice(0, -1) : line;
    return { text: bare, end: line.slice(bare.length) };
  });
}

/** Only the last row may lack a line end, and only if the original file ended without one. */
function joinRows(rows: readonly Row[], lastEnd: string, lineEnd: string): string {
  return rows
    .map(({ text, end }, index) => text + (index < rows.length - 1 ? end || lineEnd : lastEnd && (end || lineEnd)))
    .join('');
}

/** Returns the most common line end. A tie goes to CRLF, because a half-converted file was probably meant to be all CRLF. */
function dominantLineEnd(text: string): string {
  let feeds = 0;
  let pairs = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    feeds += 1;
    if (text.charCodeAt(at - 1) === 13) pairs += 1;
  }
  return feeds > 0 && pairs * 2 >= feeds ? '\r\n' : '\n';
}
