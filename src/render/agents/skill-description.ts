/**
 * Renders the description of the `skill` tool: instructions, then the skills. Agents cut long descriptions without a warning, so
 * this one stays within a budget and reports omissions. The same catalog always results in the same text.
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
  /** The skill belongs to the caller's team in a shared catalog. These skills come first. */
  isOwn?: boolean | undefined;
}

export interface DescriptionOptions {
  /** Budget in characters (UTF-16 units), as agents count. 0 lists everything in full. */
  budget: number;
  /** Names of the other tools. Undefined if the server does not offer them. */
  searchTool: string | undefined;
  fileTool: string | undefined;
  /** Example of a full name. Defaults to `claude:pdf`. */
  fullName?: string | undefined;
  /** Searched folders, as a list in words. */
  searched?: string | undefined;
  /** Number of skills in addition to the given ones. If it is set, at least one skill per character of the budget must be given. */
  more?: number | undefined;
  /** Skills of a shared catalog, which follow the local skills. */
  shared?: { skills: readonly DescribedSkill[]; more: number } | undefined;
}

/** Limit of a reply, which applies even if the description has none. */
const UNLIMITED_BYTES = LIMITS.replyTotalBytes.value - 100_000;
/** Shorter descriptions are useless, so only names are listed instead. */
const DESCRIPTION_MIN_CHARACTERS = 12;
/** A shortened description ends with a whole word, unless the word is longer than this. */
const WORD_MAX_CHARACTERS = 8;
/** Maximum share of the space for skills of the caller's team, if those of other teams do not fit as well. */
const OWN_SHARE = 0.7;
/** Space reserved for a shared catalog if local skills could fill everything: the number of its skills and some names. */
const SHARED_CHARACTERS = 200;

/** Returns the first level of detail that fits. Only the last two may omit skills. */
export function renderSkillDescription(skills: readonly DescribedSkill[], options: DescriptionOptions): string {
  const { shared } = options;
  const assemble = (lines: readonly string[]): string =>
    [intro(options), '<available_skills>', ...lines, '</available_skills>'].join('\n');
  if (skills.length === 0 && !shared) return assemble([fullEntry('none', 'No skills were found.', 'none')]);
  if (options.budget === 0) {
    const full = assemble([...skills.map(describedInFull), ...(shared ? allShared(shared, options) : [])]);
    if (Buffer.byteLength(full) <= UNLIMITED_BYTES) return full;
    // A character has at most three bytes.
    return renderSkillDescription(skills, { ...options, budget: UNLIMITED_BYTES / 3 });
  }
  const space = options.budget - assemble([]).length;
  return assemble(
    shared ? joinedLines(space, skills, shared, options) : linesFor(space, { skills, more: options.more }, options),
  );
}

/** A list of skills, with the wording of its notes. */
interface Part {
  skills: readonly DescribedSkill[];
  /** Number of skills in addition to these. */
  more?: number | undefined;
  /** Location for the notes, such as " here". */
  whose?: string;
  inFull?: (skill: DescribedSkill) => string;
}

function linesFor(space: number, part: Part, options: DescriptionOptions): readonly string[] {
  const { skills, more = 0, whose = '', inFull = describedInFull } = part;
  const every =
    more > 0
      ? undefined
      : (linesWithin(space, skills, inFull) ??
        linesWithin(space, skills, ({ name, description }) => shortEntry(name, description)) ??
        shortened(space, skills, `All ${grouped(skills.length)} skills${whose}, descriptions shortened.`));
  return every ?? ownFirst(space, part, options) ?? namesOnly(space, part, options);
}

/** Lists local skills as without a catalog, in slightly less space, then as many shared skills as fit. */
function joinedLines(
  space: number,
  skills: readonly DescribedSkill[],
  shared: NonNullable<DescriptionOptions['shared']>,
  options: DescriptionOptions,
): string[] {
  const here = skills.length === 0 ? [] : linesFor(space - SHARED_CHARACTERS, { skills, whose: ' here' }, options);
  const left = here.reduce((rest, line) => rest - line.length - 1, space);
  return [...here, ...linesFor(left, { ...shared, whose: SHARED, inFull: sharedInFull }, options)];
}

const SHARED = ' of the shared catalog';

function allShared({ skills, more }: NonNullable<DescriptionOptions['shared']>, options: DescriptionOptions): string[] {
  const rest = more === 0 ? [] : namesOnly(0, { skills: [], more, whose: `${SHARED} besides` }, options);
  return [...skills.map(sharedInFull), ...rest];
}

/** Clients that show this much of a description also get the long instructions. */
const LONG_FROM_CHARACTERS = 16_000;

const BUILT_IN = 'Do not use this tool for built-in CLI commands (like /help, /clear, etc.)';

function intro(options: DescriptionOptions): string {
  const { budget } = options;
  const instructions = budget === 0 || budget >= LONG_FROM_CHARACTERS ? longInstructions : shortInstructions;
  return `Execute a skill within the main conversation

Load a skill by name to get specialized instructions.

<skills_instructions>
${instructions(options)}
</skills_instructions>
`;
}

