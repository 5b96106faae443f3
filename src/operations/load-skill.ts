import { choice, integer, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import { LOCATIONS, fullNameOf, type Skill } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { isForModels } from '../workspace/agent-listing.ts';
import { defineOperation } from './define.ts';
import { named } from './join.ts';
import { NAME } from './shapes.ts';
import { pageOf } from '../core/page.ts';
import { getSkill } from '../workspace/skill-summary.ts';

const output = {
  name: text(),
  fullName: text('provider:name, provider:plugin:name or scope:name'),
  baseDirectory: text('Base of relative paths in the skill'),
  path: text('Its SKILL.md'),
  location: choice(LOCATIONS),
  provider: text(),
  plugin: optional(text('plugin@marketplace')),
  source: optional(text('Its source in a shared catalog; its files are not on this machine')),
  content: text('The SKILL.md, frontmatter included'),
  totalCharacters: optional(integer('Length of the whole file, if content is only its beginning')),
  nextOffset: optional(integer('Where skill_file continues, if content is only the beginning')),
} as const;
export type LoadedSkill = ObjectOf<typeof output>;

export const loadSkill = defineOperation({
  name: 'skill',
  title: 'Load Skill',
  summary: 'Load a skill by name to get specialized instructions',
  params: {
    name: { ...NAME, required: true, help: 'Name of the skill to load (case-insensitive)' },
  },
  output,
  reads: 'skills',
  tool: 'skill',
  join: named('name', {
    kind: 'skill',
    fullName: 'fullName',
    // Unlike `skill`, it does not count as a load.
    namesake: (name) => ({ operation: 'skill_file', input: { name, limit: 1 } }),
  }),
  async run({ name }, workspace) {
    return loadedSkill(await findAndRead(name, workspace));
  },
});

export function loadedSkill({ skill, content }: { skill: Skill; content: string }): LoadedSkill {
  const page = pageOf(content, 0);
  return {
    name: skill.name,
    fullName: fullNameOf(skill),
    baseDirectory: skill.dir,
    path: skill.file,
    location: skill.location,
    provider: skill.provider,
    ...(skill.plugin === undefined
      ? {}
      : { plugin: skill.marketplace === undefined ? skill.plugin : `${skill.plugin}@${skill.marketplace}` }),
    ...(skill.source === undefined ? {} : { source: skill.source }),
    content: page.text,
    ...(page.nextOffset === undefined ? {} : { totalCharacters: content.length, nextOffset: page.nextOffset }),
  };
}

/** Who starts the skill: some skills do not allow models to start them. */
export type Audience = 'model' | 'person';

/** Rescans once if the skill is missing or unreadable, because the last scan may be outdated. */
export async function findAndRead(
  name: string,
  workspace: Reader,
  audience: Audience = 'model',
): Promise<{ skill: Skill; content: string }> {
  let before: Skill | undefined;
  try {
    before = getSkill(workspace, name);
    return await read(before, workspace, audience);
  } catch (error) {
    if (!(error instanceof Failure) || !['NOT_FOUND', 'UNREADABLE', 'SKILL_CHANGING'].includes(error.code)) throw error;
    await workspace.fresh();
    const now = error.code === 'UNREADABLE' ? findAgain(workspace, name, error) : getSkill(workspace, name);
    // The same skill is still being written, and the wait has timed out.
    if (error.code === 'SKILL_CHANGING' && now.file === before?.file && now.key === before.key) throw error;
    return read(now, workspace, audience);
  }
}

/** The new scan omits a skill whose folder is no longer readable, although the skill still exists. */
function findAgain(workspace: Reader, name: string, unreadable: Failure): Skill {
  try {
    return getSkill(workspace, name);
  } catch (error) {
    throw error instanceof Failure && error.code === 'NOT_FOUND' ? unreadable : error;
  }
}

async function read(found: Skill, workspace: Reader, audience: Audience): Promise<{ skill: Skill; content: string }> {
  const { skill, text: content } = await workspace.contentOf(found).whole();
  if (audience === 'model' && !isForModels(skill)) {
    throw new Failure(
      'REFUSED',
      `Only a person can start skill '${echo(skill.name)}': it sets disable-model-invocation.`,
      { hint: 'Ask the user to start it, for example as a prompt or a slash command.' },
    );
  }
  return { skill, content };
}
