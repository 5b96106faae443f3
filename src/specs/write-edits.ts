/** Edits of a spec written back, so that every line that was not edited ends up byte for byte as it was. */
import { lastInk, type Outline } from '../core/headings.ts';
import { type Block, requirementsSection } from './blocks.ts';

/** One requirement after the edits. */
export interface EditedBlock {
  /** Where it stood; absent for what was added. */
  block?: Block;
  /** Its new lines; absent where they stay. */
  lines?: readonly string[];
  /** A new first line alone. */
  header?: string;
  isGone?: true;
}

interface Row {
  text: string;
  /** `\n`, `\r\n`, `\r`, or nothing at the end of the file. */
  end: string;
}

const LINE = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu;

/** The blocks must be those of the outline's Requirements section, in their order, with the added ones behind. */
export function writeEdits(text: string, outline: Outline, blocks: readonly EditedBlock[]): string {
  const rows = rowsOf(text);
  const lineEnd = dominantLineEnd(text);
  const made = (lines: readonly string[]): Row[] => lines.map((line) => ({ text: line, end: lineEnd }));
  const section = requirementsSection(outline);
  const firstLine = section?.blocks[0]?.line;
  const bodyEnd = section ? lastInk(outline, section.line + 1, section.to) : lastInk(outline, 0, rows.length);
  const headEnd = firstLine === undefined ? bodyEnd : lastInk(outline, 0, firstLine);
  const result = [...rows.slice(0, headEnd), ...(section ? [] : made(['', '## Requirements']))];
  let previousEnd = headEnd;
  for (const { block, lines, header, isGone } of blocks) {
    // The blank lines before a block come and go with it.
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

/** Rows to text; only the last may be without an end, and it is when the file was so before. */
function joinRows(rows: readonly Row[], lastEnd: string, lineEnd: string): string {
  return rows
    .map(({ text, end }, index) => text + (index < rows.length - 1 ? end || lineEnd : lastEnd && (end || lineEnd)))
    .join('');
}

/** The end that most lines have; a tie goes to CRLF, since a file that is half CRLF was meant to be. */
function dominantLineEnd(text: string): string {
  let feeds = 0;
  let pairs = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    feeds += 1;
    if (text.charCodeAt(at - 1) === 13) pairs += 1;
  }
  return feeds > 0 && pairs * 2 >= feeds ? '\r\n' : '\n';
}
