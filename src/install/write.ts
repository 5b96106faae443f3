/** Writes skills and their lock: checks existing folders, swaps in the new versions, and writes the lock last. */
import path from 'node:path';
import { findEntry } from '../core/disk/answers.ts';
import { findRecords, openRecords, recordName, type RecordsPlace } from '../core/disk/records.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Disk, NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import {
  emptyLock,
  type Lock,
  type LockedSkill,
  type LockedTarget,
  type LockPlace,
  lockText,
  placeOf,
  readLock,
} from './lock.ts';
import type { Machine } from './open-source.ts';
import { backupPlace, finishRun, isLinkTo, type Site, Stage } from './stage.ts';
import { lockedFiles, problemsIn } from './state.ts';
import { lockFor, projectLock, userLock } from './targets.ts';

/** Desired state of one skill in one lock. */
export interface Change {
  name: string;
  /** Set to write the skill only if it is still installed. */
  isUpdate?: true;
  files: readonly NewFile[];
  entry: LockedSkill;
}

export interface Written {
  name: string;
  status: 'installed' | 'replaced' | 'unchanged' | 'failed';
  error?: Failure;
  /** Path of the backup. */
  backup?: string;
}

interface Step {
  target: LockedTarget;
  place: string;
  action: 'keep' | 'write';
  backup: boolean;
}

/** Determines the steps for one skill. Fails with REFUSED if an existing file or folder conflicts. */
export function judge(
  files: FileTree,
  lock: Lock,
  { name, files: wanted, entry }: Change,
  force: boolean,
): { status: 'installed' | 'replaced' | 'unchanged'; steps: Step[] } {
  const before = lock.skills.get(name);
  const expected = lockedFiles(wanted);
  const steps = entry.targets.map((target): Step => {
    const place = placeOf(target, lock);
    const known = before?.targets.find(({ path: each }) => each === target.path);
    const found = whatIsThere(files, place, { target, expected, before, known });
    if (found === 'nothing') return { target, place, action: 'write', backup: false };
    if (found === 'same') return { target, place, action: 'keep', backup: false };
    if (found !== 'ours' && !force) throw inTheWay(name, place, found);
    return { target, place, action: 'write', backup: found !== 'ours' };
  });
  const isNew = !before || steps.every(({ place }) => !findEntry(files, place));
  const isSame = steps.every(({ action }) => action === 'keep');
  return { status: isSame && before ? 'unchanged' : isNew ? 'installed' : 'replaced', steps };
}

type Found = 'nothing' | 'same' | 'ours' | 'modified' | 'foreign';

/** The desired and the recorded state of one target. */
interface Expectation {
  target: LockedTarget;
  expected: LockedSkill['files'];
  /** Lock entry of the skill. */
  before: LockedSkill | undefined;
  /** Target of that entry with the same path. */
  known: LockedTarget | undefined;
}

function whatIsThere(files: FileTree, place: string, { target, expected, before, known }: Expectation): Found {
  const found = files.look(place);
  if (!found) return 'nothing';
  if (found.kind === 'link') {
    if (target.link !== undefined && isLinkTo(files, place, target.link)) return 'same';
    return known?.link !== undefined && isLinkTo(files, place, known.link) ? 'ours' : known ? 'modified' : 'foreign';
  }
  if (found.kind !== 'directory') return 'foreign';
  // Applies even if the skill is not in the lock: an earlier run may have been interrupted before it wrote the lock.
  if (target.link === undefined && problemsIn(files, place, expected).length === 0) return 'same';
  if (!before || !known) return 'foreign';
  return problemsIn(files, place, before.files).length === 0 ? 'ours' : 'modified';
}

function inTheWay(name: string, place: string, found: Found): Failure {
  if (found === 'modified') {
    return new Failure('REFUSED', `${place} was changed since it was installed, so it was left as it is.`, {
      path: place,
      hint: `Use --force to replace it; a backup is kept. lectern verify lists the changes.`,
    });
  }
  return new Failure('REFUSED', `${place} is there already and was not installed by Lectern.`, {
    path: place,
    hint: `Use --force to replace it; a backup is kept.`,
    facts: { name },
  });
}

/** Exclusive writer of the skills of a lock. */
export interface Writer extends Site {
  place: LockPlace;
}

/**
 * Runs the work as the only writer of the lock, after completing or undoing an interrupted run. Other processes wait. The work
 * must be synchronous.
 */
