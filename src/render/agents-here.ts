import type { AgentSummary } from '../operations/agent-shapes.ts';
import type { AgentsOutput, HiddenSkill, ListedLine } from '../operations/agents.ts';
import { count, grouped } from '../core/text.ts';
import { safe, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

const WIDTH = 80;
const BAR_COLUMNS = 20;
const NAME_COLUMNS_MAX = 28;

/** Label of each status. */
export const STATUS_WORDS = {
  seen: 'seen',
  shortened: 'shortened',
  'name-only': 'name only',
  'other-copy': 'other version',
  disabled: 'disabled',
  'manual-only': 'manual only',
  broken: 'broken',
  'not-read': 'not read',
  unknown: 'unknown',
} as const;
export type StatusWord = keyof typeof STATUS_WORDS;

export function paintStatus(status: StatusWord, style: Style, text: string = STATUS_WORDS[status]): string {
  if (status === 'seen') return style.green(text);
  if (status === 'shortened' || status === 'name-only' || status === 'unknown') return style.yellow(text);
  return status === 'manual-only' ? style.dim(text) : style.red(text);
}

export function renderAgents(output: AgentsOutput, style: Style): string {
  const incomplete = (output.incomplete ?? []).map(
    (dir) => `${style.yellow('Only part of this folder was examined:')} ${style.place(dir)}\n`,
  );
  return body(output, style) + incomplete.join('');
}

function body(output: AgentsOutput, style: Style): string {
  if (output.rows) return renderMatrix(output, style);
  if (output.agent) return renderList(output.agent, output, style);
  // Without a matrix, `agents` has the agents with their counts.
  const never = output.neverLoaded ?? [];
  const more = never.length === 0 ? '' : `\n${neverLoadedLine(never, style)}\n`;
  return renderOverview((output.agents ?? []) as AgentSummary[], style) + more;
}

const NEVER_SHOWN = 10;

/** Lists the skills in these folders by their folder names. */
export function neverLoadedLine(folders: readonly string[], style: Style): string {
  const names = folders.map((dir) => safe(dir.slice(Math.max(dir.lastIndexOf('/'), dir.lastIndexOf('\\')) + 1)));
  const rest = names.length - NEVER_SHOWN;
  const shown = names.slice(0, NEVER_SHOWN).join(', ') + (rest > 0 ? ` and ${grouped(rest)} more` : '');
  return `${style.yellow('Never loaded through lectern mcp:')} ${shown} ${style.dim('(lectern usage)')}`;
}

function renderOverview(all: readonly AgentSummary[], style: Style): string {
  const found = all.filter((agent) => agent.found);
  if (found.length === 0)
    return `No agent found here: none of the ${all.length} agents that Lectern knows has a folder, file or command.\n\n${style.dim('Preview one anyway:')} lectern agents claude\n`;
  const columns = Math.max(...found.map(({ name }) => widthOf(name)));
  const indent = ' '.repeat(columns + 2);
  const blocks = found.map((agent) => {
    const name = style.bold(padEnd(safe(agent.name), columns));
    return `${name}  ${tallies(agent, style)}\n${indent}${budgetLine(agent, style)}\n`;
  });
  const worst = found.find(({ counts }) => counts.nameOnly + counts.shortened > 0) ?? found[0];
  return `${blocks.join('')}\n${style.dim('What its model gets:')}   lectern agents ${worst?.id ?? 'claude'}\n${style.dim('One skill everywhere:')}  lectern why <skill>\n`;
}

const TALLIES = [
  ['seen', 'seen'],
  ['shortened', 'shortened'],
  ['nameOnly', 'name-only'],
  ['otherCopy', 'other-copy'],
  ['disabled', 'disabled'],
  ['manualOnly', 'manual-only'],
  ['broken', 'broken'],
  ['notRead', 'not-read'],
  ['unknown', 'unknown'],
] as const;

export function tallies({ counts }: AgentSummary, style: Style): string {
  const parts = TALLIES.filter(([key]) => key === 'seen' || counts[key] > 0).map(([key, status]) =>
    paintStatus(status, style, `${grouped(counts[key])} ${STATUS_WORDS[status]}`),
  );
  return parts.join(', ');
}

function budgetLine({ budget }: AgentSummary, style: Style): string {
  const { limit, used, unit } = budget;
  if (limit === null) return style.dim(`list of ${count(used, unit.slice(0, -1))}, no known limit`);
  const filled = Math.min(BAR_COLUMNS, Math.ceil((used / Math.max(1, limit)) * BAR_COLUMNS));
  const bar = '█'.repeat(filled) + style.dim('░'.repeat(BAR_COLUMNS - filled));
  return `${bar} ${grouped(used)} of ${grouped(limit)} ${unit}`;
}

function renderList(
  agent: AgentSummary,
  { entries = [], hidden = [], remedies = [] }: AgentsOutput,
  style: Style,
): string {
  const width = style.width ?? WIDTH;
  const version = agent.version === undefined ? '' : ` ${agent.version}`;
  const head = `${style.bold(safe(agent.name))}${safe(version)}${agent.found ? '' : style.dim(' (not found here)')}: ${tallies(agent, style)}`;
  const lines = [head, arithmetic(agent), ''];
  const shown = withBuiltInTogether(entries);
  const names = shown.map(({ name }) => safe(name));
  const columns = Math.min(NAME_COLUMNS_MAX, Math.max(0, ...names.map(widthOf)));
  for (const [index, entry] of shown.entries())
    lines.push(renderEntry(entry, names[index] ?? '', columns, width, style));
  if (hidden.length > 0) lines.push('', style.bold('Not in its list'), ...renderHidden(hidden, style));
  if (remedies.length > 0) {
    lines.push('', style.bold('To show more'));
    for (const { fix, gains } of remedies)
      lines.push(`  ${style.green(`+${count(gains, 'full description')}`)}: ${safe(fix)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Merges consecutive built-in skills with full descriptions into one line. */
function withBuiltInTogether(entries: readonly ListedLine[]): ListedLine[] {
  const isPlain = ({ builtIn, status }: ListedLine): boolean => builtIn === true && status === 'seen';
  return entries.flatMap((entry, index) => {
    const before = entries[index - 1];
    if (!isPlain(entry)) return [entry];
    if (before && isPlain(before)) return [];
    const end = entries.findIndex((each, at) => at > index && !isPlain(each));
    const number = (end === -1 ? entries.length : end) - index;
    return [number === 1 ? entry : { ...entry, name: `${number} built-in skills` }];
  });
}

function arithmetic({ budget: { limit, unit, used, builtIn, window } }: AgentSummary): string {
  if (limit === null) return `The list has ${count(used, unit.slice(0, -1))}. It has no known limit.`;
  const ofWindow = window === null ? '' : ` (of a ${grouped(window)}-token window)`;
  const left = grouped(Math.max(0, limit - used));
  return `Budget for the skill list: ${grouped(limit)} ${unit}${ofWindow}.\n${grouped(builtIn)} built in, ${grouped(used - builtIn)} for skills here, ${left} left.`;
}

function renderEntry(entry: ListedLine, name: string, columns: number, width: number, style: Style): string {
  const status = entry.status === 'seen' ? 'full' : STATUS_WORDS[entry.status];
  const start = `${String(entry.position).padStart(4)}  ${padEnd(fit(name, columns), columns)}  `;
  const shown = entry.builtIn ? style.dim('built in') : paintStatus(entry.status, style, status);
  const left = width - widthOf(start) - 13;
  const text = left < 10 ? '' : fit(safe(entry.text), left);
  const padding = ' '.repeat(Math.max(1, 12 - (entry.builtIn ? 8 : status.length)));
  return `${start}${shown}${text === '' ? '' : padding + text}`.trimEnd();
}

const NAMES_SHOWN = 5;

/** Groups skills that are hidden for the same reason. */
function renderHidden(hidden: readonly HiddenSkill[], style: Style): string[] {
  const byReason = new Map<string, HiddenSkill[]>();
  for (const skill of hidden) {
    const same = byReason.get(skill.reason);
    if (same) same.push(skill);
    else byReason.set(skill.reason, [skill]);
  }
  return [...byReason].flatMap(([reason, same]) => {
    const [first] = same;
    if (!first) return [];
    const names = same.slice(0, NAMES_SHOWN).map(({ name }) => safe(name));
    const more = same.length > names.length ? `, … and ${same.length - names.length} more` : '';
    const fix = same.length === 1 ? first.fix : undefined;
    return [
      `  ${paintStatus(first.status, style)}: ${names.join(', ')}${more}`,
      `    ${style.dim(style.say(reason))}`,
      ...(fix === undefined ? [] : [`    ${style.dim('fix:')} ${style.say(fix)}`]),
    ];
  });
}

const MARKS: Record<StatusWord, string> = {
  seen: '✓',
  shortened: '~',
  'name-only': 'n',
  'other-copy': 'o',
  disabled: 'd',
  'manual-only': 'm',
  broken: '!',
  'not-read': '-',
  unknown: '?',
};

function renderMatrix({ agents = [], rows = [], total = 0, nextCursor }: AgentsOutput, style: Style): string {
  const ids = agents.map(String);
  if (rows.length === 0) return `No skill to show for ${ids.join(', ') || 'any agent'}.\n`;
  const names = rows.map(({ fullName }) => safe(fullName));
  const columns = Math.min(40, Math.max(...names.map(widthOf)));
  const head = `${' '.repeat(columns)}  ${ids.join('  ')}`;
  const lines = rows.map(({ status }, index) => {
    const cells = ids.map((id) => {
      const found = (status[id] ?? 'unknown') as StatusWord;
      return paintStatus(found, style, padEnd(MARKS[found], widthOf(id)));
    });
    return `${padEnd(fit(names[index] ?? '', columns), columns)}  ${cells.join('  ')}`.trimEnd();
  });
  const used = new Set(rows.flatMap(({ status }) => Object.values(status) as StatusWord[]));
  const legend = [...used].map((status) => `${MARKS[status]} ${STATUS_WORDS[status]}`).join('   ');
  const more = nextCursor === undefined ? '' : `${rows.length} of ${total} rows; next page: --cursor ${nextCursor}\n`;
  return `${style.dim(head)}\n${lines.join('\n')}\n\n${style.dim(legend)}\n${more}`;
}
