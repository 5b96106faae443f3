/** `lectern change …` that writes. */
import { echo } from '../../core/text.ts';
import { archiveNow } from '../../operations/archive-change.ts';
import { newChange } from '../../operations/new-change.ts';
import { renderArchive, renderNewChange } from '../../render/diff.ts';
import type { RunCommand } from '../command.ts';
import { isSet, textFlag } from '../flags.ts';
import { openSpecs } from './open-specs.ts';

export const archive: RunCommand = async (context) => {
  const [id = ''] = context.arguments;
  const { flags } = context;
  const data = await archiveNow(
    {
      change_id: id,
      today: today(),
      dry_run: isSet(flags, 'dryRun'),
      allow_open_tasks: isSet(flags, 'allowOpenTasks'),
      skip_specs: isSet(flags, 'skipSpecs'),
    },
    await openSpecs(context),
    ({ end, change }) =>
      context.edge.say(
        `the interrupted archive of "${echo(change)}" was ${end === 'completed' ? 'completed' : 'taken back'} first`,
      ),
  );
  return { json: data, text: (style) => renderArchive(data, style) };
};

export const create: RunCommand = async (context) => {
  const [id = ''] = context.arguments;
  const { flags } = context;
  const [capability, title, root] = [textFlag(flags, 'capability'), textFlag(flags, 'title'), textFlag(flags, 'in')];
  const data = await newChange.run(
    {
      change_id: id,
      ...(capability === undefined ? {} : { capability }),
      ...(title === undefined ? {} : { title }),
      ...(root === undefined ? {} : { root }),
      today: today(),
    },
    await openSpecs(context),
  );
  return { json: data, text: (style) => renderNewChange(data, style) };
};

/** The day where the user is, as OpenSpec dates its archive. */
function today(now: Date = new Date()): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
