/**
 * Puts skills in their places. A new version is written beside the folder of skills, read again, and swapped in by renaming, so
 * that every reader sees the old or the new version, and never a mix. If the process dies, the next one puts back what was on its
 * way, and removes the rest.
 */
import path from 'node:path';
import { entriesOf, exists, findEntry, findTarget } from '../core/disk/answers.ts';
import { isLeftOver, ownName } from '../core/disk/process-alive.ts';
import type { Disk, NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { echo } from '../core/text.ts';
import { isInside } from '../core/inside.ts';
import { lockedFiles, problemsIn } from './state.ts';

const PREFIX = '.lectern';

/** Where the new versions for a folder of skills are written: beside it, on the same file system. */
function stageParent(disk: Disk, root: string, border: string): string {
  const real = findTarget(disk, root)?.realPath ?? root;
  const beside = path.dirname(real);
  // A folder of skills may be the whole project; nothing is written outside of it.
  return isInside(border, beside) ? beside : real;
}

/** What an old version is kept for, noted before it is moved. */
interface Note {
  place: string;
  backup?: string;
}

export class Stage {
  readonly #disk: Disk;
  /** The folder out of which nothing is written: the project, or the home. */
  readonly #border: string;
  readonly #dirs = new Map<string, string>();
  #count = 0;

  constructor(disk: Disk, border: string) {
    this.#disk = disk;
    this.#border = border;
  }

  /** Writes the files where nobody looks; returns the folder. */
  prepare(root: string, files: readonly NewFile[]): string {
    const staged = this.#next(root, 'new');
    this.#disk.createFolder(staged, files);
    const [problem] = problemsIn(this.#disk, staged, lockedFiles(files));
    if (problem)
      throw new Failure('UNWRITABLE', `${echo(problem.file)} was written, but reads differently.`, { path: staged });
    return staged;
  }

  prepareLink(root: string, target: string): string {
    const staged = this.#next(root, 'new');
    this.#disk.createLink(staged, target);
    return staged;
  }

  /** Swaps a prepared folder or link in. What was there before is kept as a backup if asked for. */
  swap(staged: string | undefined, place: string, backup?: string): void {
    const disk = this.#disk;
    if (!exists(disk, place)) {
      if (staged !== undefined) disk.move(staged, place);
      return;
    }
    const old = this.#next(path.dirname(place), 'old');
    const note: Note = { place, ...(backup === undefined ? {} : { backup }) };
    disk.create(`${old}.json`, `${JSON.stringify(note)}\n`);
    disk.move(place, old);
    try {
      if (staged !== undefined) disk.move(staged, place);
    } catch (error) {
      disk.move(old, place);
      throw error;
    }
    if (backup !== undefined) disk.move(old, backup);
  }

  /** Removes everything that is no longer needed. */
  close(): void {
    for (const dir of this.#dirs.values()) this.#disk.removeTree(dir);
    this.#dirs.clear();
  }

  #next(root: string, kind: 'new' | 'old'): string {
    const parent = stageParent(this.#disk, root, this.#border);
    let dir = this.#dirs.get(parent);
    if (dir === undefined) {
      dir = path.join(parent, ownName(PREFIX));
      if (exists(this.#disk, dir)) this.#disk.removeTree(dir);
      this.#dirs.set(parent, dir);
    }
    this.#count += 1;
    return path.join(dir, `${kind}-${this.#count}`);
  }
}

/** Finishes what a process that died left beside these folders of skills. Only the writer of the lock may do this. */
export function cleanUpAfterDead(disk: Disk, roots: Iterable<string>, border: string): void {
  for (const parent of new Set([...roots].map((root) => stageParent(disk, root, border)))) {
    for (const { name, kind } of entriesOf(disk, parent)) {
      if (kind !== 'directory' || !isLeftOver(name, PREFIX)) continue;
      const dir = path.join(parent, name);
      putBack(disk, dir, border);
      disk.removeTree(dir);
    }
  }
}

function putBack(disk: Disk, dir: string, border: string): void {
  for (const { name } of entriesOf(disk, dir)) {
    if (!/^old-\d+$/u.test(name)) continue;
    const old = path.join(dir, name);
    const read = readJsonFile(disk, `${old}.json`);
    if (read.kind !== 'value' || !isRecord(read.value)) continue;
    const { place, backup } = read.value;
    if (typeof place !== 'string' || !isInside(border, place)) continue;
    if (!findEntry(disk, place)) disk.move(old, place);
    else if (typeof backup === 'string' && isInside(border, backup)) disk.move(old, backup);
  }
}

/** A free name for a backup, outside every folder of skills. */
export function backupPlace(disk: Disk, folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const place = path.join(folder, `${name}-${number}`);
    if (!exists(disk, place)) return place;
  }
}
