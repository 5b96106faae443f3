import { type Judged, reportOf } from '../../core/report.ts';
import { Failure } from '../../core/failure.ts';
import { judgeSkills } from '../../operations/work/validate-skills.ts';
import { PROFILES, type Profile } from '../../skills/rules/subject.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { RunCommand } from '../command.ts';
import { isSet, textFlag } from '../flags.ts';
import { validationOutcome } from './validation-outcome.ts';

export const run: RunCommand = async ({ workspace, arguments: [target], flags }) => {
  const all = isSet(flags, 'all');
  if (all && target !== undefined)
    throw new Failure('USAGE', '--all and a target exclude each other.', { hint: 'Leave out one of the two.' });
  const strict = isSet(flags, 'strict');
  const opened = await workspace();
  const skills = await judgeSkills({ target, all, profile: profileOf(textFlag(flags, 'profile')) }, opened);
  const report = all
    ? reportOf([...skills, ...(await judgeAllSpecs(opened))], { strict })
    : reportOf(skills, { strict, noun: 'skill' });
  return validationOutcome(report, flags);
};

/** Loaded only for --all: most runs are about skills. */
async function judgeAllSpecs(workspace: Workspace): Promise<Judged[]> {
  const { judgeChanges, judgeSpecs } = await import('../../specs/validate.ts');
  const catalog = await workspace.snapshot.specs();
  return [...judgeSpecs(catalog), ...judgeChanges(catalog)];
}

function profileOf(text: string | undefined): Profile {
  return PROFILES.find((profile) => profile === text) ?? 'spec';
}
