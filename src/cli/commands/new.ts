import { newSkill } from '../../operations/new-skill.js';
import { safe } from '../../render/style.js';
import type { RunCommand } from '../command.js';
import { isSet, textFlag } from '../flags.js';

export const run: RunCommand = async ({ workspace, arguments: [name = ''], flags }) => {
  const description = textFlag(flags, 'description');
  const data = await newSkill.run(
    { name, ...(description === undefined ? {} : { description }), to: textFlag(flags, 'to') ?? 'agents', user: isSet(flags, 'user') },
    await workspace(),
  );
  return {
    json: data,
    text: (style) =>
      `${style.green('✓')} ${safe(data.file)}\n\n${style.bold('Next')}\n  edit the file, then: ${style.cyan(`lectern validate ${safe(data.name)}`)}\n`,
  };
};
