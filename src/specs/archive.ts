/**
 * Archives a change: applies its deltas to the specs and moves its folder to the archive under today's date, all or nothing.
 * Refuses, before writing anything, if a scenario would be lost, a spec would be invalid or tasks are open.
 */
import path from 'node:path';
import { type Diagnostic, isDecisive, sortDiagnostics } from '../core/diagnostics.ts';
import { openRecords, type RecordsPlace } from '../core/disk/records.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { unifiedDiff } from '../core/line-diff.ts';
import { count, oneLine } from '../core/text.ts';
import { type Applied, applyDelta, type Refused } from './apply.ts';
import { refuseIgnored, refuseLoss } from './archive-refusals.ts';
import { ARCHIVE_DATE, archiveRecords, type SpecCatalog } from './catalog.ts';
import { type ChangeFolder, type DeltaFile, METADATA, TASKS } from './change-folder.ts';
import { digestOfInputs } from './change-inputs.ts';
import { type ChangeMetadata, metadataOf } from './change-metadata.ts';
import { ignoredHeadings } from './ignored-headings.ts';
import { type Recovery, type SpecWrite, withLock, writeArchive } from './journal.ts';
import { linesLostByRetiring } from './retire.ts';
import { specPath } from './roots.ts';
import { specGone } from './rules/delta-target.ts';
import { requirementsEmpty } from './rules/spec-sections.ts';
import type { SpecFile } from './spec-file.ts';
import { fenceNotes } from './tasks.ts';
import { validateChange } from './validate-change.ts';
import { validateSpecText } from './validate-spec.ts';
import type { Operation } from './words.ts';

export interface ArchiveOptions {
  /** Date for the folder name, as YYYY-MM-DD. */
  today: string;
  /** Archive even if tasks are open. */
  allowOpenTasks?: boolean;
  /** Archive even if headings of a delta are ignored. */
  allowIgnored?: boolean;
  /** Only move the folder, without changing the specs. */
  skipSpecs?: boolean;
}

export interface ArchivedSpec {
  capability: string;
  file: string;
  action: 'created' | 'updated' | 'unchanged' | 'retired';
  counts: Record<Operation, number>;
  /** Notes for the user, such as the removal of a nonexistent requirement. */
  notes: string[];
  diff: string;
}

export interface ArchivePlan {
  change: string;
  /** Folder name in the archive, and its full path. */
  archivedAs: string;
  path: string;
  tasks: { completed: number; total: number };
  /** Notes for the user about the whole change. */
  notes: string[];
  specs: ArchivedSpec[];
  /** Returns the full text of the new spec. Empty if the capability is retired. */
  textOf(capability: string): string;
  /** @internal */
  writes: SpecWrite[];
}

/** Computes the effect of archiving without writing anything. */
export function planArchive(catalog: SpecCatalog, change: ChangeFolder, options: ArchiveOptions): ArchivePlan {
  if (change.isArchived) throw archivedAlready(change);
  const archivedAs = ARCHIVE_DATE.test(change.name) ? change.name : `${options.today}-${change.name}`;
  const place = path.join(change.root.archiveDir, archivedAs);
  if (catalog.files.look(place) !== undefined) {
    throw new Failure('REFUSED', `The archive already has "${archivedAs}".`, {
      path: place,
      hint: 'Rename the change or the archived folder.',
    });
  }
  if (!options.skipSpecs) refuseInvalid(catalog, change);
  const { completed, total } = change.progress;
  const notes = Object.values(fenceNotes(change.parsedTasks)).map((note) => `${TASKS}: ${note}`);
  if (completed < total && !options.allowOpenTasks) {
    const message = `${total - completed} of ${count(total, 'task')} of "${change.id}" are open.`;
    throw new Failure('REFUSED', [message, ...notes.map((note) => `(${note})`)].join(' '), {
      ...(change.tasksFile ? { path: change.tasksFile.path } : {}),
      hint: 'Finish the tasks, or pass --allow-open-tasks.',
    });
  }
  const planned = options.skipSpecs ? [] : change.deltas.map((delta) => planSpec(catalog, change, delta, options));
  return {
    change: change.id,
    archivedAs,
    path: place,
    tasks: { completed, total },
    notes,
    specs: planned.map(({ spec }) => spec),
    textOf: (capability) => {
      const write = planned.find(({ spec }) => spec.capability === capability)?.write;
      return write ? (write.after ?? '') : (catalog.specFor(change.root, capability)?.file.text ?? '');
    },
    writes: planned.flatMap(({ write }) => (write ? [write] : [])),
  };
}

