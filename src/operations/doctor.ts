import path from 'node:path';
import {
  anything,
  choice,
  flag,
  integer,
  list,
  nullable,
  object,
  type ObjectOf,
  optional,
  text,
} from '../core/fields/field.ts';
import { CLIENT_NAMES, ENTRY_STATES, SCOPES } from '../clients/names.ts';
import { breather } from '../core/breathe.ts';
import { type Level, sortDiagnostics } from '../core/diagnostics.ts';
import { entriesOf, findEntry } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { VERSION } from '../core/version.ts';
import { mcpBundleProblem, mcpExtensionProblem } from '../skills/mcp-extension.ts';
import { LOCATIONS } from '../skills/skill.ts';
import { cacheFolder } from '../workspace/cache-folder.ts';
import type { Setting } from '../workspace/settings-table.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { AGENT, summarizeAgents, surveyAgents, type Surveyed } from './agent-shapes.ts';
import { defineOperation } from './define.ts';
import { installedIn } from './installed.ts';
import { OWN_FILES } from './own-files-shape.ts';
import { findProblems } from './problems.ts';
import { OVERLAP_SUMMARY, summarizeOverlaps } from './skill-overlaps.ts';
import { DIAGNOSTIC, PROBLEMS_PARTIAL } from './shapes.ts';
import { neverLoaded } from './usage.ts';
import { countAmbiguous, countCopies, countVersions } from '../workspace/skill-summary.ts';

const CLIENT_STATE = {
  client: choice(CLIENT_NAMES),
  title: text(),
  scope: choice(SCOPES),
  file: text(),
  state: choice(ENTRY_STATES, 'unknown: checking would require starting a command from a file'),
  name: optional(text('The name of the server there')),
  reason: optional(text()),
  line: optional(integer('Location of the error in the file')),
} as const;

const output = {
  ok: flag('Whether there are no errors'),
  version: text(),
  node: text(),
  projectDir: text(),
  userDir: nullable(text()),
  roots: list(
    object({
      dir: text(),
      provider: text(),
      location: choice(LOCATIONS),
      plugin: optional(text()),
      package: optional(text()),
      off: optional(text('The setting that disables its skills')),
      notLoaded: optional(text('Why Claude Code does not load the skills of this plugin')),
      state: choice(['walked', 'missing', 'unreadable', 'not-a-folder', 'repeated']),
      skills: integer(),
      shared: integer('Linked skills that an earlier folder already contributed'),
    }),
  ),
  specRoots: list(
    object({
      layout: choice(['openspec', 'spec-oxide', 'custom']),
      name: text(),
      specsDir: text(),
      changesDir: text(),
      specs: integer(),
      changes: integer(),
      archived: integer(),
    }),
  ),
  counts: object({
    skills: integer(),
    enabled: integer(),
    disabled: integer(),
    shadowed: integer(),
    severalVersions: integer('Names with more than one version'),
    ambiguous: integer('Short names that match several skills'),
    ambiguousSkills: integer('The skills with these names'),
    copies: integer('Other locations of these skills, with the same bytes in every file'),
    linked: integer('Skills reached through links, and other locations that links add'),
    specs: integer(),
    changes: integer(),
    errors: integer('Errors about skills, specs, changes, settings, names and clients'),
    warnings: integer(),
    problemsPartial: PROBLEMS_PARTIAL,
  }),
  linked: list(object({ file: text(), realPath: text() }), 'Skills reached through a link, and their real paths'),
  copies: list(object({ file: text(), copyOf: text() }), 'Skills with the same name and the same bytes in every file'),
  index: object(
    {
      dir: nullable(text('Null if there is no home folder')),
      bytes: integer('For all projects'),
      oldIndex: optional(text('An index of an earlier version in the project, which is no longer used')),
    },
    'Search cache',
  ),
  installed: object(
    {
      skills: integer('Installed skill folders listed in a lock file'),
      modified: integer('Skills that were changed after installation'),
      invalid: optional(text('Why a lock file cannot be used')),
    },
    'Summary of lectern verify',
  ),
  clients: list(
    object(CLIENT_STATE),
    'The configuration files of MCP clients that exist, and whether Lectern is set up in them',
  ),
  agents: list(object(AGENT), 'Agents found here, and the skills they see'),
  overlaps: optional(
    object(
      OVERLAP_SUMMARY,
      'Skills that compete in the list of an agent found here; absent if there are too many skills',
    ),
  ),
  neverLoaded: optional(
    list(text(), 'With the setting usage: the folders of skills that were never loaded through the server'),
  ),
  unpublished: list(
    object({ file: text(), reason: text() }),
    'Skills that the MCP Skills extension cannot serve; the server’s tools serve them anyway',
  ),
  scan: object(
    {
      skills: integer('Number of scanned skills; 0 if there are too many for doctor to scan'),
      critical: integer(),
      high: integer(),
      medium: integer(),
      low: integer(),
      partial: flag('Set if some content could not be scanned'),
    },
    'Findings of lectern scan; they do not affect `ok`',
  ),
  settings: list(
    object({
      key: text(),
      value: anything(),
      origin: choice(['flag', 'project', 'user', 'default']),
      file: optional(text()),
    }),
  ),
  diagnostics: list(object(DIAGNOSTIC)),
  files: optional(OWN_FILES),
} as const;
export type DoctorOutput = ObjectOf<typeof output>;

