import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { list, object, text } from '../core/fields/field.ts';
import { isInside } from '../core/inside.ts';
import { nearest } from '../core/near.ts';
import { echo, foldName, oneLine } from '../core/text.ts';
import { ALL_AGENTS } from '../skills/roots/agents.ts';
import { ENABLED_NAME, fullNameOf } from '../skills/skill.ts';
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from '../skills/specification.ts';
import { isReservedName, isValidName, validNameFor, nameAsYaml } from '../skills/valid-name.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';

export const newSkill = defineOperation({
  name: 'new_skill',
  title: 'New skill',
  summary: 'Create a skill from a template that validates',
  params: {
    name: { type: 'text', required: true, positional: true, help: 'Lower-case letters, digits and hyphens' },
    description: { type: 'text', placeholder: 'text', help: 'Purpose of the skill, and when to use it' },
    to: {
      type: 'text',
      default: 'agents',
      isPath: true,
      placeholder: 'place',
      help: 'An agent (agents, claude, codex, …), or a folder of skills',
    },
    user: { type: 'flag', default: false, help: 'Use the user’s folder instead of the project’s' },
  },
  output: {
    name: text(),
    path: text(),
    file: text(),
    readBy: list(text(), 'The agents that read the folder; empty if none is known to'),
    others: list(object({ fullName: text(), file: text() }), 'Other skills that have the name already'),
  },
  reads: 'skills',
  settings: ['skills', 'filters'],
  writes: 'project',
  command: {
    name: 'new',
    group: 'Change',
    examples: [
      ['lectern new release-notes', 'create it in .agents/skills of this project'],
      ['lectern new release-notes --to claude --user', 'create it for Claude Code, for every project'],
    ],
  },
  library: 'create',
  async run({ name, description, to, user }, workspace: Workspace) {
    checkName(name);
    checkDescription(description);
    const { projectDir, userDir } = workspace.options;
    const root = rootFor(to, user, projectDir, userDir);
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
    workspace.diskFor(user ? 'user' : 'project').create(file, template(name, description));
    await workspace.fresh();
    return {
      name,
      path: dir,
      file,
      readBy: readersOf(root, workspace),
      others: others.map((skill) => ({ fullName: fullNameOf(skill), file: skill.file })),
    };
  },
});

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

function template(name: string, description: string | undefined): string {
  const words = name.replaceAll('-', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const summary = description ?? `Explains how to do ${words} in this project. Use when the task is about ${words}.`;
  return `---
name: ${nameAsYaml(name)}
description: ${JSON.stringify(summary)}
---

# ${title}

Say in one or two sentences what this skill is for.

## Steps

1. Describe the first step as you would to a colleague who is new to the project.
2. Name the commands to run and what they should print.
3. Say how to tell that the work is done.

## Notes

- Keep this file short; put long material into files beside it, such as references/details.md, and name them here.
`;
}
