/** Skills that an agent does not list, for every reason that has a command as its fix. */
import type { ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import type { Agent } from './agents.ts';
import { GIT, json, many, MARKET, OWN, skill } from './scenes.ts';
import type { Scene } from './skill-list.ts';

type Client = Agent['client'];

export interface Fault {
  /** The reason, in words. */
  title: string;
  files: ProjectFiles;
  /** The name or the path to ask `why` about. `{folder}` is the temporary folder. */
  skill: string;
  status: string;
  /** In the line of the list once the agent uses the skill, and in no other line. */
  description: string;
}

/** A folder of skills in the home and one in the project that the agent does not read. */
const UNREAD: Record<Client, readonly [home: string, here: string]> = {
  claude: ['.agents/skills', '.codex/skills'],
  codex: ['.claude/skills', '.claude/skills'],
  opencode: ['.codex/skills', '.gemini/skills'],
  gemini: ['.claude/skills', '.claude/skills'],
};

/** A folder of skills in the home that only this agent reads. */
const OWN_IN_HOME: Record<Client, string> = {
  claude: '.claude/skills',
  codex: '.codex/skills',
  opencode: '.config/opencode/skills',
  gemini: '.gemini/skills',
};

const textOf = (name: string, description: string): string => skillText({ name, description });

export function faultsFor(client: Client): Fault[] {
  const [home, here] = [`home/${OWN[client]}`, `project/${OWN[client]}`];
  const [unreadHome, unreadHere] = [`home/${UNREAD[client][0]}`, `project/${UNREAD[client][1]}`];
  const unread = (title: string, root: string, name: string, more: Partial<Fault> = {}): Fault => ({
    title,
    files: skill(root, name, `Is in ${root}`),
    skill: name,
    status: 'not-read',
    description: `Is in ${root}`,
    ...more,
  });
  const off = (title: string, name: string): Fault => ({
    ...fault(title, name, ''),
    files: skill(client === 'codex' ? home : here, name, title),
    status: 'disabled',
  });
  const fault = (title: string, name: string, file: string, more: Partial<Fault> = {}): Fault => ({
    title,
    files: { [file]: textOf(name, title) },
    skill: name,
    status: 'not-read',
    description: title,
    ...more,
  });
  return [
    unread('in a folder of the home that it does not read', unreadHome, 'unread-home'),
    unread('in a folder of the project that it does not read', unreadHere, 'unread-here'),
    off('disabled in the settings of the user', 'off-for-user'),
    fault('disabled for every agent', 'hidden-file', `${here}/hidden-file/.SKILL.md`, { status: 'disabled' }),
    fault('disabled in a folder that it does not read', 'hidden-there', `${unreadHome}/hidden-there/.SKILL.md`),
    fault('in a file with a lower-case name', 'lower-case', `${here}/lower-case/skill.md`),
    fault('lower-case in a folder that it does not read', 'lower-there', `${unreadHere}/lower-there/skill.md`),
    fault('lower-case in a folder with a blank', 'two-words', `${unreadHome}/two words/skill.md`),
    fault('lower-case in a folder with an apostrophe', 'the-boss', `${unreadHome}/the boss's/skill.md`),
    fault('directly in a folder that it does not read', 'in-root', `${unreadHome}/SKILL.md`),
    {
      ...fault('in a plugin of Claude Code that it does not load', 'only-off', '', {
        skill: client === 'claude' ? 'off:only-off' : 'only-off',
        description: 'only-off of home/market/off/skills',
        status: client === 'claude' ? 'disabled' : 'not-read',
      }),
      files: {},
    },
    {
      ...fault('in a folder that it does not read, and it uses another version', 'twice', ''),
      files: {
        ...skill(`home/${OWN_IN_HOME[client]}`, 'twice', 'The version in use'),
        ...skill(unreadHome, 'twice', 'in a folder that it does not read, and it uses another version'),
      },
      skill: `{folder}/${unreadHome}/twice`,
    },
    ...OF_ONE[client]({ home, here, unreadHome, unreadHere, off, fault }),
  ];
}

interface Makers {
  home: string;
  here: string;
  unreadHome: string;
  unreadHere: string;
  off(title: string, name: string): Fault;
  fault(title: string, name: string, file: string, more?: Partial<Fault>): Fault;
}

/** Reasons that only some agents have. */
const OF_ONE: Record<Client, (makers: Makers) => Fault[]> = {
  claude: ({ home, here, off, fault }) => [
    off('disabled in the settings of the project', 'off-for-project'),
    off('disabled in the local settings', 'off-locally'),
    fault('two levels deep', 'deep', `${here}/group/deep/SKILL.md`),
    fault('directly in the folder of skills', 'in-own-root', `${here}/SKILL.md`),
    {
      ...fault('the version in the project, and it uses the one in the home', 'version', ''),
      files: {
        ...skill(home, 'version', 'The personal version'),
        ...skill(here, 'version', 'the version in the project, and it uses the one in the home'),
      },
      skill: `{folder}/${here}/version`,
      status: 'other-copy',
    },
  ],
  codex: ({ here, unreadHere, fault }) => [
    fault('in a hidden folder', 'hidden', `${here}/.hidden/SKILL.md`),
    fault('below a hidden folder', 'below-hidden', `${here}/.old/below-hidden/SKILL.md`),
    {
      ...fault('with a link as its SKILL.md', 'linked', `project/elsewhere/SKILL.md`),
      files: {
        'project/elsewhere/SKILL.md': textOf('linked', 'with a link as its SKILL.md'),
        [`${here}/linked/SKILL.md`]: { link: '../../../elsewhere/SKILL.md' },
      },
    },
    {
      ...fault('a link to a file in a folder that it does not read', 'linked-there', ''),
      files: {
        'project/elsewhere/there.md': textOf('linked-there', 'a link to a file in a folder that it does not read'),
        [`${unreadHere}/linked-there/SKILL.md`]: { link: '../../../elsewhere/there.md' },
      },
    },
  ],
  opencode: ({ here, off, fault }) => [
    off('disabled in the settings of the project', 'off-for-project'),
    {
      ...fault('one of two versions, and either may be used', 'version', ''),
      files: {
        ...skill(here, 'version', 'one of two versions, and either may be used'),
        ...skill('home/.agents/skills', 'version', 'The other version'),
      },
      skill: `{folder}/${here}/version`,
      status: 'unknown',
    },
  ],
  gemini: ({ home, here, off, fault }) => [
    off('disabled in the settings of the project', 'off-for-project'),
    fault('two levels deep', 'deep', `${here}/group/deep/SKILL.md`),
    fault('in a hidden folder', 'hidden', `${here}/.hidden/SKILL.md`),
    {
      ...fault('the version in the home, and it uses the one in the project', 'version', ''),
      files: {
        ...skill(here, 'version', "The project's version"),
        ...skill(home, 'version', 'the version in the home, and it uses the one in the project'),
      },
      skill: `{folder}/${home}/version`,
      status: 'other-copy',
    },
  ],
};

/** Settings that disable single skills. */
const SETTINGS: Record<Client, ProjectFiles> = {
  claude: {
    'home/.claude/settings.json': json({
      enabledPlugins: { 'on@market': true, 'off@market': false },
      skillOverrides: { 'off-for-user': 'off' },
    }),
    'project/.claude/settings.json': json({ skillOverrides: { 'off-for-project': 'off' } }),
    'project/.claude/settings.local.json': json({ skillOverrides: { 'off-locally': 'off' } }),
  },
  codex: {
    'home/.codex/config.toml':
      '[[skills.config]]\npath = "{home}/.agents/skills/off-for-user/SKILL.md"\nenabled = false\n',
  },
  opencode: {
    'home/.config/opencode/opencode.json': json({ permission: { skill: { 'off-for-user': 'deny' } } }),
    'project/opencode.json': json({ permission: { skill: { 'off-for-project': 'deny' } } }),
  },
  gemini: {
    'home/.gemini/settings.json': json({ skills: { disabled: ['off-for-user'] } }),
    'project/.gemini/settings.json': json({ skills: { disabled: ['off-for-project'] } }),
  },
};

/** A skill that the agent lists from the start. */
export const FINE = { title: 'without a fault', skill: 'fine', description: 'Nothing is wrong with this one' };

/** A home and a project with these faults and one skill without any. */
export function sceneOf(client: Client, faults: readonly Fault[]): Scene {
  return {
    files: Object.assign(
      {},
      GIT,
      MARKET,
      SETTINGS[client],
      skill(`project/${OWN[client]}`, FINE.skill, FINE.description),
      ...faults.map(({ files }) => files),
    ),
  };
}

/** A list that has no room for everything, and a skill that is cut or dropped. */
export function fullListFor(
  client: Client,
): { scene: Scene; skill: string; status: string; description: string } | undefined {
  const files = { ...GIT, ...many(`project/${OWN[client]}`, 200, 250) };
  const cut = { scene: { files }, skill: 'skill-no-0199', description: 'all of it is about skill-no-0199, all of it' };
  if (client === 'claude') return { ...cut, status: 'name-only' };
  return client === 'codex' ? { ...cut, status: 'shortened' } : undefined;
}