export const doctor = defineOperation({
  name: 'doctor',
  title: 'Doctor',
  summary: 'Show where skills and specs come from, problems, configured clients and settings',
  params: {
    files: { type: 'flag', default: false, help: 'List the files that Lectern wrote for you and this project' },
  },
  output,
  reads: 'all',
  settings: ['skills', 'filters', 'specs'],
  collections: true,
  command: {
    name: 'doctor',
    group: 'Check',
    examples: [
      ['lectern doctor', 'check everything; exit code 1 if there are errors'],
      ['lectern doctor --verbose', 'show every folder, setting and note'],
      ['lectern doctor --files', 'list the files that Lectern wrote'],
    ],
  },
  library: 'doctor',
  hasErrors: ({ ok }) => !ok,
  async run({ files }, workspace: Workspace) {
    const { snapshot } = workspace;
    const { skills } = snapshot.all;
    const specs = await (await snapshot.specs()).readAll();
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
    const { clientDiagnostics, clientStates } = await import('../clients/states.ts');
    const clients = clientStates(
      workspace.disk,
      { ...workspace.options, projectRoot: workspace.projectRoot },
      process.platform,
    );
    const diagnostics = sortDiagnostics([
      ...snapshot.configDiagnostics,
      ...snapshot.diagnostics({ state: 'all', names: true }),
      ...specs.diagnostics,
      ...clientDiagnostics(clients),
    ]);
    const { errors, warnings, isPartial } = await findProblems(workspace);
    const linked = snapshot.all.copies
      .filter(({ file, realFile }) => file !== realFile)
      .map(({ file, realFile }) => ({ file, realPath: realFile }));
    const settings: [string, Setting<unknown>][] = Object.entries(snapshot.settings);
    const surveyed = await surveyAgents(workspace);
    const never = await neverLoaded(
      workspace,
      snapshot.view().copies.map(({ dir }) => dir),
    );
    return {
      ok: errors === 0,
      version: VERSION,
      node: process.versions.node,
      projectDir: workspace.options.projectDir,
      userDir: workspace.options.userDir ?? null,
      roots: snapshot.roots.map(
        ({ dir, provider, location, plugin, package: inPackage, off, state, skills: found, shared }) => ({
          ...notLoaded(surveyed, dir),
          dir,
          provider,
          location,
          ...(plugin === undefined ? {} : { plugin }),
          ...(inPackage === undefined ? {} : { package: inPackage }),
          ...(off === undefined ? {} : { off }),
          state,
          skills: found,
          shared,
        }),
      ),
      specRoots,
      counts: {
        skills: skills.length,
        enabled: skills.filter(({ disabled }) => !disabled).length,
        disabled: skills.filter(({ disabled }) => disabled).length,
        shadowed: skills.filter((skill) => snapshot.all.shadowOf(skill)).length,
        severalVersions: countVersions(snapshot.all),
        ...countAmbiguous(snapshot.view('all')),
        copies: countCopies(snapshot.all),
        linked: linked.length + snapshot.all.copies.reduce((sum, { alsoAt }) => sum + alsoAt.length, 0),
        specs: specs.specs.length,
        changes: specs.changes.length,
        errors,
        warnings,
        ...(isPartial ? { problemsPartial: true } : {}),
      },
      linked,
      copies: snapshot.all.copies.flatMap(({ file, copyOf }) => (copyOf ? [{ file, copyOf: copyOf.file }] : [])),
      installed: await installedState(workspace),
      clients,
      agents: (await summarizeAgents(surveyed, { onlyFound: true })).filter(({ found }) => found),
      ...(await overlapsFound(surveyed)),
      ...(never === undefined ? {} : { neverLoaded: never }),
      index: stateOfCache(workspace),
      unpublished: await findUnpublished(workspace),
      scan: await scanAll(workspace),
      settings: settings.map(([key, { value, origin, file }]) => ({
        key,
        value: value ?? null,
        origin,
        ...(file === undefined ? {} : { file }),
      })),
      diagnostics,
      ...(files ? { files: await (await import('./own-files.ts')).findOwnFiles(workspace) } : {}),
    };
  },
});

