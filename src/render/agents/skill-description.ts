/**
 * The description of the `skill` tool: how to use it, then the skills. Agents silently cut long descriptions, so this one
 * stays within a budget and states what it leaves out. The same catalog always results in the same text.
 */
import { LIMITS } from '../../core/limits.ts';
import { codePointStart, grouped } from '../../core/text.ts';
import type { Location } from '../../skills/skill.ts';
import { inMarkup } from './markup.ts';

export interface DescribedSkill {
  name: string;
  description: string;
  location: Location;
  provider: string;
  /** Of the caller's own team, in a shared catalog. These come first. */
  isOwn?: boolean | undefined;
}

export interface DescriptionOptions {
  /** In characters (UTF-16 units), as agents count; 0 lists everything in full. */
  budget: number;
  /** The names of the other tools; undefined if the server does not offer them. */
  searchTool: string | undefined;
  fileTool: string | undefined;
  /** How many skills there are besides the given ones. */
  more?: number;
  /** The skills are those of a machine and of a shared catalog together. */
  joins?: boolean;
}

/** A reply has a limit even if the description has none. */
const UNLIMITED_BYTES = LIMITS.replyTotalBytes.value - 100_000;
/** Shorter descriptions say nothing, so names alone are listed instead. */
const DESCRIPTION_MIN_CHARACTERS = 12;
/** A shortened description ends with a whole word, unless the word is longer than this. */
const WORD_MAX_CHARACTERS = 8;
/** How much of the space the caller's own skills may take, if those of other teams do not fit as well. */
const OWN_SHARE = 0.7;

/** The first of these levels that fits. Each has every skill, and only the last two may leave some out. */
export function renderSkillDescription(skills: readonly DescribedSkill[], options: DescriptionOptions): string {
  const assemble = (lines: readonly string[]): string =>
    [intro(options), '<available_skills>', ...lines, '</available_skills>'].join('\n');
  if (skills.length === 0) return assemble([fullEntry('none', 'No skills were found.', 'none')]);
  const { more = 0 } = options;
  if (options.budget === 0) {
    const rest = more === 0 ? [] : [`${grouped(more)} more in the shared catalog: ${howToFind(options)}.`];
    const full = assemble([...skills.map(describedInFull), ...rest]);
    if (more > 0 && Buffer.byteLength(full) <= UNLIMITED_BYTES) return full;
    // A character has at most three bytes.
    const budget = Buffer.byteLength(full) > UNLIMITED_BYTES ? UNLIMITED_BYTES / 3 : full.length;
    return renderSkillDescription(skills, { ...options, budget });
  }
  const space = options.budget - assemble([]).length;
  return assemble(
    (more > 0 ? undefined : everySkill(space, skills)) ??
      ownFirst(space, skills, options) ??
      namesOnly(space, skills, options),
  );
}

/** In as many words as fit; undefined if not even that does. */
function everySkill(space: number, skills: readonly DescribedSkill[]): string[] | undefined {
  return (
    linesWithin(space, skills, describedInFull) ??
    linesWithin(space, skills, ({ name, description }) => shortEntry(name, description)) ??
    shortened(space, skills)
  );
}

function intro({ searchTool, fileTool }: DescriptionOptions): string {
  const files = fileTool === undefined ? '' : `; ${fileTool} reads them`;
  const found = searchTool === undefined ? '' : ` or found with ${searchTool}`;
  return `Execute a skill within the main conversation

Load a skill by name to get specialized instructions.

<skills_instructions>
When a task fits a skill below, first call this tool with its name (\`pdf\`, \`claude:pdf\`, any case). Relative paths in a skill start at its base directory${files}. Load only skills of this list (it stays current)${found}, none twice.
</skills_instructions>
`;
}

const LOCATION_WORDS: Record<DescribedSkill['location'], string> = {
  project: 'project',
  user: 'global',
  plugin: 'plugin',
  custom: 'custom',
  collection: 'collection',
};

function describedInFull({ name, description, location, provider }: DescribedSkill): string {
  return fullEntry(name, description, LOCATION_WORDS[location], provider);
}

function fullEntry(name: string, description: string, location: string, provider?: string): string {
  const lines = [
    '<skill>',
    `<name>${inMarkup(name)}</name>`,
    `<description>${inMarkup(description)}</description>`,
    `<location>${location}</location>`,
    ...(provider === undefined ? [] : [`<provider>${inMarkup(provider)}</provider>`]),
    '</skill>',
  ];
  return lines.join('\n');
}

