import * as z from 'zod';
import { defineOperation } from './define.js';
import { DiagnosticSchema, SkillSummary, StateSchema } from './schemas.js';
import { findDuplicates, summarise } from './skill-summary.js';

export const ListSkillsOutput = z.object({
  skills: z.array(SkillSummary),
  diagnostics: z.array(DiagnosticSchema),
  counts: z.object({
    total: z.int(),
    enabled: z.int(),
    disabled: z.int(),
    shadowed: z.int(),
    duplicates: z.int(),
    ambiguous: z.int(),
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
  async run({ state }, workspace) {
    const { snapshot } = workspace;
    const catalog = snapshot.view(state);
    const duplicates = await findDuplicates(catalog.skills, workspace);
    const skills = catalog.skills.map((skill) => summarise(skill, catalog, duplicates.get(skill)));
    const tally = (key: 'provider' | 'location'): Record<string, number> => {
      const counts = new Map<string, number>();
      for (const skill of skills) counts.set(skill[key], (counts.get(skill[key]) ?? 0) + 1);
      return Object.fromEntries(counts);
    };
    return {
      skills,
      diagnostics: snapshot.diagnostics({ state }),
      counts: {
        total: skills.length,
        enabled: skills.filter(({ disabled }) => !disabled).length,
        disabled: skills.filter(({ disabled }) => disabled).length,
        shadowed: skills.filter(({ shadowedBy }) => shadowedBy !== undefined).length,
        duplicates: duplicates.size,
        ambiguous: skills.filter(({ ambiguous }) => ambiguous).length,
        byProvider: tally('provider'),
        byLocation: tally('location'),
      },
    };
  },
});