/** Claude Code may not load a plugin that the catalog reads. */
function notLoaded({ survey }: Surveyed, dir: string): { notLoaded?: string } {
  const own = survey.agents.get('claude')?.places.find(({ place }) => place.dir === dir);
  const hidden = own?.place.plugin?.hidden;
  return hidden ? { notLoaded: hidden.reason } : {};
}

async function overlapsFound(surveyed: Surveyed): Promise<Pick<DoctorOutput, 'overlaps'>> {
  const isTooMuch = surveyed.survey.copies.length > LIMITS.countedSkills.value;
  return isTooMuch ? {} : { overlaps: await summarizeOverlaps(surveyed) };
}

async function installedState(workspace: Workspace): Promise<DoctorOutput['installed']> {
  const found = await installedIn(workspace);
  const skills = [...(found?.byFolder.values() ?? [])];
  const invalid = found?.invalid === undefined ? {} : { invalid: found.invalid };
  return { skills: skills.length, modified: skills.filter(({ modified }) => modified).length, ...invalid };
}

async function findUnpublished(workspace: Workspace): Promise<DoctorOutput['unpublished']> {
  const unpublished: DoctorOutput['unpublished'] = [];
  const breathe = breather();
  for (const skill of workspace.snapshot.all.skills) {
    if (skill.disabled) continue;
    const pause = breathe();
    if (pause) await pause;
    const reason = mcpExtensionProblem(skill) ?? mcpBundleProblem(await workspace.contentOf(skill).files());
    if (reason !== undefined) unpublished.push({ file: skill.file, reason });
  }
  return unpublished;
}

async function scanAll(workspace: Workspace): Promise<DoctorOutput['scan']> {
  const [{ skillFolders }, { scanFolders }] = await Promise.all([
    import('../workspace/skill-files.ts'),
    import('./scan-folders.ts'),
  ]);
  const folders = await skillFolders(workspace, undefined);
  const isTooMuch = folders.length > LIMITS.doctorScan.value;
  const { findings, skills, notScanned } = await scanFolders(isTooMuch ? [] : folders);
  const of = (wanted: Level): number => findings.filter(({ diagnostic: { level } }) => level === wanted).length;
  return {
    skills,
    critical: of('critical'),
    high: of('high'),
    medium: of('medium'),
    low: of('low'),
    partial: isTooMuch || notScanned.length > 0,
  };
}

/** Checks the files only: reporting the cache must not load the search. */
function stateOfCache(workspace: Workspace): DoctorOutput['index'] {
  const { disk, options } = workspace;
  const caches = cacheFolder(disk, options);
  const dir = caches === undefined ? undefined : path.join(caches, 'search');
  const oldIndex = workspace.oldIndexFolder();
  return {
    dir: dir ?? null,
    bytes: dir === undefined ? 0 : bytesBelow(disk, dir),
    ...(oldIndex === undefined ? {} : { oldIndex }),
  };
}

function bytesBelow(tree: FileTree, dir: string): number {
  const sizes = entriesOf(tree, dir).map(({ name, kind }) => {
    const place = path.join(dir, name);
    return kind === 'directory' ? bytesBelow(tree, place) : (findEntry(tree, place)?.stamp.size ?? 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
