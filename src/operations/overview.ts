import { isListed } from '../agents/status.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostics.ts';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { filterNoMatch } from '../skills/codes.ts';
import { fullNameOf, type Location, LOCATIONS, type Skill } from '../skills/skill.ts';
import { countVersions } from '../workspace/skill-summary.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { CHANGE_ORDERS, describeActive } from './change-states.ts';
import { withContext } from './agent-context.ts';
import { AGENT, foundCopies, summarizeAgents, surveyAgents, type Surveyed } from './agent-shapes.ts';
import { ATTENTION, needingAttention } from './needs-attention.ts';
import { OVERVIEW_DETAILS, overviewDetails } from './overview-details.ts';
import { findProblems } from './problems.ts';
import { CHANGE_STATE, DIAGNOSTIC, PROBLEMS_PARTIAL, TASK_PROGRESS } from './shapes.ts';

const ATTENTION_MAX = 5;

const FOLDER = {
  path: text(),
  provider: text(),
  location: choice(LOCATIONS),
  plugin: optional(text()),
  package: optional(text()),
  skills: integer(),
} as const;

export const overview = defineOperation({
  name: 'overview',
  title: 'Overview',
  summary: 'Show the skills and specs found here, their problems and the next steps',
  params: {},
  output: {
    projectDir: text(),
    found: integer(
      'Skills in the folders of agents and of Lectern: every copy, including disabled and broken ones. The counts of each agent add up to this number',
    ),
    agents: list(object(AGENT), 'Agents found here, and the skills they see'),
    folders: list(object(FOLDER), 'Where these skills are'),
    skills: integer(),
    disabled: integer(),
    shadowed: integer(),
    severalVersions: integer('Names with more than one version'),
    filteredOut: integer('Skills that do not match the filters'),
    specs: integer(),
    changes: list(
      object({ id: text(), title: text(), ...CHANGE_STATE, task_progress: object(TASK_PROGRESS) }),
      'Active changes; those ready to archive first, then the blocked ones',
    ),
    groups: list(
      object({ provider: text(), location: choice(LOCATIONS), package: optional(text()), skills: integer() }),
    ),
    examples: list(text(), 'The names of a few skills to try'),
    notUsed: list(text(), 'A few names that an agent found here does not list'),
    connected: integer('MCP clients that Lectern is set up in'),
    errors: integer('Errors about skills, specs, changes, settings, names and clients'),
    warnings: integer(),
    problemsPartial: PROBLEMS_PARTIAL,
    attention: list(object(DIAGNOSTIC), 'The first problems, worst first'),
    ...ATTENTION,
    ...OVERVIEW_DETAILS,
  },
  reads: 'all',
  settings: ['skills', 'filters', 'specs'],
  collections: true,
  command: { name: '', group: 'Look', examples: [['lectern', 'show an overview of the skills and specs here']] },
  library: 'overview',
  async run(_, workspace: Workspace, { isForPage = false }) {
    const { snapshot } = workspace;
    const catalog = snapshot.view('enabled');
    const specs = await snapshot.specs();
    const { problems, errors, warnings, isPartial } = await findProblems(workspace);
    const winners = catalog.skills.filter((skill) => catalog.isWinner(skill));
    const disabled = snapshot.view('disabled').skills.length;
    const surveyed = await surveyAgents(workspace);
    const summaries = await summarizeAgents(surveyed, { onlyFound: true });
    const agents = await withContext(
      workspace,
      surveyed,
      summaries.filter(({ found }) => found),
    );
    const { clientStates } = await import('../clients/states.ts');
    const clients = clientStates(
      workspace.disk,
      { ...workspace.options, projectRoot: workspace.projectRoot },
      process.platform,
    );
    return {
      projectDir: workspace.options.projectDir,
      found: foundCopies(surveyed).length,
      agents,
      folders: foldersOf(surveyed),
      skills: catalog.skills.length,
      disabled,
      shadowed: catalog.skills.length - winners.length,
      severalVersions: countVersions(catalog),
      filteredOut: snapshot.all.skills.length - catalog.skills.length - disabled,
      specs: specs.specs.length,
      changes: mostUrgentFirst(await describeActive(specs)),
      groups: groupsOf(catalog.skills),
      examples: winners.slice(0, 3).map((skill) => {
        const name = catalog.displayName(skill);
        // A command would parse such a name as a flag.
        return name.startsWith('-') ? fullNameOf(skill) : name;
      }),
      notUsed: await namesNotUsed(surveyed),
      connected: clients.filter(({ state }) => state === 'present' || state === 'unknown').length,
      errors,
      warnings,
      ...(isPartial ? { problemsPartial: true } : {}),
      attention: firstProblems(problems),
      ...(await needingAttention(workspace, { problems, agents, surveyed })),
      ...(isForPage ? await overviewDetails(workspace) : {}),
    };
  },
});

