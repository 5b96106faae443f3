/** `lectern spec …` */
import { listSpecs } from '../../operations/list-specs.js';
import { searchSpecs } from '../../operations/search-specs.js';
import { showSpec } from '../../operations/show-spec.js';
import { validateSpec } from '../../operations/validate-specs.js';
import { renderSpecSearch } from '../../render/search.js';
import { renderSpec } from '../../render/spec.js';
import { renderSpecs } from '../../render/specs.js';
import type { RunCommand } from '../command.js';
import { isSet, textFlag } from '../flags.js';
import { limitOf } from './limit.js';
import { openSpecs, specNotices, validationOutcome } from './spec-outcome.js';

export const list: RunCommand = async (context) => {
  const workspace = await openSpecs(context);
  const data = await listSpecs.run({}, workspace);
  return { json: data, text: (style) => renderSpecs(data, style), notices: await specNotices(workspace) };
};

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

export const validate: RunCommand = async (context) => {
  const [id] = context.arguments;
  const report = await validateSpec.run(
    { ...(id === undefined ? {} : { spec_id: id }), strict: isSet(context.flags, 'strict') },
    await openSpecs(context),
  );
  return validationOutcome(report, context.flags);
};
