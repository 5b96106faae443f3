/**
 * Shares a skill of one agent with other agents: plans links or copies of its folder, writes them with the staging and the lock file of
 * `install`, and removes them again. All targets of a command are written, or none.
 */
import path from 'node:path';
import { exists, findEntry, findTarget } from '../core/disk/answers.ts';
import { realPlace } from '../core/disk/confined.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { type NewFile, WriteTrouble } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import { isSkillFile } from '../skills/skill.ts';
import {
  emptyLock,
  hasOnlyLinks,
  type Lock,
  type LockedFile,
  type LockedSkill,
  type LockedTarget,
  lockedPath,
  lockedSource,
  type LockPlace,
  placeOf,
  readLock,
  type Scope,
  sourceFolder,
  whyTooManySkills,
} from './lock.ts';
import { whySkillIsUnsafe } from './names.ts';
import type { Machine } from './open-source.ts';
import { isLinkTo, Stage } from './stage.ts';
import { lockedFiles, problemsIn } from './state.ts';
import { lockFor } from './targets.ts';
import { collectSkill, readFolder } from './tree.ts';
import { asOnlyWriters, isListedBy, type Writer, writeLock } from './write.ts';

/** A folder of skills to share to. */
export interface ShareTarget {
  /** Recorded in the lock. */
  agent: string;
  scope: Scope;
  root: string;
  /** Reason for a copy instead of a link. */
  copyBecause?: string | undefined;
  /** An identical copy is there and becomes a link. */
  replaces?: boolean | undefined;
}

/** A skill to share. */
export interface SharedSkill {
  /** Name of its folder. */
  name: string;
  dir: string;
  targets: readonly ShareTarget[];
}

/** The plan for one target. */
export interface PlannedShare {
  name: string;
  agent: string;
  scope: Scope;
  path: string;
  kind: 'link' | 'copy' | 'present';
  /** Reason for a refusal, or for a copy instead of a link. */
  reason?: string | undefined;
  isRefused?: true;
  hint?: string | undefined;
}

/** New targets of one skill in one lock. */
interface ShareChange {
  place: LockPlace;
  name: string;
  dir: string;
  targets: LockedTarget[];
  /** Files of the copies. Empty if there are only links. */
  files: readonly NewFile[];
  hashes: Record<string, LockedFile>;
}

export interface SharePlan {
  rows: PlannedShare[];
  changes: ShareChange[];
}

/** Plans links, or copies where links are not possible. Refused targets are rows, so that all of them are reported. */
export async function planShares(
  skills: readonly SharedSkill[],
  machine: Machine,
  { copy }: { copy: boolean },
): Promise<SharePlan> {
  const rows: PlannedShare[] = [];
  const changes: ShareChange[] = [];
  for (const skill of skills) {
    for (const scope of ['project', 'user'] as const) {
      const targets = skill.targets.filter((target) => target.scope === scope);
      if (targets.length === 0) continue;
      const lock = readLockOf(machine, lockFor(scope, machine));
      const planned = targets.map((target) => planTarget(skill, target, { lock, files: machine.files, copy }));
      rows.push(...planned.map(({ row }) => row));
      const wanted = planned.flatMap(({ target }) => target ?? []);
      if (wanted.length === 0 || planned.some(({ row }) => row.isRefused)) continue;
      try {
        changes.push(await changeFor(skill, wanted, lock, machine));
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
        const own = planned.map(({ row }) => row);
        for (const row of own) Object.assign(row, { isRefused: true, reason: withoutPeriod(error), hint: error.hint });
      }
    }
  }
  return { rows, changes };
}

function withoutPeriod({ message }: Failure): string {
  return message.replace(/\.$/u, '');
}

function readLockOf(machine: Machine, place: LockPlace): Lock {
  return readLock(machine.diskFor(place.scope), place) ?? emptyLock(place);
}

