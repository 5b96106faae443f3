import { expectShortRun } from '../../core/engine.js';
import { listSkillsNow } from '../../operations/work/list-skills.js';
import { renderNotices } from '../../render/diagnostics.js';
import { renderList } from '../../render/list.js';
import type { RunCommand } from '../command.js';
import { stateOf } from './state.js';

/** Enough to name what is wrong beside a list; doctor has the rest. */
const NOTICES_MAX = 20;

export const run: RunCommand = async ({ workspace, flags }) => {
  expectShortRun();
  const state = stateOf(flags);
  const data = await listSkillsNow({ state }, await workspace({ once: true }));
  return {
    json: data,
    text: (style) => renderList(data, style, state),
    notices: (style) => renderNotices(data.diagnostics, style, NOTICES_MAX, data.counts.unlistedProblems),
  };
};
