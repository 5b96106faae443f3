import { describe, expect, test } from 'vitest';
import { doctor } from '../../src/operations/doctor.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { enableSkills } from '../../src/operations/toggle-skills.ts';
import { fullNameOf } from '../../src/skills/skill.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const PLUGINS = `${HOME}/.claude/plugins`;
const CACHE = `${PLUGINS}/cache/market/tools/1.0.0`;
const json = (value: unknown): string => JSON.stringify(value);
const text = (name: string): string => skillText({ name });

function installed(entries: Record<string, unknown>, version: 1 | 2 = 2): Record<string, string> {
  return { [`${PLUGINS}/installed_plugins.json`]: json({ version, plugins: entries }) };
}

const USER_ENTRY = { scope: 'user', installPath: CACHE, version: '1.0.0' };

async function load(files: ProjectFiles, options: Partial<OpenOptions> = {}) {
  const { snapshot } = await project(files).open(options);
  return {
    names: snapshot.view().skills.map(fullNameOf),
    codes: snapshot.diagnostics().map(({ code }) => code),
    snapshot,
  };
}

describe('installed_plugins.json', () => {
  test('version 2 holds a list with scopes', async () => {
    const { names, snapshot } = await load({
      ...installed({ 'tools@market': [USER_ENTRY] }),
      [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf'),
    });
    expect(names).toEqual(['claude:tools:pdf']);
    expect(snapshot.all.skills).toMatchObject([
      { location: 'plugin', plugin: 'tools', marketplace: 'market', dir: `${CACHE}/skills/pdf` },
    ]);
  });

  test('version 1 holds one object for each plugin', async () => {
    expect(
      (
        await load({
          ...installed({ 'tools@market': { installPath: CACHE } }, 1),
          [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf'),
        })
      ).names,
    ).toEqual(['claude:tools:pdf']);
  });

  test('an entry for this project goes before the user’s; one for another project does not count', async () => {
    const mine = `${PLUGINS}/cache/market/tools/mine`;
    const other = `${PLUGINS}/cache/market/tools/other`;
    const files = {
      [`${CACHE}/skills/user/SKILL.md`]: text('user'),
      [`${mine}/skills/mine/SKILL.md`]: text('mine'),
      [`${other}/skills/other/SKILL.md`]: text('other'),
    };
    const entry = (installPath: string, projectPath: string) => ({ scope: 'project', installPath, projectPath });
    expect(
      (
        await load({
          ...files,
          ...installed({ 'tools@market': [USER_ENTRY, entry(other, '/repo/other'), entry(mine, PROJECT)] }),
        })
      ).names,
    ).toEqual(['claude:tools:mine']);
    expect(
      (await load({ ...files, ...installed({ 'tools@market': [entry(other, '/repo/other'), USER_ENTRY] }) })).names,
    ).toEqual(['claude:tools:user']);
    expect((await load({ ...files, ...installed({ 'tools@market': [entry(other, '/repo/other')] }) })).names).toEqual(
      [],
    );
  });

  test('an entry for a folder above, up to the repository, counts for the project', async () => {
    const files = { '/repo/.git/HEAD': '', [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf') };
    const entry = { scope: 'local', installPath: CACHE, projectPath: '/repo' };
    expect((await load({ ...files, ...installed({ 'tools@market': [entry] }) })).names).toEqual(['claude:tools:pdf']);
  });

  test('old versions in the cache are never walked', async () => {
    const old = `${PLUGINS}/cache/market/tools/0.9.0/skills/old/SKILL.md`;
    expect(
      (
        await load({
          ...installed({ 'tools@market': [USER_ENTRY] }),
          [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf'),
          [old]: text('old'),
        })
      ).names,
    ).toEqual(['claude:tools:pdf']);
  });

  test.each([
    ['not JSON', '{"plugins": '],
    ['a list', '[]'],
    ['without plugins', '{}'],
    ['with plugins as a list', '{"plugins": []}'],
    ['null', 'null'],
  ])('a file that is %s is reported, and the other skills load', async (_, content) => {
    const { names, codes } = await load({
      [`${PLUGINS}/installed_plugins.json`]: content,
      [`${PROJECT}/skills/a/SKILL.md`]: text('a'),
    });
    expect([names, codes]).toEqual([['repo:a'], ['plugins-file-invalid']]);
  });

  test.each([[null], ['text'], [[]], [[null, 5]], [{ installPath: 5 }], [{ installPath: 'relative/path' }], [{}]])(
    'an odd entry, %j, loads nothing and breaks nothing',
    async (entry) => {
      const { names } = await load({
        ...installed({ 'odd@market': entry, 'tools@market': [USER_ENTRY] }),
        [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf'),
      });
      expect(names).toContain('claude:tools:pdf');
    },
  );
});

describe('settings', () => {
  const files = { ...installed({ 'tools@market': [USER_ENTRY] }), [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf') };
  const off = json({ enabledPlugins: { 'tools@market': false } });
  const on = json({ enabledPlugins: { 'tools@market': true } });
  const USER = `${HOME}/.claude/settings.json`;
  const SHARED = `${PROJECT}/.claude/settings.json`;
  const LOCAL = `${PROJECT}/.claude/settings.local.json`;

  test.each([
    { story: 'nothing said', settings: {}, loads: true },
    { story: 'the user switches it off', settings: { [USER]: off }, loads: false },
    { story: 'the project switches it on again', settings: { [USER]: off, [SHARED]: on }, loads: true },
    { story: 'the project switches it off', settings: { [USER]: on, [SHARED]: off }, loads: false },
    {
      story: 'the local settings have the last word',
      settings: { [USER]: on, [SHARED]: off, [LOCAL]: on },
      loads: true,
    },
    {
      story: 'only other plugins are mentioned',
      settings: { [USER]: json({ enabledPlugins: { 'other@market': false } }) },
      loads: false,
    },
    {
      story: 'enabledPlugins is a list',
      settings: { [USER]: json({ enabledPlugins: ['tools@market'] }) },
      loads: true,
    },
  ])('$story: loads $loads', async ({ settings, loads }) => {
    expect((await load({ ...files, ...settings })).names).toEqual(loads ? ['claude:tools:pdf'] : []);
  });

  test('a disabled plugin’s skills appear as disabled in list, show and doctor, with the setting', async () => {
    const place = project({ ...files, [USER]: off });
    const workspace = await place.open();
    const disabledBy = `the plugin "tools@market" is off in enabledPlugins of ${USER}`;
    expect((await ask(listSkills, { state: 'all' }, workspace)).skills).toMatchObject([{ disabled: true, disabledBy }]);
    expect(await ask(showSkill, { name: 'pdf' }, workspace)).toMatchObject({ disabled: true, disabledBy });
    expect((await ask(doctor, {}, workspace)).roots.find(({ plugin }) => plugin === 'tools')).toMatchObject({
      off: disabledBy,
      skills: 1,
    });
    await expect(ask(enableSkills, { names: ['pdf'] }, workspace)).rejects.toMatchObject({ code: 'REFUSED' });
    expect(place.disk.look(`${CACHE}/skills/pdf/SKILL.md`)).toBeDefined();
  });

  test('disabled plugins are reported, but their problems are not', async () => {
    const { snapshot, codes } = await load({
      ...files,
      [`${CACHE}/skills/broken/SKILL.md`]: 'nothing',
      [USER]: json({ enabledPlugins: {} }),
    });
    expect(snapshot.all.skills[0]?.disabledBy).toBe(`the plugin "tools@market" is not in enabledPlugins of ${USER}`);
    expect(codes).toEqual([]);
  });

  test('broken settings are a warning and switch nothing off', async () => {
    const { names, codes } = await load({ ...files, [USER]: '{' });
    expect([names, codes]).toEqual([['claude:tools:pdf'], ['plugins-file-invalid']]);
  });
});

describe('which folders of a plugin', () => {
  const manifest = (skills: unknown) => ({ [`${CACHE}/.claude-plugin/plugin.json`]: json({ name: 'tools', skills }) });
  const files = {
    ...installed({ 'tools@market': [USER_ENTRY] }),
    [`${CACHE}/skills/a/SKILL.md`]: text('a'),
    [`${CACHE}/extra/b/SKILL.md`]: text('b'),
    [`${CACHE}/more/c/SKILL.md`]: text('c'),
  };

  test.each([
    { story: 'no manifest: skills/', more: {}, names: ['a'] },
    { story: 'a manifest without skills: skills/', more: manifest(undefined), names: ['a'] },
    { story: 'one folder besides skills/', more: manifest('./extra'), names: ['a', 'b'] },
    { story: 'a list of folders', more: manifest(['./extra', './more/c']), names: ['a', 'b', 'c'] },
    { story: 'the plugin as a whole', more: manifest('.'), names: ['a', 'b', 'c'] },
    { story: 'things that are no paths are passed over', more: manifest(['./extra', 5, null]), names: ['a', 'b'] },
  ])('$story', async ({ more, names }) => {
    expect((await load({ ...files, ...more })).names).toEqual(names.map((name) => `claude:tools:${name}`));
  });

  test('a SKILL.md beside skills/ does not count', async () => {
    expect((await load({ ...files, [`${CACHE}/SKILL.md`]: text('single') })).names).toEqual(['claude:tools:a']);
  });

  test('a plugin may be one SKILL.md', async () => {
    expect(
      (await load({ ...installed({ 'tools@market': [USER_ENTRY] }), [`${CACHE}/SKILL.md`]: text('single') })).names,
    ).toEqual(['claude:tools:single']);
  });

  test('a SKILL.md of a plugin that is a link to itself is reported, not a crash', async () => {
    const { names, codes } = await load({
      ...installed({ 'tools@market': [USER_ENTRY] }),
      [`${CACHE}/SKILL.md`]: { link: 'SKILL.md' },
    });
    expect([names, codes]).toEqual([[], ['link-dangling']]);
  });

  test.each(['../../../../outside', '/etc', '..'])('a folder outside the plugin, %s, is refused', async (place) => {
    const { names, codes } = await load({ ...files, ...manifest([place, './extra']), '/etc/x/SKILL.md': text('x') });
    expect(names).toEqual(['claude:tools:a', 'claude:tools:b']);
    expect(codes).toEqual(['plugin-path-outside']);
  });

  test('a broken manifest is a warning and skills/ loads', async () => {
    const { names, codes } = await load({ ...files, [`${CACHE}/.claude-plugin/plugin.json`]: '{{' });
    expect([names, codes]).toEqual([['claude:tools:a'], ['plugins-file-invalid']]);
  });
});

describe('marketplaces', () => {
  const MARKET = `${PLUGINS}/marketplaces/market`;
  const listing = (plugin: object) => ({
    [`${MARKET}/.claude-plugin/marketplace.json`]: json({ plugins: [{ name: 'tools', ...plugin }] }),
  });

  test('the marketplace listing does not limit the skills Claude Code loads', async () => {
    const { names } = await load({
      ...installed({ 'tools@market': [USER_ENTRY] }),
      ...listing({ skills: ['./skills/a'] }),
      [`${CACHE}/skills/a/SKILL.md`]: text('a'),
      [`${CACHE}/skills/b/SKILL.md`]: text('b'),
    });
    expect(names).toEqual(['claude:tools:a', 'claude:tools:b']);
  });

  test('if the install path is missing, the marketplace checkout is used', async () => {
    const { names, codes } = await load({
      ...installed({ 'tools@market': [USER_ENTRY] }),
      ...listing({ source: './packages/tools' }),
      [`${MARKET}/packages/tools/skills/a/SKILL.md`]: text('a'),
    });
    expect([names, codes]).toEqual([['claude:tools:a'], []]);
  });

  test('known_marketplaces.json gives the location of a checkout', async () => {
    const known = { [`${PLUGINS}/known_marketplaces.json`]: json({ market: { installLocation: '/checkouts/m' } }) };
    const { names } = await load({
      ...installed({ 'tools@market': [USER_ENTRY] }),
      ...known,
      '/checkouts/m/plugins/tools/skills/a/SKILL.md': text('a'),
    });
    expect(names).toEqual(['claude:tools:a']);
  });

  test('a marketplace that is a folder is read in place, for every project', async () => {
    const known = {
      market: { source: { source: 'directory', path: '/checkouts/m' }, installLocation: '/checkouts/m' },
    };
    const entry = { scope: 'project', projectPath: '/repo/other', installPath: CACHE };
    const { names, codes } = await load({
      ...installed({ 'tools@market': [entry] }),
      [`${PLUGINS}/known_marketplaces.json`]: json(known),
      [`${CACHE}/skills/old/SKILL.md`]: text('old'),
      '/checkouts/m/plugins/tools/skills/new/SKILL.md': text('new'),
    });
    expect([names, codes]).toEqual([['claude:tools:new'], []]);
  });

  test('a plugin of an unknown marketplace is loaded, with the note that Claude Code would not', async () => {
    const { names, codes } = await load({
      ...installed({ 'tools@market': [USER_ENTRY] }),
      [`${PLUGINS}/known_marketplaces.json`]: json({ other: {} }),
      [`${CACHE}/skills/a/SKILL.md`]: text('a'),
    });
    expect([names, codes]).toEqual([['claude:tools:a'], ['plugin-marketplace-unknown']]);
  });

  test('a relative install path starts at the root of the plugins, and stays there', async () => {
    const at = async (installPath: string): Promise<string[]> =>
      (
        await load({
          ...installed({ 'tools@market': [{ scope: 'user', installPath }] }),
          [`${CACHE}/skills/a/SKILL.md`]: text('a'),
          [`${HOME}/secret/skills/x/SKILL.md`]: text('x'),
        })
      ).names;
    expect(await at('cache/market/tools/1.0.0')).toEqual(['claude:tools:a']);
    expect(await at('../../secret')).toEqual([]);
  });

  test('where neither is there, the plugin is reported as missing', async () => {
    const { names, codes } = await load({
      ...installed({ 'tools@market': [USER_ENTRY] }),
      [`${PROJECT}/skills/a/SKILL.md`]: text('a'),
    });
    expect([names, codes]).toEqual([['repo:a'], ['plugin-missing']]);
  });

  test('a source or a marketplace that leads outside is not followed', async () => {
    const secret = { '/home/someone/secret/skills/x/SKILL.md': text('x') };
    expect(
      (
        await load({
          ...secret,
          ...installed({ 'tools@market': [USER_ENTRY] }),
          ...listing({ source: '../../../../secret' }),
        })
      ).names,
    ).toEqual([]);
    expect((await load({ ...secret, ...installed({ 'tools@../../../secret': [USER_ENTRY] }) })).names).toEqual([]);
  });
});

describe('flags', () => {
  const files = {
    ...installed({ 'tools@market': [USER_ENTRY] }),
    [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf'),
    [`${PROJECT}/skills/a/SKILL.md`]: text('a'),
  };

  test('without plugins only project and user skills are left', async () => {
    expect((await load(files, { skipPlugins: true })).names).toEqual(['repo:a']);
  });

  test('another plugins file and another plugins root can be named', async () => {
    expect(
      (await load({ ...files, '/other.json': json({ plugins: {} }) }, { pluginsFile: '/other.json' })).names,
    ).toEqual(['repo:a']);
    expect(
      (
        await load(
          {
            [`${CACHE}/skills/pdf/SKILL.md`]: text('pdf'),
            '/p/installed_plugins.json': json({ plugins: { 'tools@market': [USER_ENTRY] } }),
          },
          { pluginsRoot: '/p' },
        )
      ).names,
    ).toEqual(['claude:tools:pdf']);
  });

  test('without the default folders plugins load only where their file was named', async () => {
    expect((await load(files, { scanDefaultDirs: false })).names).toEqual([]);
    expect(
      (await load(files, { scanDefaultDirs: false, pluginsFile: `${PLUGINS}/installed_plugins.json` })).names,
    ).toEqual(['claude:tools:pdf']);
  });
});

describe('plugins in the personal skills folder', () => {
  const SKILLS = `${HOME}/.claude/skills`;
  const FILES: ProjectFiles = {
    [`${SKILLS}/kit/.claude-plugin/plugin.json`]: json({ name: 'tools' }),
    [`${SKILLS}/kit/SKILL.md`]: text('kit'),
    [`${SKILLS}/kit/skills/pdf/SKILL.md`]: text('pdf'),
    [`${SKILLS}/bare/.claude-plugin/plugin.json`]: json({ name: 'other' }),
    [`${SKILLS}/bare/skills/csv/SKILL.md`]: text('csv'),
    [`${SKILLS}/group/plain/SKILL.md`]: text('plain'),
  };

  test('their skills have the name of the plugin, and the folder’s own SKILL.md is a personal skill', async () => {
    const { names, codes, snapshot } = await load(FILES);
    expect(names).toEqual(['claude:plain', 'claude:kit', 'claude:other:csv', 'claude:tools:pdf']);
    expect(codes).toEqual([]);
    expect(snapshot.all.skills.find(({ name }) => name === 'pdf')).toMatchObject({
      location: 'plugin',
      plugin: 'tools',
      marketplace: 'skills-dir',
    });
  });

  test('a plugin is disabled only if the settings say false', async () => {
    const off = { [`${HOME}/.claude/settings.json`]: json({ enabledPlugins: { 'other@skills-dir': false } }) };
    const { names, snapshot } = await load({ ...FILES, ...off });
    expect(names).toEqual(['claude:plain', 'claude:kit', 'claude:tools:pdf']);
    expect(snapshot.all.skills.find(({ name }) => name === 'csv')?.disabledBy).toBe(
      `the plugin "other@skills-dir" is off in enabledPlugins of ${HOME}/.claude/settings.json`,
    );
  });

  test('without plugins, a skill at most six levels deep is a personal skill', async () => {
    const { names } = await load(FILES, { skipPlugins: true });
    expect(names).toEqual(['claude:csv', 'claude:plain', 'claude:kit']);
  });

  test('a folder of a project is not a plugin', async () => {
    const { names } = await load({
      'project/.claude/skills/bare/.claude-plugin/plugin.json': json({ name: 'other' }),
      'project/.claude/skills/bare/skills/csv/SKILL.md': text('csv'),
    });
    expect(names).toEqual(['claude:csv']);
  });
});
