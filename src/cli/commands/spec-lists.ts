/** `lectern spec list` and `lectern change list` */
import { changeIndex, specIndex } from '../../operations/spec-index.ts';
import { renderChanges } from '../../render/changes.ts';
import { renderSpecs } from '../../render/specs.ts';
import type { RunCommand } from '../command.ts';
import { isSet } from '../flags.ts';
import { openSpecs, specNotices } from './open-specs.ts';

export const specs: RunCommand = async (context) => {
  const workspace = await openSpecs(context);
  const data = await specIndex(workspace);
  return { json: data, text: (style) => renderSpecs(data, style), notices: await specNotices(workspace) };
};

export const changes: RunCommand = async (context) => {
  const workspace = await openSpecs(context);
  const archived = isSet(context.flags, 'archived');
  const data = await changeIndex(workspace, { archived });
  return {
    json: data,
    text: (style) => renderChanges(data, style, { archived }),
    notices: await specNotices(workspace),
  };
};
