import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agentSearch } from '../../src/operations/agent-search.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { overview } from '../../src/operations/overview.ts';
import { search } from '../../src/operations/search.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { HOME as H, project, PROJECT as P } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { ask } from '../support/ask.ts';

const FILES = {
  [`${P}/.agents/skills/git/SKILL.md`]: skillText({
    name: 'git',
    description: 'Commit and branch',
    body: 'Use git for every change.\n',
  }),
  [`${P}/.claude/skills/pdf/SKILL.md`]: skillText({
    name: 'pdf',
    description: 'Read PDF files',
    body: Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n'),
  }),
  [`${P}/.claude/skills/pdf/scripts/fill.py`]: 'print(1)',
  [`${P}/.claude/skills/pdf/references/key`]: { link: '/etc/secret' },
  [`${P}/.claude/skills/pdf/references/own`]: { link: '../scripts/fill.py' },
  [`${P}/.claude/skills/pdf/gone`]: { link: 'nowhere' },
  '/etc/secret': 'CANARY',
  [`${H}/.claude/skills/pdf/SKILL.md`]: skillText({
    name: 'pdf',
    description: 'Read PDF files',
    body: Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n'),
  }),
  [`${P}/.codex/skills/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'Another way to read PDFs' }),
  [`${P}/.claude/skills/off/.SKILL.md`]: skillText({ name: 'off' }),
  [`${P}/.claude/skills/broken/SKILL.md`]: 'nothing here',
  '/elsewhere/linked/SKILL.md': skillText({ name: 'linked' }),
  [`${H}/.claude/skills/linked`]: { link: '/elsewhere/linked' },
};
const open = () => project(FILES).open();

describe('list', () => {
  test('fulfills the contract and fits its schema', async () => {
    const data = await ask(listSkills, { state: 'enabled' }, await open());
    expect(data.skills).toEqual([
      {
        name: 'git',
        fullName: 'agents:git',
        description: 'Commit and branch',
        provider: 'agents',
        location: 'project',
        path: `${P}/.agents/skills/git`,
        file: `${P}/.agents/skills/git/SKILL.md`,
        disabled: false,
      },
      expect.objectContaining({ fullName: 'claude:pdf', location: 'project', ambiguous: true }),
      expect.objectContaining({ fullName: 'claude:linked', file: `${H}/.claude/skills/linked/SKILL.md` }),
      expect.objectContaining({
        fullName: 'claude:pdf',
        location: 'user',
        shadowedBy: `${P}/.claude/skills/pdf/SKILL.md`,
      }),
      expect.objectContaining({ fullName: 'codex:pdf', ambiguous: true }),
    ]);
    expect(data.counts).toEqual({
      total: 5,
      enabled: 5,
      disabled: 0,
      shadowed: 1,
      severalVersions: 1,
      copies: 0,
      ambiguous: 1,
      ambiguousSkills: 2,
      unlistedProblems: 0,
      leftOut: { byState: 1, byFilters: 0 },
      byProvider: { agents: 1, claude: 3, codex: 1 },
      byLocation: { project: 3, user: 2 },
    });
    expect(data.diagnostics).toMatchObject([
      { code: 'frontmatter-missing', path: `${P}/.claude/skills/broken/SKILL.md`, line: 1 },
      { code: 'name-ambiguous' },
      { code: 'name-shadowed' },
    ]);
  });

  test('disabled and all', async () => {
    const workspace = await open();
    expect((await ask(listSkills, { state: 'disabled' }, workspace)).skills).toMatchObject([
      { name: 'off', disabled: true },
    ]);
    expect((await ask(listSkills, { state: 'all' }, workspace)).counts).toMatchObject({
      total: 6,
      enabled: 5,
      disabled: 1,
    });
  });

  test('--include=auto hides the shadowed copy', async () => {
    const data = await ask(listSkills, { state: 'enabled' }, await project(FILES).open({ include: ['auto'] }));
    expect(data.skills.filter(({ shadowedBy }) => shadowedBy !== undefined)).toEqual([]);
    expect(data.counts.total).toBe(4);
  });

  test('doctor counts ambiguous names as the list does', async () => {
    const workspace = await open();
    const wanted = { ambiguous: 1, ambiguousSkills: 2 };
    expect((await ask(listSkills, { state: 'all' }, workspace)).counts).toMatchObject(wanted);
    expect((await ask(doctor, {}, workspace)).counts).toMatchObject(wanted);
  });

  test.each([
    { options: {}, state: 'enabled', codes: ['broken', 'codex', 'noted', '.claude/skills/gone'], unlisted: 1 },
    { options: {}, state: 'disabled', codes: ['.claude/skills/gone', 'off'], unlisted: 3 },
    { options: {}, state: 'all', codes: ['broken', 'codex', 'noted', 'off', '.claude/skills/gone'], unlisted: 0 },
    { options: { include: ['codex'] }, state: 'enabled', codes: ['codex', '.claude/skills/gone'], unlisted: 3 },
    { options: { include: ['git'] }, state: 'enabled', codes: ['.claude/skills/gone'], unlisted: 4 },
    {
      options: { include: ['bro*'] },
      state: 'enabled',
      codes: ['broken', 'filter', '.claude/skills/gone'],
      unlisted: 3,
    },
    { options: { exclude: ['claude'] }, state: 'enabled', codes: ['codex', '.claude/skills/gone'], unlisted: 3 },
  ] as const)(
    '$options, $state: the problems of what is listed and of the roots, the others counted',
    async ({ options, state, codes, unlisted }) => {
      const repaired = (name: string): string => skillText({ name, description: 'a: b' });
      const workspace = await project({
        [`${P}/.agents/skills/git/SKILL.md`]: skillText({ name: 'git' }),
        [`${P}/.claude/skills/noted/SKILL.md`]: repaired('noted'),
        [`${P}/.claude/skills/broken/SKILL.md`]: 'nothing',
        [`${P}/.claude/skills/off/.SKILL.md`]: repaired('off'),
        [`${P}/.claude/skills/gone`]: { link: 'nowhere' },
        [`${P}/.codex/skills/pdf/SKILL.md`]: repaired('pdf'),
      }).open(options);
      const { diagnostics, counts } = await ask(listSkills, { state }, workspace);
      const said = diagnostics.map(({ path }) =>
        path.includes('codex')
          ? 'codex'
          : path.startsWith('--')
            ? 'filter'
            : (/skills\/(\w+)\/\.?SKILL/u.exec(path)?.[1] ?? path.slice(P.length + 1)),
      );
      expect(said.sort()).toEqual([...codes].sort());
      expect(counts.unlistedProblems).toBe(unlisted);
    },
  );

  test('a catalog without skills is an empty list', async () => {
    expect((await ask(listSkills, { state: 'all' }, await project({ '/x': '' }).open())).counts.total).toBe(0);
  });
});

describe('show', () => {
  test('metadata, files, problems and twenty lines', async () => {
    const data = await ask(showSkill, { name: 'claude:pdf', full: false }, await open());
    expect(data.files).toEqual([
      { path: 'SKILL.md', bytes: expect.any(Number) },
      { path: 'references/own', bytes: 8 },
      { path: 'scripts/fill.py', bytes: 8 },
    ]);
    expect(data.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['link-dangling', `${P}/.claude/skills/pdf/gone`],
      ['symlink-outside', `${P}/.claude/skills/pdf/references/key`],
    ]);
    expect(data.preview.split('\n')).toHaveLength(20);
    expect(data).toMatchObject({ previewCut: true, frontmatter: { name: 'pdf' } });
    expect(data.content).toBeUndefined();
  });

  test('full holds the file, byte for byte', async () => {
    const text = '\ufeff---\r\nname: odd\r\ndescription: d\r\n---\r\n\ttabs, blanks  \r\n\u{10ffff}\u{1f600}\u0007 end';
    const workspace = await project({ [`${P}/skills/odd/SKILL.md`]: text }).open();
    const { content = '' } = await ask(showSkill, { name: 'odd', full: true }, workspace);
    const sha = (value: string): string => createHash('sha256').update(value).digest('hex');
    expect(sha(content)).toBe(sha(text));
  });

  test('a disabled skill can be looked at', async () => {
    expect(await ask(showSkill, { name: 'off', full: false }, await open())).toMatchObject({ disabled: true });
  });

  test('a skill reached through a link shows its real path', async () => {
    expect(await ask(showSkill, { name: 'linked', full: false }, await open())).toMatchObject({
      path: `${H}/.claude/skills/linked`,
      realPath: '/elsewhere/linked',
    });
  });

  test('the error for an ambiguous name lists the full names to use', async () => {
    await expect(ask(showSkill, { name: 'pdf', full: false }, await open())).rejects.toMatchObject({
      code: 'AMBIGUOUS',
      message: "Skill name 'pdf' is ambiguous. Multiple skills found: claude:pdf, codex:pdf.",
      hint: 'Specify the full name: claude:pdf or codex:pdf.',
      suggestions: ['claude:pdf', 'codex:pdf'],
    });
  });

  test('a missing name suggests near ones', async () => {
    await expect(ask(showSkill, { name: 'gti', full: false }, await open())).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: "Skill 'gti' not found.",
      suggestions: ['git'],
    });
  });

  test('a skill that the filters leave out is not found', async () => {
    const workspace = await project(FILES).open({ include: ['codex'] });
    await expect(ask(showSkill, { name: 'git', full: false }, workspace)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await ask(showSkill, { name: 'pdf', full: false }, workspace)).toMatchObject({ fullName: 'codex:pdf' });
  });

  test('the list of files stops at the limit and is marked as cut', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`${P}/skills/big/f/${index}`, '']));
    const workspace = await project({ ...many, [`${P}/skills/big/SKILL.md`]: skillText({ name: 'big' }) }).open();
    const data = await ask(showSkill, { name: 'big', full: false }, workspace);
    expect([data.files.length, data.filesCut]).toEqual([5_000, true]);
  });
});

describe('search', () => {
  const find = async (query: string, limit = 10) =>
    ask(search, { query, limit, mode: 'keyword', state: 'enabled' } as Parameters<typeof search.run>[0], await open());

  test('all words must occur; the name counts more than the description, that more than the body', async () => {
    const data = await find('git');
    expect(data).toMatchObject({
      query: 'git',
      mode: 'keyword',
      total: 1,
      results: [{ kind: 'skill', id: 'agents:git', name: 'git' }],
    });
    expect((await find('git banana')).total).toBe(0);
    expect((await find('COMMIT every')).results.map(({ id }) => id)).toEqual(['agents:git']);
  });

  test('the snippet shows the word and its position', async () => {
    const [hit] = (await find('every')).results;
    expect(hit?.marks.map(([start, end]) => hit.snippet.slice(start, end))).toEqual(['every']);
  });

  test('the limit cuts the results and not the total', async () => {
    const data = await find('pdf', 1);
    expect([data.results.length, data.total]).toEqual([1, 3]);
  });

  test('an empty query is a usage failure', async () => {
    await expect(find('  ')).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('frontmatter is not searched as if it were body', async () => {
    expect((await find('description:')).total).toBe(0);
  });
});

describe('validate', () => {
  const validate = async (input: { target?: string; all?: boolean; strict?: boolean }) =>
    ask(validateSkills, { all: false, profile: 'spec', strict: false, ...input }, await open());

  test('without a target: the skills of the project, broken files among them', async () => {
    const report = await validate({});
    expect(report.items.map(({ id, valid }) => [id, valid])).toEqual([
      ['agents:git', true],
      ['claude:off', true],
      ['claude:pdf', true],
      ['codex:pdf', true],
      [`${P}/.claude/skills/broken/SKILL.md`, false],
    ]);
    expect(report).toMatchObject({ valid: false, summary: '1 of 5 skills not valid.' });
    expect(report.errors).toMatchObject([
      { code: 'frontmatter-missing', item: `${P}/.claude/skills/broken/SKILL.md`, line: 1 },
    ]);
  });

  test('all: the user’s too', async () => {
    expect((await validate({ all: true })).items).toHaveLength(7);
  });

  test.each([
    ['git', ['agents:git']],
    ['codex:pdf', ['codex:pdf']],
    ['.agents/skills/git', ['file:git']],
    ['./.agents/skills/git/SKILL.md', ['file:git']],
    [`${P}/.codex/skills`, ['file:pdf']],
  ])('the target %s', async (target, ids) => {
    expect((await validate({ target })).items.map(({ id }) => id)).toEqual(ids);
  });

  test('a folder with a broken skill is not valid', async () => {
    expect(await validate({ target: '.claude/skills/broken' })).toMatchObject({
      valid: false,
      errors: [{ code: 'frontmatter-missing' }],
    });
  });

  test.each([
    ['gti', 'NOT_FOUND'],
    ['pdf', 'AMBIGUOUS'],
    ['./nowhere', 'NOT_FOUND'],
    ['.claude/skills/pdf/scripts', 'NOT_FOUND'],
    ['.claude/skills/pdf/scripts/fill.py', 'USAGE'],
    ['a\0b', 'NOT_FOUND'],
    ['./a\0b', 'NOT_FOUND'],
  ])('the target %j is a failure: %s', async (target, code) => {
    await expect(validate({ target })).rejects.toMatchObject({ code });
  });

  test('without skills there is nothing to fail', async () => {
    expect(
      await ask(validateSkills, { profile: 'spec', strict: true }, await project({ '/x': '' }).open()),
    ).toMatchObject({
      valid: true,
      summary: 'No skills to validate.',
    });
  });
});

describe('doctor and overview', () => {
  test('doctor reports roots, counts, links, copies, settings and problems', async () => {
    const data = await ask(
      doctor,
      {},
      await project({ ...FILES, [`${P}/.lectern/config.json`]: '{"exclude":"nothing"}' }).open(),
    );
    expect(data).toMatchObject({
      ok: false,
      counts: { skills: 6, enabled: 5, disabled: 1, shadowed: 1, ambiguous: 1, copies: 0, linked: 1, errors: 1 },
      linked: [{ file: `${H}/.claude/skills/linked/SKILL.md`, realPath: '/elsewhere/linked/SKILL.md' }],
      copies: [],
    });
    expect(data.settings.find(({ key }) => key === 'exclude')).toEqual({
      key: 'exclude',
      value: ['nothing'],
      origin: 'project',
      file: `${P}/.lectern/config.json`,
    });
    expect(data.roots.find(({ dir }) => dir === `${P}/.claude/skills`)).toMatchObject({ state: 'walked', skills: 2 });
    expect(data.diagnostics.map(({ code }) => code)).toEqual([
      'frontmatter-missing',
      'filter-no-match',
      'name-ambiguous',
      'name-shadowed',
    ]);
  });

  test('doctor is content with a clean catalog', async () => {
    expect(
      await ask(doctor, {}, await project({ [`${P}/skills/a/SKILL.md`]: skillText({ name: 'a' }) }).open()),
    ).toMatchObject({
      ok: true,
      diagnostics: [],
    });
  });

  test('overview counts by provider and reports problems', async () => {
    const data = await ask(overview, {}, await open());
    expect(data).toMatchObject({
      skills: 5,
      disabled: 1,
      shadowed: 1,
      errors: 1,
      examples: ['git', 'claude:pdf', 'linked'],
    });
    expect(data.groups).toEqual([
      { provider: 'agents', location: 'project', skills: 1 },
      { provider: 'claude', location: 'project', skills: 1 },
      { provider: 'claude', location: 'user', skills: 2 },
      { provider: 'codex', location: 'project', skills: 1 },
    ]);
  });
});

test('nothing outside a skill is read by any of them', async () => {
  const workspace = await open();
  const everything = JSON.stringify([
    await ask(listSkills, { state: 'all' }, workspace),
    await ask(showSkill, { name: 'claude:pdf', full: true }, workspace),
    await ask(validateSkills, { all: true, profile: 'mcp', strict: true }, workspace),
    await ask(doctor, {}, workspace),
    await ask(overview, {}, workspace),
  ]);
  expect(everything).not.toContain('CANARY');
});

describe('texts of a request are capped before any work', () => {
  const LONG = 'x'.repeat(1_000_000);

  test.each([
    [
      'a name',
      () =>
        project(FILES)
          .open()
          .then((workspace) => ask(loadSkill, { name: LONG }, workspace)),
      256,
    ],
    [
      'a query',
      () =>
        project(FILES)
          .open()
          .then((workspace) => ask(agentSearch, { query: LONG }, workspace)),
      2_000,
    ],
    [
      'a rephrasing',
      () =>
        project(FILES)
          .open()
          .then((workspace) => ask(search, { query: 'a', queries: [LONG] }, workspace)),
      2_000,
    ],
    [
      'a path',
      () =>
        project(FILES)
          .open()
          .then((workspace) => ask(validateSkills, { target: LONG }, workspace)),
      4_096,
    ],
  ])('%s', async (_, call, characters) => {
    await expect(call()).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(new RegExp(`must be at most ${characters} characters long\\.$`, 'u')),
    });
  });

  test('a query has at most 64 words', async () => {
    const query = Array.from({ length: 65 }, (_, index) => `w${index}`).join(' ');
    await expect(ask(agentSearch, { query }, await project(FILES).open())).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('at most 64 words'),
    });
  });
});
