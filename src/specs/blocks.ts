/**
 * Requirement blocks as defined by OpenSpec's grammar: from a `### Requirement:` header to the next one or the next `##`.
 * Deltas consist of blocks, and main specs are edited and validated by block.
 */
import { lastInk, type Outline } from '../core/headings.ts';
import { openspecRequirement, openspecScenario, openspecSection } from './words.ts';

export interface Block {
  name: string;
  /** Line index of the header. */
  line: number;
  /** Line index after the last nonblank line. */
  end: number;
  /** The headings below the header: `[from, to)` in the outline's list. */
  headings: [from: number, to: number];
}

export interface BlockScenario {
  name: string;
  line: number;
  hasBody: boolean;
}

/**
 * Returns the name in a requirement header. As in OpenSpec, the space after `###` is optional, `### Requirement:` is not a header,
 * and the same line with a trailing space is a requirement without a name.
 */
export function requirementHeader(outline: Outline, index: number): string | undefined {
  const heading = outline.headings[index];
  const name = heading?.level === 3 ? openspecRequirement(heading.text) : undefined;
  return name === '' && heading && outline.lines[heading.line]?.endsWith(':') ? undefined : name;
}

/** Any `##` heading ends a block. */
export function isSectionHeading(outline: Outline, index: number): boolean {
  const heading = outline.headings[index];
  return heading?.level === 2 && !heading.tight;
}

/** Returns the block whose header is the heading `index`. */
export function blockAt(outline: Outline, index: number, name: string): Block {
  const line = outline.headings[index]?.line ?? 0;
  let next = index + 1;
  while (
    next < outline.headings.length &&
    !isSectionHeading(outline, next) &&
    requirementHeader(outline, next) === undefined
  )
    next += 1;
  return {
    name,
    line,
    end: lastInk(outline, line, outline.headings[next]?.line ?? outline.lines.length),
    headings: [index + 1, next],
  };
}

export interface RequirementsSection {
  /** Line index of `## Requirements`. */
  line: number;
  /** Line index of the next `##`, or of the end. */
  to: number;
  blocks: Block[];
}

/** Returns the first `## Requirements` of a main spec, with its blocks. */
export function requirementsSection(outline: Outline): RequirementsSection | undefined {
  const start = outline.headings.findIndex(
    (heading, index) => isSectionHeading(outline, index) && openspecSection(heading.text) === 'requirements',
  );
  const heading = outline.headings[start];
  if (!heading) return undefined;
  const blocks: Block[] = [];
  let index = start + 1;
  for (; index < outline.headings.length && !isSectionHeading(outline, index); index++) {
    const name = requirementHeader(outline, index);
    if (name !== undefined) blocks.push(blockAt(outline, index, name));
  }
  return { line: heading.line, to: outline.headings[index]?.line ?? outline.lines.length, blocks };
}

const METADATA_LINE = /^\*\*[^*]+\*\*:/u;

/**
 * Returns the requirement text as OpenSpec reads it: up to the first heading, without blank and fenced lines. Lines such as
 * `**Priority**: high` count only if there is no other text.
 */
export function requirementText(outline: Outline, from: number, to: number): string {
  const text: string[] = [];
  const metadata: string[] = [];
  for (let index = from; index < to; index++) {
    if (outline.fenced[index] === 1) continue;
    const line = (outline.lines[index] ?? '').trim();
    if (line !== '') (METADATA_LINE.test(line) ? metadata : text).push(line);
  }
  return (text.length > 0 ? text : metadata).join('\n');
}

export function blockText(outline: Outline, block: Block): string {
  let end = block.end;
  for (let index = block.headings[0]; index < block.headings[1]; index++) {
    const heading = outline.headings[index];
    if (!heading || heading.tight) continue;
    end = heading.line;
    break;
  }
  return requirementText(outline, block.line + 1, end);
}

/** Returns every level-four heading of the block that has a body, labeled or not. */
export function blockScenarios(outline: Outline, block: Block): BlockScenario[] {
  const scenarios: BlockScenario[] = [];
  const [from, to] = block.headings;
  for (let index = from; index < to; index++) {
    const heading = outline.headings[index];
    if (!heading || heading.tight || heading.level !== 4) continue;
    let next = index + 1;
    while (next < to && !isScenarioEnd(outline, next)) next += 1;
    const end = outline.headings[next]?.line ?? outline.lines.length;
    const bodyEnd = lastInk(outline, heading.line + 1, next < to ? end : Math.max(block.end, heading.line + 1));
    scenarios.push({ name: openspecScenario(heading.text), line: heading.line, hasBody: bodyEnd > heading.line + 1 });
  }
  return scenarios;
}

function isScenarioEnd(outline: Outline, index: number): boolean {
  const heading = outline.headings[index];
  return heading !== undefined && !heading.tight && heading.level <= 4;
}

/** Returns the names missing from the second list, repeated as often as they are missing. */
export function missingNames(current: readonly BlockScenario[], incoming: readonly BlockScenario[]): string[] {
  const left = new Map<string, number>();
  for (const { name } of incoming) left.set(name, (left.get(name) ?? 0) + 1);
  return current
    .filter(({ name }) => {
      const count = left.get(name) ?? 0;
      if (count > 0) left.set(name, count - 1);
      return count === 0;
    })
    .map(({ name }) => name);
}

const NORMATIVE = /\b(?:SHALL|MUST)\b/u;

export function isNormative(text: string): boolean {
  return NORMATIVE.test(text);
}
