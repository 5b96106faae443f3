/** `lectern change …` that only looks. */
import { changeOverlaps } from '../../operations/change-overlaps.ts';
import { diffChange } from '../../operations/diff-change.ts';
import { showChange } from '../../operations/show-change.ts';
import { renderChange } from '../../render/change.ts';
import { renderChangeDiff, renderOverlapReport } from '../../render/diff.ts';
import type { RunCommand } from '../command.ts';
import { openSpecs } from './open-specs.ts';

export const show: RunCommand = async (context) => {
  const [id = ''] = context.arguments;
  const data = await showChange.run({ change_id: id }, await openSpecs(context));
  return { json: data, text: (style) => renderChange(data, style) };
};

export const diff: RunCommand = async (context) => {
  const [id = ''] = context.arguments;
  const data = await diffChange.run({ change_id: id }, await openSpecs(context));
  const isRefused = !data.archived && data.capabilities.some(({ refused }) => refused !== undefined);
  return { json: data, text: (style) => renderChangeDiff(data, style), exitCode: isRefused ? 1 : 0 };
};

export const overlap: RunCommand = async (context) => {
  const data = await changeOverlaps.run({}, await openSpecs(context));
  return { json: data, text: (style) => renderOverlapReport(data, style), exitCode: data.overlaps.length > 0 ? 1 : 0 };
};