export async function asOnlyWriter<T>(machine: Machine, place: LockPlace, work: (writer: Writer) => T): Promise<T> {
  return asOnlyWriters(machine, [place], (writers) => {
    const [writer] = writers;
    if (!writer) throw new Error('one lock has one writer');
    return work(writer);
  });
}

/** Like `asOnlyWriter`, for several locks. They are acquired in the given order, which must be project before user. */
export async function asOnlyWriters<T>(
  machine: Machine,
  places: readonly LockPlace[],
  work: (writers: readonly Writer[]) => T,
): Promise<T> {
  const state = machine.diskFor('user');
  const runs = openRecords(state, recordsOf(machine));
  const guards: string[] = [];
  try {
    const writers: Writer[] = [];
    for (const place of places) {
      const dir = path.join(runs, nameOfRecords(machine, place));
      const guard = `${dir}.lock`;
      await acquire(guard, place, machine);
      guards.push(guard);
      const writer = { disk: machine.diskFor(place.scope), base: place.base, records: { disk: state, dir }, place };
      // Uses Lectern's lock, because the locks of other installers do not list skills that Lectern removed.
      const own = lockFor(place.scope, machine);
      finishRun(writer, isListedBy(readLock(writer.disk, own) ?? emptyLock(own)));
      writers.push(writer);
    }
    return work(writers);
  } finally {
    for (const guard of guards) state.remove(guard);
  }
}

