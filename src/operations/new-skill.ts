import path from 'node:path';
import { exists } from '../core/disk/answers.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { isInside } from '../core/inside.ts';
import { nearest } from '../core/near.ts';
import { echo, foldName, oneLine } from '../core/text.ts';
import { ALL_AGENTS, SHARED_AGENTS } from '../skills/roots/agents.ts';
import { ENABLED_NAME, fullNameOf } from '../skills/skill.ts';
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from '../skills/specification.ts';
import { skillTemplate } from '../skills/template.ts';
import { isReservedName, isValidName, validNameFor } from '../skills/valid-name.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { surveyAgents } from './agent-shapes.ts';
import { defineOperation, type RunContext } from './define.ts';
import { SHARED_ROW, shareSkills } from './share-skills.ts';

export const newSkill = defineOperation({
  name: 'new_skill',
  title: 'New skill',
  summary: 'Create a skill from a template that validates',
  params: {
    name: { type: 'text', required: true, positional: true, help: 'Lower-case letters, digits and hyphens' },
    description: { type: 'text', placeholder: 'text', help: 'Purpose of the skill, and when to use it' },
    to: {
      type: 'text',
      isPath: true,
      placeholder: 'place',
      help: 'An agent (agents, claude, codex, …), a folder of skills, or all to share it with every agent found; .agents/skills is the default if an agent found here reads it',
    },
    user: { type: 'flag', default: false, help: 'Use the user’s folder instead of the project’s' },
  },
  output: {
    name: text(),
    path: text(),
    file: text(),
    readBy: list(text(), 'Agents that read the folder; empty if none is known'),
    shared: optional(list(object(SHARED_ROW), 'With --to all: the links and copies for the other agents')),
    notSeenBy: list(
      object({ id: text(), title: text(), reason: text(), fix: optional(text('Command that fixes it')) }),
      'Agents found here that will not list it',
    ),
    others: list(object({ fullName: text(), file: text() }), 'Other skills with the same name'),
  },
  reads: 'skills',
  settings: ['skills', 'filters'],
  writes: 'project',
  command: {
    name: 'new',
    group: 'Change',
    examples: [
      ['lectern new release-notes', 'create it in .agents/skills of this project, if an agent here reads that'],
      ['lectern new release-notes --to all', 'create it and share it with every agent found here'],
      ['lectern new release-notes --to claude --user', 'create it for Claude Code, for every project'],
    ],
  },
  library: 'create',
  async run({ name, description, to, user }, workspace: Workspace, context) {
    checkName(name);
    checkDescription(description);
    const { projectDir, userDir } = workspace.options;
    const isForAll = to?.toLowerCase() === 'all';
    const root =
      to === undefined || isForAll ? await defaultRoot(user, workspace) : rootFor(to, user, projectDir, userDir);
    const dir = path.join(root, name);
    if (!isInside(root, dir)) throw new Failure('REFUSED', `"${echo(name)}" would be outside ${root}.`);
    const file = path.join(dir, ENABLED_NAME);
    if (workspace.disk.look(dir)) {
      throw new Failure('REFUSED', `${dir} already exists.`, {
        path: dir,
        hint: 'Choose another name, or edit the existing skill.',
      });
    }
    const others = workspace.snapshot.view('all').copies.filter(({ key }) => key === foldName(name));
    const disk = workspace.diskFor(user ? 'user' : 'project');
    const above = nearestFolder(workspace, root);
    disk.create(file, skillTemplate(name, description));
    await workspace.fresh();
    const shared = isForAll ? await shareWithAll({ file, above, disk }, { workspace, context }) : undefined;
    return {
      name,
      path: dir,
      file,
      readBy: readersOf(root, workspace),
      ...(shared ? { shared } : {}),
      notSeenBy: await unawareAgents(file, workspace),
      others: others.map((skill) => ({ fullName: fullNameOf(skill), file: skill.file })),
    };
  },
});

/** Returns `.agents/skills` if an agent found here reads it or none is found, else the folder of the first agent found. */
async function defaultRoot(user: boolean, workspace: Workspace): Promise<string> {
  const { projectDir, userDir } = workspace.options;
  const { survey, present } = await surveyAgents(workspace);
  const shared = rootFor(SHARED_AGENTS.name, user, projectDir, userDir);
  const placesOf = (id: string) => survey.agents.get(id)?.places ?? [];
  const isRead = present.some(({ id }) => placesOf(id).some(({ place }) => place.dir === shared));
  const [first] = present;
  if (isRead || !first) return shared;
  const base = user ? userDir : projectDir;
  const own = placesOf(first.id).filter(
    ({ place, inProject }) => !place.plugin && inProject !== user && base !== undefined && isInside(base, place.dir),
  );
  return (own.find(({ place }) => place.provider === first.id) ?? own[0])?.place.dir ?? shared;
}

