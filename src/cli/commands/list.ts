import { listSkillsNow } from '../../operations/work/list-skills.ts';
import { renderNotices } from '../../render/diagnostics.ts';
import { renderList } from '../../render/list.ts';
import type { RunCommand } from '../command.ts';
import { stateOf } from './state.ts';

/** Enough to name what is wrong beside a list; doctor has the rest. */

export const run: RunCommand = async ({ workspace, flags }) => {
  const state = stateOf(flags);
  const list = await listSkillsNow({ state }, await workspace({ once: true }));
  return {
    json: list,
    text: (style) => renderList(list, style, state),
    notices: (style) => renderNotices(list.diagnostics, style, list.counts.unlistedProblems),
  };
};
