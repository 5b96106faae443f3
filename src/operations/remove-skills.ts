import { Failure } from '../core/failure.ts';
import { choice, flag, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import type { Lock } from '../install/lock.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { DRY_RUN, ERROR, errorOf, failIfAllFailed, getConsent, machineOf, YES } from './install-shapes.ts';

const output = {
  command: choice(['remove']),
  dryRun: optional(flag('Nothing was written')),
  skills: list(
    object({
      name: text(),
      status: choice(['removed', 'would-remove', 'failed']),
      targets: list(text(), 'The folders of the skill'),
      backup: optional(text('Path of the backup')),
      error: ERROR,
    }),
  ),
} as const;
type Output = ObjectOf<typeof output>;
type Removed = Output['skills'][number];

export const removeInstalled = defineOperation({
  name: 'remove_skills',
  title: 'Remove skills',
  summary: 'Remove installed skills, their links and their lock entries',
  params: {
    names: {
      type: 'list',
      of: { type: 'text', filled: true },
      min: 1,
      commas: true,
      required: true,
      positional: true,
      help: 'Names of installed skills',
    },
    force: { type: 'flag', default: false, help: 'Remove modified skills too; a backup is kept' },
    dryRun: DRY_RUN,
    yes: YES,
  },
  output,
  reads: 'skills',
  writes: 'project',
  interactive: true,
  command: {
    name: 'remove',
    group: 'Change',
    completes: 'skills',
    examples: [['lectern remove pdf', 'remove its folders, its links and its lock entry']],
  },
  library: 'remove',
  async run({ names, force, dryRun, yes }, workspace: Workspace, context): Promise<Output> {
    const machine = await machineOf(workspace, context, { timeout: 30, allowFile: false });
    const { findLocks } = await import('../install/frozen.ts');
    const { placeOf } = await import('../install/lock.ts');
    const { isOnlyShared } = await import('../install/share.ts');
    const { finishInterrupted, modifiedPlaces } = await import('../install/write.ts');
    if (!dryRun) await finishInterrupted(machine);
    const locks = findLocks(machine);
    const planned = [...new Set(names)].flatMap((name): (Removed & { lock?: Lock; failure?: Failure })[] => {
      const own = locks.filter(({ skills }) => skills.has(name));
      if (own.length === 0) return [failed(name, notOurs(workspace, name, locks))];
      return own.map((lock) => {
        const entry = lock.skills.get(name);
        const targets = (entry?.targets ?? []).map((target) => placeOf(target, lock));
        if (entry && isOnlyShared(entry)) return { ...failed(name, onlyShared(name)), targets };
        const [changed] = entry ? modifiedPlaces(machine.diskFor(lock.scope), lock, entry) : [];
        if (changed !== undefined && !force) return { ...failed(name, modified(name, changed)), targets };
        return { name, status: 'would-remove', targets, lock };
      });
    });
    failIfAllFailed(planned.map((each) => ({ ...each, error: each.failure })));
    const preview: Output = { command: 'remove', dryRun: true, skills: planned.map(withoutLock) };
    if (dryRun) return preview;
    await getConsent(preview, 'remove', yes, context);
    const { removeChecked } = await import('../install/update.ts');
    const wanted = planned.flatMap(({ name, lock }) => (lock ? [{ name, lock }] : []));
    const removed = await removeChecked(wanted, machine, force);
    await workspace.fresh();
    failIfAllFailed([...removed.values()]);
    return {
      command: 'remove',
      skills: planned.map((each) => {
        const done = each.lock && removed.get(`${each.lock.scope} ${each.name}`);
        if (!done) return withoutLock(each);
        const status = done.status === 'failed' ? 'failed' : 'removed';
        const backup = done.backup === undefined ? {} : { backup: done.backup };
        return { ...withoutLock(each), status, ...backup, ...errorOf(done.error) };
      }),
    };
  },
  hasErrors: ({ skills }) => skills.some(({ status }) => status === 'failed'),
});

function withoutLock({ name, status, targets, error }: Removed): Removed {
  return { name, status, targets, ...(error === undefined ? {} : { error }) };
}

function failed(name: string, failure: Failure): Removed & { failure: Failure } {
  return { name, status: 'failed', targets: [], failure, ...errorOf(failure) };
}

function modified(name: string, place: string): Failure {
  return new Failure('REFUSED', `${echo(name)} was changed after its installation, so it was not removed.`, {
    path: place,
    hint: 'Use --force to remove it; a backup is kept. lectern verify lists the changes.',
  });
}

function onlyShared(name: string): Failure {
  return new Failure('REFUSED', `${echo(name)} was not installed by Lectern, but only shared, so it was not removed.`, {
    hint: `To remove its links and copies, use lectern share ${echo(name)} --undo.`,
  });
}

/** A skill that exists but was not installed belongs to the user and is not removed. */
function notOurs(workspace: Workspace, name: string, locks: readonly Lock[]): Failure {
  const found = workspace.snapshot.view('all').find(name);
  const skill = found.kind === 'found' ? found.skill : found.kind === 'ambiguous' ? found.skills[0] : undefined;
  if (skill) {
    return new Failure('REFUSED', `${echo(name)} was not installed by Lectern, so it was not removed.`, {
      path: skill.dir,
      hint: 'Remove its folder by hand, or hide it with lectern disable.',
    });
  }
  const near = nearest(
    name,
    locks.flatMap(({ skills }) => [...skills.keys()]),
  );
  return new Failure('NOT_FOUND', `No installed skill is called "${echo(name)}".`, {
    suggestions: near,
    ...(near.length > 0 ? { hint: `Did you mean ${near.map(echo).join(' or ')}?` } : {}),
  });
}
