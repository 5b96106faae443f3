import { choice, flag, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { CheckedSkill } from '../install/newer.ts';
import type { Written } from '../install/write.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import {
  ACCEPT_FINDINGS,
  acceptOrFail,
  ALLOW_FILE,
  CHECKED,
  checkedOutput,
  DRY_RUN,
  errorOf,
  failIfAllFailed,
  FINDINGS,
  findingsIn,
  getConsent,
  INSTALLED_NAMES,
  machineOf,
  type ScanFinding,
  TIMEOUT,
  YES,
} from './install-shapes.ts';

const output = {
  command: choice(['update']),
  dryRun: optional(flag('Nothing was written')),
  skills: list(
    object({
      ...CHECKED,
      from: object({ commit: nullable(text()) }),
      to: object({ commit: nullable(text()) }),
      changes: list(
        object({
          file: text(),
          kind: choice(['added', 'removed', 'changed']),
          diff: optional(text('Unified diff; missing for binary files')),
        }),
      ),
      targets: list(text(), 'The folders of the skill'),
      backup: optional(text('Path of the backup')),
    }),
  ),
  findings: FINDINGS,
} as const;
type Output = ObjectOf<typeof output>;
type Updated = Output['skills'][number];

/** Statuses that mean a requested update did not happen. */
const LEFT_BEHIND: ReadonlySet<Updated['status']> = new Set(['outdated', 'gone', 'renamed', 'unknown', 'failed']);

export const updateSkills = defineOperation({
  name: 'update_skills',
  title: 'Update skills',
  summary: 'Update installed skills with a preview; modified skills need --force',
  params: {
    names: INSTALLED_NAMES,
    prune: { type: 'flag', default: false, help: 'Remove skills that their source no longer has' },
    force: { type: 'flag', default: false, help: 'Replace modified skills too; a backup is kept' },
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
    name: 'update',
    group: 'Change',
    examples: [
      ['lectern update --dry-run', 'preview the changes, file by file'],
      ['lectern update pdf --yes', 'update one skill without confirmation'],
    ],
  },
  library: 'update',
  async run(input, workspace: Workspace, context): Promise<Output> {
    const { names, prune, force, acceptFindings, dryRun, yes } = input;
    const machine = await machineOf(workspace, context, input);
    const { checkForNewer } = await import('../install/check.ts');
    const { changesOf, removeChecked, writeUpdates } = await import('../install/update.ts');
    const { placeOf } = await import('../install/lock.ts');
    const { finishInterrupted } = await import('../install/write.ts');
    if (!dryRun) await finishInterrupted(machine);
    const checked = await checkForNewer(machine, names, { restore: force });
    failIfAllFailed(checked.map((skill) => (skill.error ? { ...skill, status: 'failed' } : skill)));
    const wanted = checked.filter(
      ({ status, modified, newer }) => newer && (status === 'outdated' ? !modified || force : status === 'modified'),
    );
    const removable = checked.filter(({ status, modified }) => prune && status === 'gone' && (!modified || force));
    const findings: ScanFinding[] = [];
    for (const { name, skill, newer } of wanted)
      findings.push(...(await findingsIn(name, skill.path, newer?.files ?? [])));
    const result = (skill: CheckedSkill, written: Written | undefined): Updated => ({
      ...checkedOutput(skill),
      ...statusOf(skill, wanted.includes(skill), removable.includes(skill), written),
      from: { commit: skill.skill.commit },
      to: { commit: skill.newer ? skill.newer.commit : skill.skill.commit },
      changes: skill.newer
        ? changesOf(machine.diskFor(skill.lock.scope), skill.lock, skill.skill, skill.newer.files)
        : [],
      targets: skill.skill.targets.map((target) => placeOf(target, skill.lock)),
      ...(written?.backup === undefined ? {} : { backup: written.backup }),
      ...errorOf(written?.error ?? skill.error),
    });
    const before = checked.map((skill) => result(skill, undefined));
    const preview: Output = { command: 'update', dryRun: true, skills: before, findings };
    if (dryRun || wanted.length + removable.length === 0)
      return dryRun ? preview : { command: 'update', skills: before, findings };
    const isAsked = !acceptFindings && (await acceptOrFail(findings, preview, context));
    if (!isAsked) await getConsent(preview, 'update', yes, context);
    const updated = await writeUpdates(wanted, machine, force);
    const removed = await removeChecked(removable, machine, force);
    await workspace.fresh();
    const writtenOf = ({ lock, name }: CheckedSkill): Written | undefined =>
      updated.get(`${lock.scope} ${name}`) ?? removed.get(`${lock.scope} ${name}`);
    const written = [...updated.values(), ...removed.values()];
    if (written.length === checked.length) failIfAllFailed(written);
    return {
      command: 'update',
      skills: checked.map((skill, index) => ({
        ...result(skill, writtenOf(skill)),
        // Computed before the update, because the old files have been replaced.
        changes: before[index]?.changes ?? [],
      })),
      findings,
    };
  },
  hasErrors: ({ skills }) =>
    skills.some(({ status, commit, latest, changes }) =>
      status === 'modified' ? changes.length > 0 || commit !== latest : LEFT_BEHIND.has(status),
    ),
});

function statusOf(
  { status, modified }: CheckedSkill,
  isWanted: boolean,
  isRemovable: boolean,
  written: Written | undefined,
): Pick<Updated, 'status'> {
  if (written?.status === 'failed') return { status: 'failed' };
  if (isRemovable) return { status: 'removed' };
  if (isWanted) return { status: written ? 'updated' : 'would-update' };
  return { status: status === 'outdated' && modified ? 'modified' : status };
}
