/**
 * Archives a change: applies its deltas to the specs and moves its folder to the archive under today's date, all or nothing.
 * Refuses, before writing anything, if a scenario would be lost, a spec would be invalid or tasks are open.
 */
import path from 'node:path';
import { type Diagnostic, isDecisive, sortDiagnostics } from '../core/diagnostics.ts';
import { openRecords, type RecordsPlace } from '../core/disk/records.ts';
import { type FileTree, FileTrouble, reasonText } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { unifiedDiff } from '../core/line-diff.ts';
import { count, oneLine } from '../core/text.ts';
import { type Applied, applyDelta, type Refused } from './apply.ts';
import { checkPlaces, placeToWrite } from './archive-places.ts';
import { refuseIgnored, refuseLoss } from './archive-refusals.ts';
import { ARCHIVE_DATE, archiveRecords, type SpecCatalog } from './catalog.ts';
import { type ChangeFolder, type DeltaFile, METADATA, TASKS } from './change-folder.ts';
import { digestOfInputs } from './change-inputs.ts';
import { specUnreadable } from './codes.ts';
import { type ChangeMetadata, metadataOf } from './change-metadata.ts';
import { ignoredHeadings } from './ignored-headings.ts';
import { type Recovery, type SpecWrite, withLock, writeArchive } from './journal.ts';
import { linesLostByRetiring } from './retire.ts';
import { specPath } from './roots.ts';
import { archiveNameTaken, archiveSpecEmptied, archiveTasksOpen } from './rules/archive.ts';
import { templateUntouched } from './rules/change-template.ts';
import { archiveRefused, specGone, targetMissing } from './rules/delta-target.ts';
import { requirementsEmpty } from './rules/spec-sections.ts';
import { notUtf8 } from './rules/text.ts';
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
  const { plan, refusals } = attemptArchive(catalog, change, options);
  if (!plan) throw firstRefusal(refusals);
  return plan;
}

/** A plan, or every reason to refuse it. */
type Attempt = { plan: ArchivePlan; refusals?: never } | { plan?: never; refusals: readonly [Failure, ...Failure[]] };

/** Like `planArchive`, but returns the reasons to refuse it instead of throwing the first. */
export function attemptArchive(catalog: SpecCatalog, change: ChangeFolder, options: ArchiveOptions): Attempt {
  if (change.isArchived) return { refusals: [archivedAlready(change)] };
  const archivedAs = ARCHIVE_DATE.test(change.name) ? change.name : `${options.today}-${change.name}`;
  const place = path.join(change.root.archiveDir, archivedAs);
  const { completed, total } = change.progress;
  const notes = Object.values(fenceNotes(change.parsedTasks)).map((note) => `${TASKS}: ${note}`);
  const { errors, template } = options.skipSpecs ? { errors: [], template: [] } : refusedParts(catalog, change);
  const refusals = [
    ...collect(() => refuseTaken(catalog.files, archivedAs, place)),
    ...errors,
    ...(completed < total && !options.allowOpenTasks ? [openTasks(change, notes)] : []),
    ...template,
  ];
  const planned: PlannedSpec[] = [];
  // Deltas of an invalid change are not applied: the result would only repeat its errors.
  for (const delta of options.skipSpecs || errors.length > 0 ? [] : change.deltas)
    refusals.push(...collect(() => planned.push(planSpec(catalog, change, delta, options))));
  const writes = planned.flatMap(({ write }) => (write ? [write] : []));
  refusals.push(...collect(() => refuseUnsafe(catalog.files, change, archivedAs, writes)));
  const [first, ...more] = refusals;
  if (first) return { refusals: [first, ...more] };
  const plan: ArchivePlan = {
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
    writes,
  };
  return { plan };
}

/** Runs a check and returns its reason to refuse, if any. A file that cannot be examined is such a reason too. */
function collect(check: () => unknown): Failure[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Failure) return [error];
    if (!(error instanceof FileTrouble)) throw error;
    return [
      new Failure('REFUSED', `${error.path} cannot be read (${reasonText(error)}).`, {
        path: error.path,
        hint: specUnreadable.fix,
        facts: { reason: specUnreadable.code },
        cause: error,
      }),
    ];
  }
}

/** Returns the first reason, with the number of others. */
export function firstRefusal([first, ...more]: readonly [Failure, ...Failure[]]): Failure {
  if (more.length === 0) return first;
  const { code, message, hint, path: place, line, facts } = first;
  return new Failure(code, `${message.replace(/\.$/u, '')} (and ${more.length} more).`, {
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined ? {} : { path: place }),
    ...(line === undefined ? {} : { line }),
    facts,
  });
}

function refuseTaken(files: FileTree, archivedAs: string, place: string): void {
  if (files.look(place) === undefined) return;
  throw new Failure('REFUSED', `The archive already has "${archivedAs}".`, {
    path: place,
    hint: archiveNameTaken.fix,
    facts: { reason: archiveNameTaken.code },
  });
}

