import { quoteForBash } from '../../clients/shell-quote.ts';
import { newSkill } from '../../operations/new-skill.ts';
import { safe } from '../../render/style.ts';
import type { RunCommand } from '../command.ts';
import { isSet, textFlag } from '../flags.ts';

export const run: RunCommand = async ({ workspace, arguments: [name = ''], flags }) => {
  const description = textFlag(flags, 'description');
  const opened = await workspace();
  const data = await newSkill.run(
    {
      name,
      ...(description === undefined ? {} : { description }),
      to: textFlag(flags, 'to') ?? 'agents',
      user: isSet(flags, 'user'),
    },
    opened,
  );
  // A folder of one's own is not looked into, and another copy may win the name.
  const found = opened.snapshot.view('all').find(data.name);
  const target = found.kind === 'found' && found.skill.file === data.file ? data.name : data.path;
  return {
    json: data,
    text: (style) =>
      `${style.green('✓')} ${safe(data.file)}\n\n${style.bold('Next')}\n  edit the file, then: ${style.cyan(`lectern validate ${quoteForBash(safe(target))}`)}\n`,
  };
};
