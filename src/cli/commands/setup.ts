/**
 * `lectern setup`: adds the data that the operation does not have, which is the path of this installation and the flags of the
 * server.
 */
import { launchServer } from '../../clients/launch.ts';
import { CLIENT_ALIASES, type ClientName } from '../../clients/names.ts';
import { joinedAddress } from '../../core/catalog-address.ts';
import { nodeFiles } from '../../core/disk/node-tree.ts';
import { explain, Failure } from '../../core/failure.ts';
import { echo } from '../../core/text.ts';
import { setupClient } from '../../operations/setup-client.ts';
import type { CommandContext, Outcome, RunCommand } from '../command.ts';
import type { Given } from '../flags.ts';
import { parseCommandLine } from '../parse.ts';
import { runOperation } from '../run-operation.ts';
import { checkServerFlags, SERVER_COMMANDS } from './mcp.ts';

export const runSetup: RunCommand = async (context) => {
  const { client, all, flags = [], local, published } = context.given;
  const passed = Array.isArray(flags) ? flags : [];
  if (local === true && published === true)
    throw new Failure('USAGE', '--local and --published cannot be combined.', { hint: 'Leave out one of the two.' });
  if (all === true && client !== undefined)
    throw new Failure('USAGE', '--all and a client cannot be combined.', { hint: 'Leave out one of the two.' });
  refuseMisplaced(client === undefined ? '--all' : String(client), passed, context);
  refuseUnknown(passed);
  const installation = installationToStart(context);
  const tried = await tryOnce(context, installation, passed);
  const setUp = (name: string | undefined, how: Given = {}): Promise<Outcome> =>
    runOperation(setupClient, context, {
      ...context.given,
      ...how,
      ...(name === undefined ? {} : { client: clientName(name) }),
      ...(installation === undefined ? {} : { installation }),
      ...(tried === undefined ? {} : { tried }),
    });
  if (all !== true) return setUp(client === undefined ? undefined : String(client));
  const outcomes: Outcome[] = [];
  for (const each of await everyClient(context)) {
    const how = each.isByHand ? { write: false, dryRun: false } : {};
    outcomes.push(await setUp(each.name, how).catch((error: unknown) => refused(each.name, error)));
  }
  return together(outcomes);
};

/** Reports a client that cannot be set up without stopping the setup of the others. */
function refused(client: string, error: unknown): Outcome {
  if (!(error instanceof Failure) || error.code === 'USAGE') throw error;
  const explained = explain(error);
  return {
    json: { client, error: explained },
    text: async (style) => (await import('../../render/setup.ts')).renderRefusedSetup(explained, style),
    exitCode: 1,
  };
}

function clientName(given: string): string {
  const name = given.toLowerCase();
  return CLIENT_ALIASES[name] ?? name;
}

/** Returns the clients found here that have the requested scope. Entries of some can only be added by hand. */
async function everyClient(context: CommandContext): Promise<{ name: ClientName; isByHand: boolean }[]> {
  const [{ foundClients }, { CLIENTS }] = await Promise.all([
    import('../../clients/states.ts'),
    import('../../clients/all.ts'),
  ]);
  const { scope, remove } = context.given;
  const workspace = await context.open({ skills: false, oneShot: true });
  const places = { ...workspace.options, projectRoot: workspace.projectRoot };
  const found = foundClients(workspace.disk, places, process.platform)
    .filter((name) => scope === undefined || CLIENTS[name].scopes.some((each) => each === scope))
    .map((name) => ({ name, isByHand: CLIENTS[name].format === 'yaml' }))
    .filter(({ isByHand }) => remove !== true || !isByHand);
  if (found.length > 0) return found;
  throw new Failure('NOT_FOUND', 'No client was found on this machine.', {
    hint: 'Name one: lectern setup claude.',
  });
}

function together(outcomes: readonly Outcome[]): Outcome {
  return {
    json: { clients: outcomes.map(({ json }) => json) },
    text: async (style) => (await Promise.all(outcomes.map(({ text }) => text(style)))).join('\n'),
    exitCode: outcomes.some(({ exitCode }) => exitCode === 1) ? 1 : 0,
    notices: (style) => outcomes[0]?.notices?.(style) ?? '',
  };
}

/** Server flags come after `--`. Before it, they would be parsed as flags of `setup`. */
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
    throw new Failure('USAGE', `lectern mcp ${passed.map(echo).join(' ')} would not serve anything.`);
  checkServerFlags(parsed.given);
}

/**
 * Returns the path of this copy if the entry should start it. npx would start the published package instead of a clone or the
 * target of a global link.
 */
function installationToStart(context: CommandContext): string | undefined {
  const { local, published, transport } = context.given;
  if (published === true || (transport === 'http' && local !== true)) return undefined;
  return local === true || !isInstalled(context) ? ownFile(context) : undefined;
}

/**
 * Tries the server that the entry starts, and returns whether it was tried. Only commands composed here are tried, and only for
 * this copy: a published package would have to be downloaded, and commands from files are never started. Fails if the server does
 * not respond.
 */
async function tryOnce(
  { given, options }: CommandContext,
  installation: string | undefined,
  flags: readonly string[],
): Promise<boolean | undefined> {
  if (given['write'] !== true || given['dryRun'] === true || given['remove'] === true) return undefined;
  const { url, transport } = given;
  // With an address, most entries do not start a server.
  if (installation === undefined || (url !== undefined && transport !== 'stdio')) return false;
  const joining = url === undefined ? [] : ['--catalog', joinedAddress(String(url))];
  const server = launchServer({ platform: process.platform, installation, flags: [...flags, ...joining] });
  if (server.transport !== 'stdio') return false;
  const { whyServerFails } = await import('../../mcp/try-server.ts');
  const reason = await whyServerFails(server.command, server.args, options().projectDir);
  if (reason === undefined) return true;
  if (given['force'] === true) return false;
  throw new Failure('REFUSED', `The server of the entry does not start: ${echo(reason)}.`, {
    hint: 'Nothing was written. Use --force to write the entry anyway.',
  });
}

/** npx would not start a clone. */
function isInstalled({ edge }: CommandContext): boolean {
  return /[\\/]node_modules[\\/]lectern[\\/]/u.test(nodeFiles.follow(edge.program)?.realPath ?? '');
}

/** Returns the real path of this program. `node_modules/.bin` contains links, which should not appear in a configuration. */
function ownFile({ edge }: CommandContext): string {
  const found = nodeFiles.follow(edge.program)?.realPath;
  if (found !== undefined) return found;
  throw new Failure('NOT_FOUND', 'Cannot determine where Lectern is installed.', { hint: 'Use --published.' });
}
