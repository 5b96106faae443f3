/**
 * Installs skill folders atomically. A new version is written to a folder next to the skills folder, read back, and swapped in by
 * renaming, so that readers see the old or the new version, never a mix. Before a version is moved away, a note is written to
 * the user's state folder. If the process dies, the next run uses only these notes, never files that it finds in the project.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { entriesOf, exists, findEntry, findTarget } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { type Disk, type NewFile, WriteTrouble } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { echo } from '../core/text.ts';
import type { LockedFile } from './lock.ts';
import { lockedFiles, problemsIn } from './state.ts';

/** Locations used by a run that writes skills, including its notes. */
export interface Site {
  disk: Disk;
  /** The project or the home. Nothing is written outside it. */
  base: string;
  /** Location of the notes, outside the project. */
  records: { disk: Disk; dir: string };
}

/** A staging folder. Its name is random, so a repository cannot contain it. */
interface StageNote {
  kind: 'stage';
  /** Possible locations of the stage. */
  places: string[];
}

/** An old version that is moved out of the way. */
interface MoveNote {
  kind: 'move';
  /** Destination inside a stage. */
  old: string;
  /** Original location, relative to the base. */
  place: string;
  /** Location of the backup, relative to the base. */
  backup?: string;
  /** True if the skill is removed rather than replaced. */
  isRemoval: boolean;
}

/** A new folder or link that is removed if the lock is not written afterwards. */
interface PutNote {
  kind: 'put';
  /** Location, relative to the base. */
  place: string;
  /** Destination inside a stage. It is moved there to be removed, because a folder is moved whole or not at all. */
  old: string;
  /** Target of the link. */
  link?: string;
  /** Files of the folder. */
  files?: Record<string, LockedFile>;
  /** Folder above it that existed before, relative to the base. The folders between the two are removed if they are empty. */
  above: string;
}

type Note = StageNote | MoveNote | PutNote;

const STAGE_NAME = /^\.lectern-[0-9a-f]{16}$/u;
/** Marker written after the lock. From then on, everything in the stages can be deleted. */
const DONE = 'done';
/** Agents do not search folders with this name. That matters if a stage has to be inside the skills folder. */
const INNER = 'node_modules';

export class Stage {
  readonly #site: Site;
  readonly #stages = new Map<string, string>();
  /** Newly created parents of stages, each with the nearest ancestor that already existed. */
  readonly #made = new Map<string, string>();
  #notes = 0;
  #count = 0;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Writes the files to a stage and returns their folder. */
  prepare(root: string, files: readonly NewFile[]): string {
    const { disk } = this.#site;
    const staged = this.#next(root, 'new');
    disk.createFolder(staged, files);
    const [problem] = problemsIn(disk, staged, lockedFiles(files));
    if (problem)
      throw new Failure('UNWRITABLE', `${echo(problem.file)} was written, but reads differently.`, { path: staged });
    return staged;
  }

  prepareLink(root: string, target: string): string {
    const staged = this.#next(root, 'new');
    this.#site.disk.createLink(staged, target);
    return staged;
  }

  /** Swaps in a prepared folder or link, or only moves the old version away. The old version is kept at `backup`, if given. */
  swap(staged: string | undefined, place: string, backup?: string): void {
    const { disk, base } = this.#site;
    if (!exists(disk, place)) {
      if (staged !== undefined) disk.move(staged, place);
      return;
    }
    const old = this.#next(path.dirname(place), 'old');
    this.#note({
      kind: 'move',
      old,
      place: path.relative(base, place),
      ...(backup === undefined ? {} : { backup: path.relative(base, backup) }),
      isRemoval: staged === undefined,
    });
    disk.move(place, old);
    let kept = old;
    try {
      if (backup !== undefined) {
        // Backups may be on a different disk than the skills.
        disk.move(old, backup, { copies: true });
        kept = backup;
      }
      if (staged !== undefined) disk.move(staged, place);
    } catch (error) {
      disk.move(kept, place, { copies: true });
      throw error;
    }
  }

  /**
   * Like `swap`, but the prepared folder or link is removed if the run ends without `commit`, unless the lock lists it or it was
   * changed since.
   */
  put(
    staged: string,
    place: string,
    made: ({ link: string } | { files: Record<string, LockedFile> }) & { above: string },
  ): void {
    const { base } = this.#site;
    const old = this.#next(path.dirname(place), 'old');
    const [below, above] = [path.relative(base, place), path.relative(base, made.above)];
    this.#note({ kind: 'put', ...made, place: below, old, above });
    this.swap(staged, place);
  }

  /** Called after the lock is written. From then on, nothing is restored. */
  commit(): void {
    const { disk, dir } = this.#site.records;
    if (this.#notes > 0) disk.create(path.join(dir, DONE), '');
  }

  /** Ends the run. Without `commit`, everything that was moved away and not replaced is restored. */
  close(isListed: (place: string) => boolean): void {
    finishRun(this.#site, isListed);
    for (const [dir, stop] of this.#made) this.#site.disk.removeEmptyFolders(dir, stop);
  }

  #next(root: string, kind: 'new' | 'old'): string {
    this.#count += 1;
    return path.join(this.#stageFor(root), INNER, `${kind}-${this.#count}`);
  }

  #stageFor(root: string): string {
    const { disk, base } = this.#site;
    const target = findTarget(disk, root);
    const real = target?.realPath ?? root;
    const known = this.#stages.get(real);
    if (known !== undefined) return known;
    const name = `.lectern-${randomBytes(8).toString('hex')}`;
    const inside = path.join(real, name);
    // The skills folder may be the whole project. Nothing is written outside the project.
    const parent = path.dirname(real);
    const isBeside = isInside(base, parent) || isInside(findTarget(disk, base)?.realPath ?? base, parent);
    const beside = isBeside ? path.join(parent, name) : inside;
    this.#note({ kind: 'stage', places: isBeside ? [inside, beside] : [inside] });
    const stage = target && isBeside ? movedOut(disk, inside, beside) : beside;
    if (!exists(disk, parent)) this.#made.set(parent, nearestFolder(disk, parent));
    this.#stages.set(real, stage);
    return stage;
  }

  #note(note: Note): void {
    const { disk, dir } = this.#site.records;
    this.#notes += 1;
    disk.create(path.join(dir, `${this.#notes}.json`), `${JSON.stringify(note)}\n`);
  }
}

