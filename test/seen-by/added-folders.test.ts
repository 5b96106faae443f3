/** Folders that `skills.paths` in the configuration of opencode adds. */
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { agents } from '../../src/operations/agents.ts';
import { renderAgents } from '../../src/render/agents-here.ts';
import { makeStyle } from '../../src/render/style.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { listed, see, statuses, verdictOn } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const OWN = 'home/.config/opencode/opencode.json';
const SHARED = 'project/opencode.json';
const GIT: ProjectFiles = { 'project/.git/HEAD': '' };

const config = (...paths: unknown[]): string => JSON.stringify({ skills: { paths } });
const skills = (...dirs: string[]): ProjectFiles =>
  Object.fromEntries(dirs.map((dir) => [`${dir}/SKILL.md`, skillText({ name: dir.split('/').at(-1) ?? dir })]));

test.each([
  ['~/mine', 'home/mine/a'],
  ['~/', 'home/any/deep/a'],
  [`${HOME}/mine`, 'home/mine/a'],
  ['{env:HOME}/mine', 'home/mine/a'],
  ['mine', 'project/mine/a'],
  ['./mine', 'project/mine/a'],
  ['~mine', 'project/~mine/a'],
  ['mine/a', 'project/mine/a'],
  ['.', 'project/any/a'],
  ['', 'project/any/a'],
])('the user’s file may name %s', async (path, dir) => {
  const seen = await see({ [OWN]: config(path), ...skills(dir) }, 'opencode', { environment: { HOME } });
  expect(statuses(seen)).toEqual({ [dir]: 'seen' });
});

test.each(['~', '$HOME/mine', 'mine/a/SKILL.md', '~/gone'])('the path %s leads to no skill', async (path) => {
  expect(listed(await see({ [OWN]: config(path), ...skills('home/mine/a', 'project/mine/a') }, 'opencode'))).toEqual(
    [],
  );
});

test('a relative path belongs to the working folder, wherever the file is', async () => {
  const files = { ...GIT, [SHARED]: config('mine'), ...skills('project/mine/a', 'project/app/mine/b') };
  expect(listed(await see(files, 'opencode', { projectDir: `${PROJECT}/app` }))).toEqual(['b']);
});

test('any depth, node_modules and skills inside skills count there, hidden folders do not', async () => {
  const files = {
    [OWN]: config('mine', '.hidden/in'),
    ...skills(
      'project/mine',
      'project/mine/a',
      'project/mine/a/b',
      'project/mine/node_modules/c',
      'project/mine/d/e/f',
    ),
    ...skills('project/mine/.g', 'project/mine/.h/i', 'project/.hidden/in/j'),
    'project/mine/k/skill.md': skillText({ name: 'k' }),
  };
  expect(listed(await see(files, 'opencode'))).toEqual(['a', 'b', 'c', 'f', 'j', 'mine']);
});

test('a skill that such a folder leaves out is listed from another folder of the agent', async () => {
  const files = { [OWN]: config('.'), ...skills('project/.claude/skills/a', 'project/.opencode/skills/.b') };
  expect(listed(await see(files, 'opencode'))).toEqual(['.b', 'a']);
});

test('a copy with the name of another one is one of several', async () => {
  const files = { [OWN]: config('mine'), ...skills('project/mine/a', 'project/.agents/skills/a') };
  expect(statuses(await see(files, 'opencode'))).toEqual({
    'project/mine/a': 'unknown',
    'project/.agents/skills/a': 'unknown',
  });
});

test('other agents do not read the folder', async () => {
  const seen = await see({ [OWN]: config('mine'), ...skills('project/mine/a') }, 'codex');
  expect(statuses(seen)).toEqual({ 'project/mine/a': 'not-read' });
});