function planTarget(
  { name, dir }: SharedSkill,
  { agent, scope, root, copyBecause, replaces }: ShareTarget,
  { lock, files, copy }: { lock: Lock; files: FileTree; copy: boolean },
): { row: PlannedShare; target?: LockedTarget } {
  const place = path.join(root, name);
  const because = copyBecause ?? whyNoLink(files, dir, place, lock);
  const kind = copy || because !== undefined ? 'copy' : 'link';
  const row = { name, agent, scope, path: place, kind } as const;
  const refuse = (reason: string, hint?: string): { row: PlannedShare } => ({
    row: { ...row, reason, isRefused: true, hint },
  });
  const unsafe = whySkillIsUnsafe(name, '');
  if (unsafe !== undefined) return refuse(`"${echo(name)}" cannot be the name of a shared folder: ${unsafe}`);
  const locked = lockedPath(place, lock);
  if (locked === undefined) return refuse(`${place} is not in your home, so the lock file could not record it`);
  if (replaces && kind === 'copy') return { row: { ...row, kind: 'present' } };
  if (!replaces && findEntry(files, place))
    return refuse(`${place} is there already, and it is not the same skill`, 'Rename it, or move it away first.');
  const isLocked = [...lock.skills.values()].some(({ targets }) => targets.some((target) => target.path === locked));
  if (replaces && isLocked)
    return refuse(
      `${place} is in the lock file, so it stays as it is`,
      'To link the copies of an installed skill, install it again with --link.',
    );
  const target: LockedTarget = {
    agent,
    scope,
    path: locked,
    ...(kind === 'link' ? { link: path.relative(root, dir).split(path.sep).join('/') } : {}),
    shared: replaces ? 'replaced' : 'added',
  };
  return { row: because === undefined ? row : { ...row, reason: because }, target };
}

/** Returns the reason why a place cannot be a link to the folder. */
function whyNoLink(files: FileTree, dir: string, place: string, { scope, base }: LockPlace): string | undefined {
  const realBase = findTarget(files, base)?.realPath ?? base;
  const own = findTarget(files, dir)?.realPath ?? dir;
  if (scope === 'project' && !(isInside(base, dir) && isInside(realBase, own)))
    return `a copy, because ${dir} is outside the project`;
  // Agents that search deeper than one level would find the folder twice, and drop one of the two at random.
  if (isInside(path.dirname(place), dir)) return 'a copy, because it is in the same folder of skills';
  // A relative link would lead elsewhere.
  if (isInside(base, place) && realPlace(files, place) !== path.join(realBase, path.relative(base, place)))
    return `a copy, because ${path.dirname(place)} is behind a link`;
  return undefined;
}

/** Whether the entry is about this folder: it was installed there, or only shared from there. */
function isOwnEntry(entry: LockedSkill, dir: string, lock: Lock): boolean {
  const isTarget = entry.targets.some(
    (target) => target.shared === undefined && target.link === undefined && placeOf(target, lock) === dir,
  );
  return isTarget || isSharedFrom(entry, dir, lock);
}

/** Whether the skill was not installed, but only shared from this folder. */
function isSharedFrom(entry: LockedSkill, dir: string, lock: Lock): boolean {
  return isOnlyShared(entry) && path.join(sourceFolder(entry.source, lock), entry.path) === dir;
}

export function isOnlyShared({ type, targets }: LockedSkill): boolean {
  return type === 'local' && targets.every(({ shared }) => shared !== undefined);
}

async function changeFor(
  { name, dir }: SharedSkill,
  targets: LockedTarget[],
  lock: Lock,
  machine: Machine,
): Promise<ShareChange> {
  const needsFiles = targets.some(({ link, shared }) => link === undefined || shared === 'replaced');
  const files = needsFiles ? (await collectSkill(readFolder(machine.files, dir), '', machine.budget)).files : [];
  const hashes = needsFiles ? lockedFiles(files) : mainFile(machine.files, dir);
  const change = { place: lock, name, dir, targets, files, hashes };
  entryWith(lock, change);
  const names = new Set([...lock.skills.keys(), name]);
  const why = whyTooManySkills(names.size);
  if (why !== undefined) throw new Failure('TOO_LARGE', `${lock.file} would not be valid afterwards: ${why}.`);
  return change;
}

/** Returns the hash of the `SKILL.md` alone, which is enough for links. */
function mainFile(files: FileTree, dir: string): Record<string, LockedFile> {
  const name = files.list(dir).find((entry) => isSkillFile(entry.name))?.name;
  const read = name === undefined ? undefined : files.readTarget(path.join(dir, name), LIMITS.installedBytes.value);
  if (name === undefined || !read) throw new Failure('UNREADABLE', `${dir} has no SKILL.md.`, { path: dir });
  return lockedFiles([{ path: name, bytes: read.bytes, executable: false }]);
}

