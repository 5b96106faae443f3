import { choice, list, object } from '../core/fields/field.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import {
  ALLOW_FILE,
  CHECKED,
  checkedOutput,
  failIfAllFailed,
  INSTALLED_NAMES,
  machineOf,
  NOTHING_TO_WRITE,
  TIMEOUT,
} from './install-shapes.ts';

export const outdatedSkills = defineOperation({
  name: 'outdated_skills',
  title: 'Outdated skills',
  summary: 'Show installed skills that have a newer version or are missing from their source',
  params: {
    names: INSTALLED_NAMES,
    exitCode: { type: 'flag', default: false, help: 'Exit with 1 if any is outdated, missing or renamed' },
    allowFile: ALLOW_FILE,
    timeout: TIMEOUT,
    dryRun: NOTHING_TO_WRITE,
  },
  output: {
    command: choice(['outdated']),
    exitCode: { type: 'integer', help: 'Exit code with --exit-code' },
    skills: list(object(CHECKED)),
  },
  reads: 'skills',
  surveys: true,
  interactive: true,
  command: {
    name: 'outdated',
    group: 'Check',
    examples: [
      ['lectern outdated', 'show every installed skill, with its commit and the latest one'],
      ['lectern outdated --exit-code', 'in CI: exit code 1 if any is outdated'],
    ],
  },
  library: 'outdated',
  async run(input, workspace: Workspace, context) {
    const { checkForNewer } = await import('../install/check.ts');
    const checked = await checkForNewer(await machineOf(workspace, context, input), input.names);
    failIfAllFailed(checked.map((skill) => (skill.error ? { ...skill, status: 'failed' } : skill)));
    const skills = checked.map(checkedOutput);
    const isBehind = skills.some(({ status }) => ['outdated', 'gone', 'renamed'].includes(status));
    const isUnknown = skills.some(({ status }) => status === 'unknown');
    return { command: 'outdated' as const, exitCode: (input.exitCode && isBehind) || isUnknown ? 1 : 0, skills };
  },
  hasErrors: ({ exitCode }) => exitCode !== 0,
});
