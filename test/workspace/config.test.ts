import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { HOME as H, openMemory, PROJECT as P } from '../open-memory.ts';
import { skillText } from '../skill-text.ts';

const PROJECT_FILE = `${P}/.lectern/config.json`;
const USER_FILE = `${H}/.config/lectern/config.json`;
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const SKILLS = {
  [`${P}/.claude/skills/git/SKILL.md`]: skillText({ name: 'git' }),
  [`${P}/.codex/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
  [`${P}/team/a/SKILL.md`]: skillText({ name: 'a' }),
  [`${H}/mine/b/SKILL.md`]: skillText({ name: 'b' }),
};

async function failure(files: Record<string, string | { link: string }>): Promise<Failure> {
  const result = await openMemory({ ...SKILLS, ...files }).catch((error: unknown) => error);
  if (!(result instanceof Failure)) throw new Error('a Failure was expected');
  return result;
}

describe('flags over project over user', () => {
  const both = {
    [PROJECT_FILE]: json({ include: 'git', skipPlugins: false }),
    [USER_FILE]: json({ include: ['pdf'], skipPlugins: true, priority: 'project-first' }),
  };

  test('each value comes from the strongest that gives it, and tells where from', async () => {
    const { snapshot } = await openMemory({ ...SKILLS, ...both });
    expect(snapshot.settings.include).toEqual({ value: ['git'], origin: 'project', file: PROJECT_FILE });
    expect(snapshot.settings.skipPlugins).toEqual({ value: false, origin: 'project', file: PROJECT_FILE });
    expect(snapshot.settings.priority).toEqual({ value: 'project-first', origin: 'user', file: USER_FILE });
    expect(snapshot.settings.exclude).toEqual({ value: [], origin: 'default' });
  });

  test('a flag goes before both', async () => {
    const { snapshot } = await openMemory({ ...SKILLS, ...both }, { include: ['codex'] });
    expect(snapshot.settings.include).toEqual({ value: ['codex'], origin: 'flag' });
    expect(snapshot.view().skills.map(({ name }) => name)).toEqual(['pdf']);
  });

  test('relative folders start from the project, or from the home', async () => {
    const { snapshot } = await openMemory({ ...SKILLS, [PROJECT_FILE]: json({ skillDir: 'team?scope=us' }) });
    expect(snapshot.settings.skillDir.value).toEqual([`${P}/team?scope=us`]);
    expect(snapshot.all.find('us:a').kind).toBe('found');
    const user = await openMemory({ ...SKILLS, [USER_FILE]: json({ skillDir: ['mine'] }) });
    expect(user.snapshot.all.find('file:b').kind).toBe('found');
  });

  test('the nearest folder of the project that has a file is asked', async () => {
    const files = { '/repo/.git/HEAD': '', '/repo/.lectern/config.json': json({ include: 'pdf' }) };
    expect((await openMemory({ ...SKILLS, ...files })).snapshot.settings.include.value).toEqual(['pdf']);
    expect(
      (await openMemory({ ...SKILLS, ...files, [PROJECT_FILE]: json({ include: 'git' }) })).snapshot.settings.include
        .value,
    ).toEqual(['git']);
  });

  test('XDG_CONFIG_HOME moves the user’s file; an empty one does not', async () => {
    const files = {
      ...SKILLS,
      '/xdg/lectern/config.json': json({ include: 'git' }),
      [USER_FILE]: json({ include: 'pdf' }),
    };
    expect(
      (await openMemory(files, { environment: { XDG_CONFIG_HOME: '/xdg' } })).snapshot.settings.include.value,
    ).toEqual(['git']);
    expect((await openMemory(files, { environment: { XDG_CONFIG_HOME: '' } })).snapshot.settings.include.value).toEqual(
      ['pdf'],
    );
  });

  test('the files can be left unread', async () => {
    expect((await openMemory({ ...SKILLS, [PROJECT_FILE]: '{' }, { readConfig: false })).snapshot.configFiles).toEqual(
      [],
    );
  });
});

describe('a file that cannot be used', () => {
  test('an unknown key is named with its line and what may have been meant', async () => {
    expect(await failure({ [PROJECT_FILE]: '{\n  "include": "git",\n  "exlude": "pdf"\n}' })).toMatchObject({
      code: 'INVALID_CONFIG',
      message: '"exlude" is not a known key.',
      path: PROJECT_FILE,
      line: 3,
      suggestions: expect.arrayContaining(['exclude']),
      hint: expect.stringContaining('exclude'),
    });
  });

  test('a key like nothing known gets the list of keys', async () => {
    expect(await failure({ [PROJECT_FILE]: json({ zzzzzzz: 1 }) })).toMatchObject({
      hint: expect.stringContaining('skillDir'),
    });
  });

  test('an unknown key among the limits', async () => {
    expect(await failure({ [PROJECT_FILE]: json({ limits: { walkDeph: 3 } }) })).toMatchObject({
      message: '"limits.walkDeph" is not a known key.',
      suggestions: ['walkDepth'],
    });
  });

  test.each([
    ['skipPlugins', '{\n"skipPlugins": "yes"\n}', 2],
    ['include', '{"include": 5}', 1],
    ['limits.walkDepth', '{"limits":\n\n{"walkDepth": 0}}', 3],
    ['priority', '{"priority": "user-first"}', 1],
  ])('a value of the wrong kind for %s', async (key, text, line) => {
    const found = await failure({ [USER_FILE]: text });
    expect(found).toMatchObject({
      code: 'INVALID_CONFIG',
      path: USER_FILE,
      line,
      message: expect.stringContaining(`"${key}"`),
    });
  });

  test.each(['[]', 'null', '"text"', '5'])('%s is no configuration', async (text) => {
    const found = await failure({ [PROJECT_FILE]: text });
    expect(found).toMatchObject({ code: 'INVALID_CONFIG', path: PROJECT_FILE });
    expect(found.message).toMatch(/object/u);
    expect(found.message).not.toContain('""');
  });

  test('broken JSON tells the line and quotes nothing', async () => {
    const found = await failure({ [PROJECT_FILE]: '{\n  "include": "CANARY"\n  "exclude": 1\n}' });
    expect(found).toMatchObject({ code: 'INVALID_CONFIG', path: PROJECT_FILE, line: 3 });
    expect(found.message).not.toContain('CANARY');
  });

  test('a file that is a link to itself, or a folder', async () => {
    expect((await failure({ [PROJECT_FILE]: { link: 'config.json' } })).code).toBe('INVALID_CONFIG');
    expect((await failure({ [`${PROJECT_FILE}/x`]: '' })).code).toBe('INVALID_CONFIG');
  });

  test('keys of JavaScript’s own are unknown keys like any other', async () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect(await failure({ [PROJECT_FILE]: `{"${key}": {"polluted": true}}` })).toMatchObject({
        code: 'INVALID_CONFIG',
      });
    }
    expect('polluted' in {}).toBe(false);
  });
});

test.each([
  ['/a/b', { dir: '/a/b' }],
  ['/a/b?scope=x', { dir: '/a/b', scope: 'x' }],
  ['/a?b/c', { dir: '/a?b/c' }],
  ['/a?scope=', { dir: '/a?scope=' }],
  ['/a?scope=x&y', { dir: '/a?scope=x&y' }],
  ['/a?scope=x?scope=y', { dir: '/a?scope=x', scope: 'y' }],
])('--skill-dir %s', async (text, parsed) => {
  const { snapshot } = await openMemory({ '/x': '' }, { skillDir: [text], scanDefaultDirs: false });
  expect(snapshot.roots.map(({ dir, scope }) => ({ dir, ...(scope === undefined ? {} : { scope }) }))).toEqual([
    parsed,
  ]);
});
