import { Failure } from '../../core/failure.ts';
import { nodeFiles } from '../../core/disk/node-tree.ts';
import { nearest } from '../../core/near.ts';
import { echo } from '../../core/text.ts';
import type { ServeTransport } from '../../mcp/serve.ts';
import {
  REFRESH_INTERVAL_MS,
  type ServerOptions,
  type ToolNames,
  TOOL_NAMES,
  type Toolset,
  TOOLSETS,
} from '../../workspace/server-settings.ts';
import { readSettings } from '../../workspace/settings.ts';
import type { CommandContext, ProcessEdge, RunCommand } from '../command.ts';
import { type FlagValues, isSet, listFlag, switchedOff, textFlag } from '../flags.ts';
import { numberFlag } from '../number-flag.ts';

/** What a form of the command stands for; flags are stronger. */
type Preset = Pick<ServerOptions, 'serverName' | 'toolNames' | 'tools'>;

export const run: RunCommand = (context) => start(context, {});
export const runSkillsServer: RunCommand = (context) =>
  start(context, { serverName: 'sk-mcp', toolNames: 'dotted', tools: ['skills'] });
export const runSpecsServer: RunCommand = (context) => start(context, { serverName: 'spox', tools: ['specs'] });

async function start({ options, flags, edge }: CommandContext, preset: Preset): ReturnType<RunCommand> {
  const workspaceOptions = { ...options(), ...serverOptions(flags, preset) };
  const { serve } = await import('../../mcp/serve.ts');
  // Broken settings are told before a client is kept waiting.
  const { settings } = await readSettings(nodeFiles, workspaceOptions);
  const skills = settings.tools.value.some((toolset) => toolset !== 'specs');
  const running = await serve({
    // What reads skills is loaded when it is needed: a handshake does without it.
    open: async () => (await import('../../workspace/workspace.ts')).Workspace.open({ ...workspaceOptions, skills }),
    settings,
    log: logTo(edge, isSet(flags, 'verbose')),
    transport: transportOf(flags, settings.allowedHost.value, edge),
  });
  edge.onStop((signal) => {
    edge.say(`${signal}: shutting down`);
    void running.close();
  });
  return { until: running.closed.then(() => edge.say('stopped')) };
}

/** What the server would refuse when a client starts it, where nobody reads what it says. */
export function checkServerFlags(flags: FlagValues): void {
  serverOptions(flags, {});
  portOf(flags);
}

function serverOptions(flags: FlagValues, preset: Preset): ServerOptions {
  const toolNames = textFlag(flags, 'toolNames');
  return {
    autoRefresh: switchedOff(flags, 'autoRefresh') ? false : undefined,
    refreshInterval: numberFlag(flags, 'refreshInterval', '--refresh-interval', REFRESH_INTERVAL_MS),
    watch: switchedOff(flags, 'watch') ? false : undefined,
    tools: toolsetsOf(listFlag(flags, 'tools')) ?? preset.tools,
    toolNames: isToolNames(toolNames) ? toolNames : preset.toolNames,
    serverName: textFlag(flags, 'serverName') ?? preset.serverName,
    descriptionBudget: numberFlag(flags, 'descriptionBudget', '--description-budget', { min: 0, max: 10_000_000 }),
    allowedHost: listFlag(flags, 'allowedHost'),
    autoIndex: isSet(flags, 'autoIndex') ? true : undefined,
  };
}

function isToolNames(text: string | undefined): text is ToolNames {
  return TOOL_NAMES.some((name) => name === text);
}

function toolsetsOf(values: readonly string[] | undefined): Toolset[] | undefined {
  if (values === undefined) return undefined;
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim());
  return names.map((name) => {
    const toolset = TOOLSETS.find((each) => each === name);
    if (toolset) return toolset;
    const near = nearest(name, TOOLSETS);
    throw new Failure('USAGE', `--tools knows ${TOOLSETS.join(', ')}, not "${echo(name)}".`, {
      suggestions: near,
      ...(near.length === 0 ? {} : { hint: `Did you mean ${near.join(' or ')}?` }),
    });
  });
}

const PORT = { min: 0, max: 65_535, default: 3000 };

function portOf(flags: FlagValues): number {
  return numberFlag(flags, 'port', '--port', PORT) ?? PORT.default;
}

function transportOf(flags: FlagValues, allowedHosts: readonly string[], edge: ProcessEdge): ServeTransport {
  const port = portOf(flags);
  const given = listFlag(flags, 'token');
  if (given) edge.hideArguments();
  const kind = textFlag(flags, 'transport');
  if (kind !== 'http' && kind !== 'sse') return { kind: 'stdio', input: edge.input, output: edge.output };
  const tokens = (given ?? [edge.environment['LECTERN_TOKEN'] ?? '']).filter((token) => token !== '');
  return { kind, host: textFlag(flags, 'host') ?? '127.0.0.1', port, tokens, allowedHosts };
}

function logTo(edge: ProcessEdge, verbose: boolean) {
  return {
    info: edge.say,
    warn: edge.say,
    bug: (error: unknown) => {
      const [first = 'unknown', ...rest] = (
        error instanceof Error ? (error.stack ?? error.message) : String(error)
      ).split('\n');
      edge.say(`internal error: ${first}`);
      // A trace is for us, not for everybody's log.
      if (verbose) for (const line of rest) edge.say(line);
    },
  };
}
