import { ALL_CODES } from '../../codes.js';
import { Failure } from '../../core/failure.js';
import { validateSkills } from '../../operations/validate-skills.js';
import { renderSarif } from '../../render/sarif.js';
import { renderValidation } from '../../render/validation.js';
import { PROFILES, type Profile } from '../../skills/rules/rule.js';
import type { RunCommand } from '../command.js';
import { isSet, textFlag } from '../flags.js';

export const run: RunCommand = async ({ workspace, arguments: [target], flags }) => {
  const all = isSet(flags, 'all');
  if (all && target !== undefined) throw new Failure('USAGE', '--all and a target exclude each other.', { hint: 'Leave out one of the two.' });
  const report = await validateSkills.run(
    { ...(target === undefined ? {} : { target }), all, profile: profileOf(textFlag(flags, 'profile')), strict: isSet(flags, 'strict') },
    await workspace(),
  );
  const sarif = isSet(flags, 'sarif') ? renderSarif(report, ALL_CODES) : undefined;
  return {
    json: sarif ?? report,
    text: (style) => (sarif ? `${JSON.stringify(sarif, null, 2)}\n` : renderValidation(report, style)),
    exitCode: report.valid ? 0 : 1,
  };
};

function profileOf(text: string | undefined): Profile {
  return PROFILES.find((profile) => profile === text) ?? 'spec';
}
