import path from 'node:path';
import * as z from 'zod';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { LOCATIONS, fullNameOf, type Skill } from '../skills/schema.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isForModels, nameFor } from './agent-listing.ts';
import { defineOperation } from './define.ts';
import { readBody } from '../workspace/skill-body.ts';

export const CatalogEntry = z.object({
  installName: z.string().describe('The name of the skill’s folder'),
  name: z.string().describe('The name to load it by'),
  fullName: z.string(),
  description: z.string(),
  meta: z.object({ name: z.string(), description: z.string() }).describe('As written in the frontmatter'),
  provider: z.string(),
  location: z.enum(LOCATIONS),
  skillPath: z.string().describe('Its folder, relative to the project where it lies inside'),
  skillFile: z.string().describe('Its SKILL.md'),
  plugin: z.string().optional(),
  shadowedBy: z.string().optional().describe('The file that is loaded instead under this name'),
  forModels: z.literal(false).optional().describe('Only a person may start it (disable-model-invocation)'),
});
export type CatalogEntry = z.output<typeof CatalogEntry>;

export const SkillsListOutput = z.object({
  skills: z.array(
    CatalogEntry.extend({ body: z.string().optional().describe('The SKILL.md without its frontmatter') }),
  ),
  bodiesLeftOut: z.int().optional().describe('How many bodies did not fit into the reply'),
});
export type SkillsListOutput = z.output<typeof SkillsListOutput>;

export const skillsList = defineOperation({
  name: 'skills_list',
  title: 'List Skills',
  summary: 'Lists every skill with its metadata, as the files are now; with includeBody the text of each SKILL.md too.',
  input: z.strictObject({
    query: z
      .string()
      .optional()
      .describe('Optional substring filter applied to install name, meta.name, or description'),
    includeBody: z
      .boolean()
      .optional()
      .describe('Include the SKILL.md body (minus YAML front-matter) in the structured payload'),
  }),
  output: SkillsListOutput,
  readOnly: true,
  async run({ query = '', includeBody = false }, workspace) {
    const catalog = (await workspace.fresh()).view();
    const wanted = query.toLowerCase();
    const matching = catalog.skills.filter(
      (skill) =>
        wanted === '' ||
        [skill.folder, skill.name, skill.description].some((text) => text.toLowerCase().includes(wanted)),
    );
    const skills: SkillsListOutput['skills'] = [];
    let room = LIMITS.listedBodyBytes.value;
    let bodiesLeftOut = 0;
    for (const skill of matching) {
      const entry = describeForAgents(skill, catalog, workspace);
      const body = includeBody && isForModels(skill) ? readBody(skill, workspace).text : undefined;
      room -= body === undefined ? 0 : Buffer.byteLength(body);
      if (body !== undefined && room < 0) bodiesLeftOut += 1;
      skills.push(body === undefined || room < 0 ? entry : { ...entry, body });
    }
    return { skills, ...(bodiesLeftOut === 0 ? {} : { bodiesLeftOut }) };
  },
});

/** What a list or a search tells about one skill. */
export function describeForAgents(skill: Skill, catalog: SkillCatalog, workspace: Workspace): CatalogEntry {
  const { projectDir } = workspace.options;
  const fullName = fullNameOf(skill);
  const shadow = catalog.shadowOf(skill);
  return {
    installName: skill.folder,
    name: nameFor(skill, catalog)?.name ?? fullName,
    fullName,
    description: skill.description,
    meta: { name: skill.name, description: skill.description },
    provider: skill.provider,
    location: skill.location,
    skillPath: isInside(projectDir, skill.dir)
      ? path.relative(projectDir, skill.dir).split(path.sep).join('/') || '.'
      : skill.dir,
    skillFile: skill.file,
    ...(skill.plugin === undefined ? {} : { plugin: skill.plugin }),
    ...(shadow === undefined ? {} : { shadowedBy: shadow.file }),
    ...(isForModels(skill) ? {} : { forModels: false as const }),
  };
}
