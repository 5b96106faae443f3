/** The agents found here, and the project folder in which each reads an installed skill. */
import type { Profile } from '../agents/profile.ts';
import { type Agent, ALL_AGENTS, SHARED_AGENTS } from '../skills/roots/agents.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface FoundAgent {
  id: string;
  name: string;
  /** Target for `--to`. */
  to: string;
  /** Folder of the target, relative to the project. */
  folder: string;
}

const SHARED_FOLDER = '.agents/skills';

/** Target if no agent is found. */
export const SHARED_TARGET = SHARED_AGENTS.name;

/** Leaves out agents without a project folder for skills. */
export async function foundAgents({ disk, options }: Workspace): Promise<FoundAgent[]> {
  const { findAgents } = await import('../agents/survey.ts');
  const { projectDir, userDir, environment = {} } = options;
  return findAgents(disk, { projectDir, userDir, environment }).flatMap((profile) => {
    const target = targetOf(profile);
    return target ? [{ id: profile.id, name: profile.name, ...target }] : [];
  });
}

/** An agent that reads the shared folder gets its skills there, so that one copy serves several agents. */
function targetOf({ id, places }: Profile): Pick<FoundAgent, 'to' | 'folder'> | undefined {
  const inProject = places.filter((place) => place.in !== 'home' && place.in !== 'machine');
  const folders = new Set(inProject.map(({ below }) => below));
  if (folders.has(SHARED_FOLDER)) return { to: SHARED_TARGET, folder: SHARED_FOLDER };
  const reads = ({ project }: Agent): boolean => project[0] !== undefined && folders.has(project[0]);
  const agent = ALL_AGENTS.find((each) => each.name === id && reads(each)) ?? ALL_AGENTS.find(reads);
  return agent?.project[0] === undefined ? undefined : { to: agent.name, folder: agent.project[0] };
}

export interface TargetChoice extends FoundAgent {
  isFound: boolean;
}

/** Every agent to choose from. Those found here come first. */
export function targetChoices(found: readonly FoundAgent[]): TargetChoice[] {
  const others = ALL_AGENTS.filter(({ name }) => !found.some(({ id }) => id === name));
  return [
    ...found.map((agent) => ({ ...agent, isFound: true })),
    ...others.map(({ name, title, project, user }) => {
      const isShared = name === SHARED_AGENTS.name;
      const folder = isShared ? SHARED_FOLDER : project[0];
      return {
        id: name,
        name: title,
        to: folder === undefined ? `${name}:user` : name,
        folder: folder ?? `~/${user[0] ?? ''}`,
        isFound: false,
      };
    }),
  ];
}
