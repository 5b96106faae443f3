import { doctor } from '../../operations/doctor.js';
import { renderDoctor } from '../../render/doctor.js';
import type { RunCommand } from '../command.js';
import { isSet } from '../flags.js';

export const run: RunCommand = async ({ workspace, flags }) => {
  const data = await doctor.run({}, await workspace());
  return { json: data, text: (style) => renderDoctor(data, style, { verbose: isSet(flags, 'verbose') }), exitCode: data.ok ? 0 : 1 };
};
