/** What there is to say about one change. */
import { openspecSection } from './words.ts';
import type { Outline } from '../core/headings.ts';
import { outlineOf } from '../core/headings.ts';
import { isSectionHeading } from './blocks.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import { findOverlaps, type Overlap } from './overlap.ts';
import type { ParsedDelta } from './parse-delta.ts';
import { changeNested, checkChangeDeltas } from './rules/change-deltas.ts';
import { checkProposal } from './rules/change-proposal.ts';
import { checkTasks } from './rules/change-tasks.ts';
import { checkDeltaEntries } from './rules/delta-entries.ts';
import { checkDeltaTarget } from './rules/delta-target.ts';
import type { FindingPlace, ItemFinding } from './rules/finding.ts';
import { checkOverlap } from './rules/overlap.ts';
import { checkScenarios } from './rules/scenarios.ts';
import { checkText } from './rules/text.ts';
import { type ChangeMetadata, isSpecDriven, metadataOf } from './change-metadata.ts';
import type { SpecFile } from './spec-file.ts';

export interface ChangeSubject {
  change: ChangeFolder;
  metadata: ChangeMetadata;
  /** Markdown files below specs/ that hold delta sections and are no spec.md, relative to specs/. */
  misplaced: string[];
  /** The change follows OpenSpec's own workflow, whose tasks are numbered by group. */
  isSpecDriven: boolean;
  in(file: string, line: number, section?: string): FindingPlace;
}

export interface DeltaSubject {
  parsed: ParsedDelta;
  outline: Outline;
  capability: string;
  change: string;
  /** The spec as it is now; absent for a new capability. */
  current: SpecFile | undefined;
  at(line: number, section?: string): FindingPlace;
}

/** `overlaps` spares the work of finding them anew for each of many changes. */
export function validateChange(
  catalog: SpecCatalog,
  change: ChangeFolder,
  overlaps: readonly Overlap[] = overlapsFor(catalog, change),
): ItemFinding[] {
  const place = (file: string, line: number, section?: string): FindingPlace => ({
    item: change.id,
    file,
    line,
    ...(section === undefined ? {} : { section }),
  });
  const nested = change.nestedChanges;
  if (nested.length > 0) return [changeNested.at(place(change.dir, 0), `the folder only wraps ${nested.join(', ')}`)];
  const subject: ChangeSubject = {
    change,
    misplaced: change.specsWalk.others.filter((relative) => hasDeltaSection(change.otherText(relative)?.text ?? '')),
    metadata: metadataOf(catalog.files, change),
    isSpecDriven: isSpecDriven(catalog.files, change),
    in: place,
  };
  const findings = [
    ...checkChangeDeltas(subject),
    ...change.deltas.flatMap((delta) => [...findingsOfDelta(catalog, change, delta, place)]),
  ];
  return [
    ...findings,
    ...checkTasks(subject),
    ...checkProposal(subject),
    ...(change.isArchived ? [] : checkOverlap(subject, overlaps)),
  ];
}

function* findingsOfDelta(
  catalog: SpecCatalog,
  change: ChangeFolder,
  { capability, file, parsed }: ChangeFolder['deltas'][number],
  place: ChangeSubject['in'],
): Iterable<ItemFinding> {
  const subject: DeltaSubject = {
    parsed,
    outline: parsed.outline,
    capability,
    change: change.name,
    current: catalog.specFor(change.root, capability),
    at: (line, section) => place(file.path, line, section),
  };
  const entries = [...checkDeltaEntries(subject)];
  yield* entries;
  const hasEntries = [...parsed.blocks, ...parsed.removed, ...parsed.renamed].some(({ canonical }) => canonical);
  // What was applied long ago does not fit the spec of today, and need not.
  if (!change.isArchived)
    yield* checkDeltaTarget(subject, hasEntries && !entries.some(({ severity }) => severity === 'error'));
  yield* checkScenarios(
    subject,
    parsed.blocks.map(({ requirement }) => requirement),
  );
  yield* checkText(subject, file);
}

function overlapsFor(catalog: SpecCatalog, change: ChangeFolder): readonly Overlap[] {
  return change.isArchived ? [] : findOverlaps(catalog.changes);
}

function hasDeltaSection(text: string): boolean {
  const outline = outlineOf(text);
  return outline.headings.some((heading, index) => {
    const kind = isSectionHeading(outline, index) ? openspecSection(heading.text) : undefined;
    return kind !== undefined && kind !== 'purpose' && kind !== 'requirements';
  });
}
