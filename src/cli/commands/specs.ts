/** `lectern spec show`, `lectern spec search` */
import { searchSpecs } from '../../operations/search-specs.ts';
import { showSpec } from '../../operations/show-spec.ts';
import { renderSpecSearch } from '../../render/search.ts';
import { renderSpec } from '../../render/spec.ts';
import type { RunCommand } from '../command.ts';
import { isSet, textFlag } from '../flags.ts';
import { limitOf } from './limit.ts';
import { openSpecs } from './open-specs.ts';

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
