import * as z from 'zod';
import { CLIENTS } from '../clients/all.ts';
import type { Client, Server } from '../clients/client.ts';
import { launchServer } from '../clients/launch.ts';
import { CLIENT_NAMES, type Scope, SCOPES, TRANSPORTS } from '../clients/names.ts';
import { commandLine } from '../clients/shell-quote.ts';
import { snippetFor } from '../clients/snippet.ts';
import { Failure } from '../core/failure.ts';
import { unifiedDiff } from '../core/line-diff.ts';
import { echo } from '../core/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { mergeIntoFile } from './client-file.ts';
import { defineOperation } from './define.ts';

export const DEFAULT_SERVER_URL = 'http://127.0.0.1:3000/mcp';

export const SetupOutput = z.object({
  client: z.enum(CLIENT_NAMES),
  title: z.string(),
  scope: z.enum(SCOPES),
  name: z.string(),
  file: z.string().describe('The configuration file of the client'),
  format: z.enum(['json', 'toml']),
  snippet: z.string().describe('The entry as a document of its own'),
  commands: z.record(z.string(), z.string()).optional().describe('The client’s own command, for each shell'),
  note: z.string().optional(),
  state: z.enum(['printed', 'created', 'changed', 'unchanged', 'would-create', 'would-change']),
  line: z.int().optional().describe('Where the entry stands, when it was there already'),
  diff: z.string().optional(),
});
export type SetupOutput = z.output<typeof SetupOutput>;

const input = z.strictObject({
  client: z.enum(CLIENT_NAMES),
  scope: z.enum(SCOPES).optional().describe('For this project or for the user; each client has a default'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u, 'letters, digits, hyphens and underscores, at most 64')
    .default('lectern')
    .describe('The server’s name in the client'),
  transport: z.enum(TRANSPORTS).optional(),
  url: z
    .url({ protocol: /^https?$/u })
    .optional()
    .describe('The address of a running server, for http'),
  flags: z.array(z.string()).default([]).describe('Flags for `lectern mcp`'),
  platform: z.string().describe('The operating system the client runs on, as Node.js names it'),
  installation: z.string().optional().describe('Start this cli.cjs with node instead of the published package'),
  write: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  force: z.boolean().default(false).describe('Replace an entry of that name that says something else'),
});
type Input = z.output<typeof input>;

export const setupClient = defineOperation({
  name: 'setup_client',
  title: 'Set up a client',
  summary: 'Prints a client’s entry for the MCP server, or merges it into the client’s configuration.',
  input,
  output: SetupOutput,
  readOnly: false,
  async run(request, workspace) {
    const client = CLIENTS[request.client];
    const scope = request.scope ?? client.scopes[0];
    const server = serverFor(request);
    const file = chooseFile(client, scope, request.platform, workspace);
    const command = client.command?.(request.name, server, scope);
    const dir = scope === 'project' ? workspace.options.projectDir : undefined;
    const note = client.note?.(scope, request.name);
    const described = {
      client: client.name,
      title: client.title,
      scope,
      name: request.name,
      file,
      format: client.format,
      snippet: snippetFor(client, request.name, server, scope),
      ...(command === undefined
        ? {}
        : {
            commands: {
              bash: commandLine('bash', command, dir),
              powershell: commandLine('powershell', command, dir),
              cmd: commandLine('cmd', command, dir),
            },
          }),
      ...(note === undefined ? {} : { note }),
    };
    if (!request.write && !request.dryRun) return { ...described, state: 'printed' as const };
    const place = (document: unknown) => client.place(request.name, server, document, scope);
    const merged = mergeIntoFile(workspace, {
      client,
      file,
      name: request.name,
      place,
      force: request.force,
      dryRun: request.dryRun,
    });
    const diff = unifiedDiff(merged.before ?? '', merged.after, { from: file, to: file });
    return {
      ...described,
      state: stateOf(merged.before, merged.after, request.dryRun),
      ...(merged.line === undefined ? {} : { line: merged.line }),
      ...(diff === '' ? {} : { diff }),
    };
  },
});

function stateOf(before: string | undefined, after: string, dryRun: boolean): SetupOutput['state'] {
  if (before === after) return 'unchanged';
  if (dryRun) return before === undefined ? 'would-create' : 'would-change';
  return before === undefined ? 'created' : 'changed';
}

function serverFor({ transport, url, flags, platform, installation }: Input): Server {
  const isHttp = transport === 'http' || (transport === undefined && url !== undefined);
  if (!isHttp) {
    if (url !== undefined)
      throw new Failure('USAGE', '--url belongs to --transport http.', { hint: 'Leave out one of the two.' });
    return launchServer({ platform, installation, flags });
  }
  if (flags.length > 0 || installation !== undefined)
    throw new Failure('USAGE', 'A client that connects over HTTP starts no command.', {
      hint: 'Give the flags to the running server: lectern mcp --transport http …',
    });
  return { transport: 'http', url: url ?? DEFAULT_SERVER_URL };
}

/** The first of the client's files that exists, else the one that the client itself would create. */
function chooseFile(client: Client, scope: Scope, platform: string, workspace: Workspace): string {
  const { projectDir, userDir, environment = {} } = workspace.options;
  const files = client.files(scope, { projectDir, userDir, environment, platform });
  const chosen = files?.find((file) => workspace.disk.look(file)) ?? files?.at(-1);
  if (chosen !== undefined) return chosen;
  throw new Failure('REFUSED', `There is no home folder in which ${echo(client.title)} could keep its configuration.`, {
    hint: 'Use --scope project, or give a home with --user-dir.',
  });
}
