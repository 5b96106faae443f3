import { expectShortRun } from '../../core/engine.js';
import { overviewNow } from '../../operations/work/overview.js';
import { renderOverview } from '../../render/overview.js';
import type { RunCommand } from '../command.js';

export const run: RunCommand = async ({ workspace }) => {
  expectShortRun();
  const data = await overviewNow(await workspace({ once: true }));
  return { json: data, text: (style) => renderOverview(data, style) };
};
