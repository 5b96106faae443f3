/**
 * Installs skills in three steps: plan, which fetches and reads but writes nothing, then confirmation by the caller, then writing.
 * A skill that cannot be installed does not affect the others.
 */
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { count, echo, foldName } from '../core/text.ts';
import { ALL_AGENTS } from '../skills/roots/agents.ts';
import { choose, markSkills } from './choose.ts';
import { discoverOffer, type OfferedSkill } from './discover.ts';
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
import { askedTargets, existingTargets, lockFor, type Target } from './targets.ts';
import { asOnlyWriter, type Written, writeSkills } from './write.ts';

export type { InstallPlan, InstallQuestions, PlannedSkill } from './plan.ts';

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
    const installation = { opened, targets, locks, machine, findingsOf, mode, force: request.force };
    for (const skill of chosen) skills.push(await planSkill(skill, installation));
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
