import path from 'node:path';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { breather } from '../core/breathe.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { LOCATIONS, fullNameOf, type Skill } from '../skills/skill.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import type { WholeContent } from '../workspace/skill-content.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isForModels, nameFor } from '../workspace/agent-listing.ts';
import { defineOperation } from './define.ts';

export const CATALOG_ENTRY = {
  installName: text('The name of the skill’s folder'),
  name: text('The name to load it by'),
  fullName: text(),
  description: text(),
  meta: object({ name: text(), description: text() }, 'As written in the frontmatter'),
  provider: text(),
  location: choice(LOCATIONS),
  skillPath: text('Its folder, relative to the project if it is inside'),
  skillFile: text('Its SKILL.md'),
  plugin: optional(text()),
  shadowedBy: optional(text('The file that this name loads instead')),
  forModels: optional({
    type: 'flag',
    always: false,
    help: 'Only a person may start it (disable-model-invocation)',
  }),
} as const;
export type CatalogEntry = ObjectOf<typeof CATALOG_ENTRY>;

const output = {
  skills: list(object({ ...CATALOG_ENTRY, body: optional(text('The SKILL.md without its frontmatter')) })),
  bodiesLeftOut: optional(integer('How many bodies did not fit in the reply')),
} as const;
export type AgentList = ObjectOf<typeof output>;

/** The list for agents. Unlike `lectern list`, it has the names to load skills by, and no problems or counts. */
export const agentList = defineOperation({
  name: 'skills_list',
  title: 'List Skills',
  summary: 'List every skill with its metadata, from the current files; with includeBody the text of each SKILL.md too',
  params: {
    query: {
      type: 'text',
      max: LIMITS.queryCharacters.value,
      help: 'Optional substring filter applied to install name, meta.name, or description',
    },
    includeBody: {
      type: 'flag',
      help: 'Include the SKILL.md body (minus YAML front-matter) in the structured payload',
    },
  },
  output,
  reads: 'skills',
  tool: 'skills',
  async run({ query = '', includeBody = false }, workspace) {
    const catalog = (await workspace.fresh()).view();
    const wanted = query.toLowerCase();
    const matching = catalog.skills.filter(
      (skill) =>
        wanted === '' ||
        [skill.folder, skill.name, skill.description].some((value) => value.toLowerCase().includes(wanted)),
    );
    const skills: AgentList['skills'] = [];
    let bytesLeft: number = LIMITS.listedBodyBytes.value;
    let bodiesLeftOut = 0;
    const deadline = Date.now() + LIMITS.skillSettleWait.value;
    const breathe = breather();
    for (const skill of matching) {
      const pause = breathe();
      if (pause) await pause;
      const whole = includeBody ? await wholeOrNothing(skill, workspace, deadline) : undefined;
      // The body and what is said about it come from one read.
      const entry = describeForAgents(skill, catalog, workspace, whole?.skill);
      const body = isForModels(whole?.skill ?? skill) ? whole?.body : undefined;
      bytesLeft -= body === undefined ? 0 : Buffer.byteLength(body);
      if (body !== undefined && bytesLeft < 0) bodiesLeftOut += 1;
      skills.push(body === undefined || bytesLeft < 0 ? entry : { ...entry, body });
    }
    return { skills, ...(bodiesLeftOut === 0 ? {} : { bodiesLeftOut }) };
  },
});

/** A skill that is being written and has no earlier version is listed without its body. */
async function wholeOrNothing(skill: Skill, workspace: Workspace, deadline: number): Promise<WholeContent | undefined> {
  try {
    return await workspace.contentOf(skill).whole(deadline);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** `header` is what a later read of its file says. */
export function describeForAgents(
  skill: Skill,
  catalog: SkillCatalog,
  workspace: Workspace,
  header: Pick<Skill, 'name' | 'description' | 'frontmatter'> = skill,
): CatalogEntry {
  const { projectDir } = workspace.options;
  const fullName = fullNameOf(skill);
  const shadow = catalog.shadowOf(skill);
  return {
    installName: skill.folder,
    name: nameFor(skill, catalog)?.name ?? fullName,
    fullName,
    description: header.description,
    meta: { name: header.name, description: header.description },
    provider: skill.provider,
    location: skill.location,
    skillPath: isInside(projectDir, skill.dir)
      ? path.relative(projectDir, skill.dir).split(path.sep).join('/') || '.'
      : skill.dir,
    skillFile: skill.file,
    ...(skill.plugin === undefined ? {} : { plugin: skill.plugin }),
    ...(shadow === undefined ? {} : { shadowedBy: shadow.file }),
    ...(isForModels(header) ? {} : { forModels: false as const }),
  };
}
