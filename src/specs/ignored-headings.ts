/**
 * Finds headings that were meant as delta entries but are not valid in OpenSpec's grammar: in another spelling, at another
 * level, indented, outside the delta sections, or after a code fence that is never closed. Archiving would drop them
 * without a warning.
 */
import { deltaToApply, type ParsedDelta } from './parse-delta.ts';
import { OPERATIONS } from './shapes.ts';
import { type Operation, requirementLabel, sectionOf } from './words.ts';

export interface IgnoredHeading {
  /** Line index. */
  line: number;
  /** Trimmed text of the line. */
  text: string;
  /** Reason why it is ignored, as the rest of a sentence that begins with the text. */
  reason: string;
  fix: string;
}

interface Mark {
  level: number;
  text: string;
  /** True if the heading is at the start of the line and has a space after the marks. */
  isPlain: boolean;
}

const ATX = /^([ \t]*)(#{1,6})(.*)$/u;
const HTML = /^\s*<h([1-6])\b[^>]*>([^]*)/iu;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/u;
const OPERATION_WORD = /^(added|modified|removed|renamed)\b/iu;

export function ignoredHeadings(read: ParsedDelta): IgnoredHeading[] {
  const delta = deltaToApply(read);
  const { lines, fenced, openFence = lines.length } = delta.outline;
  const applied = new Set(
    [...delta.sections, ...delta.blocks, ...delta.removed].filter(({ canonical }) => canonical).map(({ line }) => line),
  );
  const found = new Map<number, IgnoredHeading>();
  const ignore = (line: number, reason: string, fix: string): void => {
    if (!found.has(line)) found.set(line, { line, text: (lines[line] ?? '').trim(), reason, fix });
  };
  const sections = sectionStarts(delta);
  let section: SectionStart | undefined;
  for (let index = 0; index < lines.length; index++) {
    section = sections.get(index) ?? section;
    const isHidden = index > openFence;
    const mark = fenced[index] === 1 && !isHidden ? undefined : markAt(lines, index);
    if (!mark || applied.has(index)) continue;
    const name = requirementLabel(mark.text);
    const operation = operationOf(mark);
    const isEntry = mark.level === 3 && mark.isPlain && section?.operation !== undefined;
    if (name === undefined && operation === undefined && !isEntry) continue;
    if (isHidden)
      ignore(index, `is below the code fence of line ${openFence + 1}, which is never closed`, 'Close the code fence.');
    else if (operation !== undefined)
      ignore(
        index,
        'is not read as a delta section',
        `Write "## ${operation.toUpperCase()} Requirements", with nothing before or after it.`,
      );
    else if (section?.operation === 'renamed') ignore(index, renameReason(delta, index), renameFix(delta, index));
    else if (name !== undefined && section?.operation === undefined)
      ignore(
        index,
        section ? `is below "## ${section.title}", which is not a delta section` : 'is above the first delta section',
        'Move it below "## ADDED Requirements" or another delta section.',
      );
    else
      ignore(
        index,
        'is not a requirement heading',
        `Write "### Requirement: ${(name ?? mark.text) || 'name'}" at the start of the line if it should be one.`,
      );
  }
  for (const { line, canonical } of delta.removed)
    if (!canonical)
      ignore(line, 'does not name a requirement in a valid form', 'Write "### Requirement: name" on the line.');
  for (const { line, canonical } of delta.renamed)
    if (!canonical) ignore(line, renameReason(delta, line), renameFix(delta, line));
  return [...found.values()].sort((a, b) => a.line - b.line);
}

interface SectionStart {
  title: string;
  /** Set only for a section that is applied. */
  operation: Operation | undefined;
}

/** Returns every `##` heading by its line. Each one ends the previous section. */
function sectionStarts({ outline, sections }: ParsedDelta): Map<number, SectionStart> {
  const operations = new Map(
    sections.filter(({ canonical }) => canonical).map(({ line, operation }) => [line, operation]),
  );
  return new Map(
    outline.headings
      .filter(({ level, tight }) => level === 2 && !tight)
      .map(({ line, text }) => [line, { title: text, operation: operations.get(line) }]),
  );
}

/** Returns the heading on a line, even if it is indented or lacks a space. */
function markAt(lines: readonly string[], index: number): Mark | undefined {
  const line = lines[index] ?? '';
  const atx = ATX.exec(line);
  if (atx) {
    const [, indent = '', marks = '', rest = ''] = atx;
    const text = rest.trim();
    return text === '' ? undefined : { level: marks.length, text, isPlain: indent === '' && /^\s/u.test(rest) };
  }
  const html = HTML.exec(line);
  if (html) return { level: Number(html[1]), text: withoutEnd(html[2] ?? ''), isPlain: false };
  const underline = line.trim() === '' ? null : UNDERLINE.exec(lines[index + 1] ?? '');
  return underline ? { level: underline[1]?.startsWith('=') ? 1 : 2, text: line.trim(), isPlain: false } : undefined;
}

function withoutEnd(html: string): string {
  return html
    .trim()
    .replace(/<\/h[1-6]>$/iu, '')
    .trim();
}

/** Returns the operation of a heading meant as a delta section, such as `## Modified` or `### MODIFIED Requirements`. */
function operationOf({ level, text }: Mark): string | undefined {
  const kind = sectionOf(text);
  const read = OPERATIONS.find((operation) => operation === kind);
  return read ?? (level <= 2 ? OPERATION_WORD.exec(text)?.[1]?.toLowerCase() : undefined);
}

/** A rename in another form is read, but OpenSpec does not apply it. */
function renameReason(delta: ParsedDelta, line: number): string {
  const entry = delta.renamed.find((renamed) => renamed.line === line);
  return entry ? `renames "${entry.from}" to "${entry.to}" in a form that OpenSpec does not read` : 'is not a rename';
}

/** Returns the valid form, with the names if they can be recognized. */
export function renameFix(delta: ParsedDelta, line: number): string {
  const entry = delta.renamed.find((renamed) => renamed.line === line);
  const [from, to] = entry ? [entry.from, entry.to] : ['old', 'new'];
  return `Write "- FROM: \`### Requirement: ${from}\`" and right below it "- TO: \`### Requirement: ${to}\`".`;
}
