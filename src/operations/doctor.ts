import * as z from 'zod';
import { sortDiagnostics } from '../core/diagnostics.ts';
import { VERSION } from '../core/version.ts';
import { mcpExtensionProblem } from '../skills/mcp-extension.ts';
import { LOCATIONS } from '../skills/schema.ts';
import type { Setting } from '../workspace/config.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { clientDiagnostics, ClientState, clientStates } from './client-states.ts';
import { defineOperation } from './define.ts';
import { DiagnosticSchema } from './schemas.ts';
import { countAmbiguous, findDuplicates } from './skill-summary.ts';

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
      shared: z
        .int()
        .describe('Skills that links lead to from here, but that came in through a folder searched earlier'),
    }),
  ),
  specRoots: z.array(
    z.object({
      layout: z.enum(['openspec', 'spec-oxide', 'custom']),
      name: z.string(),
      specsDir: z.string(),
      changesDir: z.string(),
      specs: z.int(),
      changes: z.int(),
      archived: z.int(),
    }),
  ),
  counts: z.object({
    skills: z.int(),
    enabled: z.int(),
    disabled: z.int(),
    shadowed: z.int(),
    ambiguous: z.int().describe('Short names that fit several skills'),
    ambiguousSkills: z.int().describe('The skills behind these names'),
    duplicates: z.int(),
    linked: z.int(),
    specs: z.int(),
    changes: z.int(),
    errors: z.int(),
    warnings: z.int(),
  }),
  linked: z
    .array(z.object({ file: z.string(), realPath: z.string() }))
    .describe('Skills reached through a link, and where they really are'),
  duplicates: z.array(z.object({ file: z.string(), duplicateOf: z.string() })),
  index: z
    .object({ state: z.enum(['ready', 'stale', 'missing', 'damaged', 'outdated']), reason: z.string().optional() })
    .describe('The search index, for search by meaning'),
  clients: z
    .array(ClientState)
    .describe('The configuration files of MCP clients that exist, and whether Lectern is set up in them'),
  unpublished: z
    .array(z.object({ file: z.string(), reason: z.string() }))
    .describe('Skills that the MCP Skills extension cannot carry; the tools of the server serve them all the same'),
  settings: z.array(
    z.object({
      key: z.string(),
      value: z.unknown(),
      origin: z.enum(['flag', 'project', 'user', 'default']),
      file: z.string().optional(),
    }),
  ),
  diagnostics: z.array(DiagnosticSchema),
});
export type DoctorOutput = z.output<typeof DoctorOutput>;

export const doctor = defineOperation({
  name: 'doctor',
  title: 'Doctor',
  summary:
    'Where skills and specs are looked for, what is broken, shadowed or duplicated, which clients are set up, and which settings are in force.',
  input: z.strictObject({}),
  output: DoctorOutput,
  readOnly: true,
  async run(_, workspace) {
    const { snapshot } = workspace;
    const { skills } = snapshot.all;
    const specs = (await snapshot.specs()).settle();
    const inRoot = (items: readonly { root: object }[], root: object): number =>
      items.filter((item) => item.root === root).length;
    const specRoots = specs.roots.map((root) => ({
      layout: root.layout,
      name: root.name,
      specsDir: root.specsDir,
      changesDir: root.changesDir,
      specs: inRoot(specs.specs, root),
      changes: inRoot(specs.changes, root),
      archived: inRoot(specs.archived, root),
    }));
    const clients = clientStates(workspace, process.platform);
    const diagnostics = sortDiagnostics([
      ...snapshot.diagnostics({ state: 'all', names: true }),
      ...specs.diagnostics,
      ...clientDiagnostics(clients),
    ]);
    const duplicates = await findDuplicates(snapshot.all, workspace);
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    const linked = skills
      .filter(({ file, realFile }) => file !== realFile)
      .map(({ file, realFile }) => ({ file, realPath: realFile }));
    const settings: [string, Setting<unknown>][] = Object.entries(snapshot.settings);
    return {
      ok: errors === 0,
      version: VERSION,
      node: process.versions.node,
      projectDir: workspace.options.projectDir,
      userDir: workspace.options.userDir ?? null,
      roots: snapshot.roots.map(({ dir, provider, location, plugin, state, skills: found, shared }) => ({
        dir,
        provider,
        location,
        ...(plugin === undefined ? {} : { plugin }),
        state,
        skills: found,
        shared,
      })),
      specRoots,
      counts: {
        skills: skills.length,
        enabled: skills.filter(({ disabled }) => !disabled).length,
        disabled: skills.filter(({ disabled }) => disabled).length,
        shadowed: skills.filter((skill) => snapshot.all.shadowOf(skill)).length,
        ...countAmbiguous(snapshot.view('all')),
        duplicates: duplicates.size,
        linked: linked.length,
        specs: specs.specs.length,
        changes: specs.changes.length,
        errors,
        warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
      },
      linked,
      duplicates: [...duplicates].map(([{ file }, duplicateOf]) => ({ file, duplicateOf })),
      clients,
      index: await stateOfIndex(workspace),
      unpublished: skills.flatMap((skill) => {
        const reason = skill.disabled ? undefined : mcpExtensionProblem(skill);
        return reason === undefined ? [] : [{ file: skill.file, reason }];
      }),
      settings: settings.map(([key, { value, origin, file }]) => ({
        key,
        value: value ?? null,
        origin,
        ...(file === undefined ? {} : { file }),
      })),
      diagnostics,
    };
  },
});

/** No index is no trouble; opening one is worth it only where it is. */
async function stateOfIndex(workspace: Workspace): Promise<DoctorOutput['index']> {
  if (!workspace.hasIndex()) return { state: 'missing' };
  const { indexStatus } = await import('./index-status.ts');
  const { state, reason } = await indexStatus.run({}, workspace);
  return { state, ...(reason === undefined ? {} : { reason }) };
}
