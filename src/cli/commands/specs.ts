/** `lectern spec …` */
import { showSpec } from '../../operations/show-spec.js';
import { renderSpec } from '../../render/spec.js';
import type { RunCommand } from '../command.js';
import { isSet } from '../flags.js';
import { openSpecs } from './open-specs.js';

export const show: RunCommand = async (context) => {
  const [id = '', requirement] = context.arguments;
  const data = await showSpec.run(
    { spec_id: id, ...(requirement === undefined ? {} : { requirement }), full: isSet(context.flags, 'full') },
    await openSpecs(context),
  );
  return { json: data, text: (style) => renderSpec(data, style) };
};
