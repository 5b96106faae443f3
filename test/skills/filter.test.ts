import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { filterSkills, splitTokens } from '../../src/skills/filter.ts';
import { fullNameOf } from '../../src/skills/skill.ts';
import { HOME as H, project, PROJECT as P } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const PLUGINS = `${H}/.claude/plugins`;
const FILES = {
  [`${P}/.agents/skills/git/SKILL.md`]: skillText({ name: 'git' }),
  [`${P}/.agents/skills/linked/SKILL.md`]: skillText({ name: 'linked' }),
  [`${P}/.claude/skills/linked`]: { link: '../../.agents/skills/linked' },
  [`${P}/.claude/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
  [`${P}/.claude/skills/off/.SKILL.md`]: skillText({ name: 'off' }),
  [`${H}/.claude/skills/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'the user’s' }),
  [`${P}/.codex/skills/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'Codex’s' }),
  [`${P}/skills/git-flow/SKILL.md`]: skillText({ name: 'git-flow' }),
  [`${PLUGINS}/installed_plugins.json`]: JSON.stringify({
    plugins: {
      'office@m': [{ scope: 'user', installPath: '/plugins/office' }],
      'media@m': [{ scope: 'user', installPath: '/plugins/media' }],
    },
  }),
  '/plugins/office/skills/xlsx/SKILL.md': skillText({ name: 'xlsx' }),
  '/plugins/media/skills/video/SKILL.md': skillText({ name: 'video' }),
};

async function view(options: { include?: string[]; exclude?: string[]; state?: 'enabled' | 'disabled' | 'all' } = {}) {
  const { state = 'enabled', ...filters } = options;
  const { snapshot } = await project(FILES).open(filters);
  return {
    names: snapshot
      .view(state)
      .skills.map((skill) => `${fullNameOf(skill)}${skill.location === 'user' ? ' (user)' : ''}`),
    problems: snapshot.diagnostics({ state }).map(({ code, path, message }) => [code, path, message]),
  };
}

const ALL = [
  'agents:git',
  'agents:linked',
  'claude:pdf',
  'claude:pdf (user)',
  'codex:pdf',
  'repo:git-flow',
  'claude:media:video',
  'claude:office:xlsx',
];
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));

describe('include', () => {
  test.each([
    { tokens: ['all'], names: ALL },
    { tokens: ['auto'], names: without('claude:pdf (user)') },
    {
      tokens: ['claude'],
      names: ['agents:linked', 'claude:pdf', 'claude:pdf (user)', 'claude:media:video', 'claude:office:xlsx'],
    },
    { tokens: ['codex'], names: ['codex:pdf'] },
    { tokens: ['repo'], names: ['repo:git-flow'] },
    { tokens: ['codex:pdf'], names: ['codex:pdf'] },
    { tokens: ['git'], names: ['agents:git'] },
    { tokens: ['GIT'], names: ['agents:git'] },
    { tokens: ['pdf'], names: ['claude:pdf', 'claude:pdf (user)', 'codex:pdf'] },
    { tokens: ['@plugins'], names: ['claude:media:video', 'claude:office:xlsx'] },
    { tokens: ['claude:@plugins'], names: ['claude:media:video', 'claude:office:xlsx'] },
    { tokens: ['@plugins:office'], names: ['claude:office:xlsx'] },
    { tokens: ['@plugins:o*'], names: ['claude:office:xlsx'] },
    { tokens: ['@office:xlsx'], names: ['claude:office:xlsx'] },
    { tokens: ['@media:*'], names: ['claude:media:video'] },
    { tokens: ['office:xlsx'], names: ['claude:office:xlsx'] },
    { tokens: ['claude:office:xlsx'], names: ['claude:office:xlsx'] },
    { tokens: ['git*'], names: ['agents:git', 'repo:git-flow'] },
    { tokens: ['codex:*'], names: ['codex:pdf'] },
    { tokens: ['?df'], names: ['claude:pdf', 'claude:pdf (user)', 'codex:pdf'] },
    { tokens: ['file:./.codex/skills/pdf'], names: ['file:pdf'] },
    { tokens: ['codex,git'], names: ['codex:pdf', 'agents:git'] },
    { tokens: ['codex', 'git'], names: ['codex:pdf', 'agents:git'] },
    {
      tokens: ['pdf', 'codex', 'all'],
      names: [
        'claude:pdf',
        'claude:pdf (user)',
        'codex:pdf',
        ...without('claude:pdf', 'claude:pdf (user)', 'codex:pdf'),
      ],
    },
    { tokens: [' git , , codex '], names: ['agents:git', 'codex:pdf'] },
  ])('$tokens gives $names', async ({ tokens, names }) => {
    expect(await view({ include: tokens })).toEqual({ names, problems: [] });
  });

  test('a link from another agent’s folder brings a skill in under that agent’s name', async () => {
    expect((await view({ include: ['claude:linked'] })).names).toEqual(['agents:linked']);
  });

  test('a token that matches nothing is a warning that names it', async () => {
    expect(await view({ include: ['git', 'nothing-like-it'] })).toEqual({
      names: ['agents:git'],
      problems: [['filter-no-match', '--include', '"nothing-like-it" matches no skill']],
    });
  });
});

describe('exclude', () => {
  test.each([
    { tokens: ['git'], names: without('agents:git') },
    { tokens: ['@plugins'], names: without('claude:media:video', 'claude:office:xlsx') },
    { tokens: ['@plugins:media'], names: without('claude:media:video') },
    { tokens: ['codex'], names: without('codex:pdf') },
    { tokens: ['claude'], names: ['agents:git', 'agents:linked', 'codex:pdf', 'repo:git-flow'] },
    { tokens: ['*pdf*'], names: without('claude:pdf', 'claude:pdf (user)', 'codex:pdf') },
    { tokens: ['all'], names: [] },
  ])('$tokens leaves $names', async ({ tokens, names }) => {
    expect(await view({ exclude: tokens })).toEqual({ names, problems: [] });
  });

  test('comes last, whatever was included', async () => {
    expect((await view({ include: ['all', 'git'], exclude: ['git'] })).names).toEqual(without('agents:git'));
  });

  test('a link from another agent’s folder never takes a skill away', async () => {
    expect((await view({ exclude: ['claude:linked'] })).problems.map(([code]) => code)).toEqual(['filter-no-match']);
  });

  test('a token that matches nothing is a warning', async () => {
    expect((await view({ exclude: ['nope'] })).problems).toEqual([
      ['filter-no-match', '--exclude', '"nope" matches no skill'],
    ]);
  });
});

describe('states', () => {
  test('enabled, disabled and all', async () => {
    expect((await view()).names).toEqual(ALL);
    expect((await view({ state: 'disabled' })).names).toEqual(['claude:off']);
    expect((await view({ state: 'all' })).names).toContain('claude:off');
    expect((await view({ state: 'all' })).names).toHaveLength(ALL.length + 1);
  });

  test('come before the includes', async () => {
    expect((await view({ state: 'disabled', include: ['all'] })).names).toEqual(['claude:off']);
    expect((await view({ include: ['off'] })).names).toEqual([]);
  });
});

describe('tokens that cannot be meant', () => {
  test.each(['codex:@plugins', 'codex:@plugins:office', 'agents:@plugins'])(
    '%s is an error with a hint',
    async (token) => {
      const failure = await view({ include: [token] }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Failure);
      expect(failure).toMatchObject({ code: 'INVALID_FILTER', hint: expect.stringContaining('claude:@plugins') });
    },
  );

  test.each([':pdf', 'pdf:', 'a::b', ':'])('%s has an empty part', async (token) => {
    await expect(view({ exclude: [token] })).rejects.toMatchObject({ code: 'INVALID_FILTER' });
  });
});

test('tokens are split at commas and trimmed', () => {
  expect(splitTokens(['a,b', ' c ', ',', 'd,,e'])).toEqual(['a', 'b', 'c', 'd', 'e']);
});

describe('many patterns', () => {
  const numbered = (count: number, text: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => text(index));

  test('only the first 500 of a filter are used, and the rest are reported', async () => {
    const { names, problems } = await view({
      include: ['git', ...numbered(499, () => 'git'), 'pdf'],
      exclude: [...numbered(500, () => 'all'), 'git-flow', 'file:.'],
    });
    expect(names).toEqual([]);
    expect(problems).toEqual([
      ['filter-too-long', '--exclude', 'only the first 500 patterns are used; 2 more ignored'],
      ['filter-too-long', '--include', 'only the first 500 patterns are used; 1 more ignored'],
    ]);
  });

  test('twenty thousand patterns in the settings of a project do not stop a list of a thousand skills', async () => {
    const files = numbered(1_000, (index) => `${P}/.claude/skills/${'a'.repeat(40)}-${index}/SKILL.md`);
    const workspace = await project({
      ...Object.fromEntries(files.map((file, index) => [file, skillText({ name: `${'a'.repeat(40)}-${index}` })])),
      [`${P}/.lectern/config.json`]: JSON.stringify({
        exclude: numbered(20_000, (index) => `${'*a'.repeat(15)}*b${index}`),
      }),
    }).open();
    expect(workspace.snapshot.view('enabled').skills).toHaveLength(1_000);
    const codes = workspace.snapshot.diagnostics({ state: 'enabled' }).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['filter-too-long', 'filter-no-match']));
    expect(codes).toHaveLength(501);
  });

  test('the names of a skill are computed once, whatever the number of patterns', async () => {
    let reads = 0;
    const { snapshot } = await project(FILES).open();
    const skills = snapshot.view('all').copies.map((skill) =>
      Object.defineProperty({ ...skill }, 'folder', {
        get: () => {
          reads += 1;
          return skill.folder;
        },
      }),
    );
    filterSkills(skills, { include: numbered(500, (index) => `x${index}*`), exclude: [], state: 'all', projectDir: P });
    expect(reads).toBe(skills.length);
  });
});
