/**
 * The description of the `skill` tool: how to use it, then the skills. Agents silently cut long descriptions, so this one
 * stays within a budget and states what it leaves out. The same catalog always results in the same bytes.
 */
import { clip, grouped } from '../../core/text.ts';
import { bytesOf, inMarkup } from './markup.ts';

export interface DescribedSkill {
  name: string;
  description: string;
  location: 'custom' | 'project' | 'user' | 'plugin';
  provider: string;
}

export interface DescriptionOptions {
  /** In bytes, so that it also holds in characters of any script; 0 lists everything in full. */
  budget: number;
  /** The names of the other tools; undefined if the server does not offer them. */
  searchTool: string | undefined;
  fileTool: string | undefined;
}

/** A shorter description says nothing and takes up space for names. */
const DESCRIPTION_MIN_CHARACTERS = 24;

export function renderSkillDescription(skills: readonly DescribedSkill[], options: DescriptionOptions): string {
  if (skills.length === 0) return assemble(options, [element('none', 'No skills were found.', 'none')], undefined);
  const full = assemble(options, skills.map(fullElement), undefined);
  if (options.budget === 0 || bytesOf(full) <= options.budget) return full;
  return shortened(skills, options) ?? namesOnly(skills, options);
}

function assemble(options: DescriptionOptions, entries: readonly string[], note: string | undefined): string {
  const lines = [
    intro(options),
    '<available_skills>',
    ...entries,
    ...(note === undefined ? [] : [note]),
    '</available_skills>',
  ];
  return lines.join('\n');
}

function intro({ searchTool, fileTool }: DescriptionOptions): string {
  return `Execute a skill within the main conversation

Load a skill by name to get specialized instructions.

<skills_instructions>
When a task fits one of the skills listed below, load that skill before you start: it contains instructions and knowledge for this kind of work.

How to use skills:
- Call this tool with the skill's name and nothing else: \`name: "pdf"\`; if a full name is listed, use that: \`name: "claude:pdf"\`
- The reply is the skill's text; relative paths in it start at the base directory in its header${fileTool === undefined ? '' : `\n- To read files bundled with a skill, open them there or call ${fileTool}`}

Discovery:
- The list has the skills of this project, of the user and of enabled plugins, and follows changes on disk
- Names are case-insensitive; only load skills listed below${searchTool === undefined ? '' : ` or found with ${searchTool}`}
- Do not load a skill that is already loaded, and do not use this tool for commands such as /help
</skills_instructions>
`;
}

const LOCATION_WORDS: Record<DescribedSkill['location'], string> = {
  project: 'project',
  user: 'global',
  plugin: 'plugin',
  custom: 'custom',
};

function fullElement({ name, description, location, provider }: DescribedSkill): string {
  return element(name, description, LOCATION_WORDS[location], provider);
}

function element(name: string, description: string, location: string, provider?: string): string {
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

/** Every skill with the longest descriptions that fit; undefined if even the shortest do not. */
function shortened(skills: readonly DescribedSkill[], options: DescriptionOptions): string | undefined {
  const note = `All ${skills.length} skills are listed; long descriptions are shortened.`;
  const attempt = (characters: number): string =>
    assemble(
      options,
      skills.map(({ name, description, location, provider }) =>
        fullElement({ name, description: clip(description, characters), location, provider }),
      ),
      note,
    );
  // The markup alone exceeds this many bytes, so there is no need to try a large catalog.
  if (skills.length * 90 > options.budget) return undefined;
  let best: string | undefined;
  let low = DESCRIPTION_MIN_CHARACTERS;
  let high = Math.max(low, ...skills.map(({ description }) => description.length));
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const text = attempt(middle);
    if (bytesOf(text) <= options.budget) {
      best = text;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

function namesOnly(skills: readonly DescribedSkill[], options: DescriptionOptions): string {
  const { searchTool, budget } = options;
  const total = grouped(skills.length);
  const how = searchTool === undefined ? 'request a name to see similar ones' : `use ${searchTool} to find them`;
  const all = `All ${total} skills are listed, by name only${searchTool === undefined ? '' : `; use ${searchTool} to read their descriptions`}.`;
  const cut = (shown: number): string =>
    `${grouped(shown)} of ${total} skills are listed, by name only. ${grouped(skills.length - shown)} more: ${how}.`;
  let bytesLeft = budget - bytesOf(assemble(options, [], '')) - Math.max(bytesOf(all), bytesOf(cut(skills.length)));
  const entries: string[] = [];
  for (const { name } of skills) {
    const entry = `<skill><name>${inMarkup(name)}</name></skill>`;
    bytesLeft -= bytesOf(entry) + 1;
    if (bytesLeft < 0) break;
    entries.push(entry);
  }
  return assemble(options, entries, entries.length === skills.length ? all : cut(entries.length));
}
