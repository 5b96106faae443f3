import { doctor } from '../../operations/doctor.ts';
import { renderDoctor } from '../../render/doctor.ts';
import type { RunCommand } from '../command.ts';
import { isSet } from '../flags.ts';

export const run: RunCommand = async ({ workspace, flags }) => {
  const data = await doctor.run({}, await workspace());
  return {
    json: data,
    text: (style) => renderDoctor(data, style, { verbose: isSet(flags, 'verbose') }),
    exitCode: data.ok ? 0 : 1,
  };
};