/** Returns the lock entry with the new targets. Fails with REFUSED if the entry is about another folder or other files. */
function entryWith(lock: Lock, { name, dir, targets, files, hashes }: ShareChange): LockedSkill {
  const before = lock.skills.get(name);
  const needsFiles = files.length > 0;
  if (!before)
    return {
      type: 'local',
      source: lockedSource(dir, lock),
      ref: null,
      commit: null,
      path: '',
      mode: targets.some(({ link }) => link !== undefined) ? 'link' : 'copy',
      targets,
      files: hashes,
    };
  if (!isOwnEntry(before, dir, lock))
    throw new Failure(
      'REFUSED',
      `${lock.file} has another skill called "${echo(name)}", from ${echo(before.source)}.`,
      {
        hint: `Remove it first: lectern ${isOnlyShared(before) ? `share ${name} --undo` : `remove ${name}`}`,
      },
    );
  const isSame = JSON.stringify(sortedKeys(before.files)) === JSON.stringify(sortedKeys(hashes));
  const mayChange = isOnlyShared(before) && hasOnlyLinks(before);
  if (needsFiles && !isSame && !mayChange)
    throw new Failure('REFUSED', `${dir} was changed since it was ${isOnlyShared(before) ? 'shared' : 'installed'}.`, {
      path: dir,
      hint: isOnlyShared(before)
        ? `Update the earlier copies first: lectern update ${name}`
        : 'Share it with a link, without --copy.',
    });
  const kept = before.targets.filter((known) => !targets.some((target) => target.path === known.path));
  const all = [...kept, ...targets];
  if (all.length > LIMITS.lockedTargets.value)
    throw new Failure('REFUSED', `"${echo(name)}" would be in more than ${LIMITS.lockedTargets.value} folders.`);
  return { ...before, targets: all, files: mayChange ? hashes : before.files };
}

function sortedKeys(files: Record<string, LockedFile>): [string, string][] {
  return Object.keys(files)
    .sort()
    .map((name) => [name, files[name]?.sha256 ?? '']);
}

/** Set if the disk does not support links. */
export class LinksRefused extends Error {}

/**
 * Writes all changes, or none. Rechecks the disk, because it may have changed since the plan. Throws LinksRefused if the disk does
 * not support links.
 */
export async function writeShares(machine: Machine, changes: readonly ShareChange[]): Promise<void> {
  await inOneRun(machine, changes, (runs) => {
    const steps = changes.flatMap((change) => {
      const run = runOf(runs, change.place);
      run.disk.checkReplace(run.lock.file);
      recheckOwn(run, change);
      // Shares of one skill in one lock build on each other.
      const entry = entryWith({ ...run.lock, skills: run.skills }, change);
      for (const target of change.targets) recheckPlace(run, target, change.hashes);
      const made = change.targets.map((target) => ({ ...target, ...madeFor(run, target) }));
      const targets = entry.targets.map((target) => made.find(({ path: each }) => each === target.path) ?? target);
      run.skills.set(change.name, { ...entry, targets });
      return made.map((target) => ({ run, target, change }));
    });
    // Everything is prepared before the first swap, so that a full disk changes nothing.
    const prepared = steps.map(({ run, target, change }) => prepare(run, target, change.files));
    for (const [index, { run, target, change }] of steps.entries()) {
      const { link, made } = target;
      const place = placeOf(target, run.lock);
      const above = path.dirname(made === undefined ? place : placeOf({ path: made }, run.lock));
      run.stage.put(
        prepared[index] ?? '',
        place,
        link === undefined ? { files: change.hashes, above } : { link, above },
      );
    }
  });
}

function prepare({ stage, lock }: Run, target: LockedTarget, files: readonly NewFile[]): string {
  const root = path.dirname(placeOf(target, lock));
  if (target.link === undefined) return stage.prepare(root, files);
  try {
    return stage.prepareLink(root, target.link);
  } catch (error) {
    // Disks without links report either. If the folder is not writable, the copy fails in turn.
    if (error instanceof WriteTrouble && (error.reason === 'not-permitted' || error.reason === 'io'))
      throw new LinksRefused(error.message, { cause: error });
    throw error;
  }
}

/** The folder of the skill may have become a link that leads out of the project. */
function recheckOwn({ disk, lock }: Run, { dir, targets }: ShareChange): void {
  if (findTarget(disk, dir)?.kind !== 'directory')
    throw new Failure('REFUSED', `${dir} was removed in the meantime.`, { path: dir });
  for (const target of targets)
    if (target.link !== undefined && whyNoLink(disk, dir, placeOf(target, lock), lock) !== undefined)
      throw new Failure('REFUSED', `${dir} was replaced in the meantime, so it was not linked.`, { path: dir });
}

