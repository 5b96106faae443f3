/** What an agent sees in a project and a home in memory. */
import { PROFILES } from '../../src/agents/profiles/index.ts';
import { seenBy, type Seen, type Verdict } from '../../src/agents/seen-by.ts';
import { type Survey, takeSurvey } from '../../src/agents/survey.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { HOME, project, PROJECT, type ProjectFiles } from './project.ts';

export const NOW = Date.UTC(2026, 10, 16);

export interface Look {
  projectDir?: string;
  environment?: Record<string, string>;
  window?: number;
}

export async function survey(files: ProjectFiles, agent: string, look: Look = {}): Promise<Survey> {
  const { projectDir = PROJECT, environment = {} } = look;
  return takeSurvey(
    project(files).disk,
    {
      projectDir,
      userDir: HOME,
      environment,
      skillDirs: [],
      vendoredRoot: undefined,
      scanDefaultDirs: true,
      priority: 'contract',
      limits: { depth: LIMITS.walkDepth.value, entries: LIMITS.walkEntries.value },
    },
    { now: NOW, asked: [agent] },
  );
}

export async function see(files: ProjectFiles, agent: string, look: Look = {}): Promise<Seen> {
  return seenIn(await survey(files, agent, look), agent, look.window);
}

function seenIn(found: Survey, agent: string, window?: number): Seen {
  const profile = PROFILES.find(({ id }) => id === agent);
  const settings = found.agents.get(agent)?.settings;
  if (!profile || !settings) throw new Error(`there is no agent ${agent}`);
  return seenBy(profile, found, settings, window);
}

/** The list without built-in skills. */
export function listed({ entries }: Seen): string[] {
  return entries.filter(({ verdict }) => verdict !== undefined).map(({ name }) => name);
}

/** The verdict about the copy in a folder, such as `home/.claude/skills/pdf`. */
export function verdictOn(seen: Seen, folder: string): Verdict {
  const dir = folder.replace(/^project/u, PROJECT).replace(/^home/u, HOME);
  const found = [...seen.verdicts].find(([{ sightings }]) => sightings.some((each) => each.found.dir === dir));
  if (!found) throw new Error(`there is no skill in ${folder}`);
  return found[1];
}

/** Each copy by the folder of its first place, with its status. */
export function statuses({ verdicts }: Seen): Record<string, string> {
  return Object.fromEntries(
    [...verdicts].map(([{ path }, { status }]) => [path.replace(PROJECT, 'project').replace(HOME, 'home'), status]),
  );
}
