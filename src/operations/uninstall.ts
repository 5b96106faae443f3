import { choice, flag, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { exists } from '../core/disk/answers.ts';
import { Failure } from '../core/failure.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation, type RunContext } from './define.ts';
import { confirmOrFail, DRY_RUN, YES } from './install-shapes.ts';
import { OWN_FILE, type OwnFile } from './own-files-shape.ts';

const ROW = {
  ...OWN_FILE,
  status: choice(['removed', 'would-remove', 'kept', 'failed']),
  reason: optional(text()),
} as const;
type Row = ObjectOf<typeof ROW>;

const output = {
  files: list(object(ROW)),
  dryRun: optional(flag('Nothing was removed')),
} as const;
export type UninstallOutput = ObjectOf<typeof output>;

export const uninstall = defineOperation({
  name: 'uninstall',
  title: 'Uninstall',
  summary: 'Remove the files of Lectern: caches, state, settings, completions, entries in MCP clients, lists of skills',
  params: {
    skills: {
      type: 'flag',
      default: false,
      help: 'Also remove installed and shared skills and the lock files; modified skills stay',
    },
    dryRun: { ...DRY_RUN, help: 'List the files, and remove nothing' },
    yes: YES,
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  writes: 'project',
  interactive: true,
  command: {
    name: 'uninstall',
    group: 'Change',
    examples: [
      ['lectern uninstall --dry-run', 'list every file that Lectern wrote for you and this project'],
      ['lectern uninstall', 'remove them after one question; skills stay'],
      ['lectern uninstall --skills', 'remove installed and shared skills too'],
    ],
  },
  hasErrors: ({ files }) => files.some(({ status }) => status === 'failed'),
  async run({ skills, dryRun, yes }, workspace: Workspace, context): Promise<UninstallOutput> {
    const { findOwnFiles } = await import('./own-files.ts');
    const found = await findOwnFiles(workspace);
    const planned = found.map((file): Row => ({ ...file, ...fateOf(file, skills) }));
    if (dryRun) return { files: planned, dryRun: true };
    const removable = planned.filter(({ status }) => status === 'would-remove');
    if (removable.length === 0) return { files: planned };
    const question = 'Remove the files and entries marked with -?';
    await confirmOrFail({ files: planned }, { command: 'uninstall', question, yes }, context);
    // Skills first: removing them needs the lock files, and unfinished work is recorded in the state folder.
    const ordered = [...planned].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    return { files: await removeAll(ordered, workspace, context) };
  },
});

const KEPT: Partial<Record<OwnFile['kind'], string>> = {
  skill: 'installed skills stay without --skills',
  lock: 'lock files stay without --skills',
  backup: 'your own versions of files; remove them by hand',
};

function fateOf({ kind }: OwnFile, withSkills: boolean): Pick<Row, 'status' | 'reason'> {
  const reason = withSkills && kind !== 'backup' ? undefined : KEPT[kind];
  return reason === undefined ? { status: 'would-remove' } : { status: 'kept', reason };
}

const ORDER: readonly OwnFile['kind'][] = [
  'skill',
  'lock',
  'list',
  'client',
  'completion',
  'configuration',
  'cache',
  'state',
];

/** Removes files and entries one by one. A failure keeps its file and does not stop the others. */
async function removeAll(rows: readonly Row[], workspace: Workspace, context: RunContext): Promise<Row[]> {
  const done: Row[] = [];
  for (const row of rows) {
    if (row.status !== 'would-remove') {
      done.push(row);
      continue;
    }
    const hasSkills = row.kind === 'lock' && done.some(({ kind, status }) => kind === 'skill' && status === 'failed');
    const reason = hasSkills
      ? 'it lists skills that were not removed'
      : await reasonOfFailure(() => remove(row, workspace, context));
    done.push({
      ...row,
      status: reason === undefined ? 'removed' : 'failed',
      ...(reason === undefined ? {} : { reason }),
    });
  }
  return done;
}

async function reasonOfFailure(act: () => Promise<void>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

async function remove(
  { kind, path: place, name = '', isPart }: Row,
  workspace: Workspace,
  context: RunContext,
): Promise<void> {
  const user = workspace.diskFor('user');
  if (kind === 'skill') return removeSkill(place, name, workspace, context);
  if (kind === 'client') return removeEntry(place, name, workspace);
  if (kind === 'list' || isPart) {
    const [{ planRemoval }, { COMPLETION_MARKS }] = await Promise.all([
      import('./sync-block.ts'),
      import('./completion-places.ts'),
    ]);
    const isList = kind === 'list';
    planRemoval(isList ? workspace.diskFor('project') : user, place, isList ? undefined : COMPLETION_MARKS).write?.();
    return;
  }
  user.removeTree(place);
}

async function removeEntry(file: string, name: string, workspace: Workspace): Promise<void> {
  const [{ CLIENTS }, { launchServer }, { removeFromFile }, { clientStates }] = await Promise.all([
    import('../clients/all.ts'),
    import('../clients/launch.ts'),
    import('../clients/remove.ts'),
    import('../clients/states.ts'),
  ]);
  const { disk, options, projectRoot } = workspace;
  const { platform } = process;
  const found = clientStates(disk, { ...options, projectRoot }, platform).find(
    (each) => each.file === file && each.name === name,
  );
  if (!found) return;
  const client = CLIENTS[found.client];
  const place = (document: unknown) => client.place(name, launchServer({ platform, flags: [] }), document, found.scope);
  removeFromFile(workspace.diskFor(found.scope), { client, file, name, place, dryRun: false, force: false });
}

/** Removes an installed skill, or the link or copy that `share` made. */
async function removeSkill(folder: string, name: string, workspace: Workspace, context: RunContext): Promise<void> {
  const [{ removeInstalled }, { shareSkills }] = await Promise.all([
    import('./remove-skills.ts'),
    import('./share-skills.ts'),
  ]);
  const undo = { skills: [name], copy: false, replace: false, undo: true, dryRun: false, yes: true };
  await reasonOfFailure(() => shareSkills.run(undo, workspace, context).then(() => undefined));
  // A skill has several folders, and all of them are removed with the first.
  if (!exists(workspace.disk, folder)) return;
  await removeInstalled.run({ names: [name], force: false, dryRun: false, yes: true }, workspace, context);
}
