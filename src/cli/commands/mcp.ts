/** `lectern mcp`, two variants that replace the servers of other tools, and `lectern web`. */
import path from 'node:path';
import { isFolder } from '../../core/disk/answers.ts';
import { nodeDisk } from '../../core/disk/node-disk.ts';
import { nodeFiles } from '../../core/disk/node-tree.ts';
import { bugId } from '../../core/failure.ts';
import type { Params } from '../../operations/define.ts';
import { STATE } from '../../operations/shapes.ts';
import { checkFilters } from '../../skills/filter.ts';
import { projectFolders } from '../../skills/roots/plan.ts';
import { checkParams, checkSettings } from '../check.ts';
import type { Command, CommandContext, ProcessEdge, RunCommand, Service } from '../command.ts';
import type { GivenByTarget } from '../flags.ts';
import type { Listening, LocalServerOptions } from '../../server/local.ts';
import { type OpenOptions, readSettings, type WorkspaceOptions } from '../../workspace/settings.ts';

const LISTENING = {
  host: {
    type: 'text',
    default: '127.0.0.1',
    placeholder: 'address',
    help: 'Address to listen on; any address but loopback needs a token of 16 characters or more',
  },
  port: { type: 'integer', min: 0, max: 65_535, default: 3000, help: 'Port to listen on; 0 picks a free one' },
  token: {
    type: 'list',
    of: { type: 'text' },
    placeholder: 'secret',
    help: 'Bearer token that callers must send; LECTERN_TOKEN is safer',
  },
} as const satisfies Params;

const params = {
  transport: {
    type: 'choice',
    choices: ['stdio', 'http', 'sse'],
    default: 'stdio',
    placeholder: 'kind',
    help: 'stdio, http (streamable HTTP at /mcp, the page at /) or sse (the same server, for older clients)',
  },
  state: STATE,
  ...LISTENING,
} as const satisfies Params;

const webParams = {
  ...LISTENING,
  port: { ...LISTENING.port, default: 3210 },
  open: { type: 'flag', default: false, help: 'Open the page in the browser' },
} as const satisfies Params;

/** The settings of a variant. Flags override them. */
type Preset = Pick<WorkspaceOptions, 'serverName' | 'toolNames' | 'tools' | 'autoIndex' | 'search'>;

/**
 * Limits a server to the vendored skills of the project: the folder of `--root` or of the project's configuration, otherwise
 * `skills`. Flags can add other folders. User settings cannot.
 */
function repositoryOnly(options: OpenOptions): Partial<OpenOptions> {
  const { root } = readSettings(nodeFiles, options).settings;
  const hasRoot = root.value !== undefined && root.origin !== 'user';
  const namesPlugins = options.pluginsFile !== undefined || options.pluginsRoot !== undefined;
  return {
    scanDefaultDirs: false,
    skillDir: [],
    skipPlugins: !namesPlugins,
    root: hasRoot ? root.value : vendoredFolder(options.projectDir),
  };
}

/** Returns the nearest `skills` folder between the working folder and the root of the repository. */
function vendoredFolder(projectDir: string): string {
  const places = projectFolders(nodeFiles, projectDir).folders.map((dir) => path.join(dir, 'skills'));
  return places.find((place) => isFolder(nodeFiles, place)) ?? path.join(projectDir, 'skills');
}

const COMMON = {
  group: 'Connect',
  serves: true,
  params,
  settings: ['server', 'project-server', 'skills', 'filters', 'specs'],
  writes: false,
} as const;

export const webCommand: Command = {
  ...COMMON,
  name: 'web',
  summary: 'Show skills, agents, specs and changes as a page in the browser',
  params: webParams,
  examples: [
    ['lectern web', 'serve the page at http://127.0.0.1:3210/, and MCP at /mcp'],
    ['lectern web --open', 'open it in the browser'],
    ['lectern web --port 0', 'use any free port'],
  ],
  run: (context) => {
    const { open, ...listening } = checkParams(webParams, context.given);
    return startServer(context, {}, { kind: 'http', ...listening }, { page: 'main', open });
  },
};

/**
 * Minimum score of a relevant result for a server with only specs. Of the questions about requirements, this leaves half of the
 * off-topic ones without a result, and no other. On the first two sets, over the requirements among their documents, it leaves
 * 74 % of the off-topic questions without a result, 7 % of the natural ones, and no keyword query.
 */
const RELEVANT = 0.12;

