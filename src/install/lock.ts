/**
 * The lock file lists the installed skills with their commits and the hash of every file. A project's lock file comes from its
 * repository and is not trusted: anything unexpected makes the whole file invalid, and nothing is written.
 */
import path from 'node:path';
import type { FileTree } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { repeatedKey } from '../core/json-place.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText, echo, foldName, grouped } from '../core/text.ts';
import { isSkillFile } from '../skills/skill.ts';
import { clashingPaths, whyPathIsUnsafe, whySkillIsUnsafe } from './names.ts';
import { innerPath, parseSource } from './source.ts';

export const LOCK_NAME = 'lectern.lock.json';
const LOCK_VERSION = 1;

export interface LockedFile {
  sha256: string;
  size: number;
  mode: '644' | '755';
}

export interface LockedTarget {
  agent: string | null;
  scope: Scope;
  /** Skill folder, relative to the project, or `~/…` in the user's lock. */
  path: string;
  /** Link target, if the folder is a link. */
  link?: string;
  /** Set by `share`: the folder was added, or it replaced an identical copy. */
  shared?: 'added' | 'replaced';
  /** Topmost folder that `share` created for it, which `share --undo` removes if it is empty. */
  made?: string;
}

export type Scope = 'project' | 'user';

export interface LockedSkill {
  type: 'git' | 'local';
  /** URL, folder relative to the lock file, or `~/…` in the user's lock. */
  source: string;
  ref: string | null;
  commit: string | null;
  path: string;
  mode: 'copy' | 'link';
  targets: LockedTarget[];
  files: Record<string, LockedFile>;
}

/** Location of a lock file, and the base of its paths. */
export interface LockPlace {
  scope: Scope;
  file: string;
  /** Project folder or home folder. */
  base: string;
}

export interface Lock extends LockPlace {
  skills: Map<string, LockedSkill>;
  /** File content as read, including unknown keys. */
  raw: Readonly<Record<string, unknown>>;
}

/** Returns undefined if there is none. Fails with LOCK_INVALID. */
export function readLock(files: FileTree, place: LockPlace): Lock | undefined {
  const read = readJsonFile(files, place.file);
  if (read.kind === 'missing') return undefined;
  if (read.kind === 'broken') throw invalid(place, read.reason, read.line);
  const repeated = repeatedKey(read.text);
  if (repeated !== undefined) throw invalid(place, `the key "${echo(repeated)}" is there twice`);
  if (!isRecord(read.value)) throw invalid(place, 'it is not an object');
  const raw = read.value;
  if (raw['lockfileVersion'] !== LOCK_VERSION)
    throw invalid(
      place,
      `its version is ${echo(JSON.stringify(raw['lockfileVersion']) ?? 'missing')}, not ${LOCK_VERSION}`,
    );
  if (!isRecord(raw['skills'])) throw invalid(place, 'it has no skills');
  const named = Object.entries(raw['skills']);
  const tooMany = whyTooManySkills(named.length);
  if (tooMany !== undefined) throw invalid(place, tooMany);
  const skills = new Map<string, LockedSkill>();
  for (const [name, entry] of named) {
    const why = whyEntryIsInvalid(name, entry, place);
    if (why !== undefined) throw invalid(place, `"${echo(name)}": ${why}`);
    // Validated above.
    skills.set(name, entry as LockedSkill);
  }
  refuseClashes(place, skills);
  return { ...place, skills, raw };
}

/** Returns an error if a lock file may not contain this many skills. */
export function whyTooManySkills(skills: number): string | undefined {
  const max = LIMITS.lockedSkills.value;
  return skills > max ? `it has ${grouped(skills)} skills, and at most ${grouped(max)} are allowed` : undefined;
}

export function emptyLock(place: LockPlace): Lock {
  return { ...place, skills: new Map(), raw: {} };
}

function refuseClashes(place: LockPlace, skills: ReadonlyMap<string, LockedSkill>): void {
  const names = new Map<string, string>();
  const targets = new Set<string>();
  for (const [name, skill] of skills) {
    const earlier = names.get(foldName(name));
    if (earlier !== undefined) throw invalid(place, `"${echo(earlier)}" and "${echo(name)}" differ only in case`);
    names.set(foldName(name), name);
    for (const target of skill.targets) {
      if (targets.has(foldName(target.path))) throw invalid(place, `two skills are in ${echo(target.path)}`);
      targets.add(foldName(target.path));
    }
  }
}