function shortInstructions({ searchTool, fileTool, fullName = 'claude:pdf', searched }: DescriptionOptions): string {
  const files = fileTool === undefined ? '' : `; ${fileTool} reads them`;
  const found = searchTool === undefined ? '' : ` or found with ${searchTool}`;
  const places = searched === undefined ? '' : `\nSearched: ${inMarkup(searched)}.`;
  return `When a task fits a skill below, first call this tool with its name (\`pdf\`, \`${fullName}\`, any case). Relative paths in a skill start at its base directory${files}. Load only skills of this list (it stays current)${found}, none twice. ${BUILT_IN}.${places}`;
}

/**
 * Uses the wording of the agents' own skill tools. The examples use the parameter of this tool, and no line announces a
 * `<command-message>`, because this server sends none.
 */
function longInstructions({
  searchTool,
  fileTool,
  fullName = 'ms-office-suite:pdf',
  searched,
}: DescriptionOptions): string {
  const found = searchTool === undefined ? '' : `\n- Skills that ${searchTool} finds can be loaded too`;
  const files = fileTool === undefined ? '' : `; ${fileTool} reads them`;
  const places = searched === undefined ? '' : `\n- Searched: ${inMarkup(searched)}`;
  return `When users ask you to perform tasks, check if any of the available skills below can help complete the task more effectively. Skills provide specialized capabilities and domain knowledge.

How to use skills:
- Invoke skills using this tool with the skill name only (no arguments)
- The skill's prompt will expand and provide detailed instructions on how to complete the task
- Examples:
  - \`name: "pdf"\` - invoke the pdf skill
  - \`name: "xlsx"\` - invoke the xlsx skill
  - \`name: "${fullName}"\` - invoke using fully qualified name

Important:
- Only use skills listed in <available_skills> below
- Do not invoke a skill that is already running
- ${BUILT_IN}

Discovery:
- The list stays current; names are understood in any case${found}
- Relative paths in a skill start at its base directory${files}${places}`;
}

/** Names of locations, in the list and in the header of a loaded skill. */
export const LOCATION_WORDS: Record<DescribedSkill['location'], string> = {
  project: 'project',
  user: 'global',
  plugin: 'plugin',
  custom: 'custom',
  collection: 'collection',
};

function describedInFull({ name, description, location, provider }: DescribedSkill): string {
  return fullEntry(name, description, LOCATION_WORDS[location], provider);
}

/** Renders a shared skill. Its location is `shared`, because it is not in a local folder. */
function sharedInFull({ name, description }: DescribedSkill): string {
  return fullEntry(name, description, 'shared');
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

/** Returns a line for each skill, or undefined if they do not fit. */
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

/** Returns `name: description` for every skill, with the longest descriptions that fit, or undefined if they would be too short. */
function shortened(space: number, skills: readonly DescribedSkill[], note: string): string[] | undefined {
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
 * Returns at least `minCharacters` of a text, up to the end of a word. It adds no ellipsis, because Claude Code turns each into three
 * periods, which would cut a description within the budget.
 */
function cutAfterWord(text: string, minCharacters: number): string {
  const rest = text.slice(minCharacters, minCharacters + WORD_MAX_CHARACTERS);
  const end = rest.search(/\s|$/u);
  const cut = minCharacters + (end < WORD_MAX_CHARACTERS ? end : 0);
  return text.slice(0, codePointStart(text, cut)).trimEnd();
}

/** For a shared catalog, lists the skills of the caller's team with shortened descriptions, then as many other names as fit. */
function ownFirst(
  space: number,
  { skills, more = 0 }: Part,
  options: DescriptionOptions,
): readonly string[] | undefined {
  const own = skills.filter(({ isOwn }) => isOwn);
  const others = skills.filter(({ isOwn }) => !isOwn);
  if (own.length === 0 || others.length + more === 0) return undefined;
  const note = `Skills of your team: ${grouped(own.length)}. Long descriptions are shortened.`;
  const lines = shortened(Math.floor(space * OWN_SHARE), own, note);
  if (!lines) return undefined;
  const rest = space - lines.join('\n').length - 1;
  return [...lines, ...namesOnly(rest, { skills: others, more, whose: ' of other teams' }, options)];
}

function namesOnly(
  space: number,
  { skills, more = 0, whose = '' }: Part,
  { searchTool }: DescriptionOptions,
): readonly string[] {
  const count = skills.length + more;
  const total = grouped(count);
  const how = searchTool === undefined ? 'request a name to see similar ones' : `use ${searchTool} to find them`;
  const all = `All ${total} skills${whose}, by name only${searchTool === undefined ? '' : `; ${searchTool} has their descriptions`}.`;
  const cut = (shown: number): string =>
    `${grouped(shown)} of ${total} skills${whose}, by name only. ${grouped(count - shown)} more: ${how}.`;
  let left = space - Math.max(all.length, cut(count).length) - 2;
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

/** Quotes a name with a comma, which would look like two names. */
function nameInList(name: string): string {
  return name.includes(',') ? `"${inMarkup(name)}"` : inMarkup(name);
}
