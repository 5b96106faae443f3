/** Shared parts of the operations about agents: the survey of this project and the description of an agent. */
import path from 'node:path';
import type { Profile } from '../agents/profile.ts';
import type { Seen } from '../agents/seen-by.ts';
import { type Status, STATUSES } from '../agents/status.ts';
import type { Copy, Survey } from '../agents/survey.ts';
import { choice, flag, integer, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
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
  found: flag('There are traces of it here: a folder, a configuration file or its command'),
  version: optional(text('The version that its rules were observed with')),
  counts: object(
    {
      seen: integer('Listed with its full description'),
      shortened: integer('Listed with a shortened description'),
      nameOnly: integer('Listed without a description'),
      otherCopy: integer('It takes another copy with the same name'),
      disabled: integer('Its settings switch it off'),
      manualOnly: integer('Only a person can start it'),
      broken: integer('It cannot read the file'),
      notRead: integer('It does not look there, or its list is full'),
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
      builtIn: integer('Length of the skills built into it'),
      window: nullable(integer('The window of its model, in tokens')),
    },
    'The length of its list',
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
  help: 'The window of the agent’s model, such as 200k or 1m; that of its default model if not given',
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
  const suggestions = nearest(
    asked,
    PROFILES.map(({ id }) => id),
  );
  throw new Failure('NOT_FOUND', `There is no agent "${echo(asked)}".`, {
    suggestions,
    hint:
      suggestions.length > 0
        ? `Did you mean: ${suggestions.join(', ')}?`
        : 'Run lectern agents to see those found here.',
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
  const tally = new Map<Status, number>();
  for (const { status, copy } of verdicts.values()) if (!copy.builtIn) tally.set(status, (tally.get(status) ?? 0) + 1);
  const { isFound = false } = survey.agents.get(profile.id) ?? {};
  return {
    id: profile.id,
    name: profile.name,
    found: isFound,
    ...(profile.version === undefined ? {} : { version: profile.version }),
    counts: {
      seen: tally.get('seen') ?? 0,
      shortened: tally.get('shortened') ?? 0,
      nameOnly: tally.get('name-only') ?? 0,
      otherCopy: tally.get('other-copy') ?? 0,
      disabled: tally.get('disabled') ?? 0,
      manualOnly: tally.get('manual-only') ?? 0,
      broken: tally.get('broken') ?? 0,
      notRead: tally.get('not-read') ?? 0,
      unknown: tally.get('unknown') ?? 0,
    },
    budget,
  };
}

/**
 * Summarizes every agent. Most agents that are not used here read none of the folders, so no file has to be examined for them.
 * With `onlyFound`, files are examined only for agents with traces here.
 */
export function summarizeAgents(
  surveyed: Surveyed,
  { window, onlyFound = false }: { window?: number | undefined; onlyFound?: boolean },
): AgentSummary[] {
  const { survey, profiles } = surveyed;
  const all = survey.copies.filter(({ builtIn }) => !builtIn).length;
  return profiles.map((profile) => {
    const { places = [], isFound = false } = survey.agents.get(profile.id) ?? {};
    if ((isFound || !onlyFound) && places.some(({ place }) => place.found?.length))
      return summarizeAgent(surveyed, surveyed.seen(profile, window));
    const summary = summarizeAgent(surveyed, surveyed.seen(profile, window, []));
    return { ...summary, counts: { ...summary.counts, notRead: all } };
  });
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

/** Resolves `./…`, `~/…` and absolute paths, which identify a copy. A name is returned unchanged. */
export function placeNamed(asked: string, workspace: Reader): string {
  const { projectDir, userDir } = workspace.options;
  if (/^\.{1,2}(?:[\\/]|$)/u.test(asked)) return path.resolve(projectDir, asked);
  if (/^~[\\/]/u.test(asked) && userDir !== undefined) return path.join(userDir, asked.slice(2));
  return asked;
}
