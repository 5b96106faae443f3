/** The library as programs call it; what the operations answer is tested beside them. */
import { describe, expect, test } from 'vitest';
import { openCatalog } from '../src/index.ts';
import { skillText } from './support/skill-text.ts';
import { tempFolder } from './support/temp-folder.ts';

/** As a program without types would call it. */
const openLoosely = openCatalog as (options: unknown) => ReturnType<typeof openCatalog>;

describe('options of openCatalog', () => {
  test.each([
    [{ includ: ['claude'] }, { message: '"includ" is not a known option.', suggestions: ['include'] }],
    [{ skipPlugin: true }, { message: '"skipPlugin" is not a known option.', suggestions: ['skipPlugins'] }],
    [{ limits: { walkDeph: 3 } }, { message: '"limits.walkDeph" is not a known option.', suggestions: ['walkDepth'] }],
    [{ zzz: 1 }, { message: '"zzz" is not a known option.', hint: expect.stringContaining('projectDir') }],
    [{ skipPlugins: 'yes' }, { message: 'The option "skipPlugins" must be true or false, not "yes".' }],
    [{ include: 5 }, { message: 'The option "include" must be text, not 5.' }],
    [{ projectDir: 7 }, { message: 'The option "projectDir" must be text, not 7.' }],
    [{ priority: 'user-first' }, { message: expect.stringContaining('project-first') }],
    [{ environment: 'PATH' }, { message: 'The option "environment" must be an object, not "PATH".' }],
    ['examples', { message: 'The options must be an object.' }],
    [null, { message: 'The options must be an object.' }],
  ])('%j is refused with a suggestion', async (options, failure) => {
    await expect(openLoosely(options)).rejects.toMatchObject({ name: 'Failure', code: 'USAGE', ...failure });
  });

  test('every option that fits is taken, undefined ones too', async () => {
    using folder = tempFolder({
      'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'project/.codex/skills/git/SKILL.md': skillText({ name: 'git' }),
    });
    const catalog = await openCatalog({
      projectDir: folder.at('project'),
      userDir: undefined,
      environment: process.env,
      include: ['claude'],
      exclude: undefined,
      limits: { walkDepth: 3 },
      readConfig: false,
    });
    expect((await catalog.list()).skills.map(({ name }) => name)).toEqual(['pdf']);
  });
});

test('an explicit project folder that does not exist is an error, as on the command line', async () => {
  using folder = tempFolder({ 'a-file': '' });
  for (const projectDir of [folder.at('nowhere'), folder.at('a-file')])
    await expect(openCatalog({ projectDir, userDir: undefined })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the error for a missing required key names the key and the unknown key given instead', async () => {
  using folder = tempFolder({ 'project/x': '' });
  const catalog = await openCatalog({ projectDir: folder.at('project'), userDir: undefined });
  const show = catalog.show as (input: unknown) => Promise<unknown>;
  await expect(show({ nam: 'x' })).rejects.toMatchObject({
    code: 'USAGE',
    message: 'show: name is required, and "nam" is not a known key.',
    suggestions: ['name'],
    hint: 'Did you mean name?',
  });
  await expect(show({})).rejects.toMatchObject({
    code: 'USAGE',
    message: 'show: name is required.',
    suggestions: [],
  });
  await expect(show({ name: 5 })).rejects.toMatchObject({
    message: 'show: name must be text, not 5.',
  });
});

test('a misspelled key of a request is answered with the one that may have been meant', async () => {
  using folder = tempFolder({ 'project/x': '' });
  const catalog = await openCatalog({ projectDir: folder.at('project'), userDir: undefined });
  const list = catalog.list as (input: unknown) => Promise<unknown>;
  await expect(list({ stat: 'all' })).rejects.toMatchObject({
    code: 'USAGE',
    suggestions: ['state'],
    hint: 'Did you mean state?',
  });
});
