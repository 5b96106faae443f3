import path from 'node:path';
import type { Client, Server } from '../clients/client.ts';
import { launchServer } from '../clients/launch.ts';
import type { Place } from '../clients/merge.ts';
import type { Reach } from '../clients/reach.ts';
import {
  BASES,
  GENERIC_NAME,
  type Scope,
  SCOPES,
  SETUP_NAMES,
  type SetupName,
  SHELLS,
  TRANSPORTS,
  flagsForOne,
  TOKEN_VARIABLE,
} from '../clients/names.ts';
import { commandLine } from '../clients/shell-quote.ts';
import type { Disk } from '../core/disk/writes.ts';
import { choice, flag, integer, list, map, object, optional, text } from '../core/fields/field.ts';
import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import { isForModels, type ListedSkill } from '../workspace/agent-listing.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { nativeFiles } from './agent-shapes.ts';
import { defineOperation } from './define.ts';

const DEFAULT_NAME = 'lectern';

export const DEFAULT_SERVER_URL = 'http://127.0.0.1:3000/mcp';

const output = {
  client: choice(SETUP_NAMES),
  title: text(),
  basis: choice(BASES, 'Whether the format was tried with the client itself, or only taken from its documentation'),
  source: text('The document that describes the format'),
  scope: choice(SCOPES),
  name: text(),
  file: optional(text(`The configuration file of the client; ${GENERIC_NAME} has none`)),
  format: choice(['json', 'toml', 'yaml']),
  snippet: text('The entry as a separate document'),
  commands: optional(map(text(), 'The client’s own command, for each shell')),
  note: optional(text()),
  state: choice([
    'printed',
    'created',
    'changed',
    'unchanged',
    'removed',
    'absent',
    'would-create',
    'would-change',
    'would-remove',
  ]),
  adds: optional(
    object(
      {
        native: integer('Skills here that the client lists itself'),
        served: list(text(), 'The skills here that the server adds'),
      },
      'Skills that the server adds with --for',
    ),
  ),
  tried: optional(
    flag('Whether the server of the entry was started as a test; only this copy of Lectern is ever started'),
  ),
  line: optional(integer('Where the entry is, if it was already there')),
  diff: optional(text()),
} as const;

