import * as z from 'zod';
import { defineOperation } from './define.ts';
import { DiagnosticSchema, SkillSummary, StateSchema } from './schemas.ts';
import { listSkillsNow } from './work/list-skills.ts';

export const ListSkillsOutput = z.object({
  skills: z.array(SkillSummary),
  diagnostics: z.array(DiagnosticSchema),
  counts: z.object({
    total: z.int(),
    enabled: z.int(),
    disabled: z.int(),
    shadowed: z.int(),
    duplicates: z.int(),
    ambiguous: z.int().describe('Short names that fit several skills'),
    ambiguousSkills: z.int().describe('The skills behind these names'),
    unlistedProblems: z.int().describe('Errors and warnings about skills that are not in this list'),
    leftOut: z
      .object({
        byState: z.int().describe('Skills that fit the filters, but are not in the state asked for'),
        byFilters: z.int().describe('Skills that the filters leave out'),
      })
      .describe('Skills that were found and are not in this list'),
    byProvider: z.record(z.string(), z.int()),
    byLocation: z.record(z.string(), z.int()),
  }),
});
export type ListSkillsOutput = z.output<typeof ListSkillsOutput>;

export const listSkills = defineOperation({
  name: 'list_skills',
  title: 'List skills',
  summary: 'Every skill that was found, where it stands, and which copy wins.',
  input: z.strictObject({ state: StateSchema.default('enabled') }),
  output: ListSkillsOutput,
  readOnly: true,
  run: listSkillsNow,
});