export interface ArchiveOutcome extends ArchivePlan {
  /** Outcome of an earlier, interrupted run. Undefined if there was none. */
  recovery: Recovery | undefined;
}

/** Archives a change. `open` reads the catalog after an interrupted run has been completed or undone. */
export function archiveChange(
  open: () => SpecCatalog,
  change: { root: ChangeFolder['root']; id: string },
  options: ArchiveOptions & {
    disk: Disk;
    /** Location of the journal. */
    records?: RecordsPlace | undefined;
    onRecovered?: ((recovery: Recovery) => void) | undefined;
  },
): ArchiveOutcome {
  const { disk, records = { project: change.root.base } } = options;
  const { root } = change;
  const site = { disk, root, records: path.join(openRecords(disk, records), archiveRecords(disk, root)) };
  return withLock(site, (recovery) => {
    // Reported before the run, because the recovery has changed files even if the run fails.
    if (recovery) options.onRecovered?.(recovery);
    const catalog = open();
    const found = catalog.findChange(change.id);
    if (found.kind === 'found' && found.item.isArchived && recovery?.end !== 'completed')
      throw archivedAlready(found.item);
    if (found.kind !== 'found' || found.item.isArchived) {
      const done = recovery?.end === 'completed' ? 'The interrupted run was completed. ' : '';
      throw new Failure('NOT_FOUND', `${done}There is no active change "${change.id}".`);
    }
    const plan = planArchive(catalog, found.item, options);
    const inputs = digestOfInputs(found.item);
    writeArchive(site, { change: found.item.name, archivedAs: plan.archivedAs, inputs, specs: plan.writes });
    return { ...plan, recovery };
  });
}

function archivedAlready({ id, dir }: ChangeFolder): Failure {
  return new Failure('REFUSED', `"${id}" is already archived.`, { path: dir });
}

function refuseInvalid(catalog: SpecCatalog, change: ChangeFolder): void {
  const errors = sortDiagnostics(validateChange(catalog, change)).filter((diagnostic) => isDecisive(diagnostic));
  const [first] = errors;
  if (!first) return;
  throw new Failure(
    'REFUSED',
    `"${change.id}" is not valid: ${first.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}.`,
    {
      path: first.path,
      line: first.line ?? 1,
      hint: first.fix,
    },
  );
}

/** Returns the first error that makes a spec invalid, except the expected one. */
function firstProblem(file: string, text: string, expected?: string): Diagnostic | undefined {
  return sortDiagnostics(validateSpecText(file, text)).find(
    (diagnostic) => isDecisive(diagnostic) && diagnostic.code !== expected,
  );
}

interface PlannedSpec {
  spec: ArchivedSpec;
  write?: SpecWrite;
}

