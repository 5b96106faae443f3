import { Failure } from '../../core/failure.js';
import { nearest } from '../../core/near.js';
import { echo } from '../../core/text.js';
import type { RunCommand } from '../command.js';
import { COMPLETION_SHELLS, completionScript, isShell } from '../completion.js';

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
