/** The block structure of a main spec that deltas edit, and problems that prevent editing. */
import { type Outline, outlineOf } from '../core/headings.ts';
import { memo } from '../core/memo.ts';
import { isSectionHeading, requirementHeader, requirementsSection, type RequirementsSection } from './blocks.ts';
import { openspecSection } from './words.ts';

export interface EditableSpec {
  text: string;
  outline: Outline;
  section: RequirementsSection | undefined;
  problems: readonly StructureProblem[];
}

export function editableSpec(text: string, outline: Outline = outlineOf(text)): EditableSpec {
  return { text, outline, section: requirementsSection(outline), problems: structureProblems(outline) };
}

/** Returns the spec as it is edited: headings inside HTML comments do not count. */
export const specToEdit = memo((spec: EditableSpec): EditableSpec => {
  const outline = outlineOf(spec.text, { hideComments: true });
  return outline.commented ? editableSpec(spec.text, outline) : spec;
});

export interface StructureProblem {
  kind: 'delta-header' | 'outside' | 'duplicate';
  /** Text of the heading. */
  heading: string;
  /** Line index. */
  line: number;
  /** For duplicates: line index of the first one. */
  first?: number;
}

const DELTA_HEADER = /^(?:added|modified|removed|renamed)\s+requirements$/iu;

/** Finds headers that OpenSpec would miss, and requirements with the same name. */
export function structureProblems(outline: Outline): StructureProblem[] {
  const problems: StructureProblem[] = [];
  const lines = new Map<string, number>();
  let isInside = false;
  let wasInside = false;
  for (const [index, heading] of outline.headings.entries()) {
    const { text, line } = heading;
    if (isSectionHeading(outline, index)) {
      if (DELTA_HEADER.test(text)) problems.push({ kind: 'delta-header', heading: text, line });
      // Only the first section called Requirements counts.
      isInside = !wasInside && openspecSection(text) === 'requirements';
      wasInside ||= isInside;
      continue;
    }
    const name = heading.tight ? undefined : requirementHeader(outline, index);
    if (name === undefined) continue;
    const first = lines.get(name);
    if (!isInside) problems.push({ kind: 'outside', heading: text, line });
    else if (first === undefined) lines.set(name, line);
    else problems.push({ kind: 'duplicate', heading: text, line, first });
  }
  return problems;
}
