/** Verifies skills recorded by other installers, compares them with their sources and updates them in place. */
import { Failure } from '../core/failure.ts';
import type { NewFile } from '../core/disk/writes.ts';
import { groupBy } from '../core/group-by.ts';
import { isSkillFile } from '../skills/skill.ts';
import { discoverOffer, type Offer, skillFolders } from './discover.ts';
import {
  foreignHash,
  type ForeignLock,
  type ForeignSkill,
  isSameSkillText,
  notesOfGh,
  withNotes,
} from './foreign-locks.ts';
import { lockedPath, type LockedSkill, type LockPlace } from './lock.ts';
import type { CheckedSkill } from './newer.ts';
import { type Machine, openLockedFolder, type OpenedSource, openSource } from './open-source.ts';
import { isCommit } from './source.ts';
import { lockedFiles, type Problem, readFiles } from './state.ts';
import { collectSkill } from './tree.ts';

function placeFor(lock: ForeignLock, { projectRoot, userDir }: Machine): LockPlace {
  return {
    scope: lock.scope,
    file: lock.file,
    base: lock.scope === 'project' ? projectRoot : (userDir ?? projectRoot),
  };
}

/** Compares the skills of a lock with their recorded hashes. Repositories are not fetched. */
export async function verifyForeign(
  lock: ForeignLock,
  machine: Machine,
): Promise<{ skill: ForeignSkill; problems: Problem[] }[]> {
  return withSources(lock, lock.skills, machine, async (skill, shared) => {
    const problems = foreignProblems(lock, skill, machine);
    const differs = problems.some(({ code }) => code === 'digest');
    const isCopy = differs && skill.source?.type === 'local' && (await isCopyOfFolder(lock, skill, shared, machine));
    return { skill, problems: isCopy ? problems.filter(({ code }) => code !== 'digest') : problems };
  });
}

/** The lock has a single hash for all files, so differences cannot be attributed to a file. */
function foreignProblems(lock: ForeignLock, skill: ForeignSkill, machine: Machine): Problem[] {
  if (skill.folders.length === 0) return [{ code: 'missing', file: '' }];
  return skill.folders.flatMap((target): Problem[] => {
    const files = readFiles(machine.diskFor(lock.scope), target);
    if (!files) return [{ code: 'type', file: '', expected: 'plain files', actual: 'links or other files', target }];
    const actual = foreignHash(skill.method, files);
    if (skill.hash === '' || actual === skill.hash || isNotedBy(files, skill)) return [];
    return [{ code: 'digest', file: '', expected: skill.hash, actual, target }];
  });
}

/**
 * Whether the source folder still has the recorded hash and the installed files are copies of its files. The hash of the copies
 * differs if the installer left out a file.
 */
async function isCopyOfFolder(
  lock: ForeignLock,
  skill: ForeignSkill,
  shared: SharedSource,
  machine: Machine,
): Promise<boolean> {
  try {
    const found = await shared.find(skill);
    return found !== undefined && found.hash === skill.hash && isInstalled(lock, skill, found.files, machine);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return false;
  }
}

/** `gh skill` writes the version to the SKILL.md, so the files no longer have the hash of that version. */
function isNotedBy(files: readonly NewFile[], { hash }: ForeignSkill): boolean {
  const main = mainFile(files);
  return main !== undefined && notesOfGh(main.bytes)['github-tree-sha'] === hash;
}

function mainFile(files: readonly NewFile[]): NewFile | undefined {
  return files.find(({ path }) => isSkillFile(path));
}

export async function checkForeign(
  lock: ForeignLock,
  skills: readonly ForeignSkill[],
  machine: Machine,
): Promise<CheckedSkill[]> {
  return withSources(lock, skills, machine, (skill, shared) => checkOne(lock, skill, shared, machine));
}

/** Calls `each` for every skill, in order. Skills with the same source share it. */
async function withSources<T>(
  lock: ForeignLock,
  skills: readonly ForeignSkill[],
  machine: Machine,
  each: (skill: ForeignSkill, shared: SharedSource) => Promise<T>,
): Promise<T[]> {
  const results = new Map<ForeignSkill, T>();
  for (const group of groupBy(skills, ({ source, ref }) => JSON.stringify([source, ref])).values()) {
    const shared = new SharedSource(lock, group, machine);
    try {
      for (const skill of group) results.set(skill, await each(skill, shared));
    } finally {
      await shared.close();
    }
  }
  return skills.flatMap((skill) => results.get(skill) ?? []);
}

/** A skill in its source. */
interface Original {
  files: readonly NewFile[];
  notes: readonly string[];
  /** Hash in the format of the lock. */
  hash: string;
}

/** Source of several skills of one lock. Fetched and searched once, when first needed. */
class SharedSource {
  readonly #lock: ForeignLock;
  readonly #skills: readonly ForeignSkill[];
  readonly #machine: Machine;
  #opened: Promise<OpenedSource> | undefined;
  #offer: Promise<Offer> | undefined;

  constructor(lock: ForeignLock, skills: readonly ForeignSkill[], machine: Machine) {
    this.#lock = lock;
    this.#skills = skills;
    this.#machine = machine;
  }

