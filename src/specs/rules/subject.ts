/**
 * Input of the rules: a file as parsed by OpenSpec and by the tolerant parser. validate-spec.ts and validate-change.ts
 * compute data shared by several rules once.
 */
import type { Heading, Outline } from '../../core/headings.ts';
import type { Refused } from '../apply.ts';
import type { Block, RequirementsSection } from '../blocks.ts';
import type { ChangeFolder } from '../change-folder.ts';
import type { ChangeMetadata } from '../change-metadata.ts';
import type { Role } from '../clauses.ts';
import type { DeltaConflict } from '../delta-conflicts.ts';
import type { OwnOverlap } from '../overlap.ts';
import type { DeltaBlock, ParsedDelta } from '../parse-delta.ts';
import type { Requirement, Scenario } from '../parse-spec.ts';
import type { StructureProblem } from '../structure.ts';

/** A spec or a delta. Both have requirements with scenarios. */
export interface DocumentSubject {
  outline: Outline;
  isUtf8: boolean;
  requirements: readonly Requirement[];
  /** Every scenario with a body, and the roles of its clauses. */
  scenarios: readonly { requirement: string; scenario: Scenario; roles: readonly Role[] }[];
}

export interface SpecSubject extends DocumentSubject {
  title: string;
  /** The first heading called Purpose, with its text, and the text without code fences. */
  purpose: { heading: Heading; text: string; prose: string } | undefined;
  /** The first heading called Requirements, at any level. */
  requirementsHeading: Heading | undefined;
  /** Child headings of Requirements. OpenSpec treats each of them as a requirement. */
  children: readonly RequirementChild[];
  /** The first `## Requirements`, and its blocks with their texts. */
  section: RequirementsSection | undefined;
  blocks: readonly { block: Block; text: string }[];
  problems: readonly StructureProblem[];
}

export interface RequirementChild {
  heading: Heading;
  /** Line range before the first nested heading: `[from, to)`. */
  from: number;
  to: number;
  scenarioCount: number;
}

export interface DeltaSubject extends DocumentSubject {
  parsed: ParsedDelta;
  /** The blocks in OpenSpec's form, with their texts. */
  blocks: readonly { block: DeltaBlock; text: string }[];
  conflicts: readonly DeltaConflict[];
}

/** A delta and the spec that it changes. */
export interface TargetSubject {
  capability: string;
  lost: readonly { block: DeltaBlock; missing: readonly string[] }[];
  /** Reason why archiving would be refused. Checked only if the delta has no other problems. */
  refused: Refused | undefined;
}

export interface ChangeSubject {
  change: ChangeFolder;
  metadata: ChangeMetadata;
  deltas: readonly { capability: string; path: string; parsed: ParsedDelta; entryCount: number }[];
  /** Markdown files other than spec.md that contain delta sections, relative to specs/. */
  misplaced: readonly string[];
  /** tasks.md, if the change follows OpenSpec's default workflow, which numbers tasks by group. */
  tasks: { path: string; lines: readonly string[] } | undefined;
  /** Requirements that other active changes also touch. */
  overlaps: readonly OwnOverlap[];
}

/** Returns the location of a finding. `line` is a line index. */
export function at(line: number, section?: string): { line: number; section: string | undefined } {
  return { line: line + 1, section };
}
