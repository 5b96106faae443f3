import { expectShortRun } from '../../core/engine.js';
import { LIMITS } from '../../core/limits.js';
import { showSkillNow } from '../../operations/work/show-skill.js';
import { getSkill } from '../../operations/skill-summary.js';
import { renderShow } from '../../render/show.js';
import type { RunCommand } from '../command.js';
import { isSet } from '../flags.js';

export const run: RunCommand = async ({ workspace, arguments: [name = ''], flags }) => {
  expectShortRun();
  const opened = await workspace({ once: true });
  const data = await showSkillNow({ name, full: isSet(flags, 'full') || isSet(flags, 'raw') }, opened);
  const raw = isSet(flags, 'raw') ? opened.readSkillFile(getSkill(opened, name, { disabledToo: true }), LIMITS.skillFileBytes.value) : undefined;
  return { json: data, text: (style) => renderShow(data, style), ...(raw === undefined ? {} : { raw }) };
};
