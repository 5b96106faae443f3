import { count, echo } from '../core/text.ts';
import { Failure } from '../core/failure.ts';
import { choice, flag, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type * as room from '../install/install.ts';
import type { Written } from '../install/write.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation, type Person, type RunContext } from './define.ts';
import { type FoundAgent, foundAgents, SHARED_TARGET, targetChoices } from './found-agents.ts';
import {
  ACCEPT_FINDINGS,
  acceptOrFail,
  ALLOW_FILE,
  DRY_RUN,
  ERROR,
  errorOf,
  failIfAllFailed,
  FINDINGS,
  findingsIn,
  getConsent,
  isSerious,
  machineOf,
  type ScanFinding,
  SOURCE,
  SOURCE_PARAMS,
  TIMEOUT,
  YES,
} from './install-shapes.ts';

const output = {
  command: choice(['install']),
  dryRun: optional(flag('Nothing was written')),
  source: optional(SOURCE),
  skills: list(
    object({
      name: text(),
      status: choice(['installed', 'replaced', 'unchanged', 'would-install', 'failed']),
      path: text('Its folder in the source; empty for the root'),
      files: integer('How many'),
      bytes: integer(),
      scripts: list(text(), 'Files that look executable'),
      targets: list(text(), 'The folders of the skill'),
      notes: list(text()),
      backup: optional(text('Path of the backup')),
      error: ERROR,
    }),
  ),
  findings: FINDINGS,
  notes: list(text()),
  lock: text('The lock file'),
  foundAgents: optional(
    list(
      object({
        id: text(),
        name: text(),
        folder: text('Folder in which it reads the skills, relative to the project'),
      }),
      'Without a target: the agents found here, for which the skills are installed',
    ),
  ),
} as const;
type Output = ObjectOf<typeof output>;

type InstallPlan = room.InstallPlan<ScanFinding>;
type PlannedSkill = room.PlannedSkill<ScanFinding>;

export const installSkills = defineOperation({
  name: 'install_skills',
  title: 'Install skills',
  summary: 'Install skills from a repository or a folder, and lock their commit and files',
  params: {
    source: SOURCE_PARAMS.source,
    skills: {
      type: 'list',
      of: { type: 'text', filled: true },
      default: [],
      positional: true,
      help: 'Names of skills, or their paths in the source',
    },
    list: { type: 'flag', default: false, faces: ['cli'], help: 'List the skills of the source, and install nothing' },
    all: { type: 'flag', default: false, help: 'Install every skill of the source' },
    interactive: {
      type: 'flag',
      default: false,
      flags: ['--interactive', '-i'],
      faces: ['cli'],
      help: 'Pick skills and targets from a list, the default without names',
    },
    path: SOURCE_PARAMS.path,
    to: {
      type: 'list',
      of: { type: 'text', filled: true },
      commas: true,
      placeholder: 'agent',
      help: 'An agent to install for, such as claude or codex:user; by default, the agents found here',
    },
    dir: {
      type: 'text',
      filled: true,
      isPath: true,
      placeholder: 'dir',
      help: 'A folder of skills to install to, instead of --to',
    },
    mode: {
      type: 'choice',
      choices: ['copy', 'link'],
      switches: {
        '--copy': { value: 'copy', help: 'Copy the skill to every target; the default for a single target' },
        '--link': {
          value: 'link',
          help: 'Keep one copy in .agents/skills and link the others to it; the default for several targets',
        },
      },
      help: 'Copies, or one copy in .agents/skills and links to it',
    },
    frozen: { type: 'flag', default: false, help: 'Install the exact versions in the lock file, and check every hash' },
    force: { type: 'flag', default: false, help: 'Replace existing files; a backup is kept' },
    acceptFindings: ACCEPT_FINDINGS,
    allowFile: ALLOW_FILE,
    timeout: TIMEOUT,
    dryRun: DRY_RUN,
    yes: YES,
  },
  output,
  reads: 'skills',
  surveys: true,
  writes: 'project',
  interactive: true,
  command: {
    name: 'install',
    group: 'Change',
    examples: [
      ['lectern install anthropics/skills pdf --to claude', 'install one skill of a GitHub repository for Claude Code'],
      ['lectern install anthropics/skills', 'pick skills and agents from a list'],
      ['lectern install anthropics/skills --list', 'list the skills of a repository'],
      ['lectern install ./shared/skills --all --yes', 'install every skill of a folder for the agents found here'],
      ['lectern install --frozen --yes', 'install the exact versions in the lock file, as in CI'],
    ],
  },
  library: 'install',
  async run(input, workspace: Workspace, context): Promise<Output> {
    const machine = await machineOf(workspace, context, input);
    const { planInstall, writePlan } = await import('../install/install.ts');
    const { finishInterrupted } = await import('../install/write.ts');
    const { frozen, source, force, dryRun, yes, acceptFindings } = input;
    if (frozen && (source !== undefined || input.to || input.dir !== undefined || input.mode))
      throw new Failure(
        'USAGE',
        '--frozen installs the versions in the lock file, so it does not accept a source or targets.',
      );
    if (!frozen && source === undefined)
      throw new Failure('USAGE', 'No source given.', {
        hint: 'For example: lectern install anthropics/skills pdf',
      });
    refuseInteractive(input, context);
    // With --yes, nothing is asked, even on a terminal.
    const { person: _, ...alone } = context;
    const asking: RunContext = yes ? alone : context;
    if (!dryRun) await finishInterrupted(machine);
    const found = frozen ? [] : await foundAgents(workspace);
    const defaultTo = found.length > 0 ? [...new Set(found.map(({ to }) => to))] : [SHARED_TARGET];
    const request = { ...input, source: source ?? '', defaultTo };
    const plan: InstallPlan = frozen
      ? await (await import('../install/frozen.ts')).planFrozen(machine, force, input.skills)
      : await planInstall(request, machine, findingsIn, questionsOf(request, found, asking));
    failIfAllFailed(plan.skills);
    const preview = outputOf(plan, found, undefined);
    if (dryRun) return preview;
    const wanted = plan.skills.filter(({ status }) => status !== 'failed');
    const isAsked =
      !acceptFindings &&
      (await acceptOrFail(
        wanted.flatMap(({ findings }) => [...findings]),
        preview,
        asking,
      ));
    if (!isAsked && wanted.some(({ status }) => status !== 'unchanged'))
      await getConsent(preview, 'install', yes, asking);
    const written = await writePlan(wanted, machine, force);
    await workspace.fresh();
    const done = outputOf(plan, found, written);
    failIfAllFailed(plan.skills.map((skill) => written.get(skill.name) ?? skill));
    return done;
  },
  hasErrors: ({ skills }) => skills.some(({ status }) => status === 'failed'),
});

function refuseInteractive(
  { interactive, yes }: { interactive?: boolean | undefined; yes: boolean },
  { person }: RunContext,
): void {
  if (!interactive) return;
  if (yes) throw new Failure('USAGE', '-i and --yes cannot be combined.', { hint: '--yes never asks.' });
  if (!person)
    throw new Failure('CHOICE_NEEDED', '-i needs a terminal.', {
      hint: 'Name the skills or use --all, and choose the agents with --to.',
    });
}

function questionsOf(
  { source, to, dir }: { source: string; to?: readonly string[] | undefined; dir?: string | undefined },
  found: readonly FoundAgent[],
  { person }: RunContext,
): room.InstallQuestions<ScanFinding> {
  if (!person) return {};
  return {
    skills: (offered) =>
      person.pickSome(
        `${echo(source)} has ${count(offered.length, 'skill')}. Which ones?`,
        offered.map(({ name, path, description, scripts, findings }) => ({
          key: path,
          label: [name, ...marksOf(scripts, findings)].join(' '),
          hint: description,
        })),
      ),
    ...(to === undefined && dir === undefined && { targets: () => askTargets(found, person) }),
  };
}

async function askTargets(
  found: readonly FoundAgent[],
  person: Person,
): Promise<{ to: string[]; mode?: 'copy' | 'link' }> {
  const choices = targetChoices(found);
  const picked = await person.pickSome(
    'For which agents?',
    choices.map(({ id, name, folder, isFound }) => ({
      key: id,
      label: name,
      hint: isFound ? `${folder}, found here` : folder,
      isSelected: isFound,
    })),
  );
  const to = [...new Set(choices.filter(({ id }) => picked.includes(id)).map((choice) => choice.to))];
  if (to.length < 2) return { to };
  const mode = await person.pickOne('How?', [
    { key: 'link', label: 'one copy in .agents/skills, linked from the others' },
    { key: 'copy', label: 'a copy in each folder' },
  ]);
  return { to, mode: mode === 'copy' ? 'copy' : 'link' };
}

function marksOf(scripts: number, findings: readonly ScanFinding[]): string[] {
  return [
    ...(scripts > 0 ? [`[${count(scripts, 'script')}]`] : []),
    ...(findings.length > 0
      ? [`[${count(findings.length, 'finding')}${findings.some(isSerious) ? ', high risk' : ''}]`]
      : []),
  ];
}

function outputOf(
  { source, skills, notes, locks, usesDefaults }: InstallPlan,
  found: readonly FoundAgent[],
  written: Map<string, Written> | undefined,
): Output {
  return {
    command: 'install',
    ...(written ? {} : { dryRun: true }),
    ...(source ? { source } : {}),
    skills: skills.map((skill) => resultOf(skill, written?.get(skill.name), !written)),
    findings: skills.flatMap(({ findings }) => [...findings]),
    notes,
    lock: locks[0] ?? '',
    ...(usesDefaults ? { foundAgents: found.map(({ id, name, folder }) => ({ id, name, folder })) } : {}),
  };
}

function resultOf(skill: PlannedSkill, written: Written | undefined, isPreview: boolean): Output['skills'][number] {
  const { name, path, files, bytes, scripts, targets, notes } = skill;
  const { status, error, backup } = written ?? { ...skill, backup: undefined };
  return {
    name,
    status: isPreview && (status === 'installed' || status === 'replaced') ? 'would-install' : status,
    path,
    files: files.length,
    bytes,
    scripts,
    targets,
    notes,
    ...(backup === undefined ? {} : { backup }),
    ...errorOf(error),
  };
}
