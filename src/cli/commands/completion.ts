import { Failure } from '../../core/failure.ts';
import { nearest } from '../../core/near.ts';
import { echo } from '../../core/text.ts';
import type { RunCommand } from '../command.ts';
import { COMPLETION_SHELLS, completionScript, isShell } from '../completion.ts';

export const run: RunCommand = async ({ arguments: [shell = ''] }) => {
  if (!isShell(shell)) {
    const near = nearest(shell, COMPLETION_SHELLS);
    throw new Failure('USAGE', `There is no completion for "${echo(shell)}".`, {
      suggestions: near,
      hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Shells: ${COMPLETION_SHELLS.join(', ')}.`,
    });
  }
  const script = completionScript(shell);
  return { json: { shell, script }, text: () => script };
};