function planSpec(
  catalog: SpecCatalog,
  change: ChangeFolder,
  delta: DeltaFile,
  { allowIgnored }: ArchiveOptions,
): PlannedSpec {
  const { capability } = delta;
  const current = catalog.specFor(change.root, capability);
  const file = current?.file.path ?? specPath(change.root, capability);
  refuseUnreadable(catalog, delta, current, file);
  const ignored = ignoredHeadings(delta.parsed);
  if (!allowIgnored) refuseIgnored(delta, ignored);
  const outcome = applyDelta(delta.parsed, current?.editable, { capability, change: change.name });
  const metadata = metadataOf(catalog.files, change);
  if (outcome.kind === 'refused') return planWithoutSpec(delta, file, outcome, metadata);
  const { counts } = outcome;
  const notes = [
    ...outcome.notes,
    ...ignored.map(({ line, text, reason }) => `ignored: line ${line + 1} "${oneLine(text)}" ${reason}`),
  ];
  const base = { capability, file, counts, notes };
  const isTouched = !current || Object.values(counts).some((number) => number > 0);
  const label = path.relative(change.root.base, file);
  if (outcome.isEmptied && current && isTouched) {
    refuseRetiring(delta, current, outcome, metadata);
    const before = current.file.text;
    const diff = unifiedDiff(before, '', { from: label, to: '/dev/null' });
    return { spec: { ...base, action: 'retired', diff }, write: { capability, before, after: undefined } };
  }
  if (current) refuseLoss(current, outcome.lost);
  if (!isTouched) return { spec: { ...base, action: 'unchanged', diff: '' } };
  const before = current?.file.text;
  const after = outcome.text();
  const problem = firstProblem(file, after);
  if (problem) throw refusal(delta, `The new ${capability} would not be valid: ${problem.message}.`, problem.fix);
  const diff = unifiedDiff(before ?? '', after, { from: before === undefined ? '/dev/null' : label, to: label });
  return {
    spec: { ...base, action: before === undefined ? 'created' : 'updated', diff },
    write: { capability, before, after },
  };
}

/** `line` is a line index in the delta. */
function refusal({ file }: DeltaFile, message: string, hint: string, line = 0): Failure {
  return new Failure('REFUSED', message, { path: file.path, line: line + 1, hint });
}

function refuseUnreadable(catalog: SpecCatalog, delta: DeltaFile, current: SpecFile | undefined, file: string): void {
  if (!delta.file.isUtf8)
    throw refusal(
      delta,
      'The delta is not UTF-8 and would be damaged by merging it.',
      'Save the delta as UTF-8 first.',
    );
  if (current && !current.file.isUtf8)
    throw refusal(delta, `${file} is not UTF-8 and would be damaged by rewriting it.`, 'Save the spec as UTF-8 first.');
  if (!current && catalog.files.look(file) !== undefined)
    throw refusal(delta, `${file} cannot be read.`, 'Make the spec readable first.');
}

/** A change that retires capabilities may be applied to a spec that is already gone. All other refusals stand. */
function planWithoutSpec(
  delta: DeltaFile,
  file: string,
  { reason, message, line }: Refused,
  { retireCapabilities }: ChangeMetadata,
): PlannedSpec {
  const { capability } = delta;
  if (reason !== 'spec-gone')
    throw refusal(
      delta,
      `The delta for ${capability} cannot be applied: ${message}.`,
      'Bring the delta in line with the current spec.',
      line,
    );
  if (!retireCapabilities) throw refusal(delta, `${capability}: ${message}.`, specGone.fix, line);
  const counts = { added: 0, modified: 0, removed: 0, renamed: 0 };
  return { spec: { capability, file, action: 'unchanged', counts, notes: [message], diff: '' } };
}

/** Fails if the capability may not be retired, or would lose lines that are not requirements. */
function refuseRetiring(
  delta: DeltaFile,
  current: SpecFile,
  outcome: Applied,
  { retireCapabilities, refusedSwitch, problem: trouble }: ChangeMetadata,
): void {
  const { capability } = delta;
  if (!retireCapabilities) {
    const why =
      refusedSwitch === 'retire_capabilities' && trouble ? ` ${METADATA} does not count: ${trouble.message}.` : '';
    throw refusal(
      delta,
      `The delta leaves ${capability} without requirements.${why}`,
      'Set retire_capabilities: true in .openspec.yaml to retire the capability, or keep a requirement.',
    );
  }
  refuseLoss(current, linesLostByRetiring(current.editable));
  const problem = firstProblem(current.file.path, outcome.text(), requirementsEmpty.code);
  if (problem)
    throw refusal(delta, `${capability} cannot be retired before it is valid: ${problem.message}.`, problem.fix);
}