function invalid({ file }: LockPlace, why: string, line?: number): Failure {
  return new Failure('LOCK_INVALID', `${file} cannot be trusted: ${why}.`, {
    path: file,
    ...(line === undefined ? {} : { line }),
    hint: 'Nothing was written. Restore the file from version control, or remove it and install again.',
  });
}

const HASH = /^[0-9a-f]{64}$/u;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;

function whyEntryIsInvalid(name: string, entry: unknown, place: LockPlace): string | undefined {
  if (!isRecord(entry)) return 'it is not an object';
  const { type, source, ref, commit, path: below, mode, targets, files } = entry;
  const unsafe = whySkillIsUnsafe(name, typeof below === 'string' ? below : '');
  if (unsafe !== undefined) return unsafe;
  if (type !== 'git' && type !== 'local') return 'its type is neither git nor local';
  if (typeof source !== 'string') return 'it has no source';
  if (ref !== null && typeof ref !== 'string') return 'its ref is neither text nor null';
  if (typeof below !== 'string' || !isInnerPath(below)) return 'its path leads out of the source';
  if (type === 'git') {
    if (typeof commit !== 'string' || !COMMIT.test(commit)) return 'its commit is not a full commit ID';
    const why = whySourceIsInvalid(source, ref);
    if (why !== undefined) return why;
  } else if (commit !== null || ref !== null) return 'a folder has neither a ref nor a commit';
  else if (path.isAbsolute(source) || path.win32.isAbsolute(source)) return 'its source is an absolute path';
  if (mode !== 'copy' && mode !== 'link') return 'its mode is neither copy nor link';
  const own = type === 'local' ? path.posix.join(source, below) : undefined;
  return whyTargetsAreInvalid({ name, targets, mode, own }, place) ?? whyFilesAreInvalid(files);
}

function whySourceIsInvalid(source: string, ref: string | null): string | undefined {
  try {
    // Permission to use `file:` URLs is checked when fetching.
    const parsed = parseSource(ref === null ? source : `${source}#${ref}`, { allowFile: true });
    return parsed.type === 'git' && parsed.refAndPath === undefined && parsed.url === source
      ? undefined
      : 'its source is not the URL of a repository';
  } catch (error) {
    if (error instanceof Failure) return error.message.replace(/\.$/u, '');
    throw error;
  }
}

function isInnerPath(given: string): boolean {
  try {
    return innerPath(given) === given;
  } catch {
    return false;
  }
}

interface GivenTargets {
  name: string;
  targets: unknown;
  mode: 'copy' | 'link';
  /** Folder of a local skill, to which shared links may lead. */
  own: string | undefined;
}

function whyTargetsAreInvalid({ name, targets, mode, own }: GivenTargets, { scope }: LockPlace): string | undefined {
  if (!Array.isArray(targets) || targets.length === 0) return 'it has no targets';
  if (targets.length > LIMITS.lockedTargets.value) return `it has more than ${LIMITS.lockedTargets.value} targets`;
  const real = (targets as unknown[]).filter((target) => isRecord(target) && target['link'] === undefined);
  const folders = real.map((target) => (isRecord(target) ? target['path'] : undefined));
  for (const target of targets as unknown[]) {
    if (!isRecord(target)) return 'a target is not an object';
    const { agent, scope: given, path: place, link, shared, made } = target;
    if (agent !== null && typeof agent !== 'string') return 'the agent of a target is neither text nor null';
    if (given !== scope) return `a target does not belong to the ${scope}`;
    if (typeof place !== 'string') return 'a target has no path';
    const below = scope === 'user' ? /^~\/(?<below>.+)$/su.exec(place)?.groups?.['below'] : place;
    if (below === undefined || whyPathIsUnsafe(below) !== undefined) return `the path ${echo(place)} is not safe`;
    if (path.posix.basename(below) !== name) return `the path ${echo(place)} does not end with the name`;
    if (shared !== undefined && shared !== 'added' && shared !== 'replaced') return 'a target has an unknown "shared"';
    if (made !== undefined && !(typeof made === 'string' && made !== '' && place.startsWith(`${made}/`)))
      return `the folder of ${echo(place)} is not above it`;
    if (link === undefined) continue;
    if (typeof link !== 'string') return 'a link does not match its mode';
    const end = path.posix.join(path.posix.dirname(place), link);
    const isExpected = shared ? isSharedFrom(end, [...folders, own], scope) : mode === 'link' && real.length > 0;
    if (!isExpected) return shared ? `the link ${echo(place)} leads somewhere else` : 'a link does not match its mode';
    if (!shared && end !== folders[0]) return `the link ${echo(place)} leads somewhere else`;
  }
  return undefined;
}

