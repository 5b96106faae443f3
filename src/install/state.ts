/** Compares the disk with the lock. */
import path from 'node:path';
import { findTarget, orTrouble } from '../core/disk/answers.ts';
import { IGNORED_FOLDERS } from '../core/disk/ignored-folders.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import type { NewFile } from '../core/disk/writes.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText } from '../core/text.ts';
import { type LockedFile, type LockedSkill, type LockedTarget, type LockPlace, placeOf } from './lock.ts';
import { sha256 } from './tree.ts';

export const PROBLEM_CODES = ['changed', 'missing', 'extra', 'type', 'digest', 'mode'] as const;

export interface Problem {
  code: (typeof PROBLEM_CODES)[number];
  /** Path below the skill folder. Empty for the folder itself. */
  file: string;
  expected?: string;
  actual?: string;
  /** Folder in the format of the lock. */
  target?: string;
}

/** Returns the hash, size and mode of every file. */
export function lockedFiles(files: readonly NewFile[]): Record<string, LockedFile> {
  return Object.fromEntries(
    files.map(({ path: name, bytes, executable }) => [
      name,
      { sha256: sha256(bytes), size: bytes.length, mode: executable ? '755' : '644' },
    ]),
  );
}

/** Finds differences between a skill folder and the expected files. Links in it are not followed. */
export function problemsIn(files: FileTree, dir: string, expected: Readonly<Record<string, LockedFile>>): Problem[] {
  const found = orTrouble(() => files.look(dir));
  if (!found || found instanceof FileTrouble) return [{ code: 'missing', file: '' }];
  if (found.kind !== 'directory') return [{ code: 'type', file: '', expected: 'folder', actual: found.kind }];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const visit = (below: string): void => {
    const entries = orTrouble(() => files.list(path.join(dir, below)));
    if (entries instanceof FileTrouble) return void problems.push({ code: 'type', file: below, actual: 'unreadable' });
    for (const { name, kind } of entries) {
      const file = below === '' ? name : `${below}/${name}`;
      if (seen.size > 2 * LIMITS.installedFiles.value) return;
      seen.add(file);
      const wanted = Object.hasOwn(expected, file) ? expected[file] : undefined;
      if (kind === 'directory' && !wanted) visit(file);
      else if (!wanted) problems.push({ code: 'extra', file });
      else problems.push(...problemsOf(files, path.join(dir, file), file, wanted));
    }
  };
  visit('');
  for (const file of Object.keys(expected)) if (!seen.has(file)) problems.push({ code: 'missing', file });
  return problems.sort((a, b) => compareText(a.file, b.file));
}

function problemsOf(files: FileTree, place: string, file: string, wanted: LockedFile): Problem[] {
  const found = orTrouble(() => files.look(place));
  if (!found || found instanceof FileTrouble || found.kind !== 'file') {
    const actual = !found || found instanceof FileTrouble ? 'unreadable' : found.kind;
    return [{ code: 'type', file, expected: 'file', actual }];
  }
  const read = orTrouble(() => files.read(place, LIMITS.installedBytes.value));
  if (read instanceof FileTrouble) return [{ code: 'type', file, expected: 'file', actual: 'unreadable' }];
  const actual = sha256(read.bytes);
  return [
    ...(actual === wanted.sha256
      ? []
      : [{ code: 'changed' as const, file, expected: `sha256:${wanted.sha256}`, actual: `sha256:${actual}` }]),
    ...modeProblems(found.mode, file, wanted),
  ];
}

/** Git stores only the executable bit. Other permission bits depend on the umask and are accepted, unless others may write. */
function modeProblems(mode: number, file: string, wanted: LockedFile): Problem[] {
  if (process.platform === 'win32') return [];
  const isExecutable = (mode & 0o111) !== 0;
  if (isExecutable === (wanted.mode === '755') && (mode & 0o7002) === 0) return [];
  return [{ code: 'mode', file, expected: wanted.mode, actual: mode.toString(8) }];
}

/** Finds differences between a target and the lock: the files of a folder, or the target of a link. */
function problemsAt(files: FileTree, skill: LockedSkill, target: LockedTarget, lock: LockPlace): Problem[] {
  const place = placeOf(target, lock);
  const problems =
    target.link === undefined ? problemsIn(files, place, skill.files) : linkProblems(files, place, target.link);
  return problems.map((problem) => ({ ...problem, target: target.path }));
}

function linkProblems(files: FileTree, place: string, link: string): Problem[] {
  const found = orTrouble(() => files.look(place));
  if (!found || found instanceof FileTrouble) return [{ code: 'missing', file: '' }];
  if (found.kind !== 'link') return [{ code: 'type', file: '', expected: 'link', actual: found.kind }];
  const wanted = findTarget(files, path.resolve(path.dirname(place), link))?.realPath;
  const actual = findTarget(files, place)?.realPath;
  if (wanted !== undefined && wanted === actual) return [];
  return [{ code: 'type', file: '', expected: link, actual: files.readLink(place) }];
}

/** Returns the problems of a skill in all its targets. */
export function problemsOfSkill(files: FileTree, skill: LockedSkill, lock: LockPlace): Problem[] {
  return skill.targets.flatMap((target) => problemsAt(files, skill, target, lock));
}

/** Whether a skill was modified. A completely missing skill counts as removed, not modified. */
export function isModified(files: FileTree, skill: LockedSkill, lock: LockPlace): boolean {
  return problemsOfSkill(files, skill, lock).some(({ code, file }) => !(code === 'missing' && file === ''));
}

/** Reads a folder whose files are not listed individually in a lock. Undefined if it has links or exceeds the install limits. */
export function readFiles(files: FileTree, dir: string): NewFile[] | undefined {
  const found: NewFile[] = [];
  let left = LIMITS.installedBytes.value;
  const visit = (below: string): boolean => {
    const entries = orTrouble(() => files.list(path.join(dir, below)));
    if (entries instanceof FileTrouble) return false;
    return entries
      .sort((a, b) => compareText(a.name, b.name))
      .every(({ name, kind }) => {
        const file = below === '' ? name : `${below}/${name}`;
        if (kind === 'directory') return IGNORED_FOLDERS.has(name) || visit(file);
        const place = path.join(dir, file);
        const read = kind === 'file' ? orTrouble(() => files.read(place, left)) : undefined;
        if (!read || read instanceof FileTrouble || found.length >= LIMITS.installedFiles.value) return false;
        left -= read.bytes.length;
        found.push({ path: file, bytes: read.bytes, executable: ((files.look(place)?.mode ?? 0) & 0o111) !== 0 });
        return true;
      });
  };
  return visit('') ? found : undefined;
}
