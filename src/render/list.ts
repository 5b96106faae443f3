import path from 'node:path';
import type { listSkills } from '../operations/list-skills.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import type { SkillSummary } from '../workspace/skill-summary.ts';
import type { State } from '../skills/filter.ts';
import { ALL_AGENTS, SHARED_AGENTS } from '../skills/roots/agents.ts';
import { problemCounts } from './diagnostics.ts';
import { skillCounts, whyNone } from './no-skills.ts';
import { safe, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

type Listed = AnswerOf<typeof listSkills>['skills'][number];
type ListSkillsOutput = AnswerOf<typeof listSkills>;

const INDENT = '  ';
const NAME_COLUMNS_MIN = 8;
const NAME_COLUMNS_MAX = 32;
const DESCRIPTION_COLUMNS_MIN = 20;

/** Renders skills grouped by provider and location, one line each. */
export function renderList(data: ListSkillsOutput, style: Style, state: State): string {
  const why = data.skills.length === 0 ? whyNone(state, data.counts.leftOut) : undefined;
  if (why !== undefined) return `${why}\n`;
  if (data.skills.length === 0)
    return `No skills found.\n\n${style.dim('Create one:')} lectern new my-first-skill\n${style.dim('See where Lectern looks:')} lectern doctor\n`;
  const groups = new Map<string, Listed[]>();
  for (const skill of data.skills) {
    const key = groupTitle(skill, style);
    const group = groups.get(key);
    if (group) group.push(skill);
    else groups.set(key, [skill]);
  }
  const blocks = [...groups].map(([title, skills]) => {
    const names = skills.map((skill) => shownName(skill, style.width));
    const columns = names.reduce((widest, name) => Math.min(NAME_COLUMNS_MAX, Math.max(widest, widthOf(name))), 0);
    const rows = skills.map((skill, index) => renderRow(skill, names[index] ?? '', columns, style));
    const why =
      skills[0]?.disabledBy === undefined ? '' : `\n  ${style.yellow(style.say(`off: ${skills[0].disabledBy}`))}`;
    const shared = skills[0] === undefined ? '' : sharedNote(skills[0]);
    return `${style.bold(title)} ${style.dim(`(${grouped(skills.length)})${shared}`)}${why}\n${rows.join('\n')}`;
  });
  const next = data.nextCursor === undefined ? '' : `${style.dim(`next page: --cursor ${data.nextCursor}`)}\n`;
  return `${blocks.join('\n\n')}\n\n${renderCounts(data, style, state)}\n${next}`;
}

/** `path` is the folder of a skill or of skills. */
type Grouped = Pick<SkillSummary, 'provider' | 'location' | 'plugin' | 'path'>;

/** Returns a title such as `~/.agents`, `apps/web/.claude` or `Claude plugin office`. Safe for a terminal. */
export function groupTitle({ provider, location, plugin, path: dir }: Grouped, style: Style): string {
  if (location === 'collection') return 'this repository';
  if (plugin !== undefined) return `Claude plugin ${safe(plugin)}`;
  const folder = location === 'custom' ? undefined : agentFolder(provider, dir);
  return folder === undefined ? safe(provider) : style.place(folder);
}

/** Returns the agent folder in a path: `~/.config/goose` in `~/.config/goose/skills/pdf`. A plain `skills` folder is its own. */
function agentFolder(provider: string, dir: string): string | undefined {
  const agent = ALL_AGENTS.find(({ name }) => name === provider);
  const known = agent ? [...agent.project, ...agent.user] : [];
  const parts = `${dir}${path.sep}`;
  const below = known.map((each) => path.join(path.sep, each, path.sep)).find((each) => parts.includes(each));
  if (below !== undefined) return dir.slice(0, parts.indexOf(below)) + path.dirname(below);
  const [, before, skills] = /^(.*?[/\\])(skills?)[/\\]/u.exec(parts) ?? [];
  if (before === undefined || skills === undefined) return undefined;
  return path.basename(before).startsWith('.') ? path.resolve(before) : before + skills;
}

/** Note about a folder that belongs to no single agent. */
export function sharedNote({ provider, location }: Pick<SkillSummary, 'provider' | 'location'>): string {
  const isShared = provider === SHARED_AGENTS.name && (location === 'user' || location === 'project');
  return isShared ? ', shared by several agents' : '';
}

/** Describes a skill repository, whose skills are not installed for any agent. */
export function inRepository(skills: number): string {
  return `${count(skills, 'skill')} in this repository, not installed for any agent`;
}

function shownName(skill: SkillSummary, width: number | undefined): string {
  const name = safe(skill.ambiguous ? skill.fullName : skill.name);
  return width === undefined ? name : fit(name, Math.max(NAME_COLUMNS_MIN, width - INDENT.length));
}

function renderRow(skill: Listed, name: string, columns: number, style: Style): string {
  const marks = [
    ...(skill.disabled ? ['[disabled]'] : []),
    ...(skill.installed ? [skill.installed.modified ? '[installed, modified]' : '[installed]'] : []),
    ...versionMark(skill, style),
    ...(skill.ambiguous ? ['[ambiguous]'] : []),
    ...(skill.places === undefined ? [] : [`[${otherPlaces(skill, skill.places)}]`]),
  ].join(' ');
  const head = INDENT + padEnd(name, columns);
  const isUnused = skill.usedBy === undefined ? skill.shadowedBy !== undefined : skill.usedBy.length === 0;
  const muted = skill.disabled || isUnused;
  const shownHead = muted ? style.dim(head) : INDENT + style.cyan(name) + head.slice(INDENT.length + name.length);
  const columnsLeft =
    style.width === undefined ? undefined : style.width - widthOf(head) - 2 - (marks === '' ? 0 : marks.length + 2);
  const description = safe(skill.description);
  const text =
    columnsLeft === undefined
      ? description
      : columnsLeft < DESCRIPTION_COLUMNS_MIN
        ? ''
        : fit(description, columnsLeft);
  return [
    shownHead,
    ...(marks === '' ? [] : [style.yellow(marks)]),
    ...(text === '' ? [] : [muted ? style.dim(text) : text]),
  ]
    .join('  ')
    .trimEnd();
}

/** Of a name with several versions, marks the agents that use this one. Without agents here, only Lectern's own order counts. */
function versionMark({ usedBy, shadowedBy, disabled }: Listed, style: Style): string[] {
  if (disabled) return [];
  if (usedBy) return [usedBy.length === 0 ? '[used by no agent here]' : `[used by ${usedBy.map(safe).join(', ')}]`];
  return shadowedBy === undefined ? [] : [`[other version${placeOf(shadowedBy, style)}]`];
}

/** Returns `: .agents` or `: ~/.agents` for a file in such a folder, which identifies the version that the name loads. */
function placeOf(file: string, style: Style): string {
  const parts = file.split(path.sep);
  const at = parts.findLastIndex((part) => part.startsWith('.'));
  return at === -1 ? '' : `: ${style.place(parts.slice(0, at + 1).join(path.sep))}`;
}

/** Returns `6 names have several versions`. */
export function severalVersions(names: number): string {
  return `${count(names, 'name')} ${names === 1 ? 'has' : 'have'} several versions`;
}

const PLACES_COLUMNS_MAX = 28;

/** Returns `also codex, cursor`, the distinguishing part of the other places, or `4 places` if that is too long. */
function otherPlaces(skill: SkillSummary, places: NonNullable<SkillSummary['places']>): string {
  const [, ...others] = places;
  const named = others.map(({ provider, location }) => (provider === skill.provider ? location : provider));
  const shown = `also ${[...new Set(named)].map(safe).join(', ')}`;
  return shown.length > PLACES_COLUMNS_MAX ? `${places.length} places` : shown;
}

/** Returns `1 ambiguous name (2 skills)`. */
export function renderAmbiguous({
  ambiguous,
  ambiguousSkills,
}: {
  ambiguous: number;
  ambiguousSkills: number;
}): string {
  return `${count(ambiguous, 'ambiguous name')}${ambiguous > 0 ? ` (${count(ambiguousSkills, 'skill')})` : ''}`;
}

function renderCounts({ counts, diagnostics }: ListSkillsOutput, style: Style, state: State): string {
  const { collection = 0 } = counts.byLocation;
  const total = counts.total - collection;
  const found = state === 'disabled' ? [count(total, 'disabled skill')] : skillCounts(total, counts.leftOut.byState);
  const parts = [
    ...(total > 0 || collection === 0 ? found : []),
    ...(collection > 0 ? [inRepository(collection)] : []),
    ...(state === 'all' && counts.disabled > 0 ? [`${grouped(counts.disabled)} of them disabled`] : []),
    ...(counts.severalVersions > 0 ? [severalVersions(counts.severalVersions)] : []),
    ...(counts.ambiguous > 0 ? [renderAmbiguous(counts)] : []),
    ...(counts.copies > 0 ? [count(counts.copies, 'identical copy', 'identical copies')] : []),
  ];
  const problems = problemCounts(diagnostics);
  const paint = diagnostics.some(({ severity }) => severity === 'error') ? style.red : style.yellow;
  return style.dim(parts.join(', ')) + (problems === '' ? '' : `, ${paint(problems)}`);
}
