import * as z from 'zod';
import { sortDiagnostics } from '../core/diagnostics.js';
import { defineOperation } from './define.js';
import { listChanges, TaskProgress } from './list-changes.js';
import { DiagnosticSchema } from './schemas.js';

export const OverviewOutput = z.object({
  projectDir: z.string(),
  skills: z.int(),
  disabled: z.int(),
  shadowed: z.int(),
  specs: z.int(),
  changes: z.array(z.object({ id: z.string(), title: z.string(), task_progress: TaskProgress })).describe('The active changes'),
  groups: z.array(z.object({ provider: z.string(), location: z.string(), skills: z.int() })),
  /** The names of some skills, to have something to try. */
  examples: z.array(z.string()),
  errors: z.int(),
  warnings: z.int(),
  attention: z.array(DiagnosticSchema).describe('The first problems, worst first'),
});
export type OverviewOutput = z.output<typeof OverviewOutput>;

const ATTENTION_MAX = 5;

export const overview = defineOperation({
  name: 'overview',
  title: 'Overview',
  summary: 'What was found here and what needs attention.',
  input: z.strictObject({}),
  output: OverviewOutput,
  readOnly: true,
  async run(_, workspace) {
    const { snapshot } = workspace;
    const catalog = snapshot.view('enabled');
    const groups = new Map<string, { provider: string; location: string; skills: number }>();
    for (const { provider, location } of catalog.skills) {
      const key = `${provider} ${location}`;
      const group = groups.get(key) ?? { provider, location, skills: 0 };
      group.skills += 1;
      groups.set(key, group);
    }
    const { changes } = await listChanges.run({ archived: false }, workspace);
    const specs = await snapshot.specs();
    const specCount = specs.specs.length;
    const problems = sortDiagnostics([...snapshot.diagnostics({ names: true }), ...specs.diagnostics]).filter(({ severity }) => severity !== 'info');
    const winners = catalog.skills.filter((skill) => catalog.isWinner(skill));
    return {
      projectDir: workspace.options.projectDir,
      skills: catalog.skills.length,
      disabled: snapshot.view('disabled').skills.length,
      shadowed: catalog.skills.length - winners.length,
      specs: specCount,
      changes,
      groups: [...groups.values()],
      examples: winners.slice(0, 3).map((skill) => catalog.displayName(skill)),
      errors: problems.filter(({ severity }) => severity === 'error').length,
      warnings: problems.filter(({ severity }) => severity === 'warning').length,
      attention: problems.slice(0, ATTENTION_MAX),
    };
  },
});
