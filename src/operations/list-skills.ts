import { pageFrom } from '../core/cursor.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostics.ts';
import { integer, list, map, object, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { memo } from '../core/memo.ts';
import { nearest } from '../core/near.ts';
import { SkillCatalog } from '../skills/catalog.ts';
import { filterSkills, type State } from '../skills/filter.ts';
import { isSkillPath, LOCATIONS, type Skill } from '../skills/skill.ts';
import { type ListedDiagnostics, listedDiagnostics } from '../workspace/listed-diagnostics.ts';
import {
  countAmbiguous,
  countCopies,
  countVersions,
  hasVersions,
  SKILL_SUMMARY,
  summarize,
} from '../workspace/skill-summary.ts';
import type { Reader } from '../workspace/reader.ts';
import { isListed } from '../agents/status.ts';
import { AGENT_ID, skillsInList, STATUS, statusesByFile, surveyAgents } from './agent-shapes.ts';
import { defineOperation } from './define.ts';
import { INSTALLED, installedMarks } from './installed.ts';
import { DIAGNOSTIC, NEXT_CURSOR, PAGE, STATE } from './shapes.ts';

export const listSkills = defineOperation({
  name: 'list_skills',
  title: 'List skills',
  summary: 'List every skill by provider and location, and show which copy wins',
  params: {
    only: {
      type: 'text',
      filled: true,
      max: LIMITS.nameCharacters.value,
      positional: true,
      placeholder: 'provider|name',
      help: 'A provider, a name, a part of a name, or a pattern such as git-*',
    },
    query: {
      type: 'text',
      filled: true,
      max: LIMITS.queryCharacters.value,
      help: 'Words that must all be in the name or the description',
    },
    provider: { type: 'text', filled: true, max: LIMITS.nameCharacters.value, help: 'Only skills of this provider' },
    location: { type: 'choice', choices: LOCATIONS, help: 'Only skills in this location' },
    source: {
      type: 'text',
      filled: true,
      max: LIMITS.nameCharacters.value,
      faces: ['web'],
      help: 'Only skills of this source of a shared catalog',
    },
    state: STATE,
    agent: { ...AGENT_ID, help: 'Only the skills in this agent’s list, in its order' },
    ...PAGE,
    agents: { type: 'flag', default: false, help: 'Add the status of each skill in every agent found here (--json)' },
  },
  output: {
    skills: list(
      object({
        ...SKILL_SUMMARY,
        installed: INSTALLED,
        agents: optional(map(STATUS, 'Status by agent; with --agents, or for the given agent')),
        usedBy: optional(
          list(text(), 'If the name has several versions: names of the agents found here that list this one'),
        ),
      }),
    ),
    nextCursor: NEXT_CURSOR,
    diagnostics: list(object(DIAGNOSTIC)),
    broken: optional(
      list(object(DIAGNOSTIC), 'On the page: files that cannot be read as skills, each with its first error'),
    ),
    near: optional(list(text(), 'On the page, if nothing matches: similar names')),
    counts: object({
      total: integer(),
      enabled: integer(),
      disabled: integer(),
      shadowed: integer(),
      severalVersions: integer('Names with more than one version'),
      copies: integer('Other locations of these skills, with the same bytes in every file'),
      ambiguous: integer('Short names that match several skills'),
      ambiguousSkills: integer('The skills with these names'),
      unlistedProblems: integer('Errors and warnings about skills that are not in this list'),
      leftOut: object(
        {
          byState: integer('Skills that match the filters but not the requested state'),
          byFilters: integer('Skills that do not match the filters'),
        },
        'Skills that were found but are not in this list',
      ),
      byProvider: map(integer()),
      byLocation: map(integer()),
    }),
  },
  reads: 'skills',
  settings: ['skills', 'filters'],
  collections: true,
  command: {
    name: 'list',
    group: 'Look',
    examples: [
      ['lectern list', 'show the skills of all agents here'],
      ['lectern list --all', 'include disabled skills'],
      ['lectern list claude', 'show the skills of one provider'],
      ['lectern list --include=claude --exclude=@plugins', 'show one agent’s own skills'],
      ['lectern list --agent codex', 'show the list of one agent'],
      ['lectern list --json', 'print JSON for scripts'],
    ],
  },
  library: 'list',
  async run(
    { only, query, provider, location, source, state, agent, agents, limit, cursor },
    workspace,
    { isForPage = false },
  ) {
    const { snapshot } = workspace;
    const catalog = only === undefined ? snapshot.view(state) : narrowed(snapshot.view(state), only, workspace);
    const isSurveyed = (agent !== undefined || agents) && !workspace.isShared;
    const surveyed = isSurveyed ? await surveyAgents(workspace, agent) : undefined;
    const asked = surveyed?.present.find(({ id }) => id === agent);
    const found = surveyed && asked ? skillsInList(surveyed.seen(asked), catalog) : catalog.skills;
    const words = query?.toLowerCase().split(/\s+/u) ?? [];
    const isAll = [provider, location, source, query].every((filter) => filter === undefined);
    const skills = isAll
      ? found
      : found.filter(
          (skill) =>
            (provider === undefined || skill.provider === provider) &&
            (location === undefined || skill.location === location) &&
            (source === undefined || skill.source === source) &&
            hasWords(skill, words),
        );
    const statuses = surveyed && statusesByFile(agents || !asked ? surveyed : { ...surveyed, present: [asked] });
    // Skill lists are immutable, so a whole catalog is counted once for all pages.
    const { disabled, ...tallies } = tallied(skills);
    const byState = state === 'all' ? 0 : snapshot.view(state === 'enabled' ? 'disabled' : 'enabled').skills.length;
    const { page, ...next } = pageFrom(skills, { limit, cursor });
    const { diagnostics, unlisted } =
      workspace.isShared && limit !== undefined
        ? // All diagnostics might not fit into a reply, and readers of a shared catalog cannot fix them.
          { diagnostics: sortDiagnostics(page.flatMap((skill) => skill.diagnostics)), unlisted: 0 }
        : diagnosticsOf(workspace, state, only === undefined ? undefined : catalog);
    const marks = await installedMarks(workspace);
    const users = await usersOfVersions(workspace, page, catalog);
    return {
      skills: page.map((skill) => ({
        ...summarize(skill, catalog),
        ...marks(skill.dir),
        ...users(skill),
        ...(statuses ? { agents: statuses(skill.file) } : {}),
      })),
      ...next,
      diagnostics,
      ...(isForPage ? pageFields(workspace, page.length === 0 ? query : undefined) : {}),
      counts: {
        total: skills.length,
        enabled: skills.length - disabled,
        disabled,
        ...countsOf(catalog),
        unlistedProblems: unlisted,
        leftOut: { byState, byFilters: snapshot.all.skills.length - skills.length - byState },
        ...tallies,
      },
    };
  },
});

/** Returns a function that names the agents using a version of a skill. Files are examined only if a name has several versions. */
async function usersOfVersions(
  workspace: Reader,
  skills: readonly Skill[],
  catalog: SkillCatalog,
): Promise<(skill: Skill) => { usedBy?: string[] }> {
  const several = workspace.isShared
    ? new Set<Skill>()
    : new Set(skills.filter((skill) => hasVersions(catalog, skill)));
  if (several.size === 0) return () => ({});
  const surveyed = await surveyAgents(workspace);
  if (surveyed.present.length === 0) return () => ({});
  const statuses = statusesByFile(surveyed);
  return (skill) => {
    if (!several.has(skill)) return {};
    // An identical copy is the same version.
    const files = catalog.copiesOf(skill).flatMap(({ file, alsoAt }) => [file, ...alsoAt.map((each) => each.file)]);
    const all = files.map(statuses);
    const users = surveyed.present.filter(({ id }) => all.some((status) => isListed(status[id])));
    return { usedBy: users.map(({ name }) => name) };
  };
}

/** Whether the name or description contains every word, ignoring case. Parts of longer words count. */
function hasWords({ name, description }: Skill, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${name} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Selects skills by one word, like a filter. If nothing matches, the word may be part of a name. */
function narrowed(catalog: SkillCatalog, only: string, { options: { projectDir } }: Reader): SkillCatalog {
  const select = (token: string): Skill[] =>
    filterSkills(catalog.copies, { include: [token], exclude: [], state: 'all', projectDir }).skills;
  const whole = select(only);
  return new SkillCatalog(whole.length > 0 || /[*?:@,]/u.test(only) ? whole : select(`*${only}*`));
}

/** Counts once for all pages of a list. */
const countsOf = memo((catalog: SkillCatalog) => ({
  shadowed: catalog.skills.filter((skill) => catalog.shadowOf(skill) !== undefined).length,
  severalVersions: countVersions(catalog),
  copies: countCopies(catalog),
  ...countAmbiguous(catalog),
}));

const tallied = memo((skills: readonly Skill[]) => ({
  disabled: skills.filter((skill) => skill.disabled).length,
  byProvider: tally(skills, ({ provider }) => provider),
  byLocation: tally(skills, ({ location }) => location),
}));

function tally(skills: readonly Skill[], keyOf: (skill: Skill) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const skill of skills) counts.set(keyOf(skill), (counts.get(keyOf(skill)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** A complete list includes all problems. */
function diagnosticsOf(workspace: Reader, state: State, only: SkillCatalog | undefined): ListedDiagnostics {
  const { snapshot } = workspace;
  if (only) {
    const all = snapshot.diagnostics({ state, names: true });
    const listed = new Set(only.copies.map(({ file }) => file));
    return { diagnostics: all.filter(({ path }) => listed.has(path)), unlisted: 0 };
  }
  const { include, exclude } = snapshot.settings;
  const isWhole =
    include.value.length === 0 &&
    exclude.value.length === 0 &&
    snapshot.view(state).skills.length === snapshot.all.skills.length;
  const diagnostics = snapshot.diagnostics({ state, names: true });
  if (diagnostics.length === 0 || (isWhole && state !== 'disabled')) return { diagnostics, unlisted: 0 };
  return listedDiagnostics(workspace, state);
}

/** Maximum number of similar names. */
const NEAR_NAMES = 3;

function pageFields(workspace: Reader, unmatched: string | undefined): { broken?: Diagnostic[]; near?: string[] } {
  const { all } = workspace.snapshot;
  const names = () => all.skills.map(({ name }) => name);
  return {
    ...(workspace.isShared ? {} : { broken: brokenFiles(workspace) }),
    ...(unmatched === undefined ? {} : { near: nearest(unmatched, names()).slice(0, NEAR_NAMES) }),
  };
}

/** Returns the first error of each file that could not be read as a skill. */
function brokenFiles(workspace: Reader): Diagnostic[] {
  const skills = new Set(workspace.snapshot.all.copies.map(({ file }) => file));
  const byFile = new Map<string, Diagnostic>();
  for (const finding of diagnosticsOf(workspace, 'all', undefined).diagnostics)
    if (finding.severity === 'error' && isSkillPath(finding.path) && !skills.has(finding.path))
      if (!byFile.has(finding.path)) byFile.set(finding.path, finding);
  return [...byFile.values()];
}
