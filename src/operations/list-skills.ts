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
    const duplicates = await findDuplicates(catalog, workspace);
    const skills = catalog.skills.map((skill) => summarise(skill, catalog, duplicates.size === 0 ? undefined : duplicates.get(skill)));
    const byProvider = new Map<string, number>();
    const byLocation = new Map<string, number>();
    let disabled = 0;
    let shadowed = 0;
    let ambiguous = 0;
    for (const skill of skills) {
      byProvider.set(skill.provider, (byProvider.get(skill.provider) ?? 0) + 1);
      byLocation.set(skill.location, (byLocation.get(skill.location) ?? 0) + 1);
      if (skill.disabled) disabled += 1;
      if (skill.shadowedBy !== undefined) shadowed += 1;
      if (skill.ambiguous) ambiguous += 1;
    }
    return {
      skills,
      diagnostics: snapshot.diagnostics({ state }),
      counts: {
        total: skills.length,
        enabled: skills.length - disabled,
        disabled,
        shadowed,
        duplicates: duplicates.size,
        ambiguous,
        byProvider: Object.fromEntries(byProvider),
        byLocation: Object.fromEntries(byLocation),
      },
    };
  },
});