/** Shares the new skill with every agent found. If one of them cannot have it, the skill is removed again. */
async function shareWithAll(
  { file, above, disk }: { file: string; above: string; disk: Disk },
  { workspace, context }: { workspace: Workspace; context: RunContext },
): Promise<ObjectOf<typeof SHARED_ROW>[]> {
  const { present } = await surveyAgents(workspace);
  if (present.length === 0) return [];
  const how = { copy: false, replace: false, undo: false, dryRun: false, yes: true };
  try {
    return (await shareSkills.run({ skills: [path.dirname(file)], to: ['all'], ...how }, workspace, context)).shared;
  } catch (error) {
    disk.remove(file);
    disk.removeEmptyFolders(path.dirname(file), above);
    await workspace.fresh();
    throw error;
  }
}

/** Returns the folder, or the nearest one above it that exists. */
function nearestFolder(workspace: Workspace, dir: string): string {
  const parent = path.dirname(dir);
  return parent === dir || exists(workspace.disk, dir) ? dir : nearestFolder(workspace, parent);
}

/** Returns the agents found here that will not list the new skill. */
async function unawareAgents(
  file: string,
  workspace: Workspace,
): Promise<{ id: string; title: string; reason: string; fix?: string }[]> {
  const { survey, present, seen } = await surveyAgents(workspace);
  const copy = survey.copies.find(({ sightings }) => sightings.some(({ found }) => found.file === file));
  if (!copy) return present.map(({ id, name }) => ({ id, title: name, reason: `${name} does not read its folder` }));
  return present.flatMap((profile) => {
    const verdict = seen(profile).verdicts.get(copy);
    if (!verdict || (verdict.status !== 'not-read' && verdict.status !== 'other-copy')) return [];
    const { reason, fix } = verdict;
    return [{ id: profile.id, title: profile.name, reason, ...(fix === undefined ? {} : { fix }) }];
  });
}

/** Returns the agents that read the folder, regardless of how it was selected. */
function readersOf(root: string, { options: { projectDir, userDir } }: Workspace): string[] {
  const agent = ALL_AGENTS.find(
    ({ project, user }) =>
      project.some((below) => path.join(projectDir, below) === root) ||
      (userDir !== undefined && user.some((below) => path.join(userDir, below) === root)),
  );
  return agent ? [...(agent.readers ?? [agent.title])] : [];
}

function checkDescription(description: string | undefined): void {
  if (description === undefined) return;
  const length = [...description].length;
  if (oneLine(description) !== '' && length <= DESCRIPTION_MAX_CHARACTERS) return;
  throw new Failure(
    'USAGE',
    length === 0
      ? 'The description is empty.'
      : `The description must have 1 to ${DESCRIPTION_MAX_CHARACTERS} visible characters.`,
    { hint: 'Describe the purpose of the skill and when to use it.' },
  );
}

function checkName(name: string): void {
  if (isValidName(name)) return;
  const better = validNameFor(name);
  throw new Failure(
    'USAGE',
    isReservedName(name)
      ? `"${echo(name)}" is not a valid skill name: Windows reserves it, so the folder could not exist there.`
      : `"${echo(name)}" is not a valid skill name: use lower-case letters, digits and single hyphens, at most ${NAME_MAX_CHARACTERS} characters.`,
    better === undefined ? {} : { hint: `For example: lectern new ${better}`, suggestions: [better] },
  );
}

function rootFor(to: string, user: boolean, projectDir: string, userDir: string | undefined): string {
  if (to.includes('/') || to.includes(path.sep) || to.startsWith('.')) return path.resolve(projectDir, to);
  const agent = ALL_AGENTS.find(({ name }) => name === to.toLowerCase());
  if (!agent) {
    const near = nearest(
      to,
      ALL_AGENTS.map(({ name }) => name),
    );
    throw new Failure('USAGE', `"${echo(to)}" is neither an agent nor a folder.`, {
      suggestions: near,
      hint:
        near.length > 0
          ? `Did you mean ${near.join(' or ')}? Write a folder with a slash: ./${echo(to)}.`
          : `Write a folder with a slash: ./${echo(to)}.`,
    });
  }
  // Most agents read the plural spelling. Lectern reads the singular one but never writes it.
  const below = user ? agent.user : agent.project;
  const chosen = below.find((folder) => folder === '.agents/skills') ?? below[0];
  if (chosen === undefined || (user && userDir === undefined)) {
    throw new Failure('REFUSED', `${agent.title} has no ${user ? 'user' : 'project'} folder for skills here.`, {
      hint: user ? 'Leave out --user.' : 'Use --user.',
    });
  }
  return path.join(user && userDir !== undefined ? userDir : projectDir, chosen);
}
