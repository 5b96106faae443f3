/** `lectern spec show`, `lectern spec search` */
import { searchSpecs } from '../../operations/search-specs.js';
import { showSpec } from '../../operations/show-spec.js';
import { renderSpecSearch } from '../../render/search.js';
import { renderSpec } from '../../render/spec.js';
import type { RunCommand } from '../command.js';
import { isSet, textFlag } from '../flags.js';
import { limitOf } from './limit.js';
import { openSpecs } from './open-specs.js';

export const show: RunCommand = async (context) => {
  const [id = '', requirement] = context.arguments;
  const data = await showSpec.run(
    { spec_id: id, ...(requirement === undefined ? {} : { requirement }), full: isSet(context.flags, 'full') },
    await openSpecs(context),
  );
  return { json: data, text: (style) => renderSpec(data, style) };
};

export const search: RunCommand = async (context) => {
  const workspace = await openSpecs(context);
  const query = context.arguments.join(' ');
  const data = await searchSpecs.run({ query, limit: limitOf(textFlag(context.flags, 'limit')) }, workspace);
  await workspace.close();
  return { json: data, text: (style) => renderSpecSearch(query, data, style) };
};
