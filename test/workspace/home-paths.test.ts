/** A leading `~/` in paths: client configurations are JSON, where no shell expands it. */
import { describe, expect, test } from 'vitest';
import { openOptions } from '../../src/cli/main.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { settingFlags } from '../../src/cli/flags.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { openCatalog } from '../../src/library.ts';
import type { AnyOperation, Param, Params } from '../../src/operations/define.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { newSkill } from '../../src/operations/new-skill.ts';
import { perform } from '../../src/operations/perform.ts';
import { scanSkills } from '../../src/operations/scan-skills.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { readSettings } from '../../src/workspace/settings.ts';
import { SETTINGS, type SettingDefinition, type SettingName } from '../../src/workspace/settings-table.ts';
import { ask } from '../support/ask.ts';
import { connect, listedNames } from '../support/connect.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const PATH_SETTINGS = Object.entries<SettingDefinition>(SETTINGS).filter(([, { isPath }]) => isPath);

describe('a leading ~/ is the home', () => {
  test.each(PATH_SETTINGS)('in the setting %s: as an option and in the user’s file', (name, { type }) => {
    const given = type === 'list' ? ['~/some/place'] : '~/some/place';
    const expected = type === 'list' ? [`${HOME}/some/place`] : `${HOME}/some/place`;
    const key = name as SettingName;
    const { disk } = project({ [`${HOME}/.config/lectern/config.json`]: JSON.stringify({ [name]: given }) });
    const options = { projectDir: PROJECT, userDir: HOME };
    expect(readSettings(disk, options).settings[key].value).toEqual(expected);
    expect(readSettings(disk, { ...options, readConfig: false, [name]: given }).settings[key].value).toEqual(expected);
  });

  test.each(PATH_SETTINGS)('in the flag of %s', (name, { group = 'global', type }) => {
    const [flag] = settingFlags([group]).find(({ key }) => key === name)?.names ?? [''];
    const command = group === 'specs' ? ['spec', 'list'] : ['list'];
    const parsed = parseCommandLine([...command, flag, '~/some/place', '--user-dir', HOME], COMMANDS);
    if (parsed.kind !== 'command') throw new Error('not a command');
    const options: Readonly<Record<string, unknown>> = { ...openOptions(parsed.given) };
    expect(options[name]).toEqual(type === 'list' ? [`${HOME}/some/place`] : `${HOME}/some/place`);
  });

  test('in --project-dir, and the real home in --user-dir', () => {
    const parsed = parseCommandLine(['list', '--project-dir', '~/work', '--user-dir', '~/other'], COMMANDS);
    if (parsed.kind !== 'command') throw new Error('not a command');
    const { projectDir, userDir } = openOptions(parsed.given);
    const home = process.env['HOME'] ?? '';
    expect([userDir, projectDir]).toEqual([`${home}/other`, `${home}/other/work`]);
  });

  test('in a scope, in file: filters, and nowhere else in a path', () => {
    const { disk } = project();
    const { settings } = readSettings(disk, {
      projectDir: PROJECT,
      userDir: HOME,
      skillDir: ['~/a?scope=mine', '~', 'x/~/y', '~other/z'],
      include: ['all,file:~/b', 'name~/x'],
    });
    expect(settings.skillDir.value).toEqual([`${HOME}/a?scope=mine`, HOME, `${PROJECT}/x/~/y`, `${PROJECT}/~other/z`]);
    expect(settings.include.value).toEqual([`all,file:${HOME}/b`, 'name~/x']);
  });

  test('in the arguments of operations that take a path', async () => {
    const files = { [`${HOME}/.claude/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }) };
    const workspace = await project(files).open();
    expect(await ask(showSkill, { name: '~/.claude/skills/pdf' }, workspace)).toMatchObject({ name: 'pdf' });
    expect(await ask(scanSkills, { target: '~/.claude/skills' }, workspace)).toMatchObject({
      scanned: { skills: 1 },
    });
  });

  const paths = OPERATIONS.flatMap(({ name, params }) =>
    Object.entries<Param>(params).flatMap(([key, param]) => (param.isPath ? [`${name}.${key}`] : [])),
  );

  test('in these parameters of operations', () => {
    expect(paths.toSorted()).toEqual([
      'install_skills.dir',
      'install_skills.source',
      'list_source.source',
      'new_skill.to',
      'publish.dir',
      'scan_skills.baseline',
      'scan_skills.target',
      'scan_skills.writeBaseline',
      'sync_skills.file',
      'try.from',
      'validate_skills.target',
    ]);
  });

  test.each(paths)('in %s, before the operation runs', async (place) => {
    const [name = '', key = ''] = place.split('.');
    const operation: AnyOperation | undefined = OPERATIONS.find((each) => each.name === name);
    if (!operation) throw new Error('not an operation');
    const isList = operation.params[key]?.type === 'list';
    const params = { [key]: { ...operation.params[key], faces: ['library'] } } as Params;
    let received: unknown;
    const run = async (input: Readonly<Record<string, unknown>>) => ((received = input[key]), {});
    await perform(
      { ...operation, params, output: {}, run },
      { [key]: isList ? ['~/some/place'] : '~/some/place' },
      async () => project().open(),
      { face: 'library', wording: { code: 'USAGE', whole: 'the input', unknown: 'key' } },
    );
    expect(received).toEqual(isList ? [`${HOME}/some/place`] : `${HOME}/some/place`);
  });

  test('in the folder that a new skill is written to', async () => {
    const folder = project();
    await ask(newSkill, { name: 'pdf', description: 'Reads PDF files.', to: '~/kit' }, await folder.open());
    expect(folder.exists('home/kit/pdf/SKILL.md')).toBe(true);
  });

  test('in the options of the library', async () => {
    using folder = project({ 'home/work/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) }, 'disk');
    const catalog = await openCatalog({ projectDir: '~/work', userDir: folder.at('home') });
    expect((await catalog.list()).skills).toMatchObject([{ name: 'pdf', path: folder.at('home/work/skills/pdf') }]);
  });

  test('in the file of a project, where it leads out of the project and is refused', () => {
    const { disk } = project({
      [`${PROJECT}/.lectern/config.json`]: JSON.stringify({
        root: '~/secret',
        skillDir: ['~/secret'],
        include: ['all', 'file:~/secret'],
      }),
    });
    const { settings, files } = readSettings(disk, { projectDir: PROJECT, userDir: HOME });
    expect([settings.root.value, settings.skillDir.value, settings.include.value]).toEqual([undefined, [], []]);
    expect(files[0]?.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['config-key-refused', `"root" is ignored: ${HOME}/secret is outside the project.`],
      ['config-key-refused', `"skillDir" is ignored: ${HOME}/secret is outside the project.`],
      ['config-key-refused', `"include" is ignored: ${HOME}/secret is outside the project.`],
    ]);
  });
});

describe('--skill-dir with the plugin folder of Claude Code', () => {
  const cache = 'home/.claude/plugins/cache/market/docs';
  const files = {
    'home/.claude/plugins/installed_plugins.json': JSON.stringify({
      version: 2,
      plugins: { 'docs@market': [{ scope: 'user', installPath: 'cache/market/docs/2.0.0' }] },
    }),
    [`${cache}/1.0.0/skills/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'The old version.' }),
    [`${cache}/2.0.0/skills/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'The installed version.' }),
    'home/.claude/plugins/marketplaces/market/plugins/docs/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  };

  test.each([
    ['alone', ['--no-scan-default-dirs']],
    ['without other plugins', ['--no-plugins']],
    ['beside the folders of agents', []],
  ])('keeps the names of plugins, one version of each, %s', async (_, flags) => {
    await using session = await connect('stdio', files, { flags: ['--skill-dir', '~/.claude/plugins', ...flags] });
    const description = await session.description();
    expect(listedNames(description)).toEqual(['docs:pdf']);
    expect(description).toContain('The installed version.');
    expect(description).toContain('<location>plugin</location>');
  });
});
