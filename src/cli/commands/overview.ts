import { overviewNow } from '../../operations/work/overview.ts';
import { renderOverview } from '../../render/overview.ts';
import type { RunCommand } from '../command.ts';

export const run: RunCommand = async ({ workspace }) => {
  const data = await overviewNow(await workspace({ once: true }));
  return { json: data, text: (style) => renderOverview(data, style) };
};
