import { expectShortRun } from '../../core/engine.js';
import { listSkillsLazily } from '../../operations/work/list-skills.js';
import { renderNotices } from '../../render/diagnostics.js';
import { renderList } from '../../render/list.js';
import type { RunCommand } from '../command.js';
import { stateOf } from './state.js';

/** Enough to name what is wrong beside a list; doctor has the rest. */
const NOTICES_MAX = 20;

export const run: RunCommand = async ({ workspace, flags }) => {
  expectShortRun();
  const state = stateOf(flags);
  const list = await listSkillsLazily({ state }, await workspace({ once: true }));
  return {
    json: list,
    text: (style) => renderList({ ...list, skills: list.skills.slice() }, style, state),
    notices: (style) => renderNotices(list.diagnostics, style, NOTICES_MAX, list.counts.unlistedProblems),
  };
};
