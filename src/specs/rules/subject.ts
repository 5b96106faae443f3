/**
 * What the rules check: a file as OpenSpec reads it, and as a tolerant reader reads it. validate-spec.ts and
 * validate-change.ts compute once what several rules need.
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

/** A spec or a delta: both have requirements with scenarios. */
export interface DocumentSubject {
  outline: Outline;
  isUtf8: boolean;
  requirements: readonly Requirement[];
  /** Every scenario that has a body, with the kinds of clauses in it. */
  scenarios: readonly { requirement: string; scenario: Scenario; roles: readonly Role[] }[];
}

export interface SpecSubject extends DocumentSubject {
  title: string;
  /** The first heading called Purpose; its text, and the same without code fences. */
  purpose: { heading: Heading; text: string; prose: string } | undefined;
  /** The first heading called Requirements, at any level. */
  requirementsHeading: Heading | undefined;
  /** Its child headings: OpenSpec takes each of them for a requirement. */
  children: readonly RequirementChild[];
  /** The first `## Requirements`, and its blocks with their texts. */
  section: RequirementsSection | undefined;
  blocks: readonly { block: Block; text: string }[];
  problems: readonly StructureProblem[];
}

export interface RequirementChild {
  heading: Heading;
  /** The lines before the first heading below: `[from, to)`. */
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

/** A delta compared with the spec that it changes. */
export interface TargetSubject {
  capability: string;
  lost: readonly { block: DeltaBlock; missing: readonly string[] }[];
  /** Why archiving would be refused; looked for only if nothing else is wrong with the delta. */
  refused: Refused | undefined;
}

export interface ChangeSubject {
  change: ChangeFolder;
  metadata: ChangeMetadata;
  deltas: readonly { capability: string; path: string; parsed: ParsedDelta; entryCount: number }[];
  /** Markdown files below specs/ that have delta sections and are not a spec.md, relative to specs/. */
  misplaced: readonly string[];
  /** tasks.md, if the change follows OpenSpec's own workflow, which numbers tasks by group. */
  tasks: { path: string; lines: readonly string[] } | undefined;
  /** Requirements that other active changes touch too. */
  overlaps: readonly OwnOverlap[];
}

/** Where a finding is; `line` is the index of the line. */
export function at(line: number, section?: string): { line: number; section: string | undefined } {
  return { line: line + 1, section };
}
