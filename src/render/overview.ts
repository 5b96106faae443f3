import { COUNT_KEYS, countOf, isListed, type Status, STATUSES } from '../agents/status.ts';
import { quoteForBash } from '../core/quote-for-bash.ts';
import type { AgentSummary } from '../operations/agent-shapes.ts';
import type { overview } from '../operations/overview.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import { budgetBar, paintStatus, rounded, STATUS_WORDS, tallies } from './agents-here.ts';
import { severityMark } from './diagnostics.ts';
import { groupTitle, inRepository, severalVersions, sharedNote } from './list.ts';
import { type LeftOut, whyNone } from './no-skills.ts';
import { tableOf } from './changes.ts';
import { safe, sayFix, type Style } from './style.ts';
import { padEnd, widthOf } from './width.ts';

type OverviewOutput = AnswerOf<typeof overview>;

const WIDTH = 80;

export function renderOverview(data: OverviewOutput, style: Style): string {
  const sections = [
    `${style.bold('Lectern:')} ${style.dim('see, check and share the skills and specs your coding agents use')}`,
    ...renderFound(data, style),
    ...renderSpecs(data, style),
    ...renderAttention(data, style),
    renderNext(data, style),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderFound(data: OverviewOutput, style: Style): string[] {
  const why = data.skills === 0 ? whyNone('enabled', leftOutOf(data)) : undefined;
  const inRepo = data.groups.find(({ location }) => location === 'collection')?.skills ?? 0;
  if (inRepo > 0 && data.found === 0) return [style.bold(inRepository(inRepo))];
  if (data.found === 0) return [why ?? 'No skills yet in this project or in your home directory.'];
  const disabled = data.disabled > 0 ? `, ${grouped(data.disabled)} of them disabled` : '';
  const versions = data.severalVersions > 0 ? `; ${severalVersions(data.severalVersions)}` : '';
  const filtered = data.filteredOut > 0 ? `; the filters leave out ${grouped(data.filteredOut)}` : '';
  const head = `${style.bold(`${count(data.found, 'skill')} found`)}${here(data, style)}${disabled}${versions}${filtered}. ${seenBy(data)}`;
  return [
    ...(why === undefined ? [] : [why]),
    [head, ...renderAgents(data.agents, style), ...renderContext(data.agents, style)].join('\n'),
    renderFolders(data, style) + (inRepo > 0 ? `\n${style.bold(inRepository(inRepo))}` : ''),
  ];
}

/** Returns `Claude Code sees 18, Codex 12.` */
function seenBy({ agents }: OverviewOutput): string {
  if (agents.length === 0) return 'No agent was found here.';
  const parts = agents.map(({ name, counts }, index) => {
    const seen = grouped(countOf(counts, isListed));
    return `${safe(name)} ${index === 0 ? 'sees ' : ''}${seen}`;
  });
  return `${parts.join(', ')}.`;
}

function here({ projectDir }: OverviewOutput, style: Style): string {
  const place = style.place(projectDir);
  return place === '.' ? '' : ` for ${place}`;
}

function leftOutOf({ disabled, filteredOut }: OverviewOutput): LeftOut {
  return { byState: disabled, byFilters: filteredOut };
}

/** Heads of the columns. The last column sums up all other statuses. */
const HEADS: readonly [head: string, status: Status][] = [
  ['full', 'seen'],
  ['shortened', 'shortened'],
  ['name only', 'name-only'],
  ['other text', 'other-text'],
  ['dropped', 'dropped'],
  ['unread folder', 'not-read'],
];
const BAR_COLUMNS = 10;

interface Column {
  head: string;
  cells: readonly (readonly [text: string, status: Status])[];
}

/** Renders one line per agent: how many skills it lists and how, and the bar of its budget. Each line adds up to all skills. */
function renderAgents(agents: readonly AgentSummary[], style: Style): string[] {
  if (agents.length === 0) return [];
  const names = Math.max(...agents.map(({ name }) => widthOf(safe(name))));
  const bars = agents.map(({ budget }) =>
    budget.limit === null
      ? style.dim('no known limit')
      : `${budgetBar(budget, BAR_COLUMNS, style)} ${grouped(Math.round((budget.wanted * 100) / Math.max(1, budget.limit)))} %`,
  );
  const columns = columnsFor(agents);
  const widths = columns.map(({ head, cells }) => Math.max(widthOf(head), ...cells.map(([text]) => widthOf(text))));
  const size = names + 2 + widths.reduce((sum, width) => sum + width + 2, 0) + BAR_COLUMNS + 6;
  // Terminals that are too narrow for the table get words.
  if (size > (style.width ?? WIDTH))
    return agents.map(
      (agent, index) => `  ${style.bold(safe(agent.name))}: ${tallies(agent, style)}\n    ${bars[index] ?? ''}`,
    );
  const head = columns.map(({ head: text }, index) => text.padStart(widths[index] ?? 0)).join('  ');
  const lines = agents.map(({ name }, row) => {
    const cells = columns.map(({ cells: all }, index) => {
      const [text, status] = all[row] ?? ['', 'seen'];
      const padded = text.padStart(widths[index] ?? 0);
      return text === '·' ? style.dim(padded) : paintStatus(status, style, padded);
    });
    return `  ${style.bold(padEnd(safe(name), names))}  ${cells.join('  ')}  ${bars[row] ?? ''}`;
  });
  return [style.dim(`  ${' '.repeat(names)}  ${head}  budget`), ...lines];
}

/** Returns `Tokens before the first message: Claude Code ~13,500 (1,600 of them skills), Codex ~14,700 (560)` */
function renderContext(agents: readonly AgentSummary[], style: Style): string[] {
  const known = agents.flatMap(({ name, context }) => (context ? [{ name, ...context }] : []));
  if (known.length === 0) return [];
  const parts = known.map(
    ({ name, tokens, skills }, index) =>
      `${safe(name)} ~${rounded(tokens)} (${rounded(skills)}${index === 0 ? ' of them skills' : ''})`,
  );
  return [style.dim(`  Tokens before the first message: ${parts.join(', ')}`)];
}

/** Returns the columns that are not empty. */
function columnsFor(agents: readonly AgentSummary[]): Column[] {
  const cell = (number: number, status: Status) => [number === 0 ? '·' : grouped(number), status] as const;
  const own = new Set(HEADS.map(([, status]) => status));
  const columns = HEADS.filter(
    ([, status]) => status === 'seen' || agents.some(({ counts }) => counts[COUNT_KEYS[status]] > 0),
  ).map(([head, status]): Column => ({
    head,
    cells: agents.map(({ counts }) => cell(counts[COUNT_KEYS[status]], status)),
  }));
  const rest = STATUSES.filter((status) => !own.has(status));
  const used = rest.filter((status) => agents.some(({ counts }) => counts[COUNT_KEYS[status]] > 0));
  const [only] = used;
  if (only === undefined) return columns;
  const cells = agents.map(({ counts }) =>
    cell(
      countOf(counts, (status) => rest.includes(status)),
      only,
    ),
  );
  return [...columns, { head: used.length === 1 ? STATUS_WORDS[only] : 'other', cells }];
}

const FOLDERS_SHOWN = 8;

function renderFolders({ folders }: OverviewOutput, style: Style): string {
  const all = new Map<string, { skills: number; note: string }>();
  for (const folder of folders) {
    const title = groupTitle(folder, style);
    const known = all.get(title);
    all.set(title, { skills: folder.skills + (known?.skills ?? 0), note: sharedNote(folder) });
  }
  const shown = [...all].slice(0, FOLDERS_SHOWN);
  const lines = shown.map(([title, { skills, note }]) => `  ${title} ${style.dim(`(${grouped(skills)})${note}`)}`);
  if (all.size > shown.length)
    lines.push(style.dim(`  … and ${count(all.size - shown.length, 'more folder')}; lectern list shows them all`));
  return [style.bold('Where they are'), ...lines].join('\n');
}

const CHANGES_SHOWN = 5;

function renderSpecs({ specs, changes }: OverviewOutput, style: Style): string[] {
  if (specs === 0 && changes.length === 0) return [];
  // The reason of a blocked change is shown among the next steps.
  const shown = changes.slice(0, CHANGES_SHOWN).map(({ reason: _reason, ...change }) => change);
  const lines = shown.length === 0 ? [] : [tableOf(shown, style)];
  if (changes.length > CHANGES_SHOWN)
    lines.push(
      style.dim(`  … and ${grouped(changes.length - CHANGES_SHOWN)} more; lectern change list shows them all`),
    );
  return [
    [`${style.bold(count(specs, 'spec'))}, ${style.bold(count(changes.length, 'active change'))}`, ...lines].join('\n'),
  ];
}

function renderAttention({ needsAttention, needsAttentionTotal }: OverviewOutput, style: Style): string[] {
  if (needsAttention.length === 0) return [];
  const items = needsAttention.map(({ severity, code, fact, consequence, command }) => {
    const kind = code === undefined ? '' : ` ${style.dim(code)}`;
    return `  ${severityMark(severity, style)}${kind} ${style.say(fact)}\n    ${style.dim(style.say(consequence))}\n    ${style.cyan(sayFix(command, style))}`;
  });
  const left = needsAttentionTotal - needsAttention.length;
  const more = left > 0 ? [style.dim(`  … and ${grouped(left)} more; lectern validate --all shows the findings`)] : [];
  return [[style.bold('Needs attention'), ...items, ...more].join('\n')];
}

/** Returns words of a skill's name, so that the suggested search finds something. */
function wordsOf({ examples }: OverviewOutput): string {
  const words = (examples[1] ?? examples[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.slice(-2).join(' ') || 'release';
}

/** A command, a few words about it, and a sentence for the next line. */
type Step = [command: string, about: string, more?: string];

/** Minimum width to show a command's description on the same line. */
const ABOUT_COLUMNS_MIN = 34;

/** With fewer skills, installing some from a repository is a likely next step. */
const FEW_SKILLS = 5;

const SETUP: Step = ['lectern setup <client>', 'connect an agent, such as claude or codex'];
const INSTALL: Step = ['lectern install <owner/repo>', 'install skills from a repository'];

function renderNext(data: OverviewOutput, style: Style): string {
  const steps = data.skills === 0 ? firstSteps(data) : nextSteps(data);
  const columns = Math.max(...steps.map(([command]) => widthOf(command)));
  const isNarrow = style.width !== undefined && style.width < columns + ABOUT_COLUMNS_MIN;
  const lines = steps.map(([command, about, more]) => {
    const step = isNarrow
      ? `  ${style.cyan(command)}\n    ${style.dim(about)}`
      : `  ${style.cyan(padEnd(command, columns))}  ${style.dim(about)}`;
    return more === undefined ? step : `${step}\n    ${style.dim(more)}`;
  });
  return `${style.bold('Next')}\n${lines.join('\n')}`;
}

function firstSteps(data: OverviewOutput): Step[] {
  return [
    whyNone('enabled', leftOutOf(data)) === undefined
      ? ['lectern new my-first-skill', 'create a skill']
      : ['lectern list --all', 'every skill, including disabled ones'],
    INSTALL,
    ...specSteps(data),
    ...(data.connected > 0 ? [] : [SETUP]),
    ['lectern doctor', 'see where Lectern looks'],
    ['lectern --help', 'everything else'],
  ];
}

function nextSteps(data: OverviewOutput): Step[] {
  const [example = 'my-skill'] = data.examples;
  const [missed] = data.notUsed;
  const full = data.agents.find(({ counts }) => counts.dropped + counts.nameOnly + counts.shortened > 0);
  const agent = full ?? data.agents[0];
  return [
    ...(agent ? [[`lectern agents ${agent.id}`, 'the list that its model gets'] satisfies Step] : []),
    ...(missed === undefined
      ? []
      : [[`lectern why ${quoteForBash(safe(missed))}`, 'why an agent does not use it'] satisfies Step]),
    ['lectern list', 'every skill'],
    [`lectern show ${quoteForBash(safe(example))}`, 'one skill with its files'],
    [`lectern search ${quoteForBash(safe(wordsOf(data)))}`, 'search skills, specs, changes'],
    ...(data.found < FEW_SKILLS ? [INSTALL] : []),
    ...specSteps(data),
    validateStep(data),
    ...setupStep(data),
    ['lectern web', 'all of this in the browser'],
    ['lectern doctor', 'folders, settings and problems'],
  ];
}

function validateStep({ folders }: OverviewOutput): Step {
  return folders.some(({ location }) => location === 'project' || location === 'collection')
    ? ['lectern validate', 'check the skills of this project']
    : ['lectern validate --all', 'check skills, specs and changes'];
}

/** The server adds specs, and skills that an agent here does not list with their description. Otherwise it would add nothing. */
function setupStep({ connected, specs, changes, skills, agents }: OverviewOutput): Step[] {
  const addsSpecs = specs + changes.length > 0;
  const addsSkills = skills > 0 && agents.some(({ counts }) => countOf(counts, isServed) > 0);
  if (connected > 0 || !(addsSpecs || addsSkills)) return [];
  return [agents.length > 0 ? ['lectern setup --all --write', 'let agents get the rest over MCP'] : SETUP];
}

function isServed(status: Status): boolean {
  return status === 'name-only' || status === 'other-text' || status === 'dropped' || status === 'not-read';
}

function specSteps({ specs, changes }: OverviewOutput): Step[] {
  const step = (id: string, command: string, ...about: [about: string, more?: string]): Step => [
    `lectern change ${command} ${quoteForBash(safe(id))}`,
    ...about,
  ];
  const hasOpenTasks = changes.some(({ task_progress: { completed, total } }) => completed < total);
  const ready = changes.find(({ state }) => state === 'ready to archive');
  const blocked = changes.find(({ blockedBy }) => blockedBy !== undefined);
  const [first] = changes;
  return [
    ...(specs > 0 ? [['lectern spec list', 'every spec with its purpose'] satisfies Step] : []),
    ...(ready ? [step(ready.id, 'archive', 'archive the finished change')] : []),
    ...(blocked ? [step(blocked.id, 'status', 'see why it is blocked', whyBlocked(blocked))] : []),
    ...(hasOpenTasks ? [['lectern change list --open', 'the open tasks'] satisfies Step] : []),
    ...(first && !ready && !blocked ? [step(first.id, 'status', 'see the next step')] : []),
  ];
}

function whyBlocked({ blockedBy: [first] = [] }: OverviewOutput['changes'][number]): string | undefined {
  return first && `${safe(first.reason)} ${safe(first.fix)}`;
}
