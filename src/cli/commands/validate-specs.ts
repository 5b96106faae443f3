/** `lectern spec validate` and `lectern change validate` */
import { expectShortRun } from '../../core/engine.js';
import type { ValidationReport } from '../../operations/schemas.js';
import { validateChangeNow, validateSpecNow } from '../../operations/work/validate-specs.js';
import { renderSarif } from '../../render/sarif.js';
import { renderValidation } from '../../render/validation.js';
import { SPEC_CODES } from '../../specs/all-codes.js';
import type { Outcome, RunCommand } from '../command.js';
import { type FlagValues, isSet } from '../flags.js';
import { openSpecs } from './open-specs.js';

export const specs: RunCommand = async (context) => {
  expectShortRun();
  const [id] = context.arguments;
  const report = await validateSpecNow(
    { ...(id === undefined ? {} : { spec_id: id }), strict: isSet(context.flags, 'strict') },
    await openSpecs(context),
  );
  return outcomeOf(report, context.flags);
};

export const changes: RunCommand = async (context) => {
  expectShortRun();
  const [id] = context.arguments;
  const { flags } = context;
  const input = { ...(id === undefined ? {} : { change_id: id }), strict: isSet(flags, 'strict'), archived: isSet(flags, 'archived') };
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