function nearestFolder(disk: Disk, dir: string): string {
  const parent = path.dirname(dir);
  return parent === dir || exists(disk, parent) ? parent : nearestFolder(disk, parent);
}

/**
 * Creates a stage in the skills folder and moves it next to that folder, where agents do not look. If the move fails, the stage
 * stays in the skills folder: either that folder is a separate mount, so later renames into it would fail as well, or its parent
 * is not writable.
 */
function movedOut(disk: Disk, inside: string, beside: string): string {
  disk.createFolder(inside, []);
  try {
    disk.move(inside, beside);
    return beside;
  } catch (error) {
    if (error instanceof WriteTrouble && ['other-disk', 'not-permitted', 'read-only', 'busy'].includes(error.reason))
      return inside;
    disk.removeTree(inside);
    throw error;
  }
}

/** Finishes a run from its notes, even if its process died. Only the writer of the lock may do this. */
export function finishRun(site: Site, isListed: (place: string) => boolean): void {
  const { disk, records } = site;
  if (!exists(records.disk, records.dir)) return;
  const notes = readNotes(site);
  const isDone = exists(records.disk, path.join(records.dir, DONE));
  if (!isDone) {
    for (const note of notes) if (note.kind === 'put') takeAway(site, note, isListed);
    for (const note of notes) if (note.kind === 'move') putBack(site, note, isListed);
  }
  for (const note of notes)
    if (note.kind === 'stage') for (const dir of note.places) if (exists(disk, dir)) disk.removeTree(dir);
  for (const note of isDone ? [] : notes) if (note.kind === 'put') removeEmptied(site, note);
  records.disk.removeTree(records.dir);
}

function takeAway({ disk, base }: Site, note: PutNote, isListed: (place: string) => boolean): void {
  const place = path.join(base, note.place);
  if (isListed(place)) return;
  const { link, files, old } = note;
  const isOurs = link === undefined ? problemsIn(disk, place, files ?? {}).length === 0 : isLinkTo(disk, place, link);
  if (isOurs) disk.move(place, old);
}

function removeEmptied({ disk, base }: Site, { place, above }: PutNote): void {
  disk.removeEmptyFolders(path.dirname(path.join(base, place)), path.join(base, above));
}

/** Whether the path is a link with this target. */
export function isLinkTo(files: FileTree, place: string, target: string): boolean {
  if (findEntry(files, place)?.kind !== 'link') return false;
  return files.readLink(place).split(path.sep).join('/').replace(/\/$/u, '') === target;
}

function putBack({ disk, base }: Site, note: MoveNote, isListed: (place: string) => boolean): void {
  const place = path.join(base, note.place);
  const backup = note.backup === undefined ? undefined : path.join(base, note.backup);
  // A backup is always complete. Once it exists, the copy in the stage may be partially deleted.
  const hasBackup = backup !== undefined && exists(disk, backup);
  const kept = hasBackup ? backup : note.old;
  const kind = findEntry(disk, kept)?.kind;
  if (kind !== 'directory' && kind !== 'link') return;
  const isWanted = !note.isRemoval || isListed(place);
  if (isWanted && !exists(disk, place)) disk.move(kept, place, { copies: true });
  else if (backup !== undefined && !hasBackup) disk.move(kept, backup, { copies: true });
}

function readNotes({ records: { disk, dir } }: Site): Note[] {
  return entriesOf(disk, dir)
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ name }) => {
      const file = path.join(dir, name);
      const read = readJsonFile(disk, file);
      if (read.kind === 'value' && isNote(read.value)) return read.value;
      throw new Failure('REFUSED', 'An interrupted run left a note that cannot be read.', {
        path: file,
        hint: `Look for skills in folders named .lectern-…, move them back, and remove ${dir}.`,
      });
    });
}

function isNote(value: unknown): value is Note {
  if (!isRecord(value)) return false;
  const { kind, places, old, place, backup, isRemoval, link, files, above } = value;
  if (kind === 'stage') return Array.isArray(places) && places.every((dir) => isStage(dir));
  if (!isOld(old) || !isBelow(place)) return false;
  if (kind === 'put') return (typeof link === 'string' || isRecord(files)) && (above === '' || isBelow(above));
  return kind === 'move' && (backup === undefined || isBelow(backup)) && typeof isRemoval === 'boolean';
}

function isOld(old: unknown): boolean {
  return typeof old === 'string' && isStage(path.dirname(path.dirname(old))) && /^old-\d+$/u.test(path.basename(old));
}

function isStage(dir: unknown): boolean {
  return typeof dir === 'string' && path.isAbsolute(dir) && STAGE_NAME.test(path.basename(dir));
}

/** Whether a path stays below the base. */
function isBelow(place: unknown): boolean {
  if (typeof place !== 'string' || place === '' || path.isAbsolute(place) || place.includes('\0')) return false;
  const [first] = path.normalize(place).split(path.sep);
  return first !== '..' && first !== '.';
}

/** Returns an unused path for a backup, outside all skills folders. */
export function backupPlace(disk: Disk, folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const place = path.join(folder, `${name}-${number}`);
    if (!exists(disk, place)) return place;
  }
}