export const setupClient = defineOperation({
  name: 'setup_client',
  title: 'Set up a client',
  summary: 'Connect a client to the MCP server: print its entry, or merge it into its configuration',
  params: {
    client: {
      type: 'choice',
      choices: SETUP_NAMES,
      positional: true,
      hintIfWrong: `For any other client, lectern setup ${GENERIC_NAME} prints an entry to add by hand.`,
      help: `The client to connect, or ${GENERIC_NAME} for any other`,
    },
    all: { type: 'flag', default: false, faces: ['cli'], help: 'Every client found on this machine' },
    flags: {
      type: 'list',
      of: { type: 'text' },
      default: [],
      positional: true,
      passedOn: true,
      help: 'After --: flags for lectern mcp',
    },
    everything: {
      type: 'flag',
      default: false,
      help: 'Also serve the skills that the client reads itself (without --for)',
    },
    write: {
      type: 'flag',
      default: false,
      help: 'Merge the entry into the client’s file; the rest of the file stays unchanged',
    },
    dryRun: { type: 'flag', default: false, help: 'Show the changes of --write as a diff' },
    remove: { type: 'flag', default: false, help: 'Remove the entry from the client’s file' },
    force: { type: 'flag', default: false, help: 'Replace a different entry with the same name' },
    scope: {
      type: 'choice',
      choices: SCOPES,
      help: 'Configure the project or the user; each client has a default, and an entry with a path of this machine goes to the user',
    },
    name: {
      type: 'text',
      pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u,
      mustBe: 'letters, digits, hyphens and underscores, at most 64 characters',
      default: DEFAULT_NAME,
      help: 'The server’s name in the client',
    },
    transport: {
      type: 'choice',
      choices: TRANSPORTS,
      placeholder: 'kind',
      help: 'stdio starts the server (default), http connects to a running one (default with --url)',
    },
    url: {
      type: 'text',
      pattern: /^https?:\/\/[^\s/]+/u,
      mustBe: 'an http or https address',
      help: `The address of a running server or of a shared catalog (default ${DEFAULT_SERVER_URL}); with stdio, the server joins it with the local skills`,
    },
    signIn: {
      type: 'flag',
      default: false,
      help: `The client signs in at the address by itself (OAuth), without ${TOKEN_VARIABLE}`,
    },
    local: {
      type: 'flag',
      default: false,
      faces: ['cli'],
      help: 'Start this copy with node; the default unless it was installed from the registry',
    },
    published: { type: 'flag', default: false, faces: ['cli'], help: 'Start the published package with npx' },
    tried: { type: 'flag', faces: ['cli'], hidden: true, help: 'The server was started once and answered' },
    shell: { type: 'choice', choices: SHELLS, faces: ['cli'], help: 'Print the client’s own command for this shell' },
    platform: {
      type: 'text',
      faces: ['library'],
      help: 'The operating system the client runs on, as Node.js names it; this one by default',
    },
    installation: {
      type: 'text',
      faces: ['library', 'cli'],
      hidden: true,
      help: 'Start this cli.cjs with node instead of the published package',
    },
  },
  output,
  reads: 'all',
  writes: 'project',
  command: {
    name: 'setup',
    group: 'Connect',
    examples: [
      ['lectern setup claude', 'print the entry for Claude Code'],
      ['lectern setup codex --write', 'add it to Codex’s config.toml'],
      ['lectern setup --all --write', 'connect every client on this machine'],
      ['lectern setup vscode --dry-run', 'show the changes as a diff'],
      ['lectern setup vscode --remove', 'disconnect it'],
      [`lectern setup ${GENERIC_NAME}`, 'print an entry for a client that is not listed'],
      ['lectern setup cursor --write -- --include claude', 'pass flags to the server'],
      ['lectern setup claude --url https://skills.example.com --write', 'connect it to a shared catalog'],
    ],
  },
  library: 'setup',
  async run(request, workspace: Workspace, { environment }) {
    const [{ clientFor }, { snippetFor }, { mergeIntoFile }, { reachOf }] = await Promise.all([
      import('../clients/all.ts'),
      import('../clients/snippet.ts'),
      import('../clients/config-file.ts'),
      import('../clients/reach.ts'),
    ]);
    if (request.client === undefined)
      throw new Failure('USAGE', 'Which client?', { hint: `One of ${SETUP_NAMES.join(', ')}, or --all.` });
    const client = clientFor(request.client);
    refuseWrite(client, request);
    const { platform = process.platform } = request;
    const reach = reachOf(client, request, { hasToken: environment && Boolean(environment[TOKEN_VARIABLE]) });
    const isLocal = reach.kind === 'stdio' && request.installation !== undefined;
    const scope = scopeOf(client, request.scope, isLocal);
    const flags = flagsFor(client.name, scope, request, reach);
    const server = serverFor(reach, { ...request, flags, platform });
    const file = client.name === GENERIC_NAME ? undefined : chooseFile(client, scope, platform, workspace);
    const described = {
      ...describeEntry({ client, scope, server, name: request.name }, workspace),
      snippet: snippetFor(client, request.name, server, scope),
      ...(file === undefined ? {} : { file }),
      ...noteFor({ client, scope, server, name: request.name }, reach.notes, isLocal ? file : undefined),
    };
    const adds = request.remove || server.transport === 'http' ? {} : await whatItAdds(flags, workspace);
    const place = (document: unknown) => client.place(request.name, server, document, scope);
    if (file === undefined || !(request.write || request.dryRun || request.remove))
      return { ...described, ...adds, state: 'printed' as const };
    if (request.remove) {
      const result = await removed(workspace.diskFor(scope), { ...request, client, file, place });
      const isElsewhere = result.state === 'absent' && request.scope === undefined;
      const other = isElsewhere
        ? await otherScope(workspace, { ...request, client, server, platform, scope })
        : undefined;
      return { ...described, ...(other === undefined ? {} : { note: other }), ...result };
    }
    const merged = mergeIntoFile(workspace.diskFor(scope), {
      client,
      file,
      name: request.name,
      place,
      force: request.force,
      dryRun: request.dryRun,
    });
    const { unifiedDiff } = await import('../core/line-diff.ts');
    const diff = unifiedDiff(merged.before ?? '', merged.after, { from: file, to: file });
    return {
      ...described,
      ...adds,
      state: stateOf(merged.before, merged.after, request.dryRun),
      ...(merged.line === undefined ? {} : { line: merged.line }),
      ...(request.tried === undefined ? {} : { tried: request.tried }),
      ...(diff === '' ? {} : { diff }),
    };
  },
});

