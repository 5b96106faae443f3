/** `lectern spec validate` and `lectern change validate` */
import { validateChangeNow, validateSpecNow } from '../../operations/work/validate-specs.ts';
import type { RunCommand } from '../command.ts';
import { isSet } from '../flags.ts';
import { openSpecs } from './open-specs.ts';
import { validationOutcome } from './validation-outcome.ts';

export const specs: RunCommand = async (context) => {
  const [id] = context.arguments;
  const report = await validateSpecNow(
    { ...(id === undefined ? {} : { spec_id: id }), strict: isSet(context.flags, 'strict') },
    await openSpecs(context),
  );
  return validationOutcome(report, context.flags);
};

export const changes: RunCommand = async (context) => {
  const [id] = context.arguments;
  const { flags } = context;
  const input = {
    ...(id === undefined ? {} : { change_id: id }),
    strict: isSet(flags, 'strict'),
    archived: isSet(flags, 'archived'),
  };
  return validationOutcome(await validateChangeNow(input, await openSpecs(context)), flags);
};
