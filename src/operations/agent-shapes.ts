/** Shared parts of the operations about agents: the survey of this project and the description of an agent. */
import path from 'node:path';
import type { Profile } from '../agents/profile.ts';
import type { Seen, Verdict } from '../agents/seen-by.ts';
import { COUNT_KEYS, type Counts, type Status, STATUSES } from '../agents/status.ts';
import type { Copy, Place, Survey } from '../agents/survey.ts';
import { choice, flag, integer, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { tryReadTarget } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import type { Discovery } from '../skills/discover.ts';
import type { Skill } from '../skills/skill.ts';
import type { Settings } from '../workspace/settings-table.ts';
import { rootSettings, type WorkspaceOptions } from '../workspace/settings.ts';
import type { Reader } from '../workspace/reader.ts';

export const STATUS = choice(STATUSES);

export const AGENT = {
  id: text(),
  name: text(),
  found: flag('Whether it seems to be used here: a folder, a configuration file or its command was found'),
  version: optional(text('Version in which its rules were observed')),
  installed: optional(text('Version behind its command, if it is an npm package')),
  newer: optional({ type: 'flag', always: true, help: 'Installed version is newer than its rules' }),
  counts: object(
    {
      seen: integer('Listed with its full description'),
      shortened: integer('Listed with a shortened description'),
      nameOnly: integer('Listed without a description'),
      otherText: integer('Listed with text other than its description'),
      dropped: integer('In a folder it reads, but its list is full'),
      otherCopy: integer('It uses another copy with the same name'),
      disabled: integer('Its settings disable it'),
      manualOnly: integer('Only the user can start it'),
      broken: integer('It cannot read the file'),
      notRead: integer('In a folder that it does not read'),
      unknown: integer('Its behavior is neither documented nor observed'),
    },
    'Copies of skills',
  ),
  budget: object(
    {
      limit: nullable(integer('null if there is none, or none is known')),
      unit: choice(['characters', 'tokens']),
      used: integer(),
      wanted: integer('Length of the list without a limit'),
      builtIn: integer('Length of the part for built-in skills'),
      window: nullable(integer('Context window of its model, in tokens')),
    },
    'The length of its list',
  ),
  context: optional(
    object(
      {
        tokens: integer('Estimated tokens before the first message'),
        skills: integer('Those of its list of skills'),
      },
      'For agents found here whose first request was observed',
    ),
  ),
} as const;
export type AgentSummary = ObjectOf<typeof AGENT>;

export const AGENT_ID = {
  type: 'text',
  filled: true,
  max: 64,
  placeholder: 'agent',
  help: 'An agent, such as claude, codex, gemini, opencode, cursor or vscode',
} as const;

export const WINDOW = {
  type: 'text',
  pattern: /^\d{1,9}[km]?$/iu,
  mustBe: 'a number of tokens such as 200k or 1m',
  placeholder: 'tokens',
  help: 'Context window of the agent’s model, such as 200k or 1m; by default that of its default model',
} as const;

export function tokensIn(window: string | undefined): number | undefined {
  if (window === undefined) return undefined;
  const unit = { k: 1_000, m: 1_000_000 }[window.slice(-1).toLowerCase()] ?? 1;
  return Number.parseInt(window, 10) * unit;
}

/** All skills that agents find from this project, and how each agent treats them. */
export interface Surveyed {
  survey: Survey;
  profiles: readonly Profile[];
  /** Agents with traces here, and requested agents. */
  present: readonly Profile[];
  /** `copies` limits the copies to judge. Defaults to all. */
  seen(profile: Profile, window?: number, copies?: readonly Copy[]): Seen;
}

/** Fails with NOT_FOUND if the requested agent is unknown. */
export async function surveyAgents(workspace: Reader, asked?: string): Promise<Surveyed> {
  const { options, snapshot } = workspace;
  const { keeping } = await import('./kept-survey.ts');
  const of = (agent: string | undefined): Promise<Surveyed> =>
    keeping(workspace, agent ?? '', (files) =>
      survey(files, { options, settings: snapshot.settings, discovery: snapshot.discovery }, agent),
    );
  if (asked === undefined || !workspace.isCurrent) return of(asked);
  // The survey of all agents already includes agents with traces here.
  const all = await of(undefined);
  return all.present.some(({ id }) => id === asked) ? all : of(asked);
}

/** Fails with NOT_FOUND if the agent is unknown. */
export async function getProfile(asked: string): Promise<Profile> {
  const { PROFILES } = await import('../agents/profiles/index.ts');
  const found = PROFILES.find(({ id }) => id === asked);
  if (found) return found;
  const ids = PROFILES.map(({ id }) => id);
  const suggestions = nearest(asked, ids);
  throw new Failure('NOT_FOUND', `There is no agent "${echo(asked)}".`, {
    suggestions,
    hint:
      suggestions.length > 0
        ? `Did you mean ${suggestions.join(' or ')}?`
        : `Use one of ${ids.join(', ')}. To see those found here, run lectern agents.`,
  });
}

/** Files that an agent lists with a description, under every path that leads to them. */
export async function nativeFiles(
  files: FileTree,
  project: SurveyedProject,
  agent: string,
): Promise<ReadonlySet<string>> {
  const { seen } = await survey(files, project, agent);
  const verdicts = [...seen(await getProfile(agent)).verdicts.values()];
  const described = verdicts.filter(({ status }) => status === 'seen' || status === 'shortened');
  return new Set(described.flatMap(({ copy }) => copy.sightings.map(({ found }) => found.file)));
}

/** Options and settings of the project to survey, and its catalog, whose headers are reused. */
interface SurveyedProject {
  options: WorkspaceOptions;
  settings: Settings;
  discovery: Discovery;
}

async function survey(
  files: FileTree,
  { options, settings, discovery }: SurveyedProject,
  asked: string | undefined,
): Promise<Surveyed> {
  if (asked !== undefined) await getProfile(asked);
  const [{ takeSurvey }, { PROFILES }, { seenBy }] = await Promise.all([
    import('../agents/survey.ts'),
    import('../agents/profiles/index.ts'),
    import('../agents/seen-by.ts'),
  ]);
  const found = await takeSurvey(files, rootSettings(options, settings), {
    now: Date.now(),
    asked: asked === undefined ? [] : [asked],
    discovery,
  });
  const judged = new Map<string, Seen>();
  return {
    survey: found,
    profiles: PROFILES,
    present: PROFILES.filter(({ id }) => id === asked || found.agents.get(id)?.isFound),
    seen: (profile, window, copies) => {
      if (copies) return seenBy(profile, { ...found, copies }, settingsOf(found, profile), window);
      const key = `${profile.id} ${window ?? ''}`;
      const known = judged.get(key) ?? seenBy(profile, found, settingsOf(found, profile), window);
      judged.set(key, known);
      return known;
    },
  };
}

export function settingsOf(
  survey: Survey,
  { id }: Profile,
): NonNullable<ReturnType<Survey['agents']['get']>>['settings'] {
  const agent = survey.agents.get(id);
  if (!agent) throw new Error(`the survey has no agent ${id}`);
  return agent.settings;
}

export function summarizeAgent({ survey }: Surveyed, { profile, verdicts, budget }: Seen): AgentSummary {
  const { isFound = false, installed, isNewer = false } = survey.agents.get(profile.id) ?? {};
  const { version } = profile;
  return {
    id: profile.id,
    name: profile.name,
    found: isFound,
    ...(version === undefined ? {} : { version }),
    ...(installed === undefined ? {} : { installed }),
    ...(isNewer ? { newer: true as const } : {}),
    counts: countsFrom(verdicts.values()),
    budget,
  };
}

/** Counts the copies of each status, without built-in skills. */
function countsFrom(verdicts: Iterable<Verdict>): Counts {
  const counts = Object.fromEntries(Object.values(COUNT_KEYS).map((key) => [key, 0])) as Counts;
  for (const { status, copy } of verdicts) if (!copy.builtIn) counts[COUNT_KEYS[status]] += 1;
  return counts;
}

/**
 * Summarizes every agent. Most agents that are not used here read none of the folders, so no file has to be examined for them.
 * With `onlyFound`, only agents with traces here are summarized, unless there are none.
 */
export async function summarizeAgents(
  surveyed: Surveyed,
  { window, onlyFound = false }: { window?: number | undefined; onlyFound?: boolean },
): Promise<AgentSummary[]> {
  const { survey, profiles } = surveyed;
  const { unreadStatus } = await import('../agents/seen-by/judge-others.ts');
  const places = new Map<Place, number>();
  for (const { sightings } of foundCopies(surveyed)) {
    const place = sightings[0]?.place;
    if (place) places.set(place, (places.get(place) ?? 0) + 1);
  }
  const found = profiles.filter(({ id }) => survey.agents.get(id)?.isFound);
  return (onlyFound && found.length > 0 ? found : profiles).map((profile) => {
    const { places: own = [], isFound = false, settings } = survey.agents.get(profile.id) ?? {};
    const isOpen = settings?.added?.some(({ unread }) => unread !== undefined);
    if ((isFound || !onlyFound) && (isOpen || own.some(({ place }) => place.found?.length)))
      return summarizeAgent(surveyed, surveyed.seen(profile, window));
    const summary = summarizeAgent(surveyed, surveyed.seen(profile, window, []));
    const counts = { ...summary.counts };
    for (const [place, skills] of places) counts[COUNT_KEYS[unreadStatus(profile, place, survey.at)]] += skills;
    return { ...summary, counts };
  });
}

/** Copies of skills in the folders of agents and of Lectern, without built-in skills. Each agent's counts add up to their number. */
export function foundCopies({ survey }: Surveyed): Copy[] {
  return survey.copies.filter(({ builtIn }) => !builtIn);
}

/** Returns the status of a file in every present agent, by agent ID. The result is empty for a file outside the survey. */
export function statusesByFile({ survey, present, seen }: Surveyed): (file: string) => Record<string, Status> {
  const copies = new Map(survey.copies.flatMap((copy) => copy.sightings.map(({ found }) => [found.file, copy])));
  const all = present.map((profile) => seen(profile));
  return (file) => {
    const copy = copies.get(file);
    if (!copy) return {};
    return Object.fromEntries(
      all.flatMap(({ profile, verdicts }) => {
        const verdict = verdicts.get(copy);
        return verdict ? [[profile.id, verdict.status]] : [];
      }),
    );
  };
}

/** Returns the catalog skills in an agent's list, in the agent's order. */
export function skillsInList({ entries }: Seen, catalog: SkillCatalog): Skill[] {
  const byFile = new Map(
    catalog.copies.flatMap((skill) => [skill, ...skill.alsoAt].map(({ file }): [string, Skill] => [file, skill])),
  );
  return entries.flatMap(({ verdict }) => (verdict && byFile.get(verdict.file)) ?? []);
}

/**
 * Returns the readings of a name or a path, best first. A relative path starts at the working folder, because messages show such
 * paths, or at the project. A full name may contain a slash too.
 */
export function placesNamed(asked: string, workspace: Reader, workingDir?: string): string[] {
  const { projectDir, userDir } = workspace.options;
  if (/^~[\\/]/u.test(asked) && userDir !== undefined) return [path.join(userDir, asked.slice(2))];
  const isPath = /^\.{1,2}$|[\\/]/u.test(asked);
  const places = isPath ? [workingDir ?? projectDir, projectDir].map((dir) => path.resolve(dir, asked)) : [];
  return [...new Set([...places, asked])];
}

/** Returns the failure for a name that no copy has. Suggests similar names. */
export function noSuchSkill(asked: string, names: readonly string[]): Failure {
  const near = nearest(asked, names);
  return new Failure('NOT_FOUND', `There is no skill "${echo(asked)}" in any folder that an agent or Lectern reads.`, {
    suggestions: near,
    hint: near.length > 0 ? `Did you mean: ${near.join(', ')}?` : 'Run lectern list to see every skill.',
  });
}

/** Returns a function that compares the SKILL.md of two copies. */
export function sameText({ disk }: Reader): (a: Copy, b: Copy) => boolean {
  const bytesOf = ({ file }: Copy): Uint8Array | undefined => {
    const read = tryReadTarget(disk, file, LIMITS.skillFileBytes.value);
    return read === undefined || read instanceof FileTrouble ? undefined : read.bytes;
  };
  return (a, b) => {
    const [first, second] = [bytesOf(a), bytesOf(b)];
    return first !== undefined && second !== undefined && Buffer.from(first).equals(second);
  };
}
