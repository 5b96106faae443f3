/** One client connected to one server, over each way there is. The server is the command itself; only stdio starts a process. */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
  Client,
  type CallToolResult,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { openOptions } from '../../src/cli/main.ts';
import { CLI } from './run-lectern.ts';
import { project, type ProjectFiles } from './project.ts';
import type { TempFolder } from './temp-folder.ts';

/** How a client reaches the server, and which era it speaks. */
export const WAYS = ['memory', 'memory, modern', 'stdio', 'stdio, modern', 'http', 'http, modern', 'sse'] as const;
export type Way = (typeof WAYS)[number];

export interface ConnectOptions {
  flags?: readonly string[];
  command?: readonly string[];
  environment?: Record<string, string>;
  headers?: Record<string, string>;
  /** What the client calls itself. */
  client?: string;
  /** Files of an earlier session, to go on with. They stay. */
  folder?: TempFolder;
}

export interface Session extends AsyncDisposable {
  client: Client;
  folder: TempFolder;
  /** What the server said to the people who run it. */
  log: string[];
  /** Notifications in the order they came. */
  heard: { method: string; params: unknown }[];
  skill(name: string): Promise<CallToolResult>;
  call(tool: string, args: Record<string, unknown>): Promise<CallToolResult>;
  description(): Promise<string>;
  /** Resolves with the first notification of that kind that was not waited for before. */
  nextNotification(method: string): Promise<unknown>;
}

/** Files lie under `project/` and `home/`. */
export async function connect(way: Way, files: ProjectFiles, options: ConnectOptions = {}): Promise<Session> {
  const folder = options.folder ?? project(files, 'disk');
  const server = way.startsWith('stdio')
    ? undefined
    : await startServer(folder, way.startsWith('memory') ? 'memory' : way.startsWith('http') ? 'http' : 'sse', options);
  const log = server?.log ?? [];
  const transport = server?.transport(options.headers) ?? spawnServer(folder, options, log);
  const session = await openSession(transport, folder, log, way.endsWith('modern'), options.client);
  return {
    ...session,
    async [Symbol.asyncDispose]() {
      await session.client.close();
      await server?.stop();
      if (!options.folder) folder[Symbol.dispose]();
    },
  };
}

async function openSession(transport: Transport, folder: TempFolder, log: string[], modern: boolean, name = 'test') {
  const heard: Session['heard'] = [];
  const client = new Client(
    { name, version: '1.0.0' },
    modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  client.fallbackNotificationHandler = async ({ method, params }) => void heard.push({ method, params });
  await client.connect(transport);
  const announces = client.getServerCapabilities()?.tools?.listChanged === true;
  if (modern && announces)
    await client.listen({ toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true });
  const call: Session['call'] = (name, args) => client.callTool({ name, arguments: args });
  const waitedFor = new Set<unknown>();
  return {
    client,
    folder,
    log,
    heard,
    call,
    skill: (name: string) => call('skill', { name }),
    description: async () =>
      (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.find(({ name }) => name === 'skill')
        ?.description ?? '',
    async nextNotification(method: string) {
      const next = () => heard.find((each) => each.method === method && !waitedFor.has(each));
      await expect.poll(next, { message: method }).toBeDefined();
      const found = next();
      waitedFor.add(found);
      return found?.params;
    },
  };
}

export function folderFlags(folder: TempFolder): string[] {
  return ['--project-dir', folder.at('project'), '--user-dir', folder.at('home')];
}

function spawnServer(
  folder: TempFolder,
  { command = ['mcp'], flags = [], environment = {} }: ConnectOptions,
  log: string[],
): Transport {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, ...command, ...folderFlags(folder), ...flags],
    cwd: folder.at('project'),
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.at('home'), ...environment },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => log.push(...chunk.toString('utf8').split('\n').filter(Boolean)));
  return transport;
}

export interface StartedServer {
  log: string[];
  url: string;
  transport(headers?: Record<string, string>): Transport;
  stop(): Promise<void>;
}

/** The command, run in this process with streams and signals of its own. */
export async function startServer(
  folder: TempFolder,
  kind: 'memory' | 'http' | 'sse',
  options: ConnectOptions = {},
): Promise<StartedServer> {
  const flags = kind === 'memory' ? [] : ['--transport', kind, '--port', '0'];
  const parsed = parseCommandLine(
    [...(options.command ?? ['mcp']), ...folderFlags(folder), ...flags, ...(options.flags ?? [])],
    COMMANDS,
  );
  if (parsed.kind !== 'command') throw new Error('not a command');
  const log: string[] = [];
  const [input, output] = [new PassThrough(), new PassThrough()];
  let stop: (signal: string) => void = () => undefined;
  const service = await parsed.command.run({
    given: parsed.given.param,
    open: () => Promise.reject(new Error('not asked for')),
    options: () => openOptions(parsed.given),
    json: false,
    verbose: false,
    edge: {
      input,
      output,
      workingDir: process.cwd(),
      record: () => undefined,
      isWatched: () => false,
      say: (line) => void log.push(line),
      environment: options.environment ?? {},
      program: '',
      onStop: (listener) => void (stop = listener),
      hideArguments: () => undefined,
    },
    progress: undefined,
    show: () => Promise.resolve(),
    signal: () => new AbortController().signal,
  });
  if (!('until' in service)) throw new Error('not a server');
  const until = service.until;
  until.catch(() => undefined);
  const url = /at (http:\S+?);/u.exec(log.join('\n'))?.[1] ?? '';
  return {
    log,
    url,
    transport: (headers = {}) => {
      if (kind === 'memory') return new LinesTransport(output, input);
      const init = { requestInit: { headers } };
      return kind === 'http'
        ? new StreamableHTTPClientTransport(new URL(url), init)
        : new SSEClientTransport(new URL(url), init);
    },
    stop: async () => {
      stop('SIGTERM');
      await until;
    },
  };
}

/** The client's end of a pair of streams. */
export class LinesTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #input: Readable;
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    let rest = '';
    this.#input.setEncoding('utf8');
    this.#input.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.onmessage?.(parseJSONRPCMessage(JSON.parse(line)));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#output.end();
    this.onclose?.();
  }
}

/** The text of a result's first block. */
export function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

/** What goes along with a reply that has no structured content, for programs. */
export function factsOf({ _meta }: CallToolResult): unknown {
  return _meta?.['lectern/facts'];
}

/** The error of a failed call. Its text is for models, and there is nothing else that an agent could show instead. */
export function errorOf(result: CallToolResult): unknown {
  expect([result.isError, result.structuredContent, result.content]).toEqual([
    true,
    undefined,
    [{ type: 'text', text: expect.not.stringMatching(/^\{/u) }],
  ]);
  return result._meta?.['lectern/error'];
}

/** The names in the list that the skill tool's description holds. */
export function listedNames(description: string): string[] {
  const block =
    /<available_skills>\n(?<list>[\s\S]*)\n<\/available_skills>$/u.exec(description)?.groups?.['list'] ?? '';
  return [...block.matchAll(/<name>([^<]*)<\/name>/gu)].map((match) => match[1] ?? '');
}
