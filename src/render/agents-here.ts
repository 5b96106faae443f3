import path from 'node:path';
import { COUNT_KEYS, countOf, isCut, type Status, STATUSES } from '../agents/status.ts';
import type { AgentSummary } from '../operations/agent-shapes.ts';
import type { AgentsOutput, HiddenSkill, ListedLine } from '../operations/agents.ts';
import { count, grouped } from '../core/text.ts';
import { renderPatterns } from './agent-patterns.ts';
import { safe, sayFix, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

const WIDTH = 80;
const BAR_COLUMNS = 20;
const NAME_COLUMNS_MAX = 28;

/** Label of each status. */
export const STATUS_WORDS = {
  seen: 'full description',
  shortened: 'shortened',
  'name-only': 'name only',
  'other-text': 'other text',
  dropped: 'dropped',
  'other-copy': 'other version',
  disabled: 'disabled',
  'manual-only': 'manual only',
  broken: 'broken',
  'not-read': 'in a folder it does not read',
  unknown: 'unknown',
} as const satisfies Record<Status, string>;

export function paintStatus(status: Status, style: Style, text: string = STATUS_WORDS[status]): string {
  if (status === 'seen') return style.green(text);
  if (isCut(status) || status === 'unknown') return style.yellow(text);
  return status === 'manual-only' ? style.dim(text) : style.red(text);
}

export function renderAgents(output: AgentsOutput, style: Style): string {
  const incomplete = (output.incomplete ?? []).map(
    (dir) => `${style.yellow('Only part of this folder was examined:')} ${style.place(dir)}\n`,
  );
  return body(output, style) + incomplete.join('');
}

function body(output: AgentsOutput, style: Style): string {
  if (output.patterns) return renderPatterns(output, (status) => STATUS_WORDS[status], style);
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
    const size = agent.context === undefined ? '' : `${indent}${style.dim(contextSize(agent.context))}\n`;
    const versions = agent.installed === undefined ? '' : `${indent}${versionLine(agent, style)}\n`;
    const elsewhere = agent.counts.notRead === 0 ? '' : `${indent}${style.dim(elsewhereText(agent))}\n`;
    return `${name}  ${tallies(agent, style, indent.length)}\n${indent}${budgetLine(agent, style)}\n${elsewhere}${size}${versions}`;
  });
  const worst = found.find(({ counts }) => counts.dropped + countOf(counts, isCut) > 0) ?? found[0];
  return `${blocks.join('')}\n${style.dim('What its model gets:')}   lectern agents ${worst?.id ?? 'claude'}\n${style.dim('One skill everywhere:')}  lectern why <skill>\n`;
}

/** Compares the installed version with the one that the rules were observed with. */
export function versionLine({ version, installed = 'unknown', newer }: AgentSummary, style: Style): string {
  const rules = version === undefined ? 'rules not observed' : `rules observed with ${safe(version)}`;
  const text = `${rules}; installed: ${safe(installed)}`;
  return newer ? style.yellow(text) : style.dim(text);
}

function contextSize({ tokens, skills }: NonNullable<AgentSummary['context']>): string {
  return `~${rounded(tokens)} tokens before the first message, ${rounded(skills)} of them skills`;
}

/** Rounds an estimate to two or three digits. */
export function rounded(tokens: number): string {
  const step = tokens < 1_000 ? 10 : 100;
  return grouped(Math.round(tokens / step) * step);
}

/** Counts the skills in folders of other agents, which this agent cannot list. */
function elsewhereText({ counts: { notRead } }: AgentSummary): string {
  return `${count(notRead, 'more skill')} in folders it does not read`;
}

/** Returns the number of skills with each status, except those in folders of other agents. With `indent`, lines after the first one start in that column. */
export function tallies({ counts }: AgentSummary, style: Style, indent?: number): string {
  const room = indent === undefined || style.width === undefined ? Infinity : style.width - indent;
  const shown = STATUSES.filter(
    (status) => status === 'seen' || (status !== 'not-read' && counts[COUNT_KEYS[status]] > 0),
  );
  let used = 0;
  const parts = shown.map((status, index) => {
    const text = `${grouped(counts[COUNT_KEYS[status]])} ${TALLY_WORDS[status] ?? STATUS_WORDS[status]}`;
    const comma = index === shown.length - 1 ? '' : ',';
    const columns = widthOf(text) + comma.length;
    const isNext = index > 0 && used + 1 + columns > room;
    used = index === 0 || isNext ? columns : used + 1 + columns;
    const before = index === 0 ? '' : isNext ? `\n${' '.repeat(indent ?? 0)}` : ' ';
    return before + paintStatus(status, style, text) + comma;
  });
  return parts.join('');
}

/** Wording after a number, for statuses whose label does not fit there. */
const TALLY_WORDS: Partial<Record<Status, string>> = {
  seen: 'with full description',
  'other-text': 'with another text',
};

function budgetLine({ budget }: AgentSummary, style: Style): string {
  const { limit, used, unit } = budget;
  if (limit === null) return style.dim(`list of ${count(used, unit.slice(0, -1))}, no known limit`);
  const needed = budget.wanted > limit ? `; ${grouped(budget.wanted)} needed` : '';
  return `${budgetBar(budget, BAR_COLUMNS, style)} ${grouped(used)} of ${grouped(limit)} ${unit}${needed}`;
}