interface ClientEntry {
  client: Client;
  scope: Scope;
  server: Server;
  name: string;
}

function describeEntry({ client, scope, server, name }: ClientEntry, { options }: Workspace) {
  const command = client.command?.(name, server, scope);
  const dir = scope === 'project' ? options.projectDir : undefined;
  return {
    client: client.name,
    title: client.title,
    basis: client.basis,
    source: client.source,
    scope,
    name,
    format: client.format,
    ...(command === undefined
      ? {}
      : {
          commands: {
            bash: commandLine('bash', command, dir),
            powershell: commandLine('powershell', command, dir),
            cmd: commandLine('cmd', command, dir),
          },
        }),
  };
}

/** `localFile` is the file, if the entry starts a program of this machine. */
function noteFor(
  { client, scope, server, name }: ClientEntry,
  notes: readonly string[],
  localFile: string | undefined,
): { note?: string } {
  const isHidden = client.hidesVariables && server.transport === 'stdio' && server.reads;
  const note = [
    ...notes,
    ...(isHidden
      ? [`${client.title} does not pass it on to servers: add ${isHidden.join(', ')} to "env" of the entry by hand.`]
      : []),
    ...(localFile !== undefined && scope === 'project' ? [forColleagues(localFile)] : []),
    client.note?.(scope, name),
  ];
  const text = note.filter((each) => each !== undefined).join(' ');
  return text === '' ? {} : { note: text };
}

/** Fails if the entry can only be added or removed by hand. */
function refuseWrite(client: Client, request: { write: boolean; dryRun: boolean; remove: boolean }): void {
  if (!request.write && !request.dryRun && !request.remove) return;
  if (client.name === GENERIC_NAME)
    throw new Failure('USAGE', `lectern setup ${GENERIC_NAME} only prints: the entry belongs to no client.`, {
      hint: 'Copy it into the configuration of your client, or name a client.',
    });
  if (client.format === 'yaml')
    throw new Failure('REFUSED', `${client.title} keeps its configuration in YAML, which setup does not change.`, {
      hint: request.remove
        ? 'Remove the entry by hand.'
        : `Run lectern setup ${client.name} and add the printed entry by hand.`,
    });
}

/** Project files are often shared, and a path of this machine would break them for everyone else. */
function scopeOf(client: Client, asked: Scope | undefined, isLocal: boolean): Scope {
  if (asked === undefined) return isLocal && client.scopes.includes('user') ? 'user' : client.scopes[0];
  if (client.scopes.includes(asked)) return asked;
  throw new Failure('REFUSED', `${client.title} has no configuration for a ${asked}.`, { hint: 'Omit --scope.' });
}

function forColleagues(file: string): string {
  return `The entry names a path on this machine, so ${path.basename(file)} will not work for colleagues. Use --published for an entry that works for everyone.`;
}

/** Adds the `--for` flag of the client, unless the user passed one or requested every skill. */
function flagsFor(
  client: SetupName,
  scope: Scope,
  { flags, everything }: Pick<Launch, 'flags'> & { everything: boolean },
  { kind, address }: Reach,
): readonly string[] {
  if (kind === 'http') return flags;
  const given = [...flags, ...(address === undefined ? [] : ['--catalog', address])];
  const isGiven = flags.some((each) => each === '--for' || each.startsWith('--for='));
  return isGiven || everything ? given : [...given, ...flagsForOne(client, scope)];
}