  open({ source, ref }: ForeignSkill): Promise<OpenedSource> {
    if (!source) throw new Failure('NOT_FOUND', 'The lock file names no source that can be read.');
    this.#opened ??=
      source.type === 'git'
        ? openSource({ ...source, ref }, this.#machine)
        : openLockedFolder(source.dir, this.#lock.scope, this.#machine);
    return this.#opened;
  }

  /** Returns undefined if the source no longer has the skill. */
  async find(skill: ForeignSkill): Promise<Original | undefined> {
    const { tree, name: sourceName } = await this.open(skill);
    const folder = await this.#folderOf(skill, tree, sourceName);
    if (folder === undefined) return undefined;
    const { files, notes } = await collectSkill(tree, folder, this.#machine.budget);
    // `npx skills` copies the targets of links, but does not hash them.
    const isLink = ({ path }: NewFile): boolean =>
      tree.entries.get(folder === '' ? path : `${folder}/${path}`)?.kind === 'link';
    const hashed = skill.method === 'files' ? files.filter((file) => !isLink(file)) : files;
    return { files, notes, hash: foreignHash(skill.method, hashed) };
  }

  async #folderOf(
    { name, path }: ForeignSkill,
    tree: OpenedSource['tree'],
    sourceName: string,
  ): Promise<string | undefined> {
    if (path !== undefined) return skillFolders(tree, path).includes(path) ? path : undefined;
    const wanted = this.#skills.map((skill) => skill.name);
    this.#offer ??= discoverOffer(tree, { path: '', sourceName, wanted });
    return (await this.#offer).skills.find((skill) => skill.name === name)?.path;
  }

  async close(): Promise<void> {
    // Each skill that needed the source has already reported the error.
    (await this.#opened?.catch(() => undefined))?.close();
  }
}

async function checkOne(
  lock: ForeignLock,
  skill: ForeignSkill,
  shared: SharedSource,
  machine: Machine,
): Promise<CheckedSkill> {
  const place = placeFor(lock, machine);
  const problems = foreignProblems(lock, skill, machine);
  const modified = problems.some(({ code }) => code !== 'missing');
  const base: CheckedSkill = {
    name: skill.name,
    lockName: lock.name,
    lock: { ...place, skills: new Map(), raw: {} },
    skill: asLocked(lock, skill, place, machine),
    status: modified ? 'modified' : 'current',
    latest: null,
    refMoved: false,
    modified,
    foreign: { lock, skill },
  };
  if (skill.isPinned || isCommit(skill.ref)) return { ...base, status: 'pinned' };
  if (!skill.source || skill.folders.length === 0) return { ...base, status: 'unknown' };
  try {
    const { commit: latest } = await shared.open(skill);
    const found = await shared.find(skill);
    if (!found) return { ...base, latest, status: 'gone' };
    const isSame = isInstalled(lock, skill, found.files, machine);
    // Installers copy folders with files that Lectern ignores, such as .DS_Store, so their hash may differ from ours.
    if (isSame && (found.hash === skill.hash || skill.source.type === 'local'))
      return { ...base, latest, modified: false, status: 'current' };
    // The source is at the recorded version, so the installed files were changed.
    if (found.hash === skill.hash) return { ...base, latest, modified: true, status: 'modified' };
    const newer = { commit: latest, files: keepingNotes(lock, skill, found.files, machine), notes: found.notes };
    return { ...base, latest, status: 'outdated', newer };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return { ...base, status: 'unknown', error };
  }
}

/** Whether every folder of a skill contains copies of these files. */
function isInstalled(lock: ForeignLock, skill: ForeignSkill, files: readonly NewFile[], machine: Machine): boolean {
  return skill.folders.every((dir) => isCopyOf(readFiles(machine.diskFor(lock.scope), dir), files));
}

function isCopyOf(installed: readonly NewFile[] | undefined, files: readonly NewFile[]): boolean {
  if (!installed) return false;
  const copies = new Map(installed.map((file) => [file.path, file]));
  const missing = files.filter(({ path }) => !copies.has(path));
  if (copies.size + missing.length > files.length || !missing.every(isLeftOut)) return false;
  return files.every(({ path, bytes }) => {
    const copy = copies.get(path);
    if (!copy) return true;
    return isSkillFile(path) ? isSameSkillText(copy.bytes, bytes) : Buffer.compare(copy.bytes, bytes) === 0;
  });
}

/** Files that versions of `npx skills` do not copy, although their hash includes them. */
function isLeftOut({ path }: NewFile): boolean {
  return path.split('/').some((part) => part === 'metadata.json' || part === 'README.md' || part.startsWith('_'));
}

function keepingNotes(
  lock: ForeignLock,
  { folders: [first = ''] }: ForeignSkill,
  files: readonly NewFile[],
  machine: Machine,
): NewFile[] {
  const main = mainFile(readFiles(machine.diskFor(lock.scope), first) ?? []);
  const notes = main ? notesOfGh(main.bytes) : {};
  const sha = notes['github-tree-sha'];
  const fresh = sha === undefined ? notes : { ...notes, 'github-tree-sha': foreignHash('tree', files) };
  return files.map((file) => (isSkillFile(file.path) ? { ...file, bytes: withNotes(file.bytes, fresh) } : file));
}

function asLocked(lock: ForeignLock, skill: ForeignSkill, place: LockPlace, machine: Machine): LockedSkill {
  const { source, ref, folders } = skill;
  return {
    type: source?.type ?? 'git',
    source: source?.type === 'git' ? source.url : (source?.dir ?? ''),
    ref,
    commit: null,
    path: skill.path ?? '',
    mode: 'copy',
    targets: folders.flatMap((folder) => {
      const at = lockedPath(folder, place);
      return at === undefined ? [] : [{ agent: null, scope: lock.scope, path: at }];
    }),
    files: lockedFiles(readFiles(machine.diskFor(lock.scope), folders[0] ?? '') ?? []),
  };
}