function shortEntry(name: string, description: string): string {
  return `<skill><name>${inMarkup(name)}</name><description>${inMarkup(description)}</description></skill>`;
}

/** A line for each skill; undefined as soon as they do not fit. */
function linesWithin<T>(space: number, items: readonly T[], lineOf: (item: T) => string): string[] | undefined {
  const lines: string[] = [];
  let left = space;
  for (const item of items) {
    const line = lineOf(item);
    left -= line.length + 1;
    if (left < 0) return undefined;
    lines.push(line);
  }
  return lines;
}

/** `name: description` for every skill, with the longest descriptions that fit; undefined if they would be too short. */
function shortened(
  space: number,
  skills: readonly DescribedSkill[],
  note = `All ${grouped(skills.length)} skills, descriptions shortened.`,
): string[] | undefined {
  const attempt = (characters: number): string[] | undefined =>
    linesWithin(
      space - note.length - 1,
      skills,
      ({ name, description }) => `${inMarkup(name)}: ${inMarkup(cutAfterWord(description, characters))}`,
    );
  let best = attempt(DESCRIPTION_MIN_CHARACTERS);
  if (!best) return undefined;
  let low = DESCRIPTION_MIN_CHARACTERS + 1;
  let high = Math.max(low, ...skills.map(({ description }) => description.length));
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const lines = attempt(middle);
    if (lines) {
      best = lines;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return [...best, note];
}

/**
 * At least so many characters of a text, up to the end of a word. Without an ellipsis: Claude Code turns each into three periods, so
 * that a description within the budget would be cut after all.
 */
function cutAfterWord(text: string, minCharacters: number): string {
  const rest = text.slice(minCharacters, minCharacters + WORD_MAX_CHARACTERS);
  const end = rest.search(/\s|$/u);
  const cut = minCharacters + (end < WORD_MAX_CHARACTERS ? end : 0);
  return text.slice(0, codePointStart(text, cut)).trimEnd();
}

/** Of a shared catalog: the caller's own skills with shortened descriptions, and as many others as fit by name. */
function ownFirst(
  space: number,
  skills: readonly DescribedSkill[],
  options: DescriptionOptions,
): readonly string[] | undefined {
  const own = skills.filter(({ isOwn }) => isOwn);
  const others = skills.filter(({ isOwn }) => !isOwn);
  const { more = 0, joins = false } = options;
  if (own.length === 0 || others.length + more === 0) return undefined;
  const note = `All ${grouped(own.length)} ${joins ? 'here and ' : ''}of your team, descriptions shortened.`;
  const lines = shortened(Math.floor(space * OWN_SHARE), own, note);
  if (!lines) return undefined;
  return [...lines, ...namesOnly(space - lines.join('\n').length - 1, others, options, ' of other teams')];
}

function namesOnly(
  space: number,
  skills: readonly DescribedSkill[],
  options: DescriptionOptions,
  whose = '',
): readonly string[] {
  const { searchTool, more = 0 } = options;
  const count = skills.length + more;
  const total = grouped(count);
  const how = howToFind(options);
  const all = `All ${total} skills${whose}, by name only${searchTool === undefined ? '' : `; ${searchTool} has their descriptions`}.`;
  const cut = (shown: number): string =>
    `${grouped(shown)} of ${total} skills${whose}, by name only. ${grouped(count - shown)} more: ${how}.`;
  let left = space - Math.max(all.length, cut(skills.length).length) - 2;
  const names: string[] = [];
  for (const { name } of skills) {
    const text = nameInList(name);
    left -= text.length + 2;
    if (left < 0) break;
    names.push(text);
  }
  if (names.length === 0) return [`${total} skills${whose}: ${how}.`];
  return [names.join(', '), names.length === count ? all : cut(names.length)];
}

function howToFind({ searchTool }: DescriptionOptions): string {
  return searchTool === undefined ? 'request a name to see similar ones' : `use ${searchTool} to find them`;
}

/** A name that contains a comma would look like two. */
function nameInList(name: string): string {
  return name.includes(',') ? `"${inMarkup(name)}"` : inMarkup(name);
}
