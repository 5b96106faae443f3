/** What makes a main spec unfit to be edited by deltas: headers that OpenSpec would miss, or two requirements of one name. */
import type { Outline } from '../core/headings.ts';
import { isSectionHeading, requirementHeader } from './blocks.ts';
import { openspecSection } from './words.ts';

export interface StructureProblem {
  kind: 'delta-header' | 'outside' | 'duplicate';
  /** The heading's text. */
  heading: string;
  /** Index of the line. */
  line: number;
  /** For duplicates: index of the line of the first. */
  first?: number;
}

const DELTA_HEADER = /^(?:added|modified|removed|renamed)\s+requirements$/iu;

const known = new WeakMap<Outline, readonly StructureProblem[]>();

/** Asked anew for every change that touches the spec, so the answer is kept. */
export function structureProblems(outline: Outline): readonly StructureProblem[] {
  const before = known.get(outline);
  if (before) return before;
  const problems = findProblems(outline);
  known.set(outline, problems);
  return problems;
}

function findProblems(outline: Outline): StructureProblem[] {
  const problems: StructureProblem[] = [];
  const lines = new Map<string, number>();
  let isInside = false;
  let wasInside = false;
  for (const [index, heading] of outline.headings.entries()) {
    const { text, line } = heading;
    if (isSectionHeading(outline, index)) {
      if (DELTA_HEADER.test(text)) problems.push({ kind: 'delta-header', heading: text, line });
      // Only the first section of that name counts.
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
