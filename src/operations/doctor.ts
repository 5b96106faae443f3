import * as z from 'zod';
import { VERSION } from '../core/version.js';
import { whyNotPublishable } from '../skills/publishable.js';
import { LOCATIONS } from '../skills/schema.js';
import type { Setting } from '../workspace/config.js';
import { defineOperation } from './define.js';
import { DiagnosticSchema } from './schemas.js';
import { findDuplicates } from './skill-summary.js';

export const DoctorOutput = z.object({
  ok: z.boolean().describe('Nothing is broken'),
  version: z.string(),
  node: z.string(),
  projectDir: z.string(),
  userDir: z.string().nullable(),
  roots: z.array(
    z.object({
      dir: z.string(),
      provider: z.string(),
      location: z.enum(LOCATIONS),
      plugin: z.string().optional(),
      state: z.enum(['walked', 'missing', 'unreadable', 'not-a-folder', 'repeated']),
      skills: z.int(),
    }),
  ),
  counts: z.object({
    skills: z.int(),
    enabled: z.int(),
    disabled: z.int(),
    shadowed: z.int(),
    ambiguous: z.int(),
    duplicates: z.int(),
    linked: z.int(),
    errors: z.int(),
    warnings: z.int(),
  }),
  linked: z.array(z.object({ file: z.string(), realPath: z.string() })).describe('Skills reached through a link, and where they really are'),
  duplicates: z.array(z.object({ file: z.string(), duplicateOf: z.string() })),
  unpublished: z
    .array(z.object({ file: z.string(), reason: z.string() }))
    .describe('Skills that the MCP Skills extension cannot carry; the tools of the server serve them all the same'),
  settings: z.array(
    z.object({ key: z.string(), value: z.unknown(), origin: z.enum(['flag', 'project', 'user', 'default']), file: z.string().optional() }),
  ),
  diagnostics: z.array(DiagnosticSchema),
});
export type DoctorOutput = z.output<typeof DoctorOutput>;

export const doctor = defineOperation({
  name: 'doctor',
  title: 'Doctor',
  summary: 'Where skills are looked for, what is broken, shadowed or duplicated, and which settings are in force.',
  input: z.strictObject({}),
  output: DoctorOutput,
  readOnly: true,
  async run(_, workspace) {
    const { snapshot } = workspace;
    const { skills } = snapshot.all;
    const diagnostics = snapshot.diagnostics({ state: 'all', names: true });
    const duplicates = await findDuplicates(skills, workspace);
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    const linked = skills.filter(({ file, realFile }) => file !== realFile).map(({ file, realFile }) => ({ file, realPath: realFile }));
    const settings: [string, Setting<unknown>][] = Object.entries(snapshot.settings);
    return {
      ok: errors === 0,
      version: VERSION,
      node: process.versions.node,
      projectDir: workspace.options.projectDir,
      userDir: workspace.options.userDir ?? null,
      roots: snapshot.roots.map(({ dir, provider, location, plugin, state, skills: found }) => ({
        dir,
        provider,
        location,
        ...(plugin === undefined ? {} : { plugin }),
        state,
        skills: found,
      })),
      counts: {
        skills: skills.length,
        enabled: skills.filter(({ disabled }) => !disabled).length,
        disabled: skills.filter(({ disabled }) => disabled).length,
        shadowed: skills.filter((skill) => snapshot.all.shadowOf(skill)).length,
        ambiguous: diagnostics.filter(({ code }) => code === 'name-ambiguous').length,
        duplicates: duplicates.size,
        linked: linked.length,
        errors,
        warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
      },
      linked,
      duplicates: [...duplicates].map(([{ file }, duplicateOf]) => ({ file, duplicateOf })),
      unpublished: skills.flatMap((skill) => {
        const reason = skill.disabled ? undefined : whyNotPublishable(skill);
        return reason === undefined ? [] : [{ file: skill.file, reason }];
      }),
      settings: settings.map(([key, { value, origin, file }]) => ({ key, value: value ?? null, origin, ...(file === undefined ? {} : { file }) })),
      diagnostics,
    };
  },
});
