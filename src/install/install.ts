/**
 * Installs skills in three steps: plan, which fetches and reads but writes nothing, then confirmation by the caller, then writing.
 * A skill that cannot be installed does not affect the others.
 */
import { dirname } from 'node:path';
import type { NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { groupBy } from '../core/group-by.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { count, echo, foldName, grouped } from '../core/text.ts';
import { ALL_AGENTS } from '../skills/roots/agents.ts';
import { discoverOffer, type Offer, type OfferedSkill } from './discover.ts';
import {
  emptyLock,
  type Lock,
  type LockedSkill,
  lockedSource,
  type LockPlace,
  placeOf,
  readLock,
  type Scope,
  whyTooManySkills,
} from './lock.ts';
import { whySkillIsUnsafe } from './names.ts';
import { type Machine, type OpenedSource, openSource } from './open-source.ts';
import { ReadBudget } from './read-budget.ts';
import { parseSource } from './source.ts';
import type { SourceTree } from './source-tree.ts';
import { lockedFiles } from './state.ts';
import { askedTargets, existingTargets, lockedTargets, lockFor, type Target } from './targets.ts';
import { collectSkill } from './tree.ts';
import { TreeIndex } from './tree-index.ts';
import { asOnlyWriter, type Change, judge, type Written, writeSkills } from './write.ts';

export interface InstallRequest {
  source: string;
  skills: readonly string[];
  all: boolean;
  path?: string | undefined;
  to?: readonly string[] | undefined;
  dir?: string | undefined;
  mode?: 'copy' | 'link' | undefined;
  force: boolean;
}

/** Interactive questions, if the command is interactive. */
export interface InstallQuestions<Finding> {
  /** Selects from the offered skills. Returns their paths. */
  skills?: ((offered: readonly MarkedSkill<Finding>[]) => Promise<readonly string[]>) | undefined;
  targets?:
    | ((
        existing: readonly Target[],
        agents: readonly { key: string; title: string }[],
      ) => Promise<Pick<InstallRequest, 'to' | 'mode'>>)
    | undefined;
}

/** An offered skill with details for choosing it. */
export interface MarkedSkill<Finding> extends OfferedSkill {
  scripts: number;
  findings: readonly Finding[];
}

/** Scan findings are only passed through, because the scan is in another module. */
export interface PlannedSkill<Finding> {
  name: string;
  /** Folder in the source. */
  path: string;
  status: 'installed' | 'replaced' | 'unchanged' | 'failed';
  error?: Failure | undefined;
  files: readonly NewFile[];
  bytes: number;
  scripts: string[];
  notes: string[];
  /** Absolute paths. */
  targets: string[];
  findings: readonly Finding[];
  /** Changes to write to each lock. */
  changes: { place: LockPlace; change: Change }[];
}

export interface InstallPlan<Finding> {
  /** Undefined if the skills have different sources. */
  source?: Pick<OpenedSource, 'type' | 'url' | 'ref' | 'commit' | 'path'>;
  skills: PlannedSkill<Finding>[];
  notes: string[];
  /** Lock files that would be written. */
  locks: string[];
}

export type FindingsOf<Finding> = (
  name: string,
  folder: string,
  files: readonly NewFile[],
) => Promise<readonly Finding[]>;

export async function planInstall<Finding>(
  request: InstallRequest,
  machine: Machine,
  findingsOf: FindingsOf<Finding>,
  questions: InstallQuestions<Finding> = {},
): Promise<InstallPlan<Finding>> {
  const source = parseSource(request.source, { path: request.path, allowFile: machine.allowFile });
  // Fails before fetching if the target is unknown and the user cannot be prompted.
  const known = askedTargets(machine.files, request, machine);
  if (!known && !questions.targets) throw noTarget(machine);
  const opened = await openSource(source, machine);
  try {
    const { path: below, name: sourceName } = opened;
    const offer = await discoverOffer(opened.tree, { path: below, sourceName, wanted: request.skills });
    if (offer.skills.length === 0) throw nothingOffered(request.source, opened, offer.notes);
    const { chosen, failed } = await choose(offer, request, questions, () =>
      markSkills(offer.skills, opened, findingsOf),
    );
    const { targets, mode } = known
      ? { targets: known, mode: request.mode }
      : await askTargets(request, machine, questions);
    const locks = locksFor(targets, machine);
    refuseFullLocks(locks, chosen);
    const skills: PlannedSkill<Finding>[] = [...failed];
    await fetchTogether(opened, chosen);
    for (const skill of chosen)
      skills.push(await planOne(skill, opened, { ...request, mode }, targets, locks, machine, findingsOf));
    refuseCaseClashes(skills);
    const { type, url, ref, commit, path } = opened;
    return {
      source: { type, url, ref, commit, path },
      skills,
      notes: offer.notes,
      locks: locks.map(({ file }) => file),
    };
  } finally {
    opened.close();
  }
}

/** Fetches the files of several skills in one request. */
export async function fetchTogether(
  { tree }: Pick<OpenedSource, 'tree'>,
  skills: readonly { path: string }[],
): Promise<void> {
  if (skills.length < 2 || !tree.fetch) return;
  try {
    await tree.fetch(pathsOf(tree, skills), skills.length * LIMITS.installedBytes.value);
  } catch (error) {
    // One of the skills is too large. Reading them reports which one.
    if (!(error instanceof Failure) || error.code !== 'TOO_LARGE') throw error;
  }
}

/** Returns the files of the given skills. */
function pathsOf(tree: SourceTree, skills: readonly { path: string }[]): string[] {
  const index = TreeIndex.of(tree);
  return [...new Set(skills.flatMap(({ path }) => index.pathsBelow(path)))];
}

async function askTargets<Finding>(
  request: InstallRequest,
  machine: Machine,
  { targets: ask }: InstallQuestions<Finding>,
): Promise<{ targets: Target[]; mode: 'copy' | 'link' | undefined }> {
  const agents = ALL_AGENTS.map(({ name, title }) => ({ key: name, title }));
  const asked = await ask?.(existingTargets(machine.files, machine), agents);
  const targets = asked && askedTargets(machine.files, asked, machine);
  if (!targets) throw noTarget(machine);
  return { targets, mode: asked.mode ?? request.mode };
}

function noTarget(machine: Machine): Failure {
  const existing = existingTargets(machine.files, machine);
  const choices = existing.length > 0 ? existing.flatMap(({ agent }) => agent ?? []) : ['agents', 'claude', 'codex'];
  return new Failure(
    'CHOICE_NEEDED',
    existing.length > 0
      ? `The project has ${count(existing.length, 'folder')} of skills.`
      : 'The project has no folder of skills yet.',
    { hint: `Choose where to install: --to ${choices.join(' or --to ')}.`, facts: { choices } },
  );
}

function nothingOffered(asked: string, { path }: OpenedSource, notes: readonly string[]): Failure {
  return new Failure(
    'NOT_FOUND',
    `There is no SKILL.md in ${echo(asked)}${path === '' ? '' : ` below ${echo(path)}`}.`,
    {
      hint:
        notes.length > 0
          ? `Note: ${notes.join('; ')}.`
          : `Check the path${asked.includes('#') ? ', and what comes after #' : ''}.`,
    },
  );
}

function locksFor(targets: readonly Target[], machine: Machine): Lock[] {
  return [...new Set(targets.map(({ scope }) => scope))].map((scope) => readLockFor(scope, machine));
}

/** Refuses early, because the next command would refuse a lock file with too many skills. */
function refuseFullLocks(locks: readonly Lock[], chosen: readonly OfferedSkill[]): void {
  for (const { skills, file } of locks) {
    const names = new Set([...skills.keys(), ...chosen.map(({ name }) => name)]);
    const why = whyTooManySkills(names.size);
    if (why !== undefined)
      throw new Failure('TOO_LARGE', `${file} would not be valid afterwards: ${why}.`, {
        path: file,
        hint: 'Name fewer skills, or remove some.',
        facts: { skills: names.size, maxSkills: LIMITS.lockedSkills.value },
      });
  }
}

function readLockFor(scope: Scope, machine: Machine): Lock {
  const place = lockFor(scope, machine);
  return readLock(machine.diskFor(scope), place) ?? emptyLock(place);
}

async function choose<Finding>(
  { skills: offered, leftOut }: Offer,
  { skills: names, all }: InstallRequest,
  { skills: ask }: InstallQuestions<Finding>,
  marked: () => Promise<MarkedSkill<Finding>[]>,
): Promise<{ chosen: OfferedSkill[]; failed: PlannedSkill<never>[] }> {
  if (names.length > 0) return named(offered, leftOut, names);
  const [only] = offered;
  if (only && offered.length === 1) return { chosen: [only], failed: [] };
  if (all) return withoutAmbiguous(offered, offered);
  if (ask) {
    const paths = new Set(await ask(await marked()));
    return withoutAmbiguous(
      offered.filter(({ path }) => paths.has(path)),
      [],
    );
  }
  const cut = leftOut.length > 0 ? ` (${leftOut.join('; ')})` : '';
  throw new Failure('CHOICE_NEEDED', `It has ${count(offered.length, 'skill')}${cut}.`, {
    hint: 'Name those to install, or use --all, or -i to pick them from a list.',
    facts: { choices: [...new Set(offered.map(({ name }) => name))].sort() },
  });
}

/** Maximum number of files to read for marking skills. Reading larger sources would take longer than choosing. */
const MARKED_MAX_FILES = 2_000;

async function markSkills<Finding>(
  offered: readonly OfferedSkill[],
  { tree }: Pick<OpenedSource, 'tree'>,
  findingsOf: FindingsOf<Finding>,
): Promise<MarkedSkill<Finding>[]> {
  const files = pathsOf(tree, offered).filter((place) => tree.entries.get(place)?.kind === 'file');
  const isSmall = files.length <= MARKED_MAX_FILES;
  if (isSmall) await fetchTogether({ tree }, offered);
  const budget = new ReadBudget(LIMITS.installedBytes.value);
  const marked: MarkedSkill<Finding>[] = [];
  for (const skill of offered) {
    const collected = isSmall ? await collectSkill(tree, skill.path, budget).catch(() => undefined) : undefined;
    const own = collected?.files ?? [];
    marked.push({
      ...skill,
      scripts: scriptsAmong(own).length,
      findings: await findingsOf(skill.name, skill.path, own),
    });
  }
  return marked;
}

function named(
  offered: readonly OfferedSkill[],
  leftOut: readonly string[],
  names: readonly string[],
): { chosen: OfferedSkill[]; failed: PlannedSkill<never>[] } {
  const chosen = new Set<OfferedSkill>();
  const failed: PlannedSkill<never>[] = [];
  for (const name of new Set(names)) {
    const byPath = offered.filter(({ path }) => path === name.replace(/\/$/u, '') && path !== '');
    const exact = offered.filter((skill) => skill.name === name);
    const fits =
      byPath.length > 0
        ? byPath
        : exact.length > 0
          ? exact
          : offered.filter((skill) => foldName(skill.name) === foldName(name));
    const [only, second] = fits;
    if (only && !second) chosen.add(only);
    else failed.push(failedSkill(name, fits.length > 1 ? ambiguous(name, fits) : notOffered(name, offered, leftOut)));
  }
  return { chosen: [...chosen], failed };
}

function withoutAmbiguous(
  skills: readonly OfferedSkill[],
  among: readonly OfferedSkill[],
): { chosen: OfferedSkill[]; failed: PlannedSkill<never>[] } {
  const repeated = [...groupBy(among, ({ name }) => name)].filter(([, fits]) => fits.length > 1);
  const failed = repeated.map(([name, fits]) => failedSkill(name, ambiguous(name, fits)));
  const names = new Set(repeated.map(([name]) => name));
  return { chosen: skills.filter(({ name }) => !names.has(name)), failed };
}

function ambiguous(name: string, fits: readonly OfferedSkill[]): Failure {
  const paths = fits.map(({ path }) => path);
  const shown = paths.slice(0, PATHS_NAMED);
  const more = paths.length > shown.length ? ` and ${grouped(paths.length - shown.length)} more` : '';
  return new Failure('AMBIGUOUS', `Several skills are called "${echo(name)}": ${shown.map(echo).join(', ')}${more}.`, {
    hint: 'Name one by its path.',
    suggestions: shown,
    facts: { paths },
  });
}

/** Maximum number of paths in a message. The rest are counted. */
const PATHS_NAMED = 10;

function notOffered(name: string, offered: readonly OfferedSkill[], leftOut: readonly string[]): Failure {
  const near = nearest(
    name,
    offered.map((skill) => skill.name),
  );
  return new Failure('NOT_FOUND', `It has no skill called "${echo(name)}".`, {
    suggestions: near,
    ...(leftOut.length > 0
      ? { hint: `Note: ${leftOut.join('; ')}.` }
      : near.length > 0
        ? { hint: `Did you mean ${near.map(echo).join(' or ')}?` }
        : {}),
  });
}

export function failedSkill(name: string, error: Failure): PlannedSkill<never> {
  return {
    name,
    path: '',
    status: 'failed',
    error,
    files: [],
    bytes: 0,
    scripts: [],
    notes: [],
    targets: [],
    findings: [],
    changes: [],
  };
}

async function planOne<Finding>(
  { name, path, problem }: OfferedSkill,
  opened: OpenedSource,
  request: InstallRequest,
  targets: readonly Target[],
  locks: readonly Lock[],
  machine: Machine,
  findingsOf: FindingsOf<Finding>,
): Promise<PlannedSkill<Finding>> {
  try {
    const why = whySkillIsUnsafe(name, path);
    if (why !== undefined)
      throw new Failure('UNSAFE', `"${echo(name)}" cannot be the name of a folder: ${why}.`, { facts: { path } });
    const { files, bytes, notes } = await collectSkill(opened.tree, path, machine.budget);
    const found = {
      name,
      path,
      files,
      bytes,
      notes: problem === undefined ? notes : [`no agent can use it: ${problem}`, ...notes],
      scripts: scriptsAmong(files),
      findings: await findingsOf(name, path, files),
    };
    const changes = locks.map((lock) => {
      const own = targets.filter(({ scope }) => scope === lock.scope);
      return {
        place: lock,
        change: { name, files, entry: entryFor(name, path, opened, files, own, request.mode, lock, machine) },
      };
    });
    const placed = {
      ...found,
      changes,
      targets: changes.flatMap(({ place, change }) => change.entry.targets.map((target) => placeOf(target, place))),
    };
    try {
      const statuses = changes.map(
        ({ place, change }, index) =>
          judge(machine.diskFor(place.scope), locks[index] ?? emptyLock(place), change, request.force).status,
      );
      return { ...placed, status: together(statuses) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...placed, status: 'failed', error, changes: [] };
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return { ...failedSkill(name, error), path };
  }
}

function entryFor(
  name: string,
  path: string,
  { type, url, ref, commit }: OpenedSource,
  files: readonly NewFile[],
  targets: readonly Target[],
  asked: 'copy' | 'link' | undefined,
  lock: Lock,
  machine: Machine,
): LockedSkill {
  const before = lock.skills.get(name);
  const mode = asked ?? before?.mode ?? (targets.length > 1 ? 'link' : 'copy');
  // Existing locations are kept, because the lock contains one version of a skill.
  const earlier = (before?.targets ?? []).map(({ agent, scope, ...target }): Target => ({
    agent,
    scope,
    root: dirname(placeOf(target, lock)),
  }));
  const all = lockedTargets(name, [...earlier, ...targets], mode, machine, lock);
  if (all.length > LIMITS.lockedTargets.value)
    throw new Failure('REFUSED', `"${echo(name)}" would be in more than ${LIMITS.lockedTargets.value} folders.`, {
      hint: 'Remove it from some of them first.',
    });
  return {
    type,
    source: type === 'git' ? url : lockedSource(url, lock),
    ref,
    commit,
    path,
    mode,
    targets: all,
    files: lockedFiles(files),
  };
}

function together(statuses: readonly Written['status'][]): Written['status'] {
  const order: readonly Written['status'][] = ['failed', 'replaced', 'installed', 'unchanged'];
  return order.find((status) => statuses.includes(status)) ?? 'unchanged';
}

/** Returns the files that look executable. */
export function scriptsAmong(files: readonly NewFile[]): string[] {
  return files
    .filter(
      ({ path, bytes, executable }) =>
        executable ||
        /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|php|lua|js|mjs|cjs|ts|mts|exe|dll|so|dylib|jar)$/iu.test(path) ||
        (bytes[0] === 0x23 && bytes[1] === 0x21),
    )
    .map(({ path }) => path);
}

function refuseCaseClashes<Finding>(skills: PlannedSkill<Finding>[]): void {
  const seen = new Map<string, string>();
  for (const [index, skill] of skills.entries()) {
    if (skill.status === 'failed') continue;
    const earlier = seen.get(foldName(skill.name));
    if (earlier === undefined) seen.set(foldName(skill.name), skill.name);
    else
      skills[index] = failedSkill(
        skill.name,
        new Failure('UNSAFE', `"${echo(earlier)}" and "${echo(skill.name)}" are one folder on disks that ignore case.`),
      );
  }
}

/** Executes the plan. Rechecks the disk, because it may have changed since. */
export async function writePlan(
  skills: readonly PlannedSkill<unknown>[],
  machine: Machine,
  force: boolean,
): Promise<Map<string, Written>> {
  const results = new Map<string, Written>();
  const changes = skills.flatMap((skill) => skill.changes);
  for (const scope of ['project', 'user'] as const) {
    const own = changes.filter(({ place }) => place.scope === scope);
    const [first] = own;
    if (!first) continue;
    const written = await asOnlyWriter(machine, first.place, (writer) =>
      writeSkills(
        writer,
        own.map(({ change }) => change),
        force,
      ),
    );
    for (const each of written) {
      const earlier = results.get(each.name);
      results.set(each.name, earlier ? { ...earlier, ...each, status: together([earlier.status, each.status]) } : each);
    }
  }
  return results;
}
