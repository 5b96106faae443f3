import type { ContextKind, ToolParts } from '../agents/names.ts';
import { count, grouped } from '../core/text.ts';
import type { ContextHead, ContextItem, ContextOutput } from '../operations/context.ts';
import { safe, type Style } from './style.ts';
import { layOut } from './table.ts';

/** Labels of kinds, in the terminal and on the page. */
export const KIND_WORDS: Record<ContextKind, string> = {
  system: 'system prompt',
  tools: 'tools',
  skills: 'skills',
  memory: 'memory',
  rule: 'rule',
  subagent: 'subagent',
  command: 'command',
  'mcp-server': 'MCP server',
  environment: 'environment',
};

export function renderContext(output: ContextOutput, style: Style): string {
  const { agents, agent, name, total, items = [], servers = [] } = output;
  if (agents) return renderAgents(agents, style);
  // The plan, before the servers are asked.
  if (agent === undefined || name === undefined || total === undefined) return renderServers(servers, style);
  const head = {
    agent,
    name,
    total,
    version: output.version ?? null,
    window: output.window ?? null,
    ...(output.installed === undefined ? {} : { installed: output.installed }),
  };
  return renderItems(head, items, style);
}

function renderServers(servers: NonNullable<ContextOutput['servers']>, style: Style): string {
  const lines = servers.flatMap(({ name, file, starts }) => [
    `  ${style.bold(safe(name))} ${style.dim(style.place(file))}`,
    `    ${safe(starts)}`,
  ]);
  return [style.bold('MCP servers of yours to start or call'), ...lines, ''].join('\n');
}

function renderAgents(agents: NonNullable<ContextOutput['agents']>, style: Style): string {
  if (agents.length === 0)
    return `No agent found here.\n\n${style.dim('Preview one anyway:')} lectern context claude\n`;
  const rows = agents.map(({ name, total, skills, version, window }) => [
    { text: safe(name), paint: style.bold },
    version === null ? { text: 'not observed', paint: style.dim } : { text: `~${grouped(total.tokens)}` },
    { text: grouped(skills) },
    { text: window === null ? '' : grouped(window), paint: style.dim },
  ]);
  const { head, rows: lines } = layOut(
    [
      { head: 'agent' },
      { head: 'tokens', isNumber: true },
      { head: 'of them skills', isNumber: true },
      { head: 'window', isNumber: true },
    ],
    rows,
    style,
  );
  const first = agents.find(({ version }) => version !== null) ?? agents[0];
  return [
    style.bold('Before the first message, estimated'),
    ...(head === undefined ? [] : [head]),
    ...lines,
    '',
    `${style.dim('Each part:')} lectern context ${first?.agent ?? 'claude'}`,
    '',
  ].join('\n');
}

function renderItems(head: ContextHead, items: readonly ContextItem[], style: Style): string {
  const inRequest = items.filter(({ characters }) => characters !== 0 && characters !== null);
  const unknown = items.filter(({ characters }) => characters === null);
  const left = items.filter(({ characters }) => characters === 0);
  const rows = inRequest.map((each) => [
    { text: KIND_WORDS[each.kind] },
    { text: (each.exact ? '' : '~') + grouped(each.characters ?? 0) },
    { text: grouped(each.tokens ?? 0) },
    {
      text: nameOf(each, style) + toolsOf(each),
      paint: each.status === 'loaded' ? (text: string) => text : style.yellow,
    },
  ]);
  const table = layOut(
    [
      { head: 'part' },
      { head: 'characters', isNumber: true },
      { head: '~tokens', isNumber: true },
      { head: 'from', fillsAtLeast: 10 },
    ],
    rows,
    style,
  );
  const notes = inRequest.filter(({ reason }) => reason !== undefined);
  return [
    headline(head, style),
    '',
    ...(table.head === undefined ? [] : [table.head]),
    ...table.rows,
    ...section('Worth a look', notes, style),
    ...section('Not in the request', left, style),
    ...section('Size unknown', unknown, style),
    '',
    style.dim(
      '~ marks sizes that belong to the observed version of the agent or are estimated. Tokens are characters / 4.',
    ),
    '',
  ].join('\n');
}

function headline({ name, version, installed, window, total }: ContextHead, style: Style): string {
  const observed = version === null ? 'its first request was not observed' : `observed with ${safe(version)}`;
  const own = installed === undefined || installed === version ? '' : `; installed: ${safe(installed)}`;
  const of = window === null ? '' : ` of ${grouped(window)}`;
  return `${style.bold(safe(name))}: ~${grouped(total.tokens)}${of} tokens before the first message ${style.dim(`(${observed}${own})`)}`;
}

function nameOf({ kind, name, path, tools }: ContextItem, style: Style): string {
  return path === undefined || (kind === 'mcp-server' && tools !== undefined) ? safe(name) : style.place(path);
}

/** Words for the part of the tools of an MCP server that an agent sends. */
const SENDS: Record<ToolParts, string> = { names: 'names only', line: 'one line', definitions: 'whole definitions' };

/** Returns the number of tools of an MCP server that was asked. */
function toolsOf({ tools, sends }: ContextItem): string {
  if (tools === undefined) return '';
  return ` (${count(tools, 'tool')}${sends === undefined ? '' : `, ${SENDS[sends]}`})`;
}

function serverName({ kind, name, tools }: ContextItem): string {
  return kind === 'mcp-server' && tools === undefined ? ` (${safe(name)})` : '';
}

const SHOWN = 12;

function section(title: string, items: readonly ContextItem[], style: Style): string[] {
  if (items.length === 0) return [];
  const shown = items
    .slice(0, SHOWN)
    .flatMap((each) => [
      `  ${style.yellow(each.status)}: ${nameOf(each, style)}${serverName(each)}`,
      ...(each.reason === undefined ? [] : [`    ${style.dim(style.say(each.reason))}`]),
      ...(each.fix === undefined ? [] : [`    ${style.dim('fix:')} ${style.say(each.fix)}`]),
    ]);
  const rest = items.length - SHOWN;
  return [
    '',
    style.bold(title),
    ...shown,
    ...(rest > 0 ? [style.dim(`  … and ${count(rest, 'more item')}; --json has all`)] : []),
  ];
}
