import path from 'node:path';
import type { listSkills } from '../operations/list-skills.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import type { SkillSummary } from '../workspace/skill-summary.ts';
import type { State } from '../skills/filter.ts';
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
    const key = groupTitle(skill);
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
    return `${style.bold(safe(title))} ${style.dim(`(${grouped(skills.length)})`)}${why}\n${rows.join('\n')}`;
  });
  const next = data.nextCursor === undefined ? '' : `${style.dim(`next page: --cursor ${data.nextCursor}`)}\n`;
  return `${blocks.join('\n\n')}\n\n${renderCounts(data, style, state)}\n${next}`;
}

/** Returns a title such as `claude · plugin · office` or `claude · project · apps/web`. */
export function groupTitle(root: Pick<SkillSummary, 'provider' | 'location' | 'plugin' | 'package'>): string {
  if (root.location === 'collection') return 'this repository';
  const more = [root.plugin, root.package].filter((part) => part !== undefined);
  return [root.provider, root.location, ...more].join(' · ');
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
    ...(skill.shadowedBy === undefined ? [] : [`[other version${placeOf(skill.shadowedBy, style)}]`]),
    ...(skill.ambiguous ? ['[ambiguous]'] : []),
    ...(skill.places === undefined ? [] : [`[${otherPlaces(skill, skill.places)}]`]),
  ].join(' ');
  const head = INDENT + padEnd(name, columns);
  const muted = skill.disabled || skill.shadowedBy !== undefined;
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

/** Returns `: .agents` or `: ~/.agents` for a file in such a folder, which identifies the version that the name loads. */
function placeOf(file: string, style: Style): string {
  const parts = file.split(path.sep);
  const at = parts.findLastIndex((part) => part.startsWith('.'));
  return at === -1 ? '' : `: ${style.place(parts.slice(0, at + 1).join(path.sep))}`;
}

/** Returns `3 replaced by another version`, for skills whose name loads a different skill. */
export function replaced(skills: number): string {
  return `${grouped(skills)} replaced by another version`;
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
    ...(counts.shadowed > 0 ? [replaced(counts.shadowed)] : []),
    ...(counts.ambiguous > 0 ? [renderAmbiguous(counts)] : []),
    ...(counts.copies > 0 ? [count(counts.copies, 'identical copy', 'identical copies')] : []),
  ];
  const problems = problemCounts(diagnostics);
  const paint = diagnostics.some(({ severity }) => severity === 'error') ? style.red : style.yellow;
  return style.dim(parts.join(', ')) + (problems === '' ? '' : `, ${paint(problems)}`);
}