function recheckPlace({ disk, lock }: Run, target: LockedTarget, hashes: Record<string, LockedFile>): void {
  const place = placeOf(target, lock);
  const isExpected =
    target.shared === 'replaced' ? problemsIn(disk, place, hashes).length === 0 : !findEntry(disk, place);
  if (!isExpected)
    throw new Failure('REFUSED', `${place} was changed in the meantime, so it was left as it is.`, { path: place });
}

/** Returns the topmost folder above a target that does not exist yet. */
function madeFor({ disk, lock }: Run, target: LockedTarget): { made?: string } {
  let made: string | undefined;
  for (let dir = path.dirname(placeOf(target, lock)); dir !== lock.base && !exists(disk, dir); dir = path.dirname(dir))
    made = lockedPath(dir, lock);
  return made === undefined ? {} : { made };
}

/** A run that writes the targets of one lock. */
interface Run extends Writer {
  stage: Stage;
  lock: Lock;
  /** Skills of the lock after the run. */
  skills: Map<string, LockedSkill>;
}

function runOf(runs: readonly Run[], { scope }: LockPlace): Run {
  const run = runs.find(({ lock }) => lock.scope === scope);
  if (!run) throw new Error(`there is no run for the ${scope}`);
  return run;
}

/** Runs the work and then writes the locks. If anything fails, everything is as before. */
async function inOneRun(
  machine: Machine,
  changes: readonly { place: LockPlace }[],
  work: (runs: readonly Run[]) => void,
): Promise<void> {
  const scopes = (['project', 'user'] as const).filter((scope) => changes.some(({ place }) => place.scope === scope));
  const places = scopes.map((scope) => lockFor(scope, machine));
  await asOnlyWriters(machine, places, (writers) => {
    const runs = writers.map((writer): Run => {
      const lock = readLock(writer.disk, writer.place) ?? emptyLock(writer.place);
      return { ...writer, stage: new Stage(writer), lock, skills: new Map(lock.skills) };
    });
    const written: Run[] = [];
    try {
      work(runs);
      for (const run of runs) {
        writeOrRemoveLock(run);
        written.push(run);
      }
      for (const { stage } of runs) stage.commit();
    } catch (error) {
      for (const { disk, lock } of written)
        writeOrRemoveLock({ disk, lock: currentLock(disk, lock), skills: lock.skills });
      throw error;
    } finally {
      for (const { stage, disk, place } of runs) stage.close(isListedBy(currentLock(disk, place)));
    }
  });
}

function currentLock(disk: FileTree, place: LockPlace): Lock {
  return readLock(disk, place) ?? emptyLock(place);
}

/** A lock without skills or unknown keys is removed, because there was none before the first share. */
function writeOrRemoveLock({ disk, lock, skills }: Pick<Run, 'disk' | 'lock' | 'skills'>): void {
  const isEmpty =
    skills.size === 0 && Object.keys(lock.raw).every((key) => key === 'lockfileVersion' || key === 'skills');
  if (!isEmpty || lock.skills.size === 0) return writeLock(disk, lock, skills);
  disk.remove(lock.file);
  disk.removeEmptyFolders(path.dirname(lock.file), lock.base);
}

/** A recorded target to remove. */
interface UndoStep {
  place: LockPlace;
  name: string;
  target: LockedTarget;
  /** `restore` writes the copy that a link replaced. `forget` only removes the record. */
  action: 'remove' | 'restore' | 'forget';
  files: readonly NewFile[];
}

export interface UndoPlan {
  rows: PlannedShare[];
  steps: UndoStep[];
}

export interface UndoRequest {
  /** Whether a recorded target is meant. */
  isWanted(name: string, entry: LockedSkill, target: LockedTarget, lock: Lock): boolean;
}