async function acquire(guard: string, place: LockPlace, machine: Machine): Promise<void> {
  const { signal } = machine;
  const state = machine.diskFor('user');
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const owner = state.lock(guard);
    if (owner === undefined) return;
    if (signal?.aborted) throw new Failure('INTERRUPTED', 'Stopped before anything was written.');
    if (performance.now() > until)
      throw new Failure('REFUSED', `Another process (${owner}) is writing ${place.file}.`, {
        path: place.file,
        hint: 'Wait until it has finished, and run the command again.',
      });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Completes or undoes interrupted runs, for commands that have nothing else to do. */
export async function finishInterrupted(machine: Machine): Promise<void> {
  for (const place of [projectLock(machine), userLock(machine)])
    if (place && findRecords(machine.files, recordsOf(machine), nameOfRecords(machine, place)) !== undefined)
      await asOnlyWriter(machine, place, () => undefined);
}

function recordsOf({ stateDir, projectRoot }: Machine): RecordsPlace {
  return { stateDir, project: projectRoot };
}

/** The project and the home may be the same folder, with two locks. */
function nameOfRecords({ files }: Machine, { scope, base }: LockPlace): string {
  return recordName(files, `install-${scope}`, base);
}

export function isListedBy(lock: Lock): (place: string) => boolean {
  const targets = [...lock.skills.values()].flatMap((entry) => entry.targets);
  const places = new Set(targets.map((target) => placeOf(target, lock)));
  return (place) => places.has(place);
}

const WAIT_MS = 120_000;
const RETRY_MS = 25;

/** Writes the skills and then the lock. If one skill fails, the others are still written. */
export function writeSkills(writer: Writer, changes: readonly Change[], force: boolean): Written[] {
  const { disk, place } = writer;
  const lock = readLock(disk, place) ?? emptyLock(place);
  const skills = new Map(lock.skills);
  const stage = new Stage(writer);
  const run = { disk, stage, lock };
  try {
    const written = changes.map((planned): Written => {
      const change = withEarlierTargets(planned, lock.skills.get(planned.name));
      try {
        if (planned.isUpdate && !lock.skills.has(planned.name))
          throw new Failure('REFUSED', `${planned.name} was removed in the meantime, so it was not updated.`);
        const { status, steps } = judge(disk, lock, change, force);
        const backup = writeOne(run, change, steps);
        skills.set(change.name, withUnknownKeys(lock.skills.get(change.name), change.entry));
        return { name: change.name, status, ...(backup === undefined ? {} : { backup }) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { name: change.name, status: 'failed', error };
      }
    });
    writeLock(disk, lock, skills);
    stage.commit();
    return written;
  } finally {
    stage.close(isListedBy(lock));
  }
}

/** Adds earlier targets, because another process may have installed the skill elsewhere since the plan was made. */
function withEarlierTargets(change: Change, before: LockedSkill | undefined): Change {
  const { entry } = change;
  if (before?.mode !== entry.mode) return change;
  const known = new Set(entry.targets.map(({ path: place }) => place));
  const more = before.targets.filter(({ path: place }) => !known.has(place));
  return more.length === 0 ? change : { ...change, entry: { ...entry, targets: [...entry.targets, ...more] } };
}

/** Preserves unknown keys of the lock entry. */
function withUnknownKeys(before: LockedSkill | undefined, entry: LockedSkill): LockedSkill {
  if (!before) return entry;
  const targets = entry.targets.map((target) => {
    const { link: _, ...known } = before.targets.find(({ path: place }) => place === target.path) ?? target;
    return { ...known, ...target };
  });
  const files = Object.entries(entry.files).map(([name, file]) => [name, { ...before.files[name], ...file }]);
  return { ...before, ...entry, targets, files: Object.fromEntries(files) as LockedSkill['files'] };
}

/** One run of writing or removing skills. */
interface Run {
  disk: Disk;
  stage: Stage;
  lock: Lock;
}

/** Returns the path of the first backup, if there is one. */
function writeOne({ disk, stage, lock }: Run, { name, files }: Change, steps: readonly Step[]): string | undefined {
  const wanted = steps.filter(({ action }) => action === 'write');
  // The lock is written last, so check first that it can be written.
  if (wanted.length > 0) disk.checkReplace(lock.file);
  // Everything is prepared before the first swap, so that a full disk changes nothing.
  const prepared = wanted.map(({ target, place }) =>
    target.link === undefined
      ? stage.prepare(path.dirname(place), files)
      : stage.prepareLink(path.dirname(place), target.link),
  );
  let kept: string | undefined;
  for (const [index, { place, backup }] of wanted.entries()) {
    const keep = backup ? backupPlace(disk, backupFolder(lock), name) : undefined;
    stage.swap(prepared[index], place, keep);
    kept ??= keep;
  }
  return kept;
}

export function backupFolder({ base }: LockPlace): string {
  return path.join(base, '.lectern', 'backups');
}

/** Writes the lock only if it changed. */
export function writeLock(disk: Disk, lock: Lock, skills: Map<string, LockedSkill>): void {
  const text = lockText({ raw: lock.raw, skills });
  const isNew = Object.keys(lock.raw).length === 0;
  if (isNew && skills.size === 0) return;
  if (!isNew && text === lockText(lock)) return;
  disk.replace(lock.file, text);
}

/** Removes skills and their entries. Modified folders are kept as backups. */
export function removeSkills(writer: Writer, names: readonly string[], force: boolean): Written[] {
  const { disk, place } = writer;
  const lock = readLock(disk, place) ?? emptyLock(place);
  const skills = new Map(lock.skills);
  const stage = new Stage(writer);
  const run = { disk, stage, lock };
  try {
    const removed = names.map((name): Written => {
      const entry = lock.skills.get(name);
      if (!entry) return { name, status: 'unchanged' };
      try {
        const backup = removeOne(run, name, entry, force);
        skills.delete(name);
        return { name, status: 'replaced', ...(backup === undefined ? {} : { backup }) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { name, status: 'failed', error };
      }
    });
    writeLock(disk, lock, skills);
    stage.commit();
    return removed;
  } finally {
    stage.close(isListedBy(lock));
  }
}

/** Returns the recorded locations whose content differs from the lock. */
export function modifiedPlaces(files: FileTree, lock: Lock, entry: LockedSkill): string[] {
  return entry.targets.flatMap((target) => {
    const place = placeOf(target, lock);
    const found = whatIsThere(files, place, { target, expected: entry.files, before: entry, known: target });
    return found === 'nothing' || found === 'same' || found === 'ours' ? [] : [place];
  });
}

/** Returns the path of the first backup, if there is one. */
function removeOne({ disk, stage, lock }: Run, name: string, entry: LockedSkill, force: boolean): string | undefined {
  disk.checkReplace(lock.file);
  const modified = modifiedPlaces(disk, lock, entry);
  const [first] = modified;
  if (first !== undefined && !force) {
    throw new Failure('REFUSED', `${echo(name)} was changed since it was installed, so it was left as it is.`, {
      path: first,
      hint: 'Use --force to remove it; a backup is kept. lectern verify lists the changes.',
    });
  }
  let kept: string | undefined;
  // Links are removed first, so that none is left dangling.
  const targets = [...entry.targets].sort((a, b) => Number(a.link === undefined) - Number(b.link === undefined));
  for (const target of targets) {
    const at = placeOf(target, lock);
    const keep = modified.includes(at) ? backupPlace(disk, backupFolder(lock), name) : undefined;
    stage.swap(undefined, at, keep);
    kept ??= keep;
  }
  return kept;
}
