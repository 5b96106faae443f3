/** `lectern change …` that only looks. */
import { changeOverlaps } from '../../operations/change-overlaps.js';
import { diffChange } from '../../operations/diff-change.js';
import { listChanges } from '../../operations/list-changes.js';
import { showChange } from '../../operations/show-change.js';
import { validateChange } from '../../operations/validate-specs.js';
import { renderChange } from '../../render/change.js';
import { renderChanges } from '../../render/changes.js';
import { renderChangeDiff, renderOverlapReport } from '../../render/diff.js';
import type { RunCommand } from '../command.js';
import { isSet } from '../flags.js';
import { openSpecs, specNotices, validationOutcome } from './spec-outcome.js';

export const list: RunCommand = async (context) => {
  const workspace = await openSpecs(context);
  const archived = isSet(context.flags, 'archived');
  const data = await listChanges.run({ archived }, workspace);
  return { json: data, text: (style) => renderChanges(data, style, { archived }), notices: await specNotices(workspace) };
};

export const show: RunCommand = async (context) => {
  const [id = ''] = context.arguments;
  const data = await showChange.run({ change_id: id }, await openSpecs(context));
  return { json: data, text: (style) => renderChange(data, style) };
};

export const validate: RunCommand = async (context) => {
  const [id] = context.arguments;
  const { flags } = context;
  const input = { ...(id === undefined ? {} : { change_id: id }), strict: isSet(flags, 'strict'), archived: isSet(flags, 'archived') };
  return validationOutcome(await validateChange.run(input, await openSpecs(context)), flags);
};

export const diff: RunCommand = async (context) => {
  const [id = ''] = context.arguments;
  const data = await diffChange.run({ change_id: id }, await openSpecs(context));
  return { json: data, text: (style) => renderChangeDiff(data, style) };
};

export const overlap: RunCommand = async (context) => {
  const data = await changeOverlaps.run({}, await openSpecs(context));
  return { json: data, text: (style) => renderOverlapReport(data, style), exitCode: data.overlaps.length > 0 ? 1 : 0 };
};