/** Plans the removal of recorded targets. The lock is not trusted: anything that differs from its record is refused. */
export async function planUndo(machine: Machine, locks: readonly Lock[], request: UndoRequest): Promise<UndoPlan> {
  const rows: PlannedShare[] = [];
  const steps: UndoStep[] = [];
  for (const lock of locks)
    for (const [name, entry] of lock.skills)
      for (const target of entry.targets) {
        if (target.shared === undefined || !request.isWanted(name, entry, target, lock)) continue;
        const row: PlannedShare = {
          name,
          agent: target.agent ?? '',
          scope: lock.scope,
          path: placeOf(target, lock),
          kind: target.link === undefined ? 'copy' : 'link',
        };
        try {
          const action = undoAction(machine.diskFor(lock.scope), lock, entry, target);
          const dir = ownFolder(entry, lock);
          const files =
            action === 'restore' ? await collectSkill(readFolder(machine.files, dir), '', machine.budget) : undefined;
          steps.push({ place: lock, name, target, action, files: files?.files ?? [] });
          rows.push(action === 'forget' ? { ...row, reason: 'it was already removed' } : row);
        } catch (error) {
          if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
          rows.push({ ...row, isRefused: true, reason: withoutPeriod(error), hint: error.hint });
        }
      }
  return { rows, steps };
}

/** Returns the folder of a shared skill: its first installed folder, or the folder that it was shared from. */
export function ownFolder(entry: LockedSkill, lock: Lock): string {
  const installed = entry.targets.find(({ shared, link }) => shared === undefined && link === undefined);
  if (installed) return placeOf(installed, lock);
  return path.join(sourceFolder(entry.source, lock), entry.path);
}

function undoAction(files: FileTree, lock: Lock, entry: LockedSkill, target: LockedTarget): UndoStep['action'] {
  const place = placeOf(target, lock);
  const found = findEntry(files, place);
  if (!found) return 'forget';
  if (target.link !== undefined) {
    if (isLinkTo(files, place, target.link)) return target.shared === 'replaced' ? 'restore' : 'remove';
    if (target.shared === 'replaced' && problemsIn(files, place, entry.files).length === 0) return 'forget';
    const now = found.kind === 'link' ? `a link to ${echo(files.readLink(place))}` : 'not a link';
    throw new Failure('REFUSED', `${place} is ${now}, not the link that was recorded, so it was not removed.`, {
      path: place,
      hint: 'Check it, and remove it by hand if you do not need it.',
    });
  }
  const [problem] = problemsIn(files, place, entry.files);
  if (problem) {
    const file = path.join(place, ...problem.file.split('/'));
    throw new Failure('REFUSED', `${file} is not as it was shared (${problem.code}), so ${place} was not removed.`, {
      path: file,
      hint: 'Save the change, and remove the folder by hand.',
    });
  }
  if (findTarget(files, ownFolder(entry, lock))?.kind !== 'directory')
    throw new Failure('REFUSED', `${place} is the only copy left, so it was not removed.`, { path: place });
  return 'remove';
}

/** Removes the planned targets, or none of them. */
export async function writeUndo(machine: Machine, steps: readonly UndoStep[]): Promise<void> {
  const emptied: { scope: Scope; dir: string; stop: string }[] = [];
  await inOneRun(machine, steps, (runs) => {
    for (const { place, name, target, action, files } of steps) {
      const run = runOf(runs, place);
      const { disk, lock, stage, skills } = run;
      disk.checkReplace(lock.file);
      const entry = skills.get(name);
      const known = entry?.targets.find(({ path: each, shared }) => each === target.path && shared !== undefined);
      const at = placeOf(target, lock);
      if (!entry || !known || undoAction(disk, lock, entry, known) !== action)
        throw new Failure('REFUSED', `${at} was changed in the meantime, so it was left as it is.`, { path: at });
      if (action === 'remove') stage.swap(undefined, at);
      if (action === 'restore')
        stage.put(stage.prepare(path.dirname(at), files), at, { files: lockedFiles(files), above: path.dirname(at) });
      const left = entry.targets.filter((each) => each !== known);
      if (left.length === 0) skills.delete(name);
      else skills.set(name, { ...entry, targets: left });
      if (known.made === undefined) continue;
      const stop = path.dirname(placeOf({ path: known.made }, lock));
      emptied.push({ scope: lock.scope, dir: path.dirname(at), stop });
      passOn(skills, known.made);
    }
  });
  for (const { scope, dir, stop } of emptied) machine.diskFor(scope).removeEmptyFolders(dir, stop);
}

/** Another shared target in a created folder takes over the record that the folder was created. */
function passOn(skills: Map<string, LockedSkill>, made: string): void {
  for (const [name, entry] of skills) {
    const heir = entry.targets.find(
      (target) => target.shared !== undefined && target.made === undefined && target.path.startsWith(`${made}/`),
    );
    if (!heir) continue;
    skills.set(name, { ...entry, targets: entry.targets.map((each) => (each === heir ? { ...each, made } : each)) });
    return;
  }
}
