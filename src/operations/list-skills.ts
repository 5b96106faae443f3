import * as z from 'zod';
import type { State } from '../skills/filter.js';
import type { Workspace } from '../workspace/workspace.js';
import { defineOperation } from './define.js';
import type { ListedDiagnostics } from './listed-diagnostics.js';
import { DiagnosticSchema, SkillSummary, StateSchema } from './schemas.js';
import { countAmbiguous, findDuplicates, summarise } from './skill-summary.js';

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
    const { diagnostics, unlisted } = await diagnosticsOf(workspace, state);
    const tally = (key: 'provider' | 'location'): Record<string, number> => {
      const counts = new Map<string, number>();
      for (const skill of skills) counts.set(skill[key], (counts.get(skill[key]) ?? 0) + 1);
      return Object.fromEntries(counts);
    };
    return {
      skills,
      diagnostics,
      counts: {
        total: skills.length,
        enabled: skills.filter(({ disabled }) => !disabled).length,
        disabled: skills.filter(({ disabled }) => disabled).length,
        shadowed: skills.filter(({ shadowedBy }) => shadowedBy !== undefined).length,
        duplicates: duplicates.size,
        ...countAmbiguous(catalog),
        unlistedProblems: unlisted,
        byProvider: tally('provider'),
        byLocation: tally('location'),
      },
    };
  },
});

/** Where nothing is left out, or nothing is wrong, there is nothing to sort out. */
async function diagnosticsOf(workspace: Workspace, state: State): Promise<ListedDiagnostics> {
  const { snapshot } = workspace;
  const { include, exclude } = snapshot.settings;
  const isWhole = include.value.length === 0 && exclude.value.length === 0 && snapshot.view(state).skills.length === snapshot.all.skills.length;
  const diagnostics = snapshot.diagnostics({ state });
  if (diagnostics.length === 0 || (isWhole && state !== 'disabled')) return { diagnostics, unlisted: 0 };
  return (await import('./listed-diagnostics.js')).listedDiagnostics(workspace, state);
}
