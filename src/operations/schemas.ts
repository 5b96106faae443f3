/** Shapes that several operations share. */
import * as z from 'zod';
import { LOCATIONS } from '../skills/schema.ts';

export const DiagnosticSchema = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  fix: z.string(),
  docs: z.string(),
  path: z.string(),
  line: z.int().optional(),
});

export const SkillSummary = z.object({
  name: z.string().describe('The name from the frontmatter'),
  fullName: z.string().describe('provider:name, provider:plugin:name or scope:name'),
  description: z.string(),
  provider: z.string(),
  location: z.enum(LOCATIONS),
  plugin: z.string().optional(),
  path: z.string().describe('The skill’s folder'),
  file: z.string().describe('Its SKILL.md'),
  disabled: z.boolean(),
  shadowedBy: z.string().optional().describe('The file of the skill that is loaded instead under the short name'),
  ambiguous: z.boolean().optional().describe('The short name fits several skills; use fullName'),
  duplicateOf: z.string().optional().describe('A file with the same content'),
  alsoAt: z.array(z.string()).optional().describe('Other paths that lead to the same file'),
});
export type SkillSummary = z.output<typeof SkillSummary>;

export const StateSchema = z.enum(['enabled', 'disabled', 'all']);

const FindingSchema = z.object({
  code: z.string(),
  item: z.string(),
  file: z.string(),
  line: z.int().optional(),
  section: z.string().optional(),
  description: z.string(),
  fix: z.string(),
  docs: z.string(),
});

/** The shape of every validation, of skills, specs and changes alike. */
export const ValidationReport = z.object({
  valid: z.boolean().describe('The verdict under the flags given: with strict, warnings make it false'),
  errors: z.array(FindingSchema),
  warnings: z.array(FindingSchema),
  info: z.array(FindingSchema),
  summary: z.string(),
  items: z.array(z.object({ type: z.enum(['skill', 'spec', 'change']), id: z.string(), valid: z.boolean() })),
});
