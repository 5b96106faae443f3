/**
 * Parses one delta file of a change: the requirements of a capability that it adds, modifies, removes and renames. Only `canonical`
 * entries, which are valid in OpenSpec's grammar, are ever applied. Others are read so that a change in another language
 * or spelling can still be shown and explained.
 */
import { type Heading, lastInk, maskComments, type Outline, outlineOf, sectionEnd, textOf } from '../core/headings.ts';
import { memo } from '../core/memo.ts';
import { type Block, blockAt, isSectionHeading, requirementHeader } from './blocks.ts';
import { type Requirement, requirementsOf } from './parse-spec.ts';
import {
  readRemoved,
  readRenamed,
  type RemovedEntry,
  type RenamedEntry,
  type UnpairedRename,
} from './parse-delta-lists.ts';
import { type Operation, openspecSection, requirementLabel, sectionOf } from './words.ts';

export interface DeltaSection {
  operation: Operation;
  /** Title as written, without the `##`. */
  title: string;
  /** Line index of the heading. */
  line: number;
  canonical: boolean;
}

export interface DeltaBlock extends Block {
  operation: 'added' | 'modified';
  canonical: boolean;
  /** The same block with description and scenarios. */
  requirement: Requirement;
}

export interface ParsedDelta {
  outline: Outline;
  sections: DeltaSection[];
  blocks: DeltaBlock[];
  removed: RemovedEntry[];
  renamed: RenamedEntry[];
  unpaired: UnpairedRename[];
  /** Requirement headers outside all delta sections. `section` is the `##` heading above, if any. */
  orphans: { name: string; line: number; section: string | undefined }[];
  /** The body of `## Purpose`, used when the delta creates the capability. */
  purpose: string;
}

export function parseDelta(text: string): ParsedDelta {
  return deltaIn(outlineOf(text));
}

/** The delta as it is applied. OpenSpec reads headings inside HTML comments, but commented-out text is never written. */
export const deltaToApply = memo((delta: ParsedDelta): ParsedDelta => {
  const text = delta.outline.lines.join('\n');
  const outline = outlineOf(text, { hideComments: true });
  return outline.commented ? { ...deltaIn(outline), purpose: purposeIn(outline) } : delta;
});

/** Returns the body of the Purpose. A comment that opens anywhere hides headings here, as in OpenSpec. */
function purposeIn({ lines }: Outline): string {
  const masked = outlineOf(maskComments(lines.join('\n')));
  const index = masked.headings.findIndex(
    (heading, each) => isSectionHeading(masked, each) && openspecSection(heading.text) === 'purpose',
  );
  const line = masked.headings[index]?.line;
  return line === undefined ? '' : textOf({ ...masked, lines }, line + 1, sectionEnd(masked, index));
}

function deltaIn(outline: Outline): ParsedDelta {
  const delta: ParsedDelta = {
    outline,
    sections: [],
    blocks: [],
    removed: [],
    renamed: [],
    unpaired: [],
    orphans: [],
    purpose: '',
  };
  const byLine = new Map(requirementsOf(outline).map((requirement) => [requirement.line, requirement]));
  const reading = { delta, byLine };
  let section: DeltaSection | undefined;
  let heading: Heading | undefined;
  for (let index = 0; index < outline.headings.length; index++) {
    const current = outline.headings[index];
    if (!current) continue;
    if (isSectionHeading(outline, index)) {
      heading = current;
      section = deltaSection(current);
      if (section) {
        delta.sections.push(section);
        readLists(delta, section, current.line + 1, nextSection(outline, index));
      } else if (delta.purpose === '' && openspecSection(current.text) === 'purpose') {
        delta.purpose = textOf(outline, current.line + 1, sectionEnd(outline, index));
      }
      continue;
    }
    const name = requirementHeader(outline, index);
    if (section) readEntry(reading, section, index, name);
    if (name !== undefined && !section?.canonical)
      delta.orphans.push({ name, line: current.line, section: heading?.text });
  }
  return delta;
}

function deltaSection(heading: Heading): DeltaSection | undefined {
  const strict = openspecSection(heading.text);
  const kind = strict ?? sectionOf(heading.text);
  if (kind === undefined || kind === 'purpose' || kind === 'requirements') return undefined;
  return { operation: kind, title: heading.text, line: heading.line, canonical: strict !== undefined };
}

function nextSection(outline: Outline, index: number): number {
  let next = index + 1;
  while (next < outline.headings.length && !isSectionHeading(outline, next)) next += 1;
  return outline.headings[next]?.line ?? outline.lines.length;
}

function readLists(delta: ParsedDelta, section: DeltaSection, from: number, to: number): void {
  if (section.operation === 'removed') delta.removed.push(...readRemoved(delta.outline, from, to, section.canonical));
  if (section.operation !== 'renamed') return;
  const { renamed, unpaired } = readRenamed(delta.outline, from, to, section.canonical);
  delta.renamed.push(...renamed);
  delta.unpaired.push(...unpaired);
}

function readEntry(
  { delta, byLine }: { delta: ParsedDelta; byLine: ReadonlyMap<number, Requirement> },
  section: DeltaSection,
  index: number,
  name: string | undefined,
): void {
  const { operation } = section;
  const heading = delta.outline.headings[index];
  if (!heading || (operation !== 'added' && operation !== 'modified')) return;
  const alias = name ?? requirementLabel(heading.text);
  if (alias === undefined || (alias === '' && name === undefined)) return;
  const requirement = byLine.get(heading.line);
  if (!requirement) return;
  const block = blockAt(delta.outline, index, alias);
  delta.blocks.push({ ...block, operation, canonical: section.canonical && name !== undefined, requirement });
}

/** Returns the lines of a block, without trailing blank lines. */
export function blockLines(outline: Outline, block: Block): string[] {
  return outline.lines.slice(block.line, lastInk(outline, block.line, block.end));
}
