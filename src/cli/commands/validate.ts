import { ALL_CODES } from '../../codes.ts';
import { Failure } from '../../core/failure.ts';
import type { ValidationReport } from '../../operations/schemas.ts';
import { validateSkillsNow } from '../../operations/work/validate-skills.ts';
import { jsonText } from '../../core/text.ts';
import { renderSarif } from '../../render/sarif.ts';
import { renderValidation } from '../../render/validation.ts';
import { PROFILES, type Profile } from '../../skills/rules/rule.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { RunCommand } from '../command.ts';
import { isSet, textFlag } from '../flags.ts';

export const run: RunCommand = async ({ workspace, arguments: [target], flags }) => {
  const all = isSet(flags, 'all');
  if (all && target !== undefined)
    throw new Failure('USAGE', '--all and a target exclude each other.', { hint: 'Leave out one of the two.' });
  const strict = isSet(flags, 'strict');
  const opened = await workspace();
  const skills = await validateSkillsNow(
    { ...(target === undefined ? {} : { target }), all, profile: profileOf(textFlag(flags, 'profile')), strict },
    opened,
  );
  const report = all ? await withSpecs(skills, strict, opened) : skills;
  const sarif = isSet(flags, 'sarif') ? renderSarif(report, ALL_CODES) : undefined;
  return {
    json: sarif ?? report,
    text: (style) => (sarif ? `${jsonText(sarif, 2)}\n` : renderValidation(report, style)),
    exitCode: report.valid ? 0 : 1,
  };
};

/** Loaded only for --all: most runs are about skills. */
async function withSpecs(skills: ValidationReport, strict: boolean, workspace: Workspace): Promise<ValidationReport> {
  const [{ validateChangeNow, validateSpecNow }, { joinReports }] = await Promise.all([
    import('../../operations/work/validate-specs.ts'),
    import('../../operations/join-reports.ts'),
  ]);
  return joinReports([
    skills,
    await validateSpecNow({ strict }, workspace),
    await validateChangeNow({ strict, archived: false }, workspace),
  ]);
}

function profileOf(text: string | undefined): Profile {
  return PROFILES.find((profile) => profile === text) ?? 'spec';
}