/**
 * Draws a list in the unit of its budget: the used part solid, free room light, and the part that was cut off hatched. The limit
 * is at the end of the bar, or before the hatched part.
 */
export function budgetBar(
  { limit, used, wanted }: AgentSummary['budget'],
  columns: number,
  style: Pick<Style, 'dim' | 'yellow'>,
): string {
  const end = Math.max(1, limit ?? wanted, wanted);
  const at = (size: number): number => Math.round((Math.min(size, end) / end) * columns);
  const solid = Math.max(used > 0 ? 1 : 0, at(used));
  const lost = wanted > used ? Math.max(1, columns - Math.max(solid, at(limit ?? used))) : 0;
  const kept = Math.min(solid, columns - lost);
  return '█'.repeat(kept) + style.dim('░'.repeat(columns - kept - lost)) + style.yellow('▒'.repeat(lost));
}

function renderList(
  agent: AgentSummary,
  { entries = [], hidden = [], remedies = [], places = [] }: AgentsOutput,
  style: Style,
): string {
  const width = style.width ?? WIDTH;
  const version = agent.version === undefined ? '' : ` ${agent.version}`;
  const head = `${style.bold(safe(agent.name))}${safe(version)}${agent.found ? '' : style.dim(' (not found here)')}: ${tallies(agent, style)}`;
  const versions = agent.installed === undefined ? [] : [versionLine(agent, style)];
  const lines = [head, ...versions, arithmetic(agent), ''];
  const shown = withBuiltInTogether(entries);
  const names = shown.map(({ name }) => safe(name));
  const columns = Math.min(NAME_COLUMNS_MAX, Math.max(0, ...names.map(widthOf)));
  for (const [index, entry] of shown.entries())
    lines.push(renderEntry(entry, names[index] ?? '', { columns, width }, style));
  const own = hidden.filter((skill) => !isElsewhere(skill));
  if (own.length > 0) lines.push('', style.bold('Not in its list'), ...renderHidden(own, style));
  if (own.length < hidden.length) lines.push('', ...renderElsewhere(agent, hidden, style));
  const unread = places.flatMap(({ path, unread: reason }) => (reason === undefined ? [] : { path, reason }));
  if (unread.length > 0) lines.push('', style.bold('Not examined'));
  for (const { path, reason } of unread) lines.push(`  ${style.place(path)}`, `    ${style.say(reason)}`);
  if (remedies.length > 0) {
    lines.push('', style.bold('To show more'));
    for (const { fix, command, gains } of remedies) {
      const gain = gains > 0 ? `+${count(gains, 'full description')}` : 'longer descriptions';
      lines.push(`  ${style.green(gain)}: ${command === undefined ? style.say(fix) : style.cyan(command)}`);
    }
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

function renderEntry(
  entry: ListedLine,
  name: string,
  { columns, width }: { columns: number; width: number },
  style: Style,
): string {
  const status = entry.status === 'seen' ? 'full' : STATUS_WORDS[entry.status];
  const start = `${String(entry.position).padStart(4)}  ${padEnd(fit(name, columns), columns)}  `;
  const shown = entry.builtIn ? style.dim('built in') : paintStatus(entry.status, style, status);
  const left = width - widthOf(start) - 13;
  const text = left < 10 ? '' : fit(safe(entry.text), left);
  const padding = ' '.repeat(Math.max(1, 12 - (entry.builtIn ? 8 : status.length)));
  return `${start}${shown}${text === '' ? '' : padding + text}`.trimEnd();
}

/** Whether a skill is in a folder of other agents. Other unread files, such as those too deep in a folder, have their own fix. */
function isElsewhere({ status, fix = 'lectern share ' }: HiddenSkill): boolean {
  return status === 'not-read' && fix.startsWith('lectern share ');
}

/** One line for the skills in folders of other agents, with the number in each folder. */
function renderElsewhere({ id }: AgentSummary, hidden: readonly HiddenSkill[], style: Style): string[] {
  const folders = new Map<string, number>();
  for (const { path: place } of hidden.filter(isElsewhere))
    folders.set(path.dirname(place), (folders.get(path.dirname(place)) ?? 0) + 1);
  const parts = [...folders].map(([folder, number]) => `${style.place(folder)} (${number})`);
  return [
    `${style.bold('In folders it does not read')}: ${parts.join(', ')}`,
    `  ${style.dim('fix for one:')} ${style.cyan(`lectern share <skill> --to ${id}`)}`,
  ];
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
      ...(fix === undefined ? [] : [`    ${style.dim('fix:')} ${sayFix(fix, style)}`]),
    ];
  });
}

const MARKS: Record<Status, string> = {
  seen: '✓',
  shortened: '~',
  'name-only': 'n',
  'other-text': '≠',
  dropped: '⊖',
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
      const found = (status[id] ?? 'unknown') as Status;
      return paintStatus(found, style, padEnd(MARKS[found], widthOf(id)));
    });
    return `${padEnd(fit(names[index] ?? '', columns), columns)}  ${cells.join('  ')}`.trimEnd();
  });
  const used = new Set(rows.flatMap(({ status }) => Object.values(status) as Status[]));
  const legend = [...used].map((status) => `${MARKS[status]} ${STATUS_WORDS[status]}`).join('   ');
  const more = nextCursor === undefined ? '' : `${rows.length} of ${total} rows; next page: --cursor ${nextCursor}\n`;
  return `${style.dim(head)}\n${lines.join('\n')}\n\n${style.dim(legend)}\n${more}`;
}