function openTasks(change: ChangeFolder, notes: readonly string[]): Failure {
  const { completed, total } = change.progress;
  const message = `${total - completed} of ${count(total, 'task')} of "${change.id}" are open.`;
  return new Failure('REFUSED', [message, ...notes.map((note) => `(${note})`)].join(' '), {
    ...(change.tasksFile ? { path: change.tasksFile.path } : {}),
    hint: archiveTasksOpen.fix,
    facts: { reason: archiveTasksOpen.code },
  });
}

/** Refuses paths that the run would not write. */
function refuseUnsafe(files: FileTree, change: ChangeFolder, archivedAs: string, specs: readonly SpecWrite[]): void {
  checkPlaces(files, change.root, { change: change.name, archivedAs, specs });
  for (const { capability } of specs) placeToWrite(files, specPath(change.root, capability));
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

/** Returns a refusal for each error that makes the change invalid, and for each file with text of the template. */
function refusedParts(catalog: SpecCatalog, change: ChangeFolder): { errors: Failure[]; template: Failure[] } {
  const found = sortDiagnostics(validateChange(catalog, change));
  const refused = ({ code, message, path: place, line = 1, fix }: Diagnostic, problem: string): Failure =>
    new Failure('REFUSED', `"${change.id}" ${problem} ${message}.`, {
      path: place,
      line,
      hint: fix,
      facts: { reason: code },
    });
  return {
    errors: found.filter((each) => isDecisive(each)).map((error) => refused(error, 'is not valid:')),
    template: found
      .filter(({ code }) => code === templateUntouched.code)
      .map((untouched) => refused(untouched, 'still has')),
  };
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
    return {
      spec: withDiff({ ...base, action: 'retired' }, () => unifiedDiff(before, '', { from: label, to: '/dev/null' })),
      write: { capability, before, after: undefined },
    };
  }
  if (current) refuseLoss(current, outcome.lost);
  if (!isTouched) return { spec: { ...base, action: 'unchanged', diff: '' } };
  const before = current?.file.text;
  const after = outcome.text();
  const problem = firstProblem(file, after);
  if (problem)
    throw refusal(delta, problem.code, `The new ${capability} would not be valid: ${problem.message}.`, problem.fix);
  const names = { from: before === undefined ? '/dev/null' : label, to: label };
  return {
    spec: withDiff({ ...base, action: before === undefined ? 'created' : 'updated' }, () =>
      unifiedDiff(before ?? '', after, names),
    ),
    write: { capability, before, after },
  };
}

/** Computes the diff on first use, because lists of changes need only the verdict. */
function withDiff(spec: Omit<ArchivedSpec, 'diff'>, compute: () => string): ArchivedSpec {
  let diff: string | undefined;
  return {
    ...spec,
    get diff() {
      diff ??= compute();
      return diff;
    },
  };
}

/** `line` is a line index in the delta. */
function refusal({ file }: DeltaFile, code: string, message: string, hint: string, line = 0): Failure {
  return new Failure('REFUSED', message, { path: file.path, line: line + 1, hint, facts: { reason: code } });
}

function refuseUnreadable(catalog: SpecCatalog, delta: DeltaFile, current: SpecFile | undefined, file: string): void {
  if (!delta.file.isUtf8)
    throw refusal(
      delta,
      notUtf8.code,
      'The delta is not UTF-8 and would be damaged by merging it.',
      'Save the delta as UTF-8 first.',
    );
  if (current && !current.file.isUtf8)
    throw refusal(
      delta,
      notUtf8.code,
      `${file} is not UTF-8 and would be damaged by rewriting it.`,
      'Save the spec as UTF-8 first.',
    );
  if (!current && catalog.files.look(file) !== undefined)
    throw refusal(delta, specUnreadable.code, `${file} cannot be read.`, 'Make the spec readable first.');
}

/** A change that retires capabilities may be applied to a spec that no longer exists. All other refusals remain. */
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
      reason === 'target-missing' ? targetMissing.code : archiveRefused.code,
      `The delta for ${capability} cannot be applied: ${message}.`,
      fixOf(reason, capability),
      line,
    );
  if (!retireCapabilities) throw refusal(delta, specGone.code, `${capability}: ${message}.`, specGone.fix, line);
  const counts = { added: 0, modified: 0, removed: 0, renamed: 0 };
  return { spec: { capability, file, action: 'unchanged', counts, notes: [message], diff: '' } };
}

function fixOf(reason: Refused['reason'], capability: string): string {
  if (reason === 'target-missing') return `${targetMissing.fix} To see the names, run lectern spec show ${capability}.`;
  return reason === 'target-exists'
    ? 'Move the requirement below "## MODIFIED Requirements", or give it another name.'
    : `Bring the delta in line with the current spec: lectern spec show ${capability}.`;
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
      archiveSpecEmptied.code,
      `The delta leaves ${capability} without requirements.${why}`,
      archiveSpecEmptied.fix,
    );
  }
  refuseLoss(current, linesLostByRetiring(current.editable));
  const problem = firstProblem(current.file.path, outcome.text(), requirementsEmpty.code);
  if (problem)
    throw refusal(
      delta,
      problem.code,
      `${capability} cannot be retired before it is valid: ${problem.message}.`,
      problem.fix,
    );
}
