import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { choice, flag, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { count, echo, foldName } from '../core/text.ts';
import type { Machine } from '../install/open-source.ts';
import type { PlannedShare, SharePlan } from '../install/share.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { placesNamed, surveyAgents } from './agent-shapes.ts';
import { defineOperation, InvalidInput, type RunContext } from './define.ts';
import { confirmOrFail, DRY_RUN, machineOf, YES } from './install-shapes.ts';
import type { AskedAgent, Need, OwnFolder } from './share-plan.ts';

/** One agent that has a shared skill. */
export const SHARED_ROW = {
  name: text('The name of its folder'),
  agent: text(),
  scope: choice(['project', 'user']),
  path: text('The folder in which the agent finds it'),
  kind: choice(['link', 'copy', 'present']),
  status: choice(['done', 'planned', 'refused']),
  reason: optional(text()),
} as const;
type Row = ObjectOf<typeof SHARED_ROW>;

const output = {
  shared: list(object(SHARED_ROW)),
  undone: optional(flag('Set if the links and copies were removed, or would be')),
  dryRun: optional(flag('Nothing was written')),
  notes: optional(list(text())),
} as const;
type Output = ObjectOf<typeof output>;

export const shareSkills = defineOperation({
  name: 'share_skills',
  title: 'Share skills',
  summary: 'Share a skill of one agent with other agents, as a link or a copy',
  params: {
    skills: {
      type: 'list',
      of: { type: 'text', filled: true },
      min: 1,
      required: true,
      positional: true,
      placeholder: 'skill',
      help: 'Names of skills, or the paths of their folders',
    },
    to: {
      type: 'list',
      of: { type: 'text', filled: true },
      commas: true,
      placeholder: 'agent',
      help: 'Agents, such as claude,codex or gemini:user, or all for those found here; the scope defaults to that of the skill',
    },
    copy: { type: 'flag', default: false, help: 'Copy the folder instead of linking to it' },
    replace: { type: 'flag', default: false, help: 'Turn identical copies into links' },
    undo: {
      type: 'flag',
      default: false,
      help: 'Remove the links and copies that share created; all of them without --to',
    },
    dryRun: DRY_RUN,
    yes: YES,
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  writes: 'project',
  interactive: true,
  command: {
    name: 'share',
    group: 'Change',
    completes: 'skills',
    examples: [
      ['lectern share pdf --to codex', 'let Codex use it too, from the same folder'],
      ['lectern share pdf docx --to all', 'every agent found here'],
      ['lectern share ~/.claude/skills/pdf --to codex:project --copy', 'a copy for this project'],
      ['lectern share pdf --undo', 'remove its links and copies'],
    ],
  },
  library: 'share',
  async run(input, workspace: Workspace, context): Promise<Output> {
    const machine = await machineOf(workspace, context, { timeout: 30, allowFile: false });
    const { finishInterrupted } = await import('../install/write.ts');
    if (!input.dryRun) await finishInterrupted(machine);
    if (input.undo && (input.copy || input.replace))
      throw new Failure('USAGE', '--undo does not accept --copy or --replace.');
    return input.undo ? undo(input, machine, { workspace, context }) : share(input, machine, { workspace, context });
  },
});

interface Input {
  skills: readonly string[];
  to?: readonly string[] | undefined;
  copy: boolean;
  replace: boolean;
  dryRun: boolean;
  yes: boolean;
}

interface Here {
  workspace: Workspace;
  context: RunContext;
}

async function share(input: Input, machine: Machine, here: Here): Promise<Output> {
  if (!input.to || input.to.length === 0)
    throw new InvalidInput('to', 'is needed: name agents, or use all for those found here');
  const prepared = await prepare(input, machine, here);
  const { notes } = prepared;
  const more = notes.length > 0 ? { notes } : {};
  const planned = await planOf(prepared, machine, input.copy);
  refuseAny(planned.rows);
  const rows = (status: Row['status'], plan: Planned): Output => ({
    shared: plan.rows.map((row) => asRow(row, row.kind === 'present' ? 'done' : status)),
    ...more,
  });
  if (input.dryRun) return { ...rows('planned', planned), dryRun: true };
  if (planned.plan.changes.length === 0) return rows('done', planned);
  const asked = { command: 'share', question: questionFor(planned.rows), yes: input.yes };
  await confirmOrFail(rows('planned', planned), asked, here.context);
  const written = await write(planned, machine, () => planOf(prepared, machine, true));
  await here.workspace.fresh();
  return rows('done', written);
}

function questionFor(rows: readonly PlannedShare[]): string {
  const names = [...new Set(rows.filter(({ kind }) => kind !== 'present').map(({ name }) => name))];
  return `Share ${names.length > 3 ? count(names.length, 'skill') : names.map(echo).join(', ')}?`;
}

interface Prepared {
  skills: { own: OwnFolder; needs: Need[] }[];
  notes: string[];
}

async function prepare(input: Input, machine: Machine, { workspace, context }: Here): Promise<Prepared> {
  const { askedAgents, getOwnFolder, needOf } = await import('./share-plan.ts');
  const surveyed = await surveyAgents(workspace);
  const { agents, notes } = await askedAgents(input.to ?? [], surveyed);
  const place = { workspace, machine, replace: input.replace };
  const skills: Prepared['skills'] = [];
  for (const asked of new Set(input.skills)) {
    const own = await getOwnFolder(asked, surveyed, {
      workspace,
      workingDir: context.workingDir ?? machine.projectDir,
    });
    if (skills.some((each) => each.own.dir === own.dir)) continue;
    const needs: Need[] = [];
    for (const agent of agents) needs.push(await needOf(own, agent, place));
    skills.push({ own, needs });
  }
  return { skills, notes };
}

interface Planned {
  rows: PlannedShare[];
  plan: SharePlan;
}

/** Plans the targets, and returns one row for each skill and agent. */
async function planOf({ skills }: Prepared, machine: Machine, copy: boolean): Promise<Planned> {
  const { planShares } = await import('../install/share.ts');
  const { targetsFor } = await import('./share-plan.ts');
  const chosen = skills.map(({ own, needs }) => targetsFor(own, needs, machine));
  const plan = await planShares(
    chosen.map(({ skill }) => skill),
    machine,
    { copy },
  );
  const byPath = new Map(plan.rows.map((row) => [row.path, row]));
  const rows = skills.flatMap(({ needs }, index) =>
    needs.flatMap((need, at) => {
      if (need.kind === 'row') return [need.row];
      const row = byPath.get(chosen[index]?.places[at] ?? '');
      return row ? [{ ...row, agent: need.agent.id }] : [];
    }),
  );
  return { rows, plan };
}

/** Writes the plan. If the disk does not support links, everything is replanned with copies. */
async function write(planned: Planned, machine: Machine, withCopies: () => Promise<Planned>): Promise<Planned> {
  const { LinksRefused, writeShares } = await import('../install/share.ts');
  try {
    await writeShares(machine, planned.plan.changes);
    return planned;
  } catch (error) {
    if (!(error instanceof LinksRefused)) throw error;
    const copies = await withCopies();
    refuseAny(copies.rows);
    await writeShares(machine, copies.plan.changes);
    const reason = 'a copy, because links do not work here';
    return { ...copies, rows: copies.rows.map((row) => (row.kind === 'copy' ? { reason, ...row } : row)) };
  }
}

function asRow({ name, agent, scope, path: place, kind, reason }: PlannedShare, status: Row['status']): Row {
  return { name, agent, scope, path: place, kind, status, ...(reason === undefined ? {} : { reason }) };
}

/** Fails if a target is refused, before anything is changed. */
function refuseAny(rows: readonly PlannedShare[]): void {
  const refused = rows.filter(({ isRefused }) => isRefused);
  const [first] = refused;
  if (!first) return;
  const reasons = [...new Set(refused.map(({ reason }) => reason ?? ''))];
  throw new Failure('REFUSED', `${reasons.join('; ')}. Nothing was changed.`, {
    path: first.path,
    ...(first.hint === undefined ? {} : { hint: first.hint }),
    facts: { shared: rows.map((row) => asRow(row, row.isRefused ? 'refused' : 'planned')) },
  });
}

async function undo(input: Input, machine: Machine, { workspace, context }: Here): Promise<Output> {
  const { planUndo, writeUndo, ownFolder } = await import('../install/share.ts');
  const { findLocks } = await import('../install/frozen.ts');
  const { placeOf } = await import('../install/lock.ts');
  const locks = findLocks(machine);
  const wanted = input.to === undefined ? undefined : await undoneAgents(input.to, workspace);
  const found = new Set<string>();
  const workingDir = context.workingDir ?? machine.projectDir;
  const { copiesNamed } = await import('../agents/why.ts');
  const { survey } = await surveyAgents(workspace);
  const asked = input.skills.map((name) =>
    /[\\/]/u.test(name)
      ? { name, places: placesNamed(name, workspace, workingDir) }
      : {
          name,
          folder: foldName(name),
          // The name of a skill may differ from the name of its folder, which is in the lock file.
          places: copiesNamed(survey, [name]).copies.flatMap(({ sightings }) =>
            sightings.map(({ found }) => found.dir),
          ),
        },
  );
  const plan = await planUndo(machine, locks, {
    isWanted(name, entry, target, lock) {
      const at = placeOf(target, lock);
      const own = ownFolder(entry, lock);
      const named = asked.filter(
        ({ folder, places }) => folder === foldName(name) || places.includes(own) || places.includes(at),
      );
      const isAgent = wanted === undefined || wanted(target.agent ?? '', lock.scope, path.dirname(at));
      if (!isAgent) return false;
      for (const each of named) found.add(each.name);
      return named.length > 0;
    },
  });
  const missing = input.skills.find((name) => !found.has(name));
  if (missing !== undefined)
    throw new Failure('NOT_FOUND', `${echo(missing)} is not shared${wanted ? ' with that agent' : ''}.`, {
      hint: 'Only links and copies that lectern share recorded in the lock file can be undone.',
    });
  refuseAny(plan.rows);
  const rows = (status: Row['status']): Output => ({
    shared: plan.rows.map((row) => asRow(row, status)),
    undone: true,
  });
  if (input.dryRun) return { ...rows('planned'), dryRun: true };
  const names = [...new Set(plan.rows.map(({ name }) => name))];
  const question = `Remove the shared ${names.length > 3 ? count(names.length, 'skill') : names.map(echo).join(', ')}?`;
  await confirmOrFail(rows('planned'), { command: 'share', question, yes: input.yes }, context);
  await writeUndo(machine, plan.steps);
  await workspace.fresh();
  return rows('done');
}

/** Returns a function that checks whether a recorded target is for a requested agent. */
async function undoneAgents(
  to: readonly string[],
  workspace: Workspace,
): Promise<(agent: string, scope: 'project' | 'user', root: string) => boolean> {
  const { parseTarget } = await import('../install/targets.ts');
  const all = to.map(parseTarget).find(({ name }) => name === 'all');
  if (all) return (_, scope) => all.scope === undefined || all.scope === scope;
  const { askedAgents } = await import('./share-plan.ts');
  const surveyed = await surveyAgents(workspace);
  const { agents } = await askedAgents(to, surveyed);
  const reads = ({ id }: AskedAgent, root: string): boolean =>
    surveyed.survey.agents.get(id)?.places.some(({ place }) => place.dir === root) === true;
  return (recorded, scope, root) =>
    agents.some(
      (agent) =>
        (agent.scope === undefined || agent.scope === scope) &&
        (agent.id === recorded || (recorded === 'agents' && reads(agent, root))),
    );
}
