import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { SETTING_NAMES, SETTINGS } from '../../src/workspace/settings-table.ts';
import { HOME as H, project, PROJECT as P } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const PROJECT_FILE = `${P}/.lectern/config.json`;
const USER_FILE = `${H}/.config/lectern/config.json`;
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const SKILLS = {
  [`${P}/.claude/skills/git/SKILL.md`]: skillText({ name: 'git' }),
  [`${P}/.codex/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
  [`${P}/team/a/SKILL.md`]: skillText({ name: 'a' }),
  [`${H}/mine/b/SKILL.md`]: skillText({ name: 'b' }),
};

async function findings(files: Record<string, string | { link: string }>): Promise<readonly Diagnostic[]> {
  return (await project({ ...SKILLS, ...files }).open()).snapshot.configDiagnostics;
}

describe('flags over project over user', () => {
  const both = {
    [PROJECT_FILE]: json({ include: 'git', skipPlugins: false }),
    [USER_FILE]: json({ include: ['pdf'], skipPlugins: true, priority: 'project-first' }),
  };

  test('each value comes from the strongest origin that sets it, and the origin is recorded', async () => {
    const { snapshot } = await project({ ...SKILLS, ...both }).open();
    expect(snapshot.settings.include).toEqual({ value: ['git'], origin: 'project', file: PROJECT_FILE });
    expect(snapshot.settings.skipPlugins).toEqual({ value: false, origin: 'project', file: PROJECT_FILE });
    expect(snapshot.settings.priority).toEqual({ value: 'project-first', origin: 'user', file: USER_FILE });
    expect(snapshot.settings.exclude).toEqual({ value: [], origin: 'default' });
  });

  test('a flag goes before both', async () => {
    const { snapshot } = await project({ ...SKILLS, ...both }).open({ include: ['codex'] });
    expect(snapshot.settings.include).toEqual({ value: ['codex'], origin: 'flag' });
    expect(snapshot.view().skills.map(({ name }) => name)).toEqual(['pdf']);
  });

  test('relative folders start from the project, or from the home', async () => {
    const { snapshot } = await project({ ...SKILLS, [PROJECT_FILE]: json({ skillDir: 'team?scope=us' }) }).open();
    expect(snapshot.settings.skillDir.value).toEqual([`${P}/team?scope=us`]);
    expect(snapshot.all.find('us:a').kind).toBe('found');
    const user = await project({ ...SKILLS, [USER_FILE]: json({ skillDir: ['mine'] }) }).open();
    expect(user.snapshot.all.find('file:b').kind).toBe('found');
  });

  test('the nearest project folder with a file is used', async () => {
    const files = { '/repo/.git/HEAD': '', '/repo/.lectern/config.json': json({ include: 'pdf' }) };
    expect((await project({ ...SKILLS, ...files }).open()).snapshot.settings.include.value).toEqual(['pdf']);
    expect(
      (await project({ ...SKILLS, ...files, [PROJECT_FILE]: json({ include: 'git' }) }).open()).snapshot.settings
        .include.value,
    ).toEqual(['git']);
  });

  test('XDG_CONFIG_HOME moves the user’s file; an empty one does not', async () => {
    const files = {
      ...SKILLS,
      '/xdg/lectern/config.json': json({ include: 'git' }),
      [USER_FILE]: json({ include: 'pdf' }),
    };
    expect(
      (await project(files).open({ environment: { XDG_CONFIG_HOME: '/xdg' } })).snapshot.settings.include.value,
    ).toEqual(['git']);
    expect(
      (await project(files).open({ environment: { XDG_CONFIG_HOME: '' } })).snapshot.settings.include.value,
    ).toEqual(['pdf']);
  });

  test('the files can be left unread', async () => {
    expect(
      (await project({ ...SKILLS, [PROJECT_FILE]: '{' }).open({ readConfig: false })).snapshot.configFiles,
    ).toEqual([]);
  });
});

describe('invalid settings are reported and ignored; the rest applies', () => {
  test('an unknown key is reported with its line and a suggestion', async () => {
    const { snapshot } = await project({
      ...SKILLS,
      [PROJECT_FILE]: '{\n  "include": "git",\n  "exlude": "pdf"\n}',
    }).open();
    expect(snapshot.configDiagnostics).toMatchObject([
      {
        code: 'config-key-unknown',
        severity: 'error',
        message: '"exlude" is not a known key.',
        fix: expect.stringContaining('exclude'),
        path: PROJECT_FILE,
        line: 3,
      },
    ]);
    expect(snapshot.settings.include.value).toEqual(['git']);
  });

  test('an unknown key among the limits', async () => {
    expect(await findings({ [PROJECT_FILE]: json({ limits: { walkDeph: 3 } }) })).toMatchObject([
      { message: '"limits.walkDeph" is not a known key.', fix: expect.stringContaining('limits.walkDepth') },
    ]);
  });

  test.each([
    ['skipPlugins', '{\n"skipPlugins": "yes"\n}', 2],
    ['include', '{"include": 5}', 1],
    ['limits.walkDepth', '{"limits":\n\n{"walkDepth": 0}}', 3],
    ['priority', '{"priority": "user-first"}', 1],
  ])('a value of the wrong kind for %s', async (key, text, line) => {
    expect(await findings({ [USER_FILE]: text })).toMatchObject([
      { code: 'config-value-invalid', path: USER_FILE, line, message: expect.stringContaining(`"${key}" must be`) },
    ]);
  });

  test.each(['[]', 'null', '"text"', '5'])('%s is not a configuration', async (text) => {
    expect(await findings({ [PROJECT_FILE]: text })).toMatchObject([
      { code: 'config-invalid', path: PROJECT_FILE, message: 'The configuration must be an object.' },
    ]);
  });

  test('broken JSON is reported with its line, without quoting it', async () => {
    const found = await findings({ [PROJECT_FILE]: '{\n  "include": "CANARY"\n  "exclude": 1\n}' });
    expect(found).toMatchObject([{ code: 'config-invalid', path: PROJECT_FILE, line: 3 }]);
    expect(JSON.stringify(found)).not.toContain('CANARY');
  });

  test('a file that is a link to itself, or a folder', async () => {
    expect(await findings({ [PROJECT_FILE]: { link: 'config.json' } })).toMatchObject([{ code: 'config-invalid' }]);
    expect(await findings({ [`${PROJECT_FILE}/x`]: '' })).toMatchObject([{ code: 'config-invalid' }]);
  });

  test('keys of JavaScript’s own are unknown keys like any other', async () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect(await findings({ [PROJECT_FILE]: `{"${key}": {"polluted": true}}` })).toMatchObject([
        { code: 'config-key-unknown' },
      ]);
    }
    expect('polluted' in {}).toBe(false);
  });
});

describe('a project’s file comes with a repository, so it cannot widen access', () => {
  const REFUSED: Record<string, unknown> = {
    allowedHost: ['evil.example'],
    serverName: 'other',
    pluginsFile: './plugins.json',
    pluginsRoot: './plugins',
    autoIndex: true,
    search: { embeddings: 'endpoint', endpoint: { url: 'http://127.0.0.1:1/v1', model: 'm' } },
    limits: { walkDepth: 200, walkEntries: 9_000_000 },
    descriptionBudget: 100_000,
    skillDir: ['/', '../..', './link-out'],
    root: '/etc',
    specsDir: '../other',
    changesDir: '/tmp',
  };
  const OUTSIDE = { [`${P}/link-out`]: { link: '/elsewhere' }, '/elsewhere/x/SKILL.md': skillText({ name: 'x' }) };

  test.each(Object.entries(REFUSED))(
    '%s: ignored, with an error that names key, file and reason',
    async (key, value) => {
      const { snapshot } = await project({ ...SKILLS, ...OUTSIDE, [PROJECT_FILE]: json({ [key]: value }) }).open();
      const usual = (await project({ ...SKILLS, ...OUTSIDE }).open()).snapshot.settings;
      expect(snapshot.settings).toEqual(usual);
      expect(snapshot.configDiagnostics.length).toBeGreaterThan(0);
      for (const finding of snapshot.configDiagnostics) {
        expect(finding).toMatchObject({ code: 'config-key-refused', severity: 'error', path: PROJECT_FILE });
        expect(finding.message).toMatch(new RegExp(`^"${key}(?:\\.\\w+)?" is ignored: .+\\.$`, 'u'));
      }
    },
  );

  test('the same in the user’s own file applies', async () => {
    const { snapshot } = await project({ ...SKILLS, ...OUTSIDE, [USER_FILE]: json(REFUSED) }).open();
    expect(snapshot.configDiagnostics).toEqual([]);
    expect(snapshot.settings.allowedHost).toEqual({ value: ['evil.example'], origin: 'user', file: USER_FILE });
    expect(snapshot.settings.walkDepth.value).toBe(200);
  });

  test('settings that only narrow apply: filters, folders inside the project, smaller limits', async () => {
    const given = {
      include: 'git',
      skillDir: 'team',
      root: './skills',
      limits: { walkDepth: 2 },
      descriptionBudget: 500,
    };
    const { snapshot } = await project({ ...SKILLS, [PROJECT_FILE]: json(given) }).open();
    expect(snapshot.configDiagnostics).toEqual([]);
    expect(snapshot.settings.walkDepth).toEqual({ value: 2, origin: 'project', file: PROJECT_FILE });
    expect(snapshot.settings.descriptionBudget.value).toBe(500);
  });

  test('the settings a project may set are listed explicitly', () => {
    const allowed = SETTING_NAMES.filter((name) => 'project' in SETTINGS[name]);
    expect(allowed.sort()).toEqual([
      'autoRefresh',
      'changesDir',
      'descriptionBudget',
      'exclude',
      'include',
      'priority',
      'refreshInterval',
      'root',
      'scanDefaultDirs',
      'skillDir',
      'skipPlugins',
      'specsDir',
      'toolNames',
      'tools',
      'walkDepth',
      'walkEntries',
      'watch',
    ]);
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
  const { snapshot } = await project({ '/x': '' }).open({ skillDir: [text], scanDefaultDirs: false });
  expect(snapshot.roots.map(({ dir, scope }) => ({ dir, ...(scope === undefined ? {} : { scope }) }))).toEqual([
    parsed,
  ]);
});
