/** `lectern setup`: what the operation cannot know is where this copy is installed and which flags the server takes. */
import { nodeFiles } from '../../core/disk/node-tree.ts';
import { Failure } from '../../core/failure.ts';
import { echo } from '../../core/text.ts';
import { setupClient } from '../../operations/setup-client.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { parseCommandLine } from '../parse.ts';
import { runOperation } from '../run-operation.ts';
import { checkServerFlags, SERVER_COMMANDS } from './mcp.ts';

export const runSetup: RunCommand = async (context) => {
  const { client, flags = [], local, transport } = context.given;
  const passed = Array.isArray(flags) ? flags : [];
  refuseMisplaced(String(client), passed, context);
  refuseUnknown(passed);
  const outcome = await runOperation(setupClient, context, {
    ...context.given,
    client: String(client).toLowerCase(),
    ...(local === true ? { installation: ownFile(context) } : {}),
  });
  const startsAnother = local !== true && transport !== 'http' && !isInstalled(context);
  if (!startsAnother) return outcome;
  return {
    ...outcome,
    notices: () => 'lectern: the entry starts the published package; use --local to start this copy instead\n',
  };
};

/** Flags for the server come after `--`; elsewhere they would be taken for our own, or silently lost. */
function refuseMisplaced(client: string, [first]: readonly string[], { options }: CommandContext): void {
  const hint = `Flags for the server come after two hyphens: lectern setup ${echo(client)} -- --skill-dir ./skills`;
  if (first !== undefined && !first.startsWith('-'))
    throw new Failure('USAGE', `"${echo(first)}" is one argument too many.`, { hint });
  if (options().skillDir) throw new Failure('USAGE', '--skill-dir is a flag for the server.', { hint });
}

/** A server that refuses its flags ends before the client has heard from it, so they are checked here. */
function refuseUnknown(passed: readonly string[]): void {
  if (passed.length === 0) return;
  const parsed = parseCommandLine(['mcp', ...passed], SERVER_COMMANDS);
  if (parsed.kind !== 'command')
    throw new Failure('USAGE', `With ${passed.map(echo).join(' ')} lectern mcp would serve nothing.`);
  checkServerFlags(parsed.given);
}

/** A copy in a clone is not what npx would start. */
function isInstalled({ edge }: CommandContext): boolean {
  return /[\\/]node_modules[\\/]lectern[\\/]/u.test(nodeFiles.follow(edge.program)?.realPath ?? '');
}

/** The file that runs now, through all links: `node_modules/.bin` holds links that no configuration should name. */
function ownFile({ edge }: CommandContext): string {
  const found = nodeFiles.follow(edge.program)?.realPath;
  if (found !== undefined) return found;
  throw new Failure('NOT_FOUND', 'Cannot determine where Lectern is installed.', { hint: 'Leave out --local.' });
}
