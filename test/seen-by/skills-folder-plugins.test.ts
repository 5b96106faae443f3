/** Plugins of Claude Code in the personal skills folder. */
import { describe, expect, test } from 'vitest';
import { HOME, type ProjectFiles } from '../support/project.ts';
import { listed, see, statuses, verdictOn } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const SKILLS = 'home/.claude/skills';

const manifest = (dir: string, value: unknown): ProjectFiles => ({
  [`${dir}/.claude-plugin/plugin.json`]: typeof value === 'string' ? value : JSON.stringify(value),
});
const skill = (dir: string, name: string): ProjectFiles => ({ [`${dir}/${name}/SKILL.md`]: skillText({ name }) });

/** The folder `kit` is a skill and the plugin `tools`. The folder `bare` is only a plugin. */
const PLUGINS: ProjectFiles = {
  ...manifest(`${SKILLS}/kit`, { name: 'tools' }),
  ...skill(SKILLS, 'kit'),
  ...skill(`${SKILLS}/kit/skills`, 'one'),
  ...manifest(`${SKILLS}/bare`, { name: 'other' }),
  ...skill(`${SKILLS}/bare/skills`, 'two'),
};
const settings = (enabledPlugins: object): ProjectFiles => ({
  'home/.claude/settings.json': JSON.stringify({ enabledPlugins }),
});

test('their skills are listed after those of the project under the name in plugin.json, also without a SKILL.md', async () => {
  const seen = await see({ ...PLUGINS, ...skill('project/.claude/skills', 'here') }, 'claude');
  expect(listed(seen)).toEqual(['kit', 'here', 'other:two', 'tools:one']);
  expect(statuses(seen)).toEqual({
    [`${SKILLS}/kit`]: 'seen',
    [`${SKILLS}/kit/skills/one`]: 'seen',
    [`${SKILLS}/bare/skills/two`]: 'seen',
    'project/.claude/skills/here': 'seen',
  });
});

test('they are below CLAUDE_CONFIG_DIR if that is set', async () => {
  const files = {
    ...manifest('/elsewhere/skills/kit', { name: 'tools' }),
    ...skill('/elsewhere/skills/kit/skills', 'one'),
  };
  expect(listed(await see(files, 'claude', { environment: { CLAUDE_CONFIG_DIR: '/elsewhere' } }))).toEqual([
    'tools:one',
  ]);
});

test('a folder of a project is not a plugin', async () => {
  const files = {
    ...manifest('project/.claude/skills/kit', { name: 'tools' }),
    ...skill('project/.claude/skills', 'kit'),
    ...skill('project/.claude/skills/kit/skills', 'one'),
  };
  expect(listed(await see(files, 'claude'))).toEqual(['kit']);
});

test('folders of skills in plugin.json are read too, and a folder may be one skill', async () => {
  const files = {
    ...manifest(`${SKILLS}/kit`, { name: 'tools', skills: ['./more', './single', './', './gone'] }),
    ...skill(SKILLS, 'kit'),
    ...skill(`${SKILLS}/kit/skills`, 'one'),
    ...skill(`${SKILLS}/kit/more`, 'two'),
    ...skill(`${SKILLS}/kit`, 'single'),
  };
  expect(listed(await see(files, 'claude'))).toEqual(['kit', 'tools:one', 'tools:two', 'tools:single']);
});

describe.each([
  ['a name without a value', { name: '' }],
  ['a name with a space', { name: 'a b' }],
  ['a name with a colon', { name: 'a:b' }],
  ['a name with an at sign', { name: 'a@b' }],
  ['a name with a slash', { name: 'a/b' }],
  ['a number as name', { name: 5 }],
  ['no name', {}],
  ['a number as version', { name: 'tools', version: 5 }],
  ['a folder that does not begin with ./', { name: 'tools', skills: 'more' }],
  ['a folder outside', { name: 'tools', skills: ['../more'] }],
  ['text that is not JSON', '{'],
])('plugin.json with %s', (_, value) => {
  test('makes no plugin, and the skill of the folder stays', async () => {
    const files = { ...PLUGINS, ...manifest(`${SKILLS}/kit`, value) };
    expect(listed(await see(files, 'claude'))).toEqual(['kit', 'other:two']);
  });
});

