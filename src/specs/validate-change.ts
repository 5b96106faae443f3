/** Runs every rule for changes and their deltas. */
import { type Diagnostic, runRules } from '../core/diagnostics.ts';
import { outlineOf, splitLines } from '../core/headings.ts';
import { applyDelta } from './apply.ts';
import { blockText, isSectionHeading } from './blocks.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder, DeltaFile } from './change-folder.ts';
import { isSpecDriven, metadataOf } from './change-metadata.ts';
import { deltaConflicts } from './delta-conflicts.ts';
import { lostScenarios } from './lost-scenarios.ts';
import type { ParsedDelta } from './parse-delta.ts';
import { changeNested } from './rules/change-deltas.ts';
import { CHANGE_RULES, DELTA_RULES, TARGET_RULES } from './rules/index.ts';
import type { ChangeSubject, DeltaSubject, TargetSubject } from './rules/subject.ts';
import { documentOf } from './validate-spec.ts';
import { openspecSection } from './words.ts';

export function validateChange(catalog: SpecCatalog, change: ChangeFolder): Diagnostic[] {
  const nested = change.nestedChanges;
  if (nested.length > 0)
    return [changeNested.at({ message: `the folder only wraps ${nested.join(', ')}`, path: change.dir, line: 1 })];
  const metadata = metadataOf(catalog.files, change);
  const subject: ChangeSubject = {
    change,
    metadata,
    deltas: change.deltas.map(({ capability, file, parsed }) => ({
      capability,
      path: file.path,
      parsed,
      entryCount: entryCount(parsed),
    })),
    misplaced: change.specsWalk.others.filter((relative) => hasDeltaSection(change.otherText(relative)?.text ?? '')),
    tasks:
      change.tasksFile && isSpecDriven(catalog.files, change, metadata)
        ? { path: change.tasksFile.path, lines: splitLines(change.tasksFile.text) }
        : undefined,
    overlaps: catalog.overlapsOf(change),
  };
  return [
    ...runRules(CHANGE_RULES, subject, { path: change.dir }),
    ...change.deltas.flatMap((delta) => validateDelta(catalog, change, delta)),
  ];
}

function validateDelta(catalog: SpecCatalog, change: ChangeFolder, delta: DeltaFile): Diagnostic[] {
  const { file, parsed } = delta;
  const { outline } = parsed;
  const subject: DeltaSubject = {
    ...documentOf(
      outline,
      parsed.blocks.map(({ requirement }) => requirement),
      file.isUtf8,
    ),
    parsed,
    blocks: parsed.blocks
      .filter(({ canonical }) => canonical)
      .map((block) => ({ block, text: blockText(outline, block) })),
    conflicts: deltaConflicts(parsed),
  };
  const diagnostics = runRules(DELTA_RULES, subject, { path: file.path });
  // A delta that was already applied does not have to match the current spec.
  if (change.isArchived) return diagnostics;
  const isSound = entryCount(parsed) > 0 && !diagnostics.some(({ severity }) => severity === 'error');
  return [...diagnostics, ...runRules(TARGET_RULES, targetOf(catalog, change, delta, isSound), { path: file.path })];
}

function targetOf(
  catalog: SpecCatalog,
  change: ChangeFolder,
  { capability, parsed }: DeltaFile,
  isSound: boolean,
): TargetSubject {
  const current = catalog.specFor(change.root, capability);
  const lost = current ? lostScenarios(parsed, current.editable) : [];
  if (!isSound || lost.length > 0) return { capability, lost, refused: undefined };
  const outcome = applyDelta(parsed, current?.editable, { capability, change: change.name });
  return { capability, lost, refused: outcome.kind === 'refused' ? outcome : undefined };
}

function entryCount({ blocks, removed, renamed }: ParsedDelta): number {
  return [...blocks, ...removed, ...renamed].filter(({ canonical }) => canonical).length;
}

function hasDeltaSection(text: string): boolean {
  const outline = outlineOf(text);
  return outline.headings.some((heading, index) => {
    const kind = isSectionHeading(outline, index) ? openspecSection(heading.text) : undefined;
    return kind !== undefined && kind !== 'purpose' && kind !== 'requirements';
  });
}
