import { LIMITS } from '../../core/limits.ts';
import { showSkillNow } from '../../operations/work/show-skill.ts';
import { getSkill } from '../../operations/skill-summary.ts';
import { renderShow } from '../../render/show.ts';
import type { RunCommand } from '../command.ts';
import { isSet } from '../flags.ts';

export const run: RunCommand = async ({ workspace, arguments: [name = ''], flags }) => {
  const opened = await workspace({ once: true });
  const data = await showSkillNow({ name, full: isSet(flags, 'full') || isSet(flags, 'raw') }, opened);
  const raw = isSet(flags, 'raw')
    ? opened.readSkillFile(getSkill(opened, name, { disabledToo: true }), LIMITS.skillFileBytes.value)
    : undefined;
  return { json: data, text: (style) => renderShow(data, style), ...(raw === undefined ? {} : { raw }) };
};
