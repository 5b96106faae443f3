/** `lectern setup`: adds what the operation cannot know, the place of this installation and the flags of the server. */
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
  if (local === true || transport === 'http' || isInstalled(context)) return outcome;
  return {
    ...outcome,
    notices: () => 'lectern: the entry starts the published package; use --local to start this copy instead\n',
  };
};

/** Server flags come after `--`; before it they would be taken for flags of `setup`. */
function refuseMisplaced(client: string, [first]: readonly string[], { options }: CommandContext): void {
  const hint = `Put server flags after two hyphens: lectern setup ${echo(client)} -- --skill-dir ./skills`;
  if (first !== undefined && !first.startsWith('-'))
    throw new Failure('USAGE', `lectern setup does not accept the argument "${echo(first)}".`, { hint });
  if (options().skillDir) throw new Failure('USAGE', '--skill-dir is a flag of the server.', { hint });
}

/** A server with invalid flags would exit before its client sees a message, so the flags are checked here. */
function refuseUnknown(passed: readonly string[]): void {
  if (passed.length === 0) return;
  const parsed = parseCommandLine(['mcp', ...passed], SERVER_COMMANDS);
  if (parsed.kind !== 'command')
    throw new Failure('USAGE', `With ${passed.map(echo).join(' ')} lectern mcp would serve nothing.`);
  checkServerFlags(parsed.given);
}

/** npx would not start a copy in a clone. */
function isInstalled({ edge }: CommandContext): boolean {
  return /[\\/]node_modules[\\/]lectern[\\/]/u.test(nodeFiles.follow(edge.program)?.realPath ?? '');
}

/** The real path of this program: `node_modules/.bin` has links, which no configuration should name. */
function ownFile({ edge }: CommandContext): string {
  const found = nodeFiles.follow(edge.program)?.realPath;
  if (found !== undefined) return found;
  throw new Failure('NOT_FOUND', 'Cannot determine where Lectern is installed.', { hint: 'Leave out --local.' });
}