export const SERVER_COMMANDS: readonly Command[] = [
  {
    ...COMMON,
    name: 'mcp',
    summary: 'Serve skills and specs to agents over MCP: stdio, HTTP or SSE',
    firstFlags: ['--transport', '--include', '--tools'],
    presets: ['mcp-server', 'mcp serve'],
    examples: [
      ['lectern mcp', 'serve over stdio, as agents start it'],
      ['lectern mcp --transport http --port 3000', 'serve many clients at http://127.0.0.1:3000/mcp'],
      ['lectern mcp --include=codex --no-plugins', 'serve only some skills'],
      ['lectern mcp --catalog https://skills.example.com', 'also serve the skills of a shared catalog'],
    ],
    run: serveWith({}, { page: 'also' }),
  },
  {
    ...COMMON,
    name: 'mcp-server',
    summary:
      'Same as mcp --server-name sk-mcp --tool-names dotted --tools skills --no-scan-default-dirs --root ./skills',
    examples: [['lectern mcp-server --root ./skills', 'serve skills.list and skills.search over stdio']],
    run: serveWith(
      { serverName: 'sk-mcp', toolNames: 'dotted', tools: ['skills'], search: { searchMode: 'keyword' } },
      {
        repositoryOnly: true,
        // The clients of that server do not support cursors.
        special: { pageSize: Number.POSITIVE_INFINITY, completeTexts: true, announcesTexts: true },
      },
    ),
  },
  {
    ...COMMON,
    name: 'mcp serve',
    summary: 'Same as mcp --server-name spox --tools specs',
    examples: [['lectern mcp serve', 'serve the spec tools over stdio']],
    run: serveWith({ serverName: 'spox', tools: ['specs'], autoIndex: false, search: { minScore: RELEVANT } }),
  },
];

interface Extras {
  special?: LocalServerOptions['special'];
  /** Serve only the vendored skills of the project. */
  repositoryOnly?: boolean;
  /** Serve the page, if over HTTP: as the purpose of the server, or also. */
  page?: 'main' | 'also';
  /** Open the page in the browser. */
  open?: boolean;
  /** The state of the skills to serve. */
  state?: OpenOptions['state'];
}

function serveWith(preset: Preset, extras: Extras = {}): RunCommand {
  return (context) => {
    const { transport: kind, state, ...listening } = checkParams(params, context.given);
    return startServer(context, preset, { kind, ...listening }, { ...extras, state });
  };
}

async function startServer(
  { options, edge }: CommandContext,
  preset: Preset,
  listening: Listening,
  { special, repositoryOnly: isLimited = false, page, open = false, state = 'enabled' }: Extras,
): Promise<Service> {
  if (listening.token) edge.hideArguments();
  const flags = options();
  const workspace: OpenOptions = { ...preset, ...(isLimited ? repositoryOnly(flags) : {}), ...flags, state };
  const { serveLocal } = await import('../../server/local.ts');
  // Registered before the server is announced, because a client may stop it immediately.
  let stop: (() => void) | undefined;
  let isStopping = false;
  edge.onStop((signal) => {
    edge.say(`${signal}: shutting down`);
    isStopping = true;
    stop?.();
  });
  const running = await serveLocal({
    workspace,
    disk: nodeDisk,
    environment: edge.environment,
    listening,
    streams: edge,
    page: page && { flags: placeFlags(workspace, edge), isMain: page === 'main', opens: open },
    special,
    log: logTo(edge),
  });
  stop = () => void running.close();
  if (isStopping) stop();
  return { until: running.closed.then(() => edge.say('stopped')) };
}

/** Returns the flags that make another command use the same project and home, if they were given by flags. */
function placeFlags({ projectDir, userDir, mustExist, environment }: OpenOptions, edge: ProcessEdge): string[] {
  const hasOwnHome = environment !== edge.environment && userDir !== undefined;
  return [...(mustExist ? ['--project-dir', projectDir] : []), ...(hasOwnHome ? ['--user-dir', userDir] : [])];
}

/** Checks the flags of a server before a client starts it, because the client would hide the server's message. */
export function checkServerFlags(given: GivenByTarget): void {
  checkParams(params, given.param);
  const { include = [], exclude = [] } = checkSettings(given.setting);
  checkFilters([include, exclude].flat());
}

export function logTo(edge: Pick<ProcessEdge, 'say'>) {
  return {
    info: edge.say,
    warn: edge.say,
    bug: (error: unknown) => {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const [first = 'unknown', ...rest] = trace.split('\n');
      edge.say(`internal error ${bugId(error)}: ${first}`);
      for (const line of rest) edge.say(line);
    },
  };
}
