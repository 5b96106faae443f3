import { choice, flag, list, object, optional, text } from '../core/fields/field.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { machineOf, NOTHING_TO_WRITE } from './install-shapes.ts';

const output = {
  command: choice(['verify']),
  ok: flag('Whether all skills match the lock'),
  skills: list(
    object({
      name: text(),
      ok: flag(),
      lock: text('The name of the lock file'),
      problems: list(
        object({
          code: choice(['changed', 'missing', 'extra', 'type', 'digest', 'mode']),
          file: text('Path in the skill’s folder; empty for the folder itself'),
          expected: optional(text()),
          actual: optional(text()),
          target: optional(text('The folder of the skill')),
        }),
      ),
    }),
  ),
} as const;

export const verifySkills = defineOperation({
  name: 'verify_skills',
  title: 'Verify installed skills',
  summary: 'Compare installed skills with the lock file, byte for byte',
  params: {
    frozen: { type: 'flag', default: false, help: 'Also fail on skills that are not in the lock file' },
    dryRun: NOTHING_TO_WRITE,
  },
  output,
  reads: 'skills',
  surveys: true,
  command: {
    name: 'verify',
    group: 'Check',
    examples: [
      ['lectern verify', 'exit with 1 if a file was changed, added or removed'],
      ['lectern verify --frozen', 'in CI: every skill must be in the lock file'],
    ],
  },
  library: 'verify',
  async run({ frozen }, workspace: Workspace, context) {
    const { verify } = await import('../install/verify.ts');
    // Verifying never prompts: without permission, a folder outside the project is not read.
    const machine = await machineOf(workspace, context, { timeout: 30, allowFile: false, yes: true });
    const skills = (await verify(machine, frozen)).map((skill) => ({ ...skill, ok: skill.problems.length === 0 }));
    return { command: 'verify' as const, ok: skills.every(({ ok }) => ok), skills };
  },
  hasErrors: ({ ok }) => !ok,
});
