import * as z from 'zod';
import { defineOperation } from './define.ts';
import { DiagnosticSchema, SkillSummary } from './schemas.ts';
import { showSkillNow } from './work/show-skill.ts';

export const ShowSkillOutput = SkillSummary.extend({
  marketplace: z.string().optional(),
  realPath: z.string().describe('The folder with every link resolved'),
  frontmatter: z.record(z.string(), z.unknown()),
  bytes: z.int().describe('Size of SKILL.md'),
  lines: z.int().describe('Lines of SKILL.md'),
  files: z.array(z.object({ path: z.string(), bytes: z.int() })).describe('Every file of the skill, SKILL.md included'),
  filesCut: z.boolean().optional().describe('There are more files than the limit lists'),
  diagnostics: z.array(DiagnosticSchema),
  preview: z.string().describe('The beginning of the body'),
  previewCut: z.boolean(),
  content: z.string().optional().describe('The whole file, with full: true'),
});
export type ShowSkillOutput = z.output<typeof ShowSkillOutput>;

export const showSkill = defineOperation({
  name: 'show_skill',
  title: 'Show a skill',
  summary: 'Metadata, bundled files, problems and a preview of one skill.',
  input: z.strictObject({
    name: z.string().min(1).describe('Skill name, or the full name when the short one is ambiguous'),
    full: z.boolean().default(false).describe('Include the whole SKILL.md'),
  }),
  output: ShowSkillOutput,
  readOnly: true,
  run: showSkillNow,
});