function mostUrgentFirst(changes: Awaited<ReturnType<typeof describeActive>>) {
  return changes
    .toSorted((a, b) => urgency(a) - urgency(b) || CHANGE_ORDERS.progress(a, b))
    .map(({ id, title, state, reason, blockedBy, task_progress }) => ({
      id,
      title,
      state,
      ...(blockedBy ? { reason, blockedBy } : {}),
      task_progress,
    }));
}

function firstProblems(problems: readonly Diagnostic[]): Diagnostic[] {
  // A misspelled filter may explain everything else, so it is always listed.
  const missed = problems.filter(({ code }) => code === filterNoMatch.code).slice(0, ATTENTION_MAX);
  const others = problems.filter((problem) => !missed.includes(problem)).slice(0, ATTENTION_MAX - missed.length);
  return sortDiagnostics([...missed, ...others]);
}

interface Group {
  provider: string;
  location: Location;
  package?: string;
  skills: number;
}

/** Counts the skills of each provider and location. */
function groupsOf(skills: readonly Skill[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { provider, location, package: inPackage } of skills) {
    const key = [provider, location, inPackage].join(' ');
    const group = groups.get(key) ?? { provider, location, skills: 0 };
    if (inPackage !== undefined) group.package = inPackage;
    group.skills += 1;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Changes that can be archived now come first, then finished changes that need a fix. */
function urgency({ state }: { state: string }): number {
  const order = ['ready to archive', 'blocked'].indexOf(state);
  return order === -1 ? 2 : order;
}

const NOT_USED_MAX = 3;

/** Skills that only a person can start are left out, because they are meant to be missing. */
async function namesNotUsed(surveyed: Surveyed): Promise<string[]> {
  const { bestVerdict, groupedByName } = await import('../agents/why.ts');
  const all = surveyed.present.map((profile) => surveyed.seen(profile));
  const names: string[] = [];
  for (const copies of groupedByName(foundCopies(surveyed))) {
    const statuses = all.map((seen) => bestVerdict(seen, copies)?.status);
    const isUsed = statuses.some(isListed);
    const isMissed = statuses.some((status) => !isListed(status) && status !== 'manual-only' && status !== 'unknown');
    if (isUsed && isMissed) names.push(copies[0].name);
    if (names.length === NOT_USED_MAX) break;
  }
  return names;
}

/** Counts the skills in each folder, in the order of the catalog. */
function foldersOf(surveyed: Surveyed): ObjectOf<typeof FOLDER>[] {
  const folders = new Map<string, ObjectOf<typeof FOLDER>>();
  for (const { sightings } of foundCopies(surveyed)) {
    const place = sightings[0]?.place;
    if (!place) continue;
    const { dir, provider, location, plugin, package: inPackage } = place;
    const folder = folders.get(dir) ?? { path: dir, provider, location, skills: 0 };
    if (plugin) folder.plugin = plugin.plugin;
    if (inPackage !== undefined) folder.package = inPackage;
    folder.skills += 1;
    folders.set(dir, folder);
  }
  return [...folders.values()];
}
