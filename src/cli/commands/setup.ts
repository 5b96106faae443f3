import { CLIENT_NAMES, type ClientName, SCOPES, type Shell, SHELLS, TRANSPORTS } from '../../clients/names.ts';
import { Failure } from '../../core/failure.ts';
import { nearest } from '../../core/near.ts';
import { nodeFiles } from '../../core/disk/node-tree.ts';
import { echo } from '../../core/text.ts';
import { setupClient } from '../../operations/setup-client.ts';
import { renderSetup } from '../../render/setup.ts';
import type { RunCommand } from '../command.ts';
import { parseCommandLine } from '../parse.ts';
import { type FlagValues, isSet, listFlag, textFlag } from '../flags.ts';

export const run: RunCommand = async ({ workspace, arguments: [client = '', ...passed], flags }) => {
  const name = clientNamed(client);
  refuseMisplaced(name, passed, flags);
  await refuseUnknown(passed);
  const parsed = setupClient.input.safeParse({
    client: name,
    scope: SCOPES.find((scope) => scope === textFlag(flags, 'scope')),
    name: textFlag(flags, 'name'),
    transport: TRANSPORTS.find((transport) => transport === textFlag(flags, 'transport')),
    url: textFlag(flags, 'url'),
    flags: passed,
    platform: process.platform,
    installation: isSet(flags, 'local') ? ownFile() : undefined,
    write: isSet(flags, 'write'),
    dryRun: isSet(flags, 'dryRun'),
    force: isSet(flags, 'force'),
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Failure('USAGE', `--${String(issue?.path[0] ?? 'flags')}: ${issue?.message ?? 'cannot be understood'}.`);
  }
  const data = await setupClient.run(parsed.data, await workspace());
  const startsAnother = !isSet(flags, 'local') && textFlag(flags, 'transport') !== 'http' && !isInstalled();
  return {
    json: data,
    text: (style) => renderSetup(data, style, shellsFor(flags)),
    ...(startsAnother
      ? { notices: () => 'lectern: the entry starts the published package; --local makes it start this copy instead\n' }
      : {}),
  };
};

function clientNamed(text: string): ClientName {
  const found = CLIENT_NAMES.find((name) => name === text.toLowerCase());
  if (found) return found;
  const near = nearest(text, CLIENT_NAMES);
  throw new Failure('USAGE', `"${echo(text)}" is not a client that Lectern knows.`, {
    suggestions: near,
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Clients: ${CLIENT_NAMES.join(', ')}.`,
  });
}

/** Flags for the server stand behind `--`; elsewhere they would be taken for ours, or silently lost. */
function refuseMisplaced(client: ClientName, [first]: readonly string[], flags: FlagValues): void {
  const hint = `Flags for the server come after two hyphens: lectern setup ${client} -- --skill-dir ./skills`;
  if (first !== undefined && !first.startsWith('-'))
    throw new Failure('USAGE', `"${echo(first)}" is one argument too many.`, { hint });
  if (listFlag(flags, 'skillDir')) throw new Failure('USAGE', '--skill-dir is a flag for the server.', { hint });
}

/** A server that refuses its flags ends before the client has heard of it, so they are held against its own here. */
async function refuseUnknown(passed: readonly string[]): Promise<void> {
  if (passed.length === 0) return;
  const parsed = parseCommandLine(['mcp', ...passed]);
  if (parsed.kind !== 'command')
    throw new Failure('USAGE', `With ${passed.map(echo).join(' ')} lectern mcp would serve nothing.`);
  (await import('./mcp.ts')).checkServerFlags(parsed.flags);
}

/** A copy in a clone is not what npx would start. */
function isInstalled(): boolean {
  return /[\\/]node_modules[\\/]lectern[\\/]/u.test(nodeFiles.follow(process.argv[1] ?? '')?.realPath ?? '');
}

/** The file that runs now, through all links: what `node_modules/.bin` holds is no path for a configuration. */
function ownFile(): string {
  const found = nodeFiles.follow(process.argv[1] ?? '')?.realPath;
  if (found !== undefined) return found;
  throw new Failure('NOT_FOUND', 'It cannot be told where this Lectern is installed.', { hint: 'Leave out --local.' });
}

function shellsFor(flags: FlagValues): Shell[] {
  const chosen = SHELLS.find((shell) => shell === textFlag(flags, 'shell'));
  if (chosen) return [chosen];
  return process.platform === 'win32' ? ['powershell', 'cmd'] : ['bash'];
}