/** A shared link leads to the folder of the skill. In a project, that folder is inside the project. */
function isSharedFrom(end: string, folders: readonly unknown[], scope: Scope): boolean {
  return folders.includes(end) && (scope === 'user' || !/^\.\.(?:\/|$)/u.test(end));
}

function whyFilesAreInvalid(files: unknown): string | undefined {
  if (!isRecord(files)) return 'it has no files';
  const names = Object.keys(files);
  const max = LIMITS.installedFiles.value;
  if (names.length > max) return `it has ${grouped(names.length)} files, and at most ${grouped(max)} are installed`;
  if (!names.some(isSkillFile)) return 'it has no SKILL.md';
  for (const [name, file] of Object.entries(files)) {
    const why = whyPathIsUnsafe(name);
    if (why !== undefined) return `the file ${echo(name)}: ${why}`;
    const fits =
      isRecord(file) &&
      typeof file['sha256'] === 'string' &&
      HASH.test(file['sha256']) &&
      Number.isSafeInteger(file['size']) &&
      Number(file['size']) >= 0 &&
      (file['mode'] === '644' || file['mode'] === '755');
    if (!fits) return `the file ${echo(name)} has no valid hash, size or mode`;
  }
  const clash = clashingPaths(names);
  return clash && `${echo(clash[0])} and ${echo(clash[1])} are one file on some disks`;
}

/** Formats the file: sorted, without timestamps, and with all unknown keys. */
export function lockText({ raw, skills }: Pick<Lock, 'raw' | 'skills'>): string {
  const sorted = <T>(entries: Iterable<[string, T]>): Record<string, T> =>
    Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)));
  const { lockfileVersion: _, skills: __, ...others } = raw;
  const value = {
    lockfileVersion: LOCK_VERSION,
    skills: sorted(
      [...skills].map(([name, skill]) => [name, { ...skill, files: sorted(Object.entries(skill.files)) }]),
    ),
    ...others,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the absolute path of a target. */
export function placeOf(
  target: Pick<LockedTarget, 'path'>,
  { scope, base }: Pick<LockPlace, 'scope' | 'base'>,
): string {
  return path.join(base, ...(scope === 'user' ? target.path.slice(2) : target.path).split('/'));
}

/** Converts a path to the format of the lock. Undefined if it is not below the base. */
export function lockedPath(place: string, { scope, base }: Pick<LockPlace, 'scope' | 'base'>): string | undefined {
  const relative = path.relative(base, place).split(path.sep).join('/');
  if (relative === '' || relative === '..' || relative.startsWith('../') || path.isAbsolute(relative)) return undefined;
  return scope === 'user' ? `~/${relative}` : relative;
}

/** Converts the folder of a local source to the format of the lock. */
export function lockedSource(dir: string, { scope, base, file }: LockPlace): string {
  if (scope === 'user') return `~/${path.relative(base, dir).split(path.sep).join('/')}`;
  return path.relative(path.dirname(file), dir).split(path.sep).join('/') || '.';
}

/** Whether every target is a link, so that the lock contains no files that could differ. */
export function hasOnlyLinks({ targets }: Pick<LockedSkill, 'targets'>): boolean {
  return targets.every(({ link }) => link !== undefined);
}

export function sourceFolder(source: string, { scope, base, file }: LockPlace): string {
  return scope === 'user' && source.startsWith('~/')
    ? path.join(base, source.slice(2))
    : path.resolve(path.dirname(file), source);
}
