/** Checks installed skills for newer versions, and finds the new names of skills that were removed from their source. */
import path from 'node:path';
import { orTrouble } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import type { NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { bodyOf } from '../core/frontmatter/split.ts';
import { groupBy } from '../core/group-by.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { echo, textOf } from '../core/text.ts';
import { isSkillFile } from '../skills/skill.ts';
import { discoverOffer, skillFolders } from './discover.ts';
import type { ForeignLock, ForeignSkill } from './foreign-locks.ts';
import { openLocked } from './frozen.ts';
import { listRefs } from './git.ts';
import { hasOnlyLinks, type Lock, LOCK_NAME, type LockedSkill, placeOf } from './lock.ts';
import { gitOptions, type Machine, type OpenedSource } from './open-source.ts';
import { ReadBudget } from './read-budget.ts';
import { isCommit, parseSource } from './source.ts';
import { isModified, lockedFiles, problemsIn } from './state.ts';
import { collectSkill } from './tree.ts';

export interface Newer {
  commit: string | null;
  files: readonly NewFile[];
  notes: readonly string[];
}

export interface CheckedSkill {
  name: string;
  /** Name of the lock file. */
  lockName: string;
  lock: Lock;
  skill: LockedSkill;
  status: 'current' | 'outdated' | 'modified' | 'pinned' | 'gone' | 'renamed' | 'unknown';
  /** Current commit of the ref. */
  latest: string | null;
  /** True if the ref is a tag that has moved. Tags should not move. */
  refMoved: boolean;
  renamedTo?: string;
  modified: boolean;
  error?: Failure;
  /** The newer version, if outdated, or the version to restore. */
  newer?: Newer;
  /** Set if another installer recorded the skill. There is then no commit, and `lock` is the file of that installer. */
  foreign?: { lock: ForeignLock; skill: ForeignSkill };
}

export function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    throw new Failure('NOT_FOUND', `No installed skill is called "${echo(name)}".`, {
      suggestions: near,
      hint:
        near.length > 0
          ? `Did you mean ${near.map(echo).join(' or ')}?`
          : 'lectern verify lists those that are installed.',
    });
  }
}

type Named = [name: string, skill: LockedSkill];

export function groupBySource(skills: readonly Named[]): Named[][] {
  return [...groupBy(skills, ([, { source, ref }]) => `${source}\n${ref ?? ''}`).values()];
}

/** With `restore`, modified skills include their original version if there is no newer one. */
export async function checkGroup(
  group: readonly Named[],
  lock: Lock,
  machine: Machine,
  restore: boolean,
): Promise<CheckedSkill[]> {
  const [first] = group;
  if (!first) return [];
  const base = ([name, skill]: Named): CheckedSkill => {
    const modified = isModified(machine.diskFor(lock.scope), skill, lock);
    return {
      name,
      lockName: LOCK_NAME,
      lock,
      skill,
      status: modified ? 'modified' : 'current',
      latest: skill.commit,
      refMoved: false,
      modified,
    };
  };
  // The agents read the folder of the skill itself, so there is nothing to update.
  const linked = group.filter(([, skill]) => hasOnlyLinks(skill));
  if (linked.length > 0) {
    const others = group.filter(([, skill]) => !hasOnlyLinks(skill));
    return [...linked.map(base), ...(await checkGroup(others, lock, machine, restore))];
  }
  const { ref, commit } = first[1];
  if (isCommit(ref) || (ref !== null && ref.length >= 7 && commit?.startsWith(ref)))
    return group.map((named) => ({ ...base(named), status: 'pinned' }));
  let opened: OpenedSource | undefined;
  try {
    const { latest, isTag } = await latestOf(first[1], machine);
    const moved = ({ commit: own }: LockedSkill): boolean => isTag && own !== latest;
    const isCurrent = latest !== null && group.every(([, skill]) => skill.commit === latest);
    if (isCurrent && !(restore && group.some((named) => base(named).modified))) return group.map(base);
    opened = await openLocked(first[1], lock, machine, latest);
    const checked: CheckedSkill[] = [];
    const renames = new RenameSearch(opened, lock, first[1].source);
    const comparison = { opened, renames, machine, restore };
    for (const named of group) {
      const compared = await compare(base(named), comparison);
      checked.push({ ...compared, refMoved: moved(named[1]) });
    }
    return checked;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return group.map((named) => ({ ...base(named), status: 'unknown', latest: null, error }));
  } finally {
    opened?.close();
  }
}

/** Resolves the ref of a skill to its current commit. */
async function latestOf(skill: LockedSkill, machine: Machine): Promise<{ latest: string | null; isTag: boolean }> {
  if (skill.type === 'local') return { latest: null, isTag: false };
  const source = parseSource(skill.source, { allowFile: machine.allowFile });
  if (source.type !== 'git') return { latest: null, isTag: false };
  const { ref } = skill;
  const refs = await listRefs({ ...source, ref }, gitOptions(machine));
  const tag = refs.get(`refs/tags/${ref}^{}`) ?? refs.get(`refs/tags/${ref}`);
  const latest = ref === null ? refs.get('HEAD') : (tag ?? refs.get(`refs/heads/${ref}`) ?? refs.get(ref));
  if (latest !== undefined) return { latest, isTag: tag !== undefined };
  throw new Failure(
    'FETCH_FAILED',
    `${echo(source.url)} no longer has ${ref === null ? 'a default branch' : `"${echo(ref)}"`}.`,
    {
      facts: { reason: 'ref', source: { url: source.url, ref, path: skill.path } },
    },
  );
}