test.each(['a_b', 'a.b', 'a+b', 'Ä', '1', 'x'.repeat(65)])('a plugin may have the name %s', async (name) => {
  const files = { ...manifest(`${SKILLS}/kit`, { name }), ...skill(`${SKILLS}/kit/skills`, 'one') };
  expect(listed(await see(files, 'claude'))).toEqual([`${name}:one`]);
});

test.each(['.hidden', 'synced'])('the folder %s is not a plugin', async (folder) => {
  const files = {
    ...manifest(`${SKILLS}/${folder}`, { name: 'tools' }),
    ...skill(`${SKILLS}/${folder}/skills`, 'one'),
  };
  expect(listed(await see(files, 'claude'))).toEqual([]);
});

test('a plugin that is off takes the skill of its folder with it, and the fix switches it on', async () => {
  const seen = await see({ ...PLUGINS, ...settings({ 'tools@skills-dir': false }) }, 'claude');
  expect(listed(seen)).toEqual(['other:two']);
  for (const folder of [`${SKILLS}/kit`, `${SKILLS}/kit/skills/one`])
    expect(verdictOn(seen, folder)).toMatchObject({
      status: 'disabled',
      reason: 'the plugin tools@skills-dir is switched off in the settings',
      fix: 'claude plugin enable tools@skills-dir',
    });
});

test('the settings of the project count too', async () => {
  const files = {
    ...PLUGINS,
    'project/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'other@skills-dir': false } }),
  };
  expect(listed(await see(files, 'claude'))).toEqual(['kit', 'tools:one']);
});

test('an installed plugin with the same name counts if the settings mention it', async () => {
  const installed = {
    ...PLUGINS,
    ...skill('home/cache/tools/skills', 'three'),
    'home/.claude/plugins/installed_plugins.json': JSON.stringify({
      version: 2,
      plugins: { 'tools@shop': [{ scope: 'user', installPath: `${HOME}/cache/tools` }] },
    }),
    'home/.claude/plugins/known_marketplaces.json': JSON.stringify({ shop: { source: { source: 'github' } } }),
  };
  expect(listed(await see({ ...installed, ...settings({ 'tools@shop': true }) }, 'claude'))).toEqual([
    'kit',
    'tools:three',
    'other:two',
  ]);
  const off = await see({ ...installed, ...settings({ 'tools@shop': false }) }, 'claude');
  expect(verdictOn(off, `${SKILLS}/kit/skills/one`)).toMatchObject({
    status: 'not-read',
    reason: 'Claude Code uses another plugin with the name tools',
    fix: `Change the name in ${HOME}/.claude/skills/kit/.claude-plugin/plugin.json`,
  });
  expect(listed(await see(installed, 'claude'))).toEqual(['kit', 'other:two', 'tools:one']);
});

test('which of two plugins with the same name is used is unknown', async () => {
  const files = { ...PLUGINS, ...manifest(`${SKILLS}/bare`, { name: 'tools' }) };
  expect(statuses(await see(files, 'claude'))).toMatchObject({
    [`${SKILLS}/kit`]: 'seen',
    [`${SKILLS}/kit/skills/one`]: 'unknown',
    [`${SKILLS}/bare/skills/two`]: 'unknown',
  });
});

test('an agent that reads the folder at any depth lists the same files as plain skills', async () => {
  expect(listed(await see(PLUGINS, 'opencode'))).toEqual(['kit', 'one', 'two']);
});

test('the fix for another agent shares the skill', async () => {
  expect(verdictOn(await see(PLUGINS, 'codex'), `${SKILLS}/bare/skills/two`)).toMatchObject({
    status: 'not-read',
    fix: 'lectern share two --to codex --yes',
  });
});