describe('of several files, the last one counts', () => {
  const dirs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const files = [
    'home/.config/opencode/config.json',
    'home/.config/opencode/opencode.json',
    'home/.config/opencode/opencode.jsonc',
    'project/opencode.json',
    'project/opencode.jsonc',
    'project/app/opencode.json',
    'project/app/.opencode/opencode.json',
    'project/.opencode/opencode.json',
    'project/.opencode/opencode.jsonc',
    'home/.opencode/opencode.json',
  ];
  test.each(files.map((file, index) => [file, index] as const))('up to %s', async (_, index) => {
    const written = files.slice(0, index + 1).map((file, at) => [file, config(dirs[at])]);
    const all = {
      ...GIT,
      ...Object.fromEntries(written),
      ...skills(...dirs.map((dir) => `project/app/${dir}/${dir}`)),
    };
    expect(listed(await see(all, 'opencode', { projectDir: `${PROJECT}/app` }))).toEqual([dirs[index]]);
  });

  test('a file without the setting does not count, an empty list does', async () => {
    const own = { [OWN]: config('mine'), ...skills('project/mine/a') };
    expect(listed(await see({ ...own, [SHARED]: '{}' }, 'opencode'))).toEqual(['a']);
    expect(listed(await see({ ...own, [SHARED]: config() }, 'opencode'))).toEqual([]);
  });

  test('settings that hide skills follow the same order', async () => {
    const rule = (action: string): string => JSON.stringify({ permission: { skill: { a: action } } });
    const deny = { ...skills('project/.agents/skills/a'), [SHARED]: rule('deny') };
    expect(listed(await see(deny, 'opencode'))).toEqual([]);
    expect(listed(await see({ ...deny, 'project/.opencode/opencode.json': rule('allow') }, 'opencode'))).toEqual(['a']);
  });
});

describe('a file of the project', () => {
  test.each(['~/.cursor/skills', `${HOME}/.cursor`, relative(PROJECT, `${HOME}/.cursor/skills`), '{env:HOME}/.cursor'])(
    'does not make Lectern read %s, and skills there are unknown',
    async (path) => {
      const files = { ...GIT, [SHARED]: config(path), ...skills('home/.cursor/skills/a') };
      const seen = await see(files, 'opencode', { environment: { HOME } });
      expect(verdictOn(seen, 'home/.cursor/skills/a')).toMatchObject({
        status: 'unknown',
        reason: `${PROJECT}/opencode.json adds a folder outside the project, and Lectern does not read that`,
      });
    },
  );

  test('does not make Lectern follow a link out of the project', async () => {
    const files = { ...GIT, [SHARED]: config('mine'), 'project/mine': { link: HOME }, ...skills('home/secret/a') };
    expect(statuses(await see(files, 'opencode'))).toEqual({});
  });

  test('adds folders inside the project', async () => {
    const files = {
      ...GIT,
      [SHARED]: config('mine', `${PROJECT}/more`),
      ...skills('project/mine/a', 'project/more/b'),
    };
    expect(listed(await see(files, 'opencode'))).toEqual(['a', 'b']);
  });

  test('has its unread folders in the answer, and the counts agree', async () => {
    const files = { ...GIT, [SHARED]: config('~/.cursor/skills'), ...skills('home/.cursor/skills/a') };
    const workspace = await project(files).open({});
    const one = await ask(agents, { agent: 'opencode' }, workspace);
    expect(one.places?.at(-1)).toEqual({
      place: 'user',
      path: `${HOME}/.cursor/skills`,
      exists: false,
      skills: 0,
      listed: 0,
      unread: `${PROJECT}/opencode.json adds a folder outside the project, and Lectern does not read that`,
    });
    expect(renderAgents(one, makeStyle({ color: false }))).toContain('Not examined');
    const all = await ask(agents, {}, workspace);
    expect(all.agents?.find((agent) => (agent as { id: string }).id === 'opencode')).toMatchObject({
      counts: { unknown: 1, notRead: 0 },
    });
  });
});

test.each([0, 1])('Lectern reads at most as many folders as its limit and %i more is unknown', async (more) => {
  const { value } = LIMITS.addedFolders;
  const dirs = Array.from({ length: value + more }, (_, index) => `d${index}`);
  const files = { [OWN]: config(...dirs), ...skills(...dirs.map((dir) => `project/${dir}/${dir}`)) };
  expect(listed(await see(files, 'opencode'))).toHaveLength(value);
});