/** An opened source, and how the skills from it are compared. */
interface Comparison {
  opened: OpenedSource;
  renames: RenameSearch;
  machine: Machine;
  restore: boolean;
}

async function compare(base: CheckedSkill, { opened, renames, machine, restore }: Comparison): Promise<CheckedSkill> {
  const { skill, lock } = base;
  const latest = opened.commit;
  try {
    if (!skillFolders(opened.tree, skill.path).includes(skill.path)) {
      const renamedTo = await renames.find(skill, await installedText(skill, lock, machine));
      return renamedTo === undefined
        ? { ...base, latest, status: 'gone' }
        : { ...base, latest, status: 'renamed', renamedTo };
    }
    const { files, notes } = await collectSkill(opened.tree, skill.path, machine.budget);
    const fresh = lockedFiles(files);
    const newer = { commit: latest, files, notes };
    if (isSameAs(fresh, skill.files)) return { ...base, latest, ...(restore && base.modified ? { newer } : {}) };
    // An interrupted run may have installed the new version without updating the lock. That is not a modification.
    const disk = machine.diskFor(lock.scope);
    const isThere = skill.targets.every(
      (target) => target.link !== undefined || problemsIn(disk, placeOf(target, lock), fresh).length === 0,
    );
    const modified = base.modified && !isThere;
    return { ...base, latest, modified, status: 'outdated', newer };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return { ...base, latest, status: 'unknown', error };
  }
}

function isSameAs(a: LockedSkill['files'], b: LockedSkill['files']): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => a[name]?.sha256 === b[name]?.sha256 && a[name]?.mode === b[name]?.mode)
  );
}

const CANDIDATES_MAX = 500;

interface Candidates {
  skills: { name: string; body: string | undefined }[];
  /** Positions of skills by file hash. */
  byHash: ReadonlyMap<string, readonly { index: number }[]>;
}

/** Finds the new name of an installed skill in its source. The source is read once for all searches. */
class RenameSearch {
  readonly #opened: OpenedSource;
  /** Folders already installed from this source, which are not candidates. */
  readonly #known: ReadonlySet<string>;
  #read: Promise<Candidates> | undefined;

  constructor(opened: OpenedSource, { skills }: Lock, source: string) {
    this.#opened = opened;
    const installed = [...skills.values()].filter((skill) => skill.source === source);
    this.#known = new Set(installed.map((skill) => skill.path));
  }

  /** Finds the first skill with the same text, or with half of the files. */
  async find({ files }: LockedSkill, text: string | undefined): Promise<string | undefined> {
    const { skills, byHash } = await (this.#read ??= this.#readCandidates());
    const body = instructionsIn(text);
    const hashes = new Set(Object.values(files).map(({ sha256 }) => sha256));
    const shared = new Map<number, number>();
    for (const hash of hashes)
      for (const { index } of byHash.get(hash) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    return skills.find(
      (candidate, index) =>
        (body !== undefined && candidate.body === body) || (shared.get(index) ?? 0) * 2 >= hashes.size,
    )?.name;
  }

  async #readCandidates(): Promise<Candidates> {
    const { tree, name: sourceName } = this.#opened;
    const offer = await discoverOffer(tree, { path: '', sourceName });
    const unknown = offer.skills.filter((skill) => !this.#known.has(skill.path));
    const budget = new ReadBudget(LIMITS.installedBytes.value);
    const skills: Candidates['skills'] = [];
    const hashes: { hash: string; index: number }[] = [];
    for (const { name, path: place } of unknown.slice(0, CANDIDATES_MAX)) {
      const collected = await collectSkill(tree, place, budget).catch((error: unknown) => {
        if (error instanceof Failure && error.code !== 'INTERRUPTED') return undefined;
        throw error;
      });
      if (!collected) continue;
      const main = collected.files.find(({ path: file }) => isSkillFile(file));
      const index = skills.push({ name, body: main && instructionsIn(textOf(main.bytes)) }) - 1;
      for (const { sha256 } of Object.values(lockedFiles(collected.files))) hashes.push({ hash: sha256, index });
    }
    return { skills, byHash: groupBy(hashes, ({ hash }) => hash) };
  }
}

async function installedText(skill: LockedSkill, lock: Lock, machine: Machine): Promise<string | undefined> {
  const name = Object.keys(skill.files).find(isSkillFile);
  const target = skill.targets.find(({ link }) => link === undefined);
  if (name === undefined || !target) return undefined;
  const read = orTrouble(() =>
    machine.diskFor(lock.scope).read(path.join(placeOf(target, lock), name), LIMITS.skillFileBytes.value),
  );
  return read instanceof FileTrouble ? undefined : textOf(read.bytes);
}

/** Returns the instructions without the frontmatter, which differs because it contains the name. Undefined if there are none. */
function instructionsIn(text: string | undefined): string | undefined {
  return (text === undefined ? '' : bodyOf(text).trim()) || undefined;
}