async function whatItAdds(
  flags: readonly string[],
  workspace: Workspace,
): Promise<{ adds?: { native: number; served: string[] } }> {
  const agent = flags[flags.indexOf('--for') + 1];
  if (!flags.includes('--for') || agent === undefined) return {};
  const { disk, options, snapshot } = workspace;
  const native = await nativeFiles(
    disk,
    { options, settings: snapshot.settings, discovery: snapshot.discovery },
    agent,
  );
  const isNative = ({ skill }: ListedSkill): boolean => [skill, ...skill.alsoAt].some(({ file }) => native.has(file));
  const forModels = snapshot.forAgents.filter(({ skill }) => isForModels(skill));
  const served = forModels.filter((each) => !isNative(each)).map(({ name }) => name);
  return { adds: { native: forModels.length - served.length, served } };
}

async function removed(
  disk: Disk,
  request: { client: Client; file: string; name: string; place: Place; dryRun: boolean; force: boolean },
): Promise<{ state: (typeof output.state.choices)[number]; diff?: string }> {
  const { removeFromFile } = await import('../clients/remove.ts');
  const change = removeFromFile(disk, request);
  if (!change || change.before === change.after) return { state: 'absent' };
  const { unifiedDiff } = await import('../core/line-diff.ts');
  const diff = unifiedDiff(change.before, change.after, { from: request.file, to: request.file });
  return { state: request.dryRun ? 'would-remove' : 'removed', diff };
}

/** Returns a sentence about an entry in another scope, if there is one that could be removed. */
async function otherScope(
  workspace: Workspace,
  request: { client: Client; server: Server; name: string; platform: string; scope: Scope; force: boolean },
): Promise<string | undefined> {
  const { client, server, name, platform } = request;
  const other = client.scopes.find((each) => each !== request.scope);
  if (other === undefined) return undefined;
  try {
    const file = chooseFile(client, other, platform, workspace);
    const place = (document: unknown) => client.place(name, server, document, other);
    const { state } = await removed(workspace.diskFor(other), { ...request, file, place, dryRun: true });
    if (state === 'absent') return undefined;
    const named = name === DEFAULT_NAME ? '' : ` --name ${name}`;
    return `There is one for the ${other}: lectern setup ${client.name} --scope ${other}${named} --remove`;
  } catch (error) {
    // A file that cannot be changed has no entry to offer.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function stateOf(before: string | undefined, after: string, dryRun: boolean): (typeof output.state.choices)[number] {
  if (before === after) return 'unchanged';
  if (dryRun) return before === undefined ? 'would-create' : 'would-change';
  return before === undefined ? 'created' : 'changed';
}

interface Launch {
  transport?: (typeof TRANSPORTS)[number] | undefined;
  url?: string | undefined;
  flags: readonly string[];
  platform: string;
  installation?: string | undefined;
}

function serverFor({ kind, address, auth }: Reach, { transport, flags, platform, installation }: Launch): Server {
  if (kind === 'stdio') return launchServer({ platform, installation, flags });
  if (flags.length > 0 || (installation !== undefined && transport === 'http'))
    throw new Failure('USAGE', 'A client that connects over HTTP does not start a command.', {
      hint: 'Pass the flags to the running server: lectern mcp --transport http …',
    });
  return { transport: 'http', url: address === undefined ? DEFAULT_SERVER_URL : `${address}/mcp`, auth };
}

/** Returns the first existing file of the client, or the file that the client itself would create. */
function chooseFile(client: Client, scope: Scope, platform: string, workspace: Workspace): string {
  const { projectDir, userDir, environment = {} } = workspace.options;
  const files = client.files(scope, { projectDir, userDir, environment, platform });
  const chosen = files?.find((file) => workspace.disk.look(file)) ?? files?.at(-1);
  if (chosen !== undefined) return chosen;
  throw new Failure('REFUSED', `There is no home folder for the configuration of ${echo(client.title)}.`, {
    hint: 'Use --scope project, or set --user-dir.',
  });
}
