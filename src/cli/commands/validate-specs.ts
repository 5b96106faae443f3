/** `lectern spec validate` and `lectern change validate` */
import type { ValidationReport } from '../../operations/schemas.ts';
import { validateChangeNow, validateSpecNow } from '../../operations/work/validate-specs.ts';
import { renderSarif } from '../../render/sarif.ts';
import { renderValidation } from '../../render/validation.ts';
import { SPEC_CODES } from '../../specs/all-codes.ts';
import type { Outcome, RunCommand } from '../command.ts';
import { type FlagValues, isSet } from '../flags.ts';
import { openSpecs } from './open-specs.ts';

export const specs: RunCommand = async (context) => {
  const [id] = context.arguments;
  const report = await validateSpecNow(
    { ...(id === undefined ? {} : { spec_id: id }), strict: isSet(context.flags, 'strict') },
    await openSpecs(context),
  );
  return outcomeOf(report, context.flags);
};

export const changes: RunCommand = async (context) => {
  const [id] = context.arguments;
  const { flags } = context;
  const input = {
    ...(id === undefined ? {} : { change_id: id }),
    strict: isSet(flags, 'strict'),
    archived: isSet(flags, 'archived'),
  };
  return outcomeOf(await validateChangeNow(input, await openSpecs(context)), flags);
};

function outcomeOf(report: ValidationReport, flags: FlagValues): Outcome {
  const sarif = isSet(flags, 'sarif') ? renderSarif(report, SPEC_CODES) : undefined;
  return {
    json: sarif ?? report,
    text: (style) => (sarif ? `${JSON.stringify(sarif, null, 2)}\n` : renderValidation(report, style)),
    exitCode: report.valid ? 0 : 1,
  };
}
