/**
 * Installs skills in three steps: plan, which fetches and reads but writes nothing, then confirmation by the caller, then writing.
 * A skill that cannot be installed does not affect the others.
 */
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, foldName } from '../core/text.ts';
import { type Choices, choicesOf, choose, markSkills } from './choose.ts';
import { discoverOffer, type Offer, type OfferedSkill } from './discover.ts';
import { fetchTogether } from './fetch-together.ts';
import { emptyLock, type Lock, readLock, type Scope, whyTooManySkills } from './lock.ts';
import { type Machine, type OpenedSource, openSource } from './open-source.ts';
import {
  failedSkill,
  type FindingsOf,
  type InstallPlan,
  type InstallQuestions,
  type InstallRequest,
  type PlannedSkill,
} from './plan.ts';
import { planSkill, together } from './plan-skill.ts';
import { parseSource } from './source.ts';
import { askedTargets, lockFor, type Target } from './targets.ts';
import { asOnlyWriter, type Written, writeSkills } from './write.ts';

export type { InstallPlan, InstallQuestions, PlannedSkill } from './plan.ts';

export async function planInstall<Finding>(
  request: InstallRequest,
  machine: Machine,
  findingsOf: FindingsOf<Finding>,
  questions: InstallQuestions<Finding> = {},
): Promise<InstallPlan<Finding>> {
  const source = parseSource(request.source, { path: request.path, allowFile: machine.allowFile });
  // A missing folder is reported before an unknown target, and an unknown target before anything is fetched.
  const local = source.type === 'local' ? await openSource(source, machine) : undefined;
  const known = askedTargets(request, machine);
  const opened = local ?? (await openSource(source, machine));
  try {
    const offer = await offerOf(request, opened);
    const { chosen, failed } = await choose(offer, request, questions, {
      marked: () => markSkills(offer.skills, opened, findingsOf),
      commit: opened.commit,
    });
    const { targets, mode, usesDefaults } = known
      ? { targets: known, mode: request.mode, usesDefaults: false }
      : await findTargets(request, machine, questions);
    const locks = locksFor(targets, machine);
    refuseFullLocks(locks, chosen);
    const skills: PlannedSkill<Finding>[] = [...failed];
    await fetchTogether(opened, chosen);
    const installation = { opened, targets, locks, machine, findingsOf, mode, force: request.force };
    for (const skill of chosen) skills.push(await planSkill(skill, installation));
    refuseCaseClashes(skills);
    const { type, url, ref, commit, path } = opened;
    return {
      source: { type, url, ref, commit, path },
      skills,
      notes: offer.notes,
      locks: locks.map(({ file }) => file),
      usesDefaults,
    };
  } finally {
    opened.close();
  }
}

/** The skills of a source, for choosing among them. */
export interface ListedSource extends Choices {
  notes: string[];
}

/** Lists the skills of a source. Fails with NOT_FOUND if it has none. */
export async function listSource(
  request: Pick<InstallRequest, 'source' | 'path'>,
  machine: Machine,
): Promise<ListedSource> {
  const source = parseSource(request.source, { path: request.path, allowFile: machine.allowFile });
  const opened = await openSource(source, machine);
  try {
    const offer = await offerOf({ ...request, skills: [] }, opened);
    return { ...choicesOf(request, offer, opened.commit), notes: offer.notes };
  } finally {
    opened.close();
  }
}

async function offerOf(
  { source, skills: wanted }: Pick<InstallRequest, 'source' | 'skills'>,
  opened: OpenedSource,
): Promise<Offer> {
  const offer = await discoverOffer(opened.tree, { path: opened.path, sourceName: opened.name, wanted });
  if (offer.skills.length === 0) throw nothingOffered(source, opened, offer.notes);
  return offer;
}

async function findTargets<Finding>(
  request: InstallRequest,
  machine: Machine,
  { targets: ask }: InstallQuestions<Finding>,
): Promise<{ targets: Target[]; mode: 'copy' | 'link' | undefined; usesDefaults: boolean }> {
  const asked = await ask?.();
  const targets = askedTargets({ to: asked?.to ?? request.defaultTo }, machine);
  if (!targets) throw new Failure('CHOICE_NEEDED', 'No target given.', { hint: 'Use --to or --dir.' });
  return { targets, mode: asked?.mode ?? request.mode, usesDefaults: !asked };
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
