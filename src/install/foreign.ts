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
import { isCommit, type Source } from './source.ts';
import { lockedFiles, type Problem, readFiles } from './state.ts';
import { collectSkill } from './tree.ts';

function placeFor(lock: ForeignLock, { projectRoot, userDir }: Machine): LockPlace {
  return {
    scope: lock.scope,
    file: lock.file,
    base: lock.scope === 'project' ? projectRoot : (userDir ?? projectRoot),
  };
}

/** The lock has a single hash for all files, so differences cannot be attributed to a file. */
export function foreignProblems(lock: ForeignLock, skill: ForeignSkill, machine: Machine): Problem[] {
  if (skill.folders.length === 0) return [{ code: 'missing', file: '' }];
  return skill.folders.flatMap((target): Problem[] => {
    const files = readFiles(machine.diskFor(lock.scope), target);
    if (!files) return [{ code: 'type', file: '', expected: 'plain files', actual: 'links or other files', target }];
    const actual = foreignHash(lock.hash, files);
    if (skill.hash === '' || actual === skill.hash || isNotedBy(files, skill)) return [];
    return [{ code: 'digest', file: '', expected: skill.hash, actual, target }];
  });
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
  const checked = new Map<ForeignSkill, CheckedSkill>();
  for (const group of groupBy(skills, ({ source, ref }) => JSON.stringify([source, ref])).values()) {
    const shared = new SharedSource(lock, group, machine);
    try {
      for (const skill of group) checked.set(skill, await checkOne(lock, skill, shared, machine));
    } finally {
      await shared.close();
    }
  }
  return skills.flatMap((skill) => checked.get(skill) ?? []);
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

  open(source: Source, ref: string | null): Promise<OpenedSource> {
    this.#opened ??=
      source.type === 'git'
        ? openSource({ ...source, ref }, this.#machine)
        : openLockedFolder(source.dir, this.#lock.scope, this.#machine);
    return this.#opened;
  }

  offer({ tree, name: sourceName }: OpenedSource): Promise<Offer> {
    const wanted = this.#skills.map(({ name }) => name);
    this.#offer ??= discoverOffer(tree, { path: '', sourceName, wanted });
    return this.#offer;
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
    const opened = await shared.open(skill.source, skill.ref);
    const folder = await folderIn(opened, skill, shared);
    const latest = opened.commit;
    if (folder === undefined) return { ...base, latest, status: 'gone' };
    const { files, notes } = await collectSkill(opened.tree, folder, machine.budget);
    if (foreignHash(lock.hash, files) === skill.hash) {
      // The source is at the recorded version, so the files can be compared individually.
      const isOwn = !skill.folders.every((dir) => isPartOf(readFiles(machine.diskFor(lock.scope), dir), files));
      return { ...base, latest, modified: isOwn, status: isOwn ? 'modified' : 'current' };
    }
    const newer = { commit: latest, files: keepingNotes(lock, skill, files, machine), notes };
    return { ...base, latest, status: 'outdated', newer };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return { ...base, status: 'unknown', error };
  }
}

async function folderIn(
  opened: OpenedSource,
  { name, path }: ForeignSkill,
  shared: SharedSource,
): Promise<string | undefined> {
  if (path !== undefined) return skillFolders(opened.tree, path).includes(path) ? path : undefined;
  const { skills } = await shared.offer(opened);
  return skills.find((skill) => skill.name === name)?.path;
}

/** Installers omit some files, such as README.md, so a subset of the files is accepted, but different content is not. */
function isPartOf(installed: readonly NewFile[] | undefined, files: readonly NewFile[]): boolean {
  const all = new Map(files.map((file) => [file.path, file]));
  return (installed ?? []).every(({ path, bytes }) => {
    const original = all.get(path);
    if (!original) return false;
    const isMain = isSkillFile(path);
    return isMain ? isSameSkillText(bytes, original.bytes) : Buffer.compare(bytes, original.bytes) === 0;
  });
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
