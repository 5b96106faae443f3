import { overviewNow } from '../../operations/work/overview.js';
import { renderOverview } from '../../render/overview.js';
import type { RunCommand } from '../command.js';

export const run: RunCommand = async ({ workspace }) => {
  const data = await overviewNow(await workspace());
  return { json: data, text: (style) => renderOverview(data, style) };
};
