/** `lectern install`: lists the skills of a source with --list, or if no skill was named. */
import { Failure } from '../../core/failure.ts';
import { received } from '../../core/fields/received.ts';
import { paramsFor } from '../../operations/define.ts';
import { installSkills } from '../../operations/install-skills.ts';
import { listSource } from '../../operations/list-source.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import type { CommandContext, Outcome, RunCommand } from '../command.ts';
import { canPrompt, runInteractive } from './interactive.ts';

export const runInstall: RunCommand = async (context) => {
  const { list, skills = [], all, frozen, interactive } = context.given;
  if (list !== true) {
    try {
      return await runInteractive(installSkills, context);
    } catch (error) {
      const choices = choicesIn(error);
      if (!choices) throw error;
      return {
        ...listed(choices, context, true),
        exitCode: 2,
        notices: () => 'lectern: No skill was named, so nothing was installed.\n',
      };
    }
  }
  if ((Array.isArray(skills) && skills.length > 0) || all === true || frozen === true || interactive === true)
    throw new Failure('USAGE', '--list installs nothing, so it does not accept skills, --all, --frozen or -i.');
  const known = paramsFor('cli', listSource);
  const given = Object.fromEntries(Object.entries(context.given).filter(([key]) => key in known));
  const outcome = await runInteractive(listSource, { ...context, given });
  return { ...outcome, ...listed(outcome.json as AnswerOf<typeof listSource>, context, !canPrompt(context)) };
};

type Listed = AnswerOf<typeof listSource>;

/** Returns the skills to choose from, if that is why the installation failed. */
function choicesIn(error: unknown): Listed | undefined {
  return error instanceof Failure && error.code === 'CHOICE_NEEDED'
    ? received(listSource.output, error.facts)
    : undefined;
}

/** Renders the list with commands that work here: without prompts, they need `-y`. */
function listed(source: Listed, { given }: CommandContext, isUnattended: boolean): Outcome {
  const flags = [
    ...(typeof given['path'] === 'string' ? ['--path', given['path']] : []),
    ...(isUnattended ? ['-y'] : []),
  ];
  return {
    json: source,
    text: async (style) => (await import('../../render/offered.ts')).renderOffered(source, style, flags),
  };
}
